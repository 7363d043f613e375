//! Whether the bytes of a log are those that were written: hashes, revisions, form.

use uuid::Uuid;

use super::Outcome;
use crate::log::{Entry, Hash, StoredEvent, check_form, decode, initial_hash, next_hash};

/// Follows the hash chain of a log; with it its entries, or the number of the first that cannot be read.
pub(super) fn follow(uid: &Uuid, log: &[StoredEvent]) -> (Outcome, Result<Vec<Entry>, u32>) {
    if log.is_empty() {
        return (Outcome::failed(1, "the log is empty"), Err(1));
    }
    let mut wrong = None;
    let mut entries = Vec::with_capacity(log.len());
    let mut previous = initial_hash(uid);
    for (revision, event) in (1..).zip(log) {
        if let (None, Some(because)) = (&wrong, misplaced(revision, &previous, event)) {
            wrong = Some((revision, because.to_owned()));
        }
        let entry = match decode(&event.bytes) {
            Ok(entry) => entry,
            Err(bad) => {
                return (Outcome::of(Err(wrong.unwrap_or((revision, bad.to_string())))), Err(revision));
            }
        };
        if wrong.is_none() && entry.part.found_by() != event.request_id {
            wrong = Some((revision, "it is stored under another request_id than it has".to_owned()));
        }
        entries.push(entry);
        // What comes after a wrong hash is looked at as it is, so that the first event that is wrong is the one that
        // is told.
        previous = event.hash;
    }
    let out_of_form = check_form(&entries).err().map(|bad| (bad.revision, bad.because.to_owned()));
    let first = wrong.into_iter().chain(out_of_form).min_by_key(|(revision, _)| *revision);
    (Outcome::of(first.map_or(Ok(()), Err)), Ok(entries))
}

/// What is wrong with the place of an event in its log, if anything is.
pub(super) fn misplaced(revision: u32, previous: &Hash, event: &StoredEvent) -> Option<&'static str> {
    if event.revision != revision {
        return Some("another event is stored in its place");
    }
    (next_hash(previous, &event.bytes) != event.hash).then_some("the hash does not fit the bytes")
}
