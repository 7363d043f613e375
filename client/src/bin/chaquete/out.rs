//! The one way to standard output and standard error.
//!
//! A reader that has gone is no error: `chaquete show MATCH --log | head -1` has done what it was asked.
//! The program then ends quietly with exit code 0. Anything else that keeps output from being written
//! is told, with exit code 2.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::failure::Failure;

/// Prints a line.
pub(crate) fn line(line: impl Display) -> Result<(), Failure> {
    text(format_args!("{line}\n"))
}

/// Prints text that has its own ends of lines.
pub(crate) fn text(text: impl Display) -> Result<(), Failure> {
    // One write for all, so that a reader gets it whole or not at all.
    bytes(text.to_string().as_bytes())
}

/// Prints text that has its own ends of lines, and that the outcome does not hang on: whoever does not read it to its
/// end keeps nothing from being done.
pub(crate) fn figures(figures: impl Display) -> Result<(), Failure> {
    match text(figures) {
        Ok(()) | Err(Failure::ReaderGone) => Ok(()),
        Err(failure) => Err(failure),
    }
}

/// Writes what is no text.
pub(crate) fn bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(Failure::output)
}

/// Prints a line on standard error. Where that fails there is nobody left to tell.
pub(crate) fn complain(line: impl Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Prints what the reading of arguments says instead of them: help, or what is wrong with them.
pub(crate) fn usage(said: &clap::Error) -> Result<ExitCode, Failure> {
    let printed = said.print().and_then(|()| io::stdout().flush());
    if said.use_stderr() {
        return Ok(ExitCode::from(2));
    }
    printed.map_err(Failure::output)?;
    Ok(ExitCode::SUCCESS)
}
