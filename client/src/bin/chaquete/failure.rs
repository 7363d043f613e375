//! Why a command could not do what it was asked: one line for people.

use std::path::PathBuf;

use chaquete_client::picture::{PngError, PositionError};
use chaquete_client::proto::ErrorReason;
use chaquete_client::{Error, Origin};
use thiserror::Error;

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
    #[error("no match files (*.mat) in {}", path.display())]
    NoFiles { path: PathBuf },
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

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Call(error)
    }
}
