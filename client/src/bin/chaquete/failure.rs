//! Why a command could not do what it was asked: one line for people.

use std::path::PathBuf;

use chaquete_client::picture::{PngError, PositionError};
use chaquete_client::proto::ErrorReason;
use chaquete_client::{Error, Origin};
use chaquete_record::GamePositionError;
use thiserror::Error;

use crate::format::Format;

/// Why a command could not do what it was asked.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("cannot reach the server at {server}: {error}")]
    Unreachable { server: String, error: Error },
    #[error("{0}")]
    Call(Error),
    #[error("there is no match {name}")]
    UnknownMatch { name: String },
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error("{name}: {error}")]
    NoPosition { name: String, error: PositionError },
    #[error("{0}")]
    Png(#[from] PngError),
    #[error("no records ({}) in {}", names(formats), path.display())]
    NoFiles { path: PathBuf, formats: &'static [Format] },
    #[error("{name}: {error}")]
    Match { name: String, error: Error },
    #[error("{0}")]
    NoId(#[from] GamePositionError),
    #[error("{name:?} is no name of a match, as tenants/TENANT/matches/MATCH")]
    StrangeName { name: String },
    #[error("{} is of an export of other matches, or of another format: take another folder", path.display())]
    OtherExport { path: PathBuf },
    #[error("matches were exported to {} before: --resume goes on there, --force begins anew", path.display())]
    ExportedBefore { path: PathBuf },
    #[error("{because}")]
    NoProof { because: String },
    #[error("the tree over all logs: {because}")]
    Tree { because: String },
    #[error("{} is no journal of an audit, or has no match in order", path.display())]
    NoJournal { path: PathBuf },
    #[error("{0}")]
    Usage(&'static str),
    /// Whoever read the output has gone: no failure to speak of.
    #[error("nobody reads the output")]
    ReaderGone,
    #[error("standard output: {0}")]
    Output(std::io::Error),
    #[error("{name} is created, but standard output cannot be told: {error}")]
    Untold { name: String, error: std::io::Error },
}

impl Failure {
    /// What went wrong with a call about a match.
    pub(crate) fn about(name: &str, error: Error) -> Self {
        match (error.origin(), error.reason()) {
            (Origin::Server, Some(ErrorReason::NotFound)) => Self::UnknownMatch { name: name.to_owned() },
            _ => Self::Call(error),
        }
    }

    /// What went wrong with a call about one of several matches.
    pub(crate) fn of_match(name: &str, error: Error) -> Self {
        match Self::about(name, error) {
            Self::Call(error) => Self::Match { name: name.to_owned(), error },
            other => other,
        }
    }

    /// What kept output from being written.
    pub(crate) fn output(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::Output(error),
        }
    }

    /// What kept the name of a match that now exists from being written.
    pub(crate) fn after_creation(self, name: &str) -> Self {
        match self {
            Self::Output(error) => Self::Untold { name: name.to_owned(), error },
            other => other,
        }
    }

    /// What kept a connection from being made.
    pub(crate) fn connecting(server: &str, error: Error) -> Self {
        match error.origin() {
            Origin::Transport => Self::Unreachable { server: server.to_owned(), error },
            Origin::Server | Origin::Client => Self::Call(error),
        }
    }
}

/// How the names of files of these formats end.
fn names(formats: &[Format]) -> String {
    let names: Vec<String> = formats.iter().map(|format| format!("*.{}", format.ending())).collect();
    names.join(", ")
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Call(error)
    }
}
