//! A log read on from some place: its events told, and the match folded along where that is asked for.

use std::sync::Arc;

use chaquete_proto::v1;

use super::event;
use crate::{
    log::{self, Hash},
    store::StoredEvent,
    table::{Damaged, Recent, Table},
};

/// Tells the events of a match in order.
#[derive(Clone, Debug)]
pub struct Teller {
    table: Arc<Table>,
    revision: u32,
    hash: Option<Hash>,
}

impl Teller {
    /// Begins with the first event. `table` is the match at any revision.
    #[must_use]
    pub const fn from_start(table: Arc<Table>) -> Self {
        Self { table, revision: 0, hash: None }
    }

    /// Begins after the event with this revision and hash. `table` is the match at any revision.
    #[must_use]
    pub const fn after(table: Arc<Table>, revision: u32, hash: Hash) -> Self {
        Self { table, revision, hash: Some(hash) }
    }

    /// The revision of the last event.
    #[must_use]
    pub const fn revision(&self) -> u32 {
        self.revision
    }

    /// From now on, what is not in the log is told as it is in this table of the match.
    pub fn refer_to(&mut self, table: Arc<Table>) {
        self.table = table;
    }

    /// Tells the next event.
    ///
    /// # Errors
    /// It does not follow the one before.
    pub fn tell(&mut self, stored: &StoredEvent) -> Result<v1::MatchEvent, Damaged> {
        let damaged = |because: String| Damaged { revision: self.revision + 1, because };
        let previous = self.hash.unwrap_or_else(|| log::initial_hash(&self.table.key.uid));
        if log::next_hash(&previous, &stored.bytes) != stored.hash {
            return Err(damaged("the hash does not fit the bytes".to_owned()));
        }
        let entry = log::decode(&stored.bytes).map_err(|error| damaged(error.to_string()))?;
        if entry.revision != self.revision + 1 {
            return Err(damaged("the revision does not follow the one before".to_owned()));
        }
        self.revision = entry.revision;
        let previous = self.hash.replace(stored.hash);
        Ok(event::event(&self.table, &entry, previous, stored.hash))
    }
}

/// A match that is folded along while its log is read.
#[derive(Clone, Debug)]
pub struct Replay {
    of: Arc<Table>,
    table: Option<Table>,
}

impl Replay {
    /// Begins with the first event. `of` is the match at any revision.
    #[must_use]
    pub const fn from_start(of: Arc<Table>) -> Self {
        Self { of, table: None }
    }

    /// Begins at the revision of this table.
    #[must_use]
    pub fn from_table(of: Arc<Table>) -> Self {
        // Who asked for what is of no use here, and watchers are many.
        let table = Some(Table { requests: Recent::default(), ..Table::clone(&of) });
        Self { of, table }
    }

    /// The match after the last event; `None` before the first.
    #[must_use]
    pub const fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// The revision of the last event.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.table.as_ref().map_or(0, |table| table.head.revision)
    }

    /// Folds the next event in.
    ///
    /// # Errors
    /// It does not follow.
    pub fn fold(&mut self, stored: &StoredEvent) -> Result<&Table, Damaged> {
        let stored = std::slice::from_ref(stored);
        let table = match self.table.take() {
            Some(mut table) => {
                table.extend(stored)?;
                table
            }
            None => Table::fold(self.of.name.clone(), self.of.key, Arc::clone(&self.of.about), stored)?,
        };
        Ok(self.table.insert(table))
    }
}
