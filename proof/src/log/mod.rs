//! `bglog/1`: the log of a match as exact bytes, tied together by a hash chain.

mod again;
mod bytes;
mod chain;
mod export;
mod form;
#[cfg(test)]
mod mutation;
mod seal;
pub mod snapshot;

use std::num::NonZeroU32;

use chaquete_rules::{Event, Moment, Seat};
use uuid::Uuid;

pub use again::{AgainstRules, decide_again};
use bytes::write::Object;
pub use bytes::{BadEntry, Word, decode, encode};
pub use chain::{Hash, initial_hash, next_hash};
pub use export::{BadExport, Exported, Facts, State, differ, export, read_export};
pub use form::{OutOfForm, check_form};
pub use seal::{Seam, Stamp, seal};

/// Version of the rules under which matches are played that are created now.
pub const RULES_VERSION: u32 = 1;

/// One event as stored: its exact bytes and the hash that ties it to all before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Number of the event in its match.
    pub revision: u32,
    /// The hash.
    pub hash: Hash,
    /// The `request_id` of the call that caused it, in the first event of a command.
    pub request_id: Option<Uuid>,
    /// The bytes, as [`encode`] wrote them.
    pub bytes: Vec<u8>,
}

/// Whether one of these events says that labels or annotations changed, which are not in the log.
#[must_use]
pub fn tells_of_notes(events: &[StoredEvent]) -> bool {
    events.iter().any(|event| decode(&event.bytes).is_ok_and(|entry| entry.event == Event::MatchUpdated))
}

/// Who caused an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The kind of actor.
    pub kind: ActorKind,
    /// The seat for which it acted.
    pub seat: Option<Seat>,
    /// The subject of a player token, or the name of a service or operator token; may be empty.
    pub subject: String,
}

impl Actor {
    /// The server itself: clocks and automation.
    #[must_use]
    pub const fn server() -> Self {
        Self { kind: ActorKind::Server, seat: None, subject: String::new() }
    }
}

/// Kinds of actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActorKind {
    /// A player.
    Player,
    /// A backend.
    Backend,
    /// An operator.
    Operator,
    /// The server itself.
    Server,
}

/// The call that caused a command, so that a repeat of it finds its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The caller's `request_id`.
    pub id: Uuid,
    /// SHA-256 over what the call asked for.
    pub digest: [u8; 32],
}

/// One entry of a log: an event with all that is sealed along with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Version of the rules under which the match is played.
    pub rules: u32,
    /// Number of the event in its match, from 1 without gaps.
    pub revision: u32,
    /// When the server accepted it.
    pub time: Moment,
    /// Who caused it.
    pub actor: Actor,
    /// Number of the game; 0 for events of the match itself.
    pub game: u32,
    /// Its part in the command that caused it.
    pub part: Part,
    /// What happened.
    pub event: Event,
}

/// The part of an entry in its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It is the first.
    First {
        /// How many entries the command has.
        events: NonZeroU32,
        /// The call that caused the command, if it can be repeated.
        request: Option<Request>,
    },
    /// It follows others.
    Later {
        /// The `request_id` of the call, if it was the call that caused the event and not the server.
        request_id: Option<Uuid>,
    },
}

impl Part {
    /// The `request_id` by which a store finds the command: no two commands of a match have the same, so only the first
    /// entry of each has it there.
    #[must_use]
    pub fn found_by(&self) -> Option<Uuid> {
        match self {
            Self::First { .. } => self.request_id(),
            Self::Later { .. } => None,
        }
    }

    /// The `request_id` of the call that caused the entry.
    #[must_use]
    pub fn request_id(&self) -> Option<Uuid> {
        match self {
            Self::First { request, .. } => request.map(|request| request.id),
            Self::Later { request_id } => *request_id,
        }
    }
}
