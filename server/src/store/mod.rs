//! Where matches are kept: one trait, one conformance suite (`suite`), one implementation an engine.
//!
//! The log is the truth; everything else here can be made again from it, except what must not be in a log
//! (names of people, labels).

mod checkpoints;
mod commit;
mod credentials;
mod facts;
mod filter;
mod key;
mod lists;
mod meters;
mod migrations;
mod open;
mod postgres;
mod sqlite;
#[cfg(any(test, feature = "test-support"))]
pub mod suite;
mod words;

use std::collections::BTreeMap;

use chaquete_rules::BySeat;
use tokio::sync::broadcast;
use uuid::Uuid;

use crate::{
    clock::Millis,
    log::{Facts, Hash},
    name::MatchName,
    telemetry::metrics::StoreMeters,
};

pub use chaquete_proof::log::{State, StoredEvent};
pub use checkpoints::{Checkpoints, Covered, Growth, PlacedLeaf, StoredCheckpoint};
pub use commit::Writing;
pub use credentials::{Credentials, Holder, KeyHash, Scope, StoredKey};
pub use facts::{Agreed, Standing, Waiting};
#[cfg(test)]
pub(crate) use filter::arbitrary::filter as any_filter;
pub use filter::{Comparison, Filter, LabelKey, Optional, Relation, Stage, TimeOf};
pub use key::{MatchKey, bucket};
pub use lists::{BadRow, ListQuery, Listed, Order, OrderBy, Pages, Place, Row, Timed};
pub use meters::Occupancy;
pub use open::{
    OpenError, Shown, check, distribute, file_of, is_shared, migrate, open, open_existing, open_writing,
};

/// A match as stored, beside its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMatch {
    /// Its name.
    pub name: MatchName,
    /// Its key.
    pub key: MatchKey,
    /// What was agreed.
    pub agreed: Agreed,
    /// What is kept beside the log.
    pub about: About,
    /// The end of its log.
    pub head: Head,
    /// How it stands there.
    pub standing: Standing,
    /// The latest snapshot that the store has kept.
    pub snapshot: Option<Snapshot>,
    /// The event up to which checkpoints covered it when the row was read: it must be in the log.
    pub covered: Option<Seen>,
}

impl StoredMatch {
    /// What its row says, as the first line of an export.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let Self { name, key, agreed, head, standing, .. } = self;
        Facts {
            name: name.to_string(),
            uid: key.uid,
            subjects: agreed.subjects.clone(),
            points: agreed.points,
            variant: agreed.variant,
            revision: head.revision,
            hash: head.hash,
            state: head.state,
            create_time: head.create_time,
            update_time: head.update_time,
            end_time: head.end_time,
            winner: standing.winner,
            reason: standing.reason,
        }
    }
}

/// A folded match as bytes (see [`crate::log::snapshot`]): what came before need not be folded again.
pub type Snapshot = Vec<u8>;

/// What is kept of a match beside its log, because it may be changed or erased.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Names of the players for people; empty: the subject is shown.
    pub display_names: BySeat<String>,
    /// Labels and annotations.
    pub notes: Notes,
    /// The seed of seeded dice.
    pub seed: Option<[u8; 32]>,
    /// Where the match comes from.
    pub provenance: Provenance,
}

/// Where a match comes from. An imported log may have the very bytes that it has where it was played, so it cannot say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provenance {
    /// It is, or was, played here.
    #[default]
    Played,
    /// It was imported from a record.
    Imported,
}

impl Provenance {
    /// As it is stored.
    pub(crate) const fn is_imported(self) -> bool {
        matches!(self, Self::Imported)
    }

    pub(crate) const fn stored(is_imported: bool) -> Self {
        if is_imported { Self::Imported } else { Self::Played }
    }
}

