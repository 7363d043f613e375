//! Whether what is said beside a log is what the log comes to.

use super::Outcome;
use crate::log::{Entry, Facts, Hash};

/// Compares what is said of a match with what its log comes to.
pub(super) fn compare(hash: Option<Hash>, entries: &[Entry], said: Option<&Facts>) -> Outcome {
    let Some(said) = said else { return Outcome::skipped("nothing is said beside the log") };
    let follow = |hash| Facts::follow(said.name.clone(), said.uid, hash, entries);
    let Some(right) = hash.and_then(follow) else {
        return Outcome::skipped("the log does not begin with the creation of a match");
    };
    if said.revision > right.revision {
        return Outcome::failed(right.revision.saturating_add(1), "the log ends before its head");
    }
    let differences = said.differences(&right);
    if differences.is_empty() { Outcome::Passed } else { Outcome::failed(0, differences.join("; ")) }
}
