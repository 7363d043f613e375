//! Where output goes.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};

/// Where output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    StandardOutput,
    File(PathBuf),
}

/// Reads `-` as standard output, and all else as a path.
pub(super) fn destination() -> impl TypedValueParser<Value = Destination> {
    let destination = |text: OsString| match text.to_str() {
        Some("-") => Destination::StandardOutput,
        _ => Destination::File(text.into()),
    };
    OsStringValueParser::new().map(destination)
}