/// The end of a log; written in the same transaction as the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Number of the last event.
    pub revision: u32,
    /// Hash of the last event.
    pub hash: Hash,
    /// Where the match is in its life.
    pub state: State,
    /// When the match was created.
    pub create_time: Millis,
    /// When the last event was written.
    pub update_time: Millis,
    /// When the match ended.
    pub end_time: Option<Millis>,
    /// When the match is lost on time if nobody acts; `None` while no time runs, and once it has ended.
    /// Time that runs but has to be claimed is never overdue by itself: [`NEVER`].
    pub deadline: Option<Millis>,
}

impl Head {
    /// The head of a log before its first event, which has this hash and time.
    #[must_use]
    pub const fn new(hash: Hash, time: Millis) -> Self {
        Self {
            revision: 0,
            hash,
            state: State::Active,
            create_time: time,
            update_time: time,
            end_time: None,
            deadline: None,
        }
    }

    /// What whoever changes the match has seen of it.
    #[must_use]
    pub const fn seen(&self) -> Seen {
        Seen { revision: self.revision, hash: self.hash }
    }
}

/// The end of a log as the row of its match says, at the moment at which somebody has read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Number of the last event.
    pub revision: u32,
    /// Hash of the last event.
    pub hash: Hash,
}

/// The deadline of a match whose time runs without its being lost by that alone.
pub const NEVER: Millis = Millis::MAX;

/// Events to be added to a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The match.
    pub key: MatchKey,
    /// The revision it must have for the events to follow.
    pub expected_revision: u32,
    /// The events, in order, the first with revision `expected_revision + 1`.
    pub events: Vec<StoredEvent>,
    /// The head after them.
    pub head: Head,
    /// How the match stands after them.
    pub standing: Standing,
    /// Labels and annotations after them, if they change.
    pub notes: Option<Notes>,
    /// The folded match after them, once in a while. A store may do without.
    pub snapshot: Option<Snapshot>,
}

/// What a caller may change of a match at any time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Small facts, usable in filters.
    pub labels: BTreeMap<String, String>,
    /// Other facts.
    pub annotations: BTreeMap<String, String>,
}

/// Why the store did not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The name or uid of a new match is taken.
    #[error("a match of this name exists")]
    Exists,
    /// The match does not have the expected revision (any more), or there is none, or an event with this request
    /// id is in its log: nothing was written.
    #[error("the match has moved on")]
    Conflict,
    /// The engine cannot be reached or fails. What was to be written may or may not be there.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// Whoever has opened the store may not do this to it.
    #[error("the store does not allow this: {0}")]
    Denied(String),
    /// What is stored of a match cannot be read. Other matches are none the worse for it.
    #[error("what is stored is damaged: {because}")]
    Damaged {
        /// The first event that is; 0: what is kept beside the events.
        revision: u32,
        /// What is wrong.
        because: String,
    },
    /// What was to be stored cannot be: a fault of the caller.
    #[error("this cannot be stored: {0}")]
    Unfit(String),
}

/// What a store hears of what other servers write to it. It is only a hint: it may come late, or twice, and what
/// happened is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// A match has come to this revision.
    Moved {
        /// The match.
        key: MatchKey,
        /// The revision.
        revision: u32,
    },
    /// Whatever has happened so far may not have been told.
    MayHaveMissed,
}

/// How many events of a log are read at once.
const EVENTS: u32 = 1_000;

/// Keeps matches and their logs.
///
/// When a call that writes answers `Ok`, what it wrote is durable. Every call is safe to be dropped at any
/// moment: it then has had either its whole effect or none.
#[async_trait::async_trait]
pub trait Store: Checkpoints + Credentials + Send + Sync {
    /// Stores a new match with its first events.
    async fn create(&self, new: StoredMatch, events: Vec<StoredEvent>) -> Result<(), StoreError>;

    /// Adds events to a match, if it has the expected revision.
    async fn append(&self, append: Append) -> Result<(), StoreError>;

