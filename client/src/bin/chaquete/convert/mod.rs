//! `chaquete convert`: without a server.

mod position;
mod records;

use std::process::ExitCode;

use crate::args::Convert;
use crate::failure::Failure;

pub(crate) fn run(args: &Convert) -> Result<ExitCode, Failure> {
    match &args.id {
        Some(text) => position::run(text, args.checkers),
        None => records::run(args),
    }
}
