//! Matches in line to be sent.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use uuid::Uuid;

use crate::{clock::Millis, table::Table};

/// How many matches may stand in line.
const MAX_IN_LINE: usize = 4_096;

/// Matches in the order in which they came, each once and in its newest state.
#[derive(Default)]
pub(super) struct Line {
    places: VecDeque<(Uuid, Millis)>,
    tables: HashMap<Uuid, Arc<Table>>,
}

impl Line {
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Puts a match at the end, or its newer state where it stands already. `false`: the line is too long.
    #[must_use]
    pub(super) fn push(&mut self, table: Arc<Table>, as_of: Millis) -> bool {
        let uid = table.key.uid;
        if let Some(standing) = self.tables.get_mut(&uid) {
            if standing.head.revision < table.head.revision {
                *standing = table;
            }
            return true;
        }
        if self.places.len() == MAX_IN_LINE {
            return false;
        }
        self.places.push_back((uid, as_of));
        self.tables.insert(uid, table);
        true
    }

    /// The first.
    pub(super) fn pop(&mut self) -> Option<Arc<Table>> {
        let (uid, _) = self.places.pop_front()?;
        self.tables.remove(&uid)
    }

    /// As of when the first came into the line, and so none before.
    pub(super) fn as_of(&self) -> Option<Millis> {
        self.places.front().map(|(_, as_of)| *as_of)
    }
}
