//! Matches whose logs were found damaged: the one place that counts them and says so. Nobody acts on one that is
//! frozen.
//!
//! All of it is forgotten with the server: the next one finds the same in the same logs.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use crate::{name::MatchName, table::Damaged};

/// The damaged matches. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Damages(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    known: Mutex<HashMap<MatchName, Known>>,
    /// Whether there is any: all that is asked in a house in order.
    is_any: AtomicBool,
    count: AtomicU64,
}

/// A match that was found damaged.
#[derive(Debug)]
struct Known {
    damaged: Damaged,
    is_frozen: bool,
}

impl Damages {
    /// Notes that a match could not be loaded. It is looked at again whenever somebody asks for it.
    pub fn note(&self, name: &MatchName, damaged: &Damaged) {
        self.find(name, damaged.clone(), false);
    }

    /// Freezes a match: until it is thawed it is as good as unreadable, even where a load would not see the damage.
    pub fn freeze(&self, name: &MatchName, damaged: Damaged) {
        self.find(name, damaged, true);
    }

    /// Takes back what was said of a match, if anything was.
    pub fn thaw(&self, name: &MatchName) {
        if self.is_any() && self.known().remove(name).is_some() {
            tracing::warn!(name = %name, "a match that was damaged is in order");
        }
    }

    /// What is wrong with a match that is frozen.
    #[must_use]
    pub fn of_frozen(&self, name: &MatchName) -> Option<Damaged> {
        self.is_any().then_some(())?;
        self.known().get(name).filter(|known| known.is_frozen).map(|known| known.damaged.clone())
    }

    /// How many matches were found damaged since the server was started, each once for as long as it is.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.count.load(Ordering::Relaxed)
    }

    fn find(&self, name: &MatchName, damaged: Damaged, is_frozen: bool) {
        let mut known = self.known();
        let was_frozen = known.get(name).map(|known| known.is_frozen);
        if was_frozen.is_none() {
            self.0.count.fetch_add(1, Ordering::Relaxed);
            let Damaged { revision, because } = &damaged;
            tracing::error!(name = %name, revision, because, "a match is damaged");
        }
        known.insert(name.clone(), Known { damaged, is_frozen: is_frozen || was_frozen == Some(true) });
        self.0.is_any.store(true, Ordering::SeqCst);
    }

    fn is_any(&self) -> bool {
        self.0.is_any.load(Ordering::SeqCst)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<MatchName, Known>> {
        // What is in there is whole after every line.
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(id: &str) -> MatchName {
        MatchName { tenant: "t".to_owned(), id: id.to_owned() }
    }

    fn damaged(revision: u32) -> Damaged {
        Damaged { revision, because: "a hash".to_owned() }
    }

    #[test]
    fn a_match_is_counted_once_however_often_it_is_found() {
        let damages = Damages::default();
        for _ in 0..3 {
            damages.note(&name("one"), &damaged(3));
            damages.freeze(&name("two"), damaged(4));
        }
        assert_eq!(damages.count(), 2);
        assert_eq!(damages.of_frozen(&name("one")), None, "it is looked at again");
        assert_eq!(damages.of_frozen(&name("two")), Some(damaged(4)));
        assert_eq!(damages.of_frozen(&name("three")), None);
    }

    #[test]
    fn only_what_is_found_in_order_thaws() {
        let damages = Damages::default();
        damages.freeze(&name("one"), damaged(4));
        damages.note(&name("one"), &damaged(5));
        assert!(damages.of_frozen(&name("one")).is_some());
        damages.thaw(&name("one"));
        assert_eq!(damages.of_frozen(&name("one")), None);
        damages.freeze(&name("one"), damaged(4));
        assert_eq!(damages.count(), 2, "it is damaged again");
    }
}
