//! Progress on a terminal, and lines past it.

use std::fmt::Display;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Failure;
use crate::out;

/// A line on the terminal that tells how far a command has come. Where standard error is none, nothing is drawn.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Progress through so many things, called `what`.
    pub(crate) fn through(count: usize, what: &str) -> Self {
        let bar = ProgressBar::new(count.try_into().unwrap_or(u64::MAX));
        Self::drawn(bar, &format!("{{bar:30}} {{pos}}/{{len}} {what}, {{msg}} {{elapsed}}"))
    }

    /// Progress through nobody knows how many things.
    pub(crate) fn unbounded(what: &str) -> Self {
        Self::drawn(ProgressBar::no_length(), &format!("{{spinner}} {{pos}} {what}, {{per_sec}} {{elapsed}}"))
    }

    fn drawn(bar: ProgressBar, template: &str) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    /// One more is done.
    pub(crate) fn done(&self) {
        self.bar.inc(1);
    }

    /// Something about the one that is being done.
    pub(crate) fn message(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Prints a line on standard error.
    pub(crate) fn complain(&self, line: impl Display) {
        self.bar.suspend(|| out::complain(line));
    }

    /// Prints a line that the outcome does not hang on.
    pub(crate) fn tell(&self, line: impl Display) -> Result<(), Failure> {
        self.bar.suspend(|| out::figures(format_args!("{line}\n")))
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
