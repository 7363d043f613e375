//! What was written here and is not covered by a checkpoint yet.

use std::{
    collections::HashMap,
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::store::{MatchKey, Seen};

/// Of how many matches it is known. Whatever is written beyond that while no checkpoint can be made is caught up with.
const MOST: usize = 1 << 17;

/// How far the matches have come that were written here. Cheap to clone; noting costs no more than a place in a map.
#[derive(Clone, Debug, Default)]
pub struct Pending(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    heads: Mutex<HashMap<MatchKey, Seen>>,
    /// How many were taken, and are neither covered nor given back yet.
    taken: AtomicUsize,
}

impl Pending {
    /// Notes how far a match has come, after that is durable.
    pub fn note(&self, key: MatchKey, seen: Seen) {
        note(&mut self.lock(), key, seen);
    }

    /// How many matches have moved on and are not covered.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().len() + self.0.taken.load(Ordering::Relaxed)
    }

    /// Takes so many of them at most.
    pub(super) fn take(&self, most: usize) -> Vec<(MatchKey, Seen)> {
        let mut pending = self.lock();
        let taken: Vec<_> = if pending.len() <= most {
            mem::take(&mut *pending).into_iter().collect()
        } else {
            let keys: Vec<_> = pending.keys().take(most).copied().collect();
            keys.into_iter().filter_map(|key| pending.remove_entry(&key)).collect()
        };
        self.0.taken.store(taken.len(), Ordering::Relaxed);
        taken
    }

    /// What was taken is covered now.
    pub(super) fn covered(&self) {
        self.0.taken.store(0, Ordering::Relaxed);
    }

    /// Gives back what could not be covered.
    pub(super) fn give_back(&self, heads: Vec<(MatchKey, Seen)>) {
        let mut pending = self.lock();
        for (key, seen) in heads {
            note(&mut pending, key, seen);
        }
        self.0.taken.store(0, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<MatchKey, Seen>> {
        // Nothing here is ever half done.
        self.0.heads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of several heads of a match the last covers the others, in whatever order they come.
fn note(pending: &mut HashMap<MatchKey, Seen>, key: MatchKey, seen: Seen) {
    if let Some(known) = pending.get_mut(&key) {
        if known.revision < seen.revision {
            *known = seen;
        }
    } else if pending.len() < MOST {
        pending.insert(key, seen);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::log::Hash;

    fn head(uid: u128, revision: u32) -> (MatchKey, Seen) {
        let key = MatchKey { bucket: 0, uid: Uuid::from_u128(uid) };
        (key, Seen { revision, hash: Hash::from_bytes([revision as u8; 32]) })
    }

    #[test]
    fn the_last_head_of_a_match_counts() {
        let pending = Pending::default();
        for (uid, revision) in [(1, 2), (2, 9), (1, 4), (1, 3)] {
            let (key, seen) = head(uid, revision);
            pending.note(key, seen);
        }
        let mut taken = pending.take(10);
        taken.sort_unstable_by_key(|(key, _)| *key);
        assert_eq!(taken, [head(1, 4), head(2, 9)]);
        assert_eq!(pending.count(), 2, "they are not covered yet");
        pending.covered();
        assert_eq!((pending.count(), pending.take(10)), (0, vec![]));

        pending.note(head(1, 5).0, head(1, 5).1);
        pending.give_back(taken);
        assert_eq!(pending.count(), 2);
        let mut taken: Vec<_> = (0..2).flat_map(|_| pending.take(1)).collect();
        taken.sort_unstable_by_key(|(key, _)| *key);
        assert_eq!(taken, [head(1, 5), head(2, 9)]);
    }

    #[test]
    fn it_does_not_grow_for_ever() {
        let pending = Pending::default();
        for uid in 0..=MOST as u128 {
            pending.note(head(uid, 1).0, head(uid, 1).1);
        }
        pending.note(head(0, 2).0, head(0, 2).1);
        let taken = pending.take(usize::MAX);
        assert_eq!(taken.len(), MOST);
        assert!(taken.contains(&head(0, 2)));
    }
}
