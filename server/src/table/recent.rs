//! The latest commands that came with a `request_id`.

use std::collections::VecDeque;

use uuid::Uuid;

use crate::log::{self, Entry, Part, Request};

/// How many are kept: a repeat mostly comes at once, and for older ones the log is asked.
const KEPT: usize = 32;

/// A command that is in the log, found by its `request_id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// SHA-256 over what the call asked for.
    pub digest: [u8; 32],
    /// Revision of its first event.
    pub first: u32,
    /// Revision of its last event.
    pub last: u32,
}

impl Answered {
    /// The command with this id whose first event these bytes are.
    #[must_use]
    pub fn read(id: Uuid, bytes: &[u8]) -> Option<Self> {
        let entry = log::decode(bytes).ok()?;
        Self::of(&entry).filter(|(found, _)| *found == id).map(|(_, answered)| answered)
    }

    /// The command that an entry begins, with its id, if it can be repeated.
    pub(super) fn of(entry: &Entry) -> Option<(Uuid, Self)> {
        let Part::First { events, request: Some(Request { id, digest }) } = entry.part else { return None };
        let last = entry.revision.saturating_add(events.get() - 1);
        Some((id, Self { digest, first: entry.revision, last }))
    }
}

/// The latest commands of a match that came with a `request_id`, and whether there were others before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// The latest at the end.
    kept: VecDeque<(Uuid, Answered)>,
    forgotten: bool,
}

impl Recent {
    /// Nothing, where there may have been commands before.
    #[must_use]
    pub fn after_others() -> Self {
        Self { forgotten: true, ..Self::default() }
    }

    /// The command with this `request_id`, if it is kept.
    #[must_use]
    pub fn get(&self, id: Uuid) -> Option<Answered> {
        self.kept.iter().rev().find(|(kept, _)| *kept == id).map(|(_, answered)| *answered)
    }

    /// Whether there may be commands in the log that are not kept.
    #[must_use]
    pub const fn has_forgotten(&self) -> bool {
        self.forgotten
    }

    pub(super) fn note(&mut self, id: Uuid, answered: Answered) {
        if self.kept.len() == KEPT {
            self.kept.pop_front();
            self.forgotten = true;
        }
        self.kept.push_back((id, answered));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_are_kept() {
        let mut recent = Recent::default();
        let answered = |n: u32| Answered { digest: [n as u8; 32], first: n, last: n };
        for n in 0..KEPT as u32 {
            recent.note(Uuid::from_u128(n.into()), answered(n));
        }
        assert_eq!((recent.get(Uuid::nil()), recent.has_forgotten()), (Some(answered(0)), false));
        recent.note(Uuid::max(), answered(99));
        assert_eq!((recent.get(Uuid::nil()), recent.has_forgotten()), (None, true));
        assert_eq!(recent.get(Uuid::from_u128(1)), Some(answered(1)));
        assert_eq!(recent.get(Uuid::max()), Some(answered(99)));
    }
}
