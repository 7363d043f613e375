//! The matches of a stream in which something is being done.

use std::{
    collections::{HashMap, VecDeque, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Matches by name, each with what waits for its turn there. Clones are the same.
pub(super) struct Busy<T>(Arc<Mutex<Waiting<T>>>);

type Waiting<T> = HashMap<Arc<str>, VecDeque<T>>;

impl<T> Busy<T> {
    /// Gives what has come back if nothing is being done in the match, which is busy then; else it waits.
    pub(super) fn enter(&self, name: &Arc<str>, come: T) -> Option<T> {
        match self.waiting().entry(Arc::clone(name)) {
            Entry::Occupied(mut waiting) => {
                waiting.get_mut().push_back(come);
                None
            }
            Entry::Vacant(free) => {
                free.insert(VecDeque::new());
                Some(come)
            }
        }
    }

    /// What has waited longest in a busy match, after what was being done there. If nothing has, the match is
    /// not busy any more.
    pub(super) fn next(&self, name: &str) -> Option<T> {
        let mut waiting = self.waiting();
        let next = waiting.get_mut(name).and_then(VecDeque::pop_front);
        if next.is_none() {
            waiting.remove(name);
        }
        next
    }

    /// Forgets all that waits.
    pub(super) fn forget(&self) {
        self.waiting().values_mut().for_each(VecDeque::clear);
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Busy<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for Busy<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_to_a_busy_match_waits_in_order_and_to_others_does_not() {
        let busy = Busy::default();
        let (one, other): (Arc<str>, Arc<str>) = ("one".into(), "other".into());
        assert_eq!(busy.enter(&one, 1), Some(1));
        assert_eq!((busy.enter(&one, 2), busy.enter(&one, 3)), (None, None));
        assert_eq!(busy.enter(&other, 4), Some(4));
        assert_eq!((busy.next("one"), busy.next("one"), busy.next("other")), (Some(2), Some(3), None));
        assert_eq!(busy.enter(&one, 5), None, "the last is still being done");
        assert_eq!((busy.next("one"), busy.next("one")), (Some(5), None));
        assert!(busy.waiting().is_empty());
        assert_eq!(busy.enter(&one, 6), Some(6));
    }

    #[test]
    fn what_waits_can_be_forgotten_but_not_what_is_being_done() {
        let busy = Busy::default();
        let name: Arc<str> = "one".into();
        assert_eq!((busy.enter(&name, 1), busy.enter(&name, 2)), (Some(1), None));
        busy.forget();
        assert_eq!(busy.enter(&name, 3), None, "the first is still being done");
        assert_eq!((busy.next("one"), busy.next("one")), (Some(3), None));
    }
}