    /// Writes anew what is stored of a match beside its log and follows from it: what was agreed, the head, the
    /// standing, the snapshot if there is one here, and whatever else lists go along. The events stay as they are,
    /// and so does what does not follow from them ([`About`]). It is a conflict if the row does not say any more
    /// what was seen of it, or there is none.
    async fn mend(&self, right: StoredMatch, seen: Seen) -> Result<(), StoreError>;

    /// Drops a match that has ended with all that is stored of it, its events included. It is a conflict if its row
    /// does not say any more what was seen of it, if it has not ended, or if there is none. On a database of several
    /// roles only that which owns the tables may; others are [`StoreError::Denied`].
    async fn drop_ended(&self, key: MatchKey, seen: Seen) -> Result<(), StoreError>;

    /// In whose lists the match of this row is not found as it should be, by the subjects of its players. Only for
    /// a store that keeps such lists beside the rows.
    async fn missing_from(&self, _row: &StoredMatch) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// The match of this name, or what is left of it.
    async fn find_row(&self, name: &MatchName) -> Result<Option<Row>, StoreError>;

    /// The match of this name.
    async fn find(&self, name: &MatchName) -> Result<Option<StoredMatch>, StoreError> {
        let row = self.find_row(name).await?.transpose();
        row.map_err(|bad| StoreError::Damaged { revision: 0, because: bad.because })
    }

    /// The match with this key.
    async fn find_key(&self, key: MatchKey) -> Result<Option<StoredMatch>, StoreError>;

    /// Events of a match after a revision, in order, at most `limit` of them.
    async fn events(&self, key: MatchKey, after: u32, limit: u32) -> Result<Vec<StoredEvent>, StoreError>;

    /// All events of a match after a revision, up to another.
    async fn log(&self, key: MatchKey, after: u32, last: u32) -> Result<Vec<StoredEvent>, StoreError> {
        let mut events: Vec<StoredEvent> = Vec::new();
        loop {
            let seen = events.last().map_or(after, |event| event.revision);
            let limit = EVENTS.min(last.saturating_sub(seen));
            let page = self.events(key, seen, limit).await?;
            let is_last = page.len() < EVENTS as usize;
            events.extend(page);
            if is_last {
                return Ok(events);
            }
        }
    }

    /// The event with this request id: the first of the command that a call caused.
    async fn find_request(&self, key: MatchKey, request_id: Uuid) -> Result<Option<StoredEvent>, StoreError>;

    /// Matches of a list, in its order.
    async fn list(&self, query: &ListQuery) -> Result<Vec<Listed>, StoreError>;

    /// Matches whose deadline is not later than `now`, the earliest first, ties by uid: those after the match
    /// with this deadline and uid, at most `limit` of them.
    async fn overdue(
        &self,
        now: Millis,
        after: Option<(Millis, Uuid)>,
        limit: u32,
    ) -> Result<Vec<Timed>, StoreError>;

    /// Matches that have a deadline, in the order of their uids, those after `after`, at most `limit` of them.
    async fn running(&self, after: Option<Uuid>, limit: u32) -> Result<Vec<Timed>, StoreError>;

    /// How many matches of a tenant run, counted up to `most`.
    async fn count_running(&self, tenant: &str, most: u32) -> Result<u32, StoreError>;

    /// Notes that a server serves at this moment. Of several moments the latest counts.
    async fn beat(&self, now: Millis) -> Result<(), StoreError>;

    /// The last moment at which a server was seen to serve.
    async fn last_beat(&self) -> Result<Option<Millis>, StoreError>;

    /// What other servers write from now on. Whoever lags behind has missed some of it, too. `None`: no other server can
    /// write.
    fn news(&self) -> Option<broadcast::Receiver<News>> {
        None
    }

    /// What it measures of itself.
    fn meters(&self) -> &StoreMeters;

    /// How busy it is just now.
    fn occupancy(&self) -> Occupancy;

    /// Finishes what is being written and closes the store.
    async fn close(&self);
}
