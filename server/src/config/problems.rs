//! Everything that is wrong with what the program was told, told at once.

use std::fmt::{self, Display};

use clap::error::ErrorKind;

/// What is wrong, one problem a paragraph.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<String>);

impl Problems {
    pub(super) fn add(&mut self, problem: impl Display) {
        self.0.push(problem.to_string());
    }

    /// No error, if there is no problem.
    pub(super) fn none(self) -> Result<(), clap::Error> {
        if self.0.is_empty() { Ok(()) } else { Err(clap::Error::raw(ErrorKind::ValueValidation, self)) }
    }

    /// All of them and what the command line says at last, which may be the text that was asked for with `--help`.
    pub(super) fn and(mut self, error: clap::Error) -> clap::Error {
        if self.0.is_empty() || !error.use_stderr() {
            return error;
        }
        let last = said(&error);
        // A variable that is no value was told already, with its name.
        if !self.0.iter().any(|problem| problem.ends_with(&last)) {
            self.add(last);
        }
        self.none().err().unwrap_or(error)
    }
}

impl Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.0.join("\nerror: "))
    }
}

/// What an error says, without the word before it and the advice after it.
pub(super) fn said(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.split("\n\n").next().unwrap_or(text).trim_end().to_owned()
}
