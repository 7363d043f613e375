//! What is asked of the executor, and what it answers.

use std::sync::Arc;

use chaquete_rules::{Command, Refusal, Terms};
use uuid::Uuid;

use super::{NotesChange, TooMuch};
use crate::{
    dice::CupError,
    exchange::Unreadable,
    log::{Actor, Hash, Request},
    name::MatchName,
    store::{About, StoreError, StoredEvent},
    table::{Damaged, Table},
};

/// What a caller wants, with what makes it safe.
#[derive(Clone, Debug)]
pub struct Call {
    /// The match.
    pub name: MatchName,
    /// The caller's `request_id` and the digest of what it asks for.
    pub request: Option<Request>,
    /// The revision the caller acts on; `None`: whatever it is.
    pub expected_revision: Option<u32>,
    /// Who acts.
    pub actor: Actor,
    /// What is to happen.
    pub command: Command,
    /// What is to become of labels and annotations.
    pub notes: Option<NotesChange>,
}

/// A match that a caller wants to be created.
#[derive(Clone, Debug)]
pub struct Creation {
    /// Its name.
    pub name: MatchName,
    /// The caller's `request_id` and the digest of what it asks for.
    pub request: Option<Request>,
    /// Who creates it.
    pub actor: Actor,
    /// What is agreed.
    pub terms: Terms,
    /// What is kept beside the log.
    pub about: About,
}

/// What a command did.
#[derive(Clone, Debug)]
pub struct Done {
    /// The match right after the command.
    pub table: Arc<Table>,
    /// Hash of the last event before it; `None` if the command created the match.
    pub before: Option<Hash>,
    /// The events it caused, in order, as they are stored.
    pub events: Vec<StoredEvent>,
}

impl Done {
    /// What a command did that was only checked: nothing.
    #[must_use]
    pub const fn nothing(table: Arc<Table>) -> Self {
        Self { table, before: None, events: Vec::new() }
    }
}

/// Why a call failed. Nothing was written then, unless said otherwise.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// No match of this name.
    #[error("there is no match {0}")]
    NotFound(MatchName),
    /// The name is taken.
    #[error("there is a match {0} already")]
    Exists(MatchName),
    /// The tenant has as many running matches as it may.
    #[error("the tenant {0} has as many running matches as it may")]
    TooManyMatches(String),
    /// The rules refuse the command.
    #[error("{refusal}")]
    Refused {
        /// The rule.
        refusal: Refusal,
        /// The match as it is.
        table: Arc<Table>,
    },
    /// The caller acted on an old picture of the match.
    #[error("the match has revision {current}, not {expected}")]
    RevisionMismatch {
        /// The revision the caller expected.
        expected: u32,
        /// The revision the match has.
        current: u32,
    },
    /// Others kept changing the match in between.
    #[error("the match keeps moving on; revision {current} was the last seen")]
    Contended {
        /// The last revision seen.
        current: u32,
    },
    /// The `request_id` came before with another request.
    #[error("request_id {0} was used for another request")]
    RequestIdReused(Uuid),
    /// There would be too many labels or annotations.
    #[error("{0}")]
    TooMuch(#[from] TooMuch),
    /// The store fails; what was to be written may be there.
    #[error("{0}")]
    Unavailable(String),
    /// The log of this match is damaged.
    #[error("{0}")]
    Damaged(#[from] Damaged),
    /// The dice of this match cannot be rolled here: an operator has to bring their key back.
    #[error("{0}")]
    NoDice(#[from] CupError),
    /// A log that was to be imported is none of a match that was played to its end.
    #[error("{0}")]
    NotImportable(Unreadable),
    /// The log that was to be imported is there under another name.
    #[error("the match {0} is there under another name")]
    UidTaken(Uuid),
    /// A fault of the server.
    #[error("{0}")]
    Internal(String),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Damaged { revision, because } => Self::Damaged(Damaged { revision, because }),
            StoreError::Unfit(what) => Self::Internal(what),
            error => Self::Unavailable(error.to_string()),
        }
    }
}
