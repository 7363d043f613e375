//! The command line `chaquete`, as whoever types it sees it.

use std::{path::Path, process::Command};

use crate::{Service, binary};

/// What the command line says, and how it exits.
#[derive(Debug)]
pub struct Said {
    /// The exit code.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs the command line against a server, with a folder to work in.
///
/// # Panics
/// It cannot be run, or says something that is no text.
#[must_use]
pub fn chaquete(server: &Service, folder: &Path, arguments: &[&str]) -> Said {
    let mut command = Command::new(binary("chaquete"));
    let command = command.env("CHAQUETE_SERVER", server.endpoint()).current_dir(folder).args(arguments);
    let output = command.output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a text");
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

impl Said {
    /// The last line that it says, if all went well.
    ///
    /// # Panics
    /// It did not.
    #[expect(clippy::must_use_candidate, reason = "to have asked is to have checked")]
    pub fn figures(&self) -> &str {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self.out.lines().last().expect("it says something")
    }
}
