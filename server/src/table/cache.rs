//! Folded matches that are kept.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use moka::sync::Cache;

use super::{Damaged, Table};
use crate::{damage::Damages, name::MatchName};

/// Folded matches that were used lately, bounded in number; none of them is frozen.
#[derive(Clone, Debug)]
pub struct Tables {
    cache: Cache<MatchName, Arc<Table>>,
    damages: Damages,
    counts: Arc<Counts>,
}

/// How often the cache was of use.
#[derive(Debug, Default)]
struct Counts {
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Tables {
    /// A cache of at most this many matches.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        Self { cache: Cache::new(capacity), damages: Damages::default(), counts: Arc::default() }
    }

    /// How often a match was wanted and was kept.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.counts.hits.load(Ordering::Relaxed)
    }

    /// How often a match was wanted and had to be read.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.counts.misses.load(Ordering::Relaxed)
    }

    /// How many matches are kept.
    #[must_use]
    pub fn count(&self) -> u64 {
        // What was put in or thrown out last is counted in only now.
        self.cache.run_pending_tasks();
        self.cache.entry_count()
    }

    /// The matches that were found damaged.
    #[must_use]
    pub const fn damages(&self) -> &Damages {
        &self.damages
    }

    /// Counts a match that was wanted and was kept.
    pub fn count_hit(&self) {
        self.counts.hits.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a match that was wanted and had to be read.
    pub fn count_miss(&self) {
        self.counts.misses.fetch_add(1, Ordering::Relaxed);
    }

    /// The match as last seen. It may have moved on since: only an append tells.
    #[must_use]
    pub fn get(&self, name: &MatchName) -> Option<Arc<Table>> {
        self.cache.get(name)
    }

    /// Keeps a match, unless a newer state of it is kept already.
    pub fn keep(&self, table: &Arc<Table>) {
        self.cache.entry_by_ref(&table.name).and_upsert_with(|kept| match kept {
            Some(kept) if kept.value().head.revision > table.head.revision => kept.into_value(),
            _ => Arc::clone(table),
        });
        // Only now: whoever freezes it after this finds it here.
        if self.damages.of_frozen(&table.name).is_some() {
            self.forget(&table.name);
        }
    }

    /// Freezes a match: nobody acts on it any more, or reads it.
    pub fn freeze(&self, name: &MatchName, damaged: Damaged) {
        self.damages.freeze(name, damaged);
        self.forget(name);
    }

    /// Takes a match for what it is in the store again.
    pub fn thaw(&self, name: &MatchName) {
        self.damages.thaw(name);
    }

    /// Forgets a match, so that it is read again.
    pub fn forget(&self, name: &MatchName) {
        self.cache.invalidate(name);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::store::suite::golden;

    #[test]
    fn a_match_that_is_frozen_is_not_kept_until_it_thaws() {
        let (uid, log) = golden::logs(|n| Uuid::from_u128(n as u128)).swap_remove(0);
        let table = Arc::new(golden::table("t", uid, &log));
        let tables = Tables::new(4);
        tables.keep(&table);
        assert!(tables.get(&table.name).is_some());

        tables.freeze(&table.name, Damaged { revision: 3, because: "a hash".to_owned() });
        assert!(tables.get(&table.name).is_none());
        // By a command that was under way meanwhile.
        tables.keep(&table);
        assert!(tables.get(&table.name).is_none());

        tables.thaw(&table.name);
        tables.keep(&table);
        assert!(tables.get(&table.name).is_some());
    }
}
