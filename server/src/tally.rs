//! How many of something there are, each counted for as long as it lasts.

use std::{
    collections::HashMap,
    fmt::Debug,
    hash::Hash,
    num::NonZeroU32,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Counts by what they belong to. Clones count the same.
#[derive(Clone, Debug)]
pub struct Tally<K: Eq + Hash> {
    limit: Option<NonZeroU32>,
    counts: Arc<Mutex<HashMap<K, u32>>>,
}

/// One that is counted, until this is dropped.
#[derive(Debug)]
pub struct Counted<K: Eq + Hash> {
    counts: Arc<Mutex<HashMap<K, u32>>>,
    key: K,
}

impl<K: Clone + Debug + Eq + Hash> Tally<K> {
    /// Nothing yet, and at most so many of each kind.
    #[must_use]
    pub fn new(limit: Option<NonZeroU32>) -> Self {
        Self { limit, counts: Arc::default() }
    }

    /// Counts one more, unless there are enough of its kind.
    #[must_use]
    pub fn enter(&self, key: K) -> Option<Counted<K>> {
        let mut counts = lock(&self.counts);
        let count = counts.get(&key).copied().unwrap_or_default();
        if self.limit.is_some_and(|limit| count >= limit.get()) {
            return None;
        }
        counts.insert(key.clone(), count + 1);
        Some(Counted { counts: Arc::clone(&self.counts), key })
    }
}

impl<K: Eq + Hash> Drop for Counted<K> {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts);
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            // Nobody is remembered who has nothing.
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half-way by whoever panics.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_given_and_taken_back() {
        let tally = Tally::new(NonZeroU32::new(2));
        let first = tally.enter("a").unwrap();
        let second = tally.enter("a").unwrap();
        assert!(tally.enter("a").is_none(), "there are enough");
        let other = tally.enter("b").unwrap();
        drop(first);
        let third = tally.enter("a").unwrap();
        assert!(tally.enter("a").is_none());
        drop((second, third, other));
        assert!(lock(&tally.counts).is_empty(), "nobody is remembered");
    }

    #[test]
    fn without_a_limit_there_are_never_enough() {
        let tally = Tally::new(None);
        let all: Vec<_> = (0..1_000).map(|_| tally.enter(()).unwrap()).collect();
        assert_eq!(lock(&tally.counts)[&()], 1_000);
        drop(all);
    }
}
