//! Whether the rules come to the events of a log, and whether each action came in time.

use super::{Outcome, terms};
use crate::log::{Entry, decide_again};

/// Decides a log again: whether the rules agree, and whether the clocks do.
///
/// A log is decided again up to the first thing that is wrong with it, so only one of the two can be known to have
/// failed.
pub(super) fn decide(entries: &[Entry]) -> (Outcome, Outcome) {
    match decide_again(entries) {
        Ok(_) => (Outcome::Passed, if is_timed(entries) { Outcome::Passed } else { untimed() }),
        Err(against) => {
            let (revision, failed) =
                (against.revision, Outcome::failed(against.revision, against.because.clone()));
            if against.is_of_time() {
                (Outcome::skipped(format!("event {revision} did not come in time")), failed)
            } else if is_timed(entries) {
                (failed, Outcome::skipped(format!("event {revision} is against the rules")))
            } else {
                (failed, untimed())
            }
        }
    }
}

fn is_timed(entries: &[Entry]) -> bool {
    terms(entries).is_some_and(|terms| terms.time.is_some())
}

fn untimed() -> Outcome {
    Outcome::skipped("the match has no limits of time")
}
