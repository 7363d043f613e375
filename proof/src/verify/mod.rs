//! Verifies a log: five checks, each of which says what it found.
//!
//! The hash chain finds whoever changes a log and cannot, or does not, make its hashes anew. Whoever does is found
//! only where the log comes to disagree with the rules, the dice or the clocks. What none of these look at, such as
//! the names of the actors, an end that was cut off, or another log that is sound throughout, shows only against a
//! hash that was noted elsewhere.

mod chain;
mod decisions;
mod dice;
#[cfg(test)]
mod mutations;
mod state;
#[cfg(test)]
mod tests;

use chaquete_rules::{Event, Terms};
use uuid::Uuid;

use crate::log::{Entry, Facts, Hash, StoredEvent};

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Revisions follow without gaps, every hash fits, and the bytes are as logs have them.
    HashChain,
    /// Every event is what the rules come to in the state before it.
    RulesReplay,
    /// What is said beside the log follows from it.
    State,
    /// Every roll follows from what was committed to before it.
    DiceProof,
    /// Every action came in time.
    Clocks,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// In order.
    Passed,
    /// Not in order.
    Failed {
        /// The first event that is wrong; 0: none is, but what is said beside them.
        first_bad_revision: u32,
        /// What is wrong.
        detail: String,
    },
    /// It does not apply, or cannot be known.
    Skipped {
        /// Why.
        why: String,
    },
}

impl Outcome {
    /// Not in order from this event on.
    pub fn failed(first_bad_revision: u32, detail: impl Into<String>) -> Self {
        Self::Failed { first_bad_revision, detail: detail.into() }
    }

    /// Not looked at, for this reason.
    pub fn skipped(why: impl Into<String>) -> Self {
        Self::Skipped { why: why.into() }
    }

    /// Whether it is not in order.
    #[must_use]
    pub const fn is_failed(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }

    /// In order, unless this is wrong.
    fn of(result: Result<(), (u32, String)>) -> Self {
        match result {
            Ok(()) => Self::Passed,
            Err((revision, detail)) => Self::failed(revision, detail),
        }
    }
}

/// What was found out about a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Number of the last event.
    pub revision: u32,
    /// The hash that is stored with the last event, to be compared with one noted elsewhere; `None`: there is none.
    pub log_hash: Option<Hash>,
    /// [`Check::HashChain`].
    pub hash_chain: Outcome,
    /// [`Check::RulesReplay`].
    pub rules_replay: Outcome,
    /// [`Check::State`].
    pub state: Outcome,
    /// [`Check::DiceProof`].
    pub dice_proof: Outcome,
    /// [`Check::Clocks`].
    pub clocks: Outcome,
}

impl Report {
    /// The report of a log of which an event cannot even be read from where it is stored.
    #[must_use]
    pub fn unreadable(first_bad_revision: u32, because: &str) -> Self {
        let unread = || Outcome::skipped("the log cannot be read");
        Self {
            revision: first_bad_revision.saturating_sub(1),
            log_hash: None,
            hash_chain: Outcome::failed(first_bad_revision, because),
            rules_replay: unread(),
            state: unread(),
            dice_proof: unread(),
            clocks: unread(),
        }
    }

    /// Each check with what it found, in their order.
    #[must_use]
    pub const fn checks(&self) -> [(Check, &Outcome); 5] {
        [
            (Check::HashChain, &self.hash_chain),
            (Check::RulesReplay, &self.rules_replay),
            (Check::State, &self.state),
            (Check::DiceProof, &self.dice_proof),
            (Check::Clocks, &self.clocks),
        ]
    }

    /// Whether nothing is out of order. What was skipped does not count.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.checks().iter().all(|(_, outcome)| !outcome.is_failed())
    }

    /// The first event that is wrong by any check, and what is wrong with it. `None`: the log itself is good, as far as
    /// it was looked at.
    #[must_use]
    pub fn first_bad(&self) -> Option<(u32, &str)> {
        let bad = self.checks().into_iter().filter_map(|(_, outcome)| match outcome {
            Outcome::Failed { first_bad_revision: revision @ 1.., detail } => {
                Some((*revision, detail.as_str()))
            }
            _ => None,
        });
        bad.min_by_key(|(revision, _)| *revision)
    }
}

/// Verifies the log of the match with this uid, and what is said beside it, if anything is.
#[must_use]
pub fn verify(uid: &Uuid, log: &[StoredEvent], said: Option<&Facts>) -> Report {
    let (hash_chain, entries) = chain::follow(uid, log);
    let last = log.last();
    let (revision, log_hash) = (last.map_or(0, |last| last.revision), last.map(|last| last.hash));
    match entries {
        Ok(entries) => {
            let (rules_replay, clocks) = decisions::decide(&entries);
            let state = state::compare(log_hash, &entries, said);
            let dice_proof = dice::prove(uid, &entries);
            Report { revision, log_hash, hash_chain, rules_replay, state, dice_proof, clocks }
        }
        Err(unreadable) => {
            let unread = || Outcome::skipped(format!("event {unreadable} cannot be read"));
            let (rules_replay, state, dice_proof, clocks) = (unread(), unread(), unread(), unread());
            Report { revision, log_hash, hash_chain, rules_replay, state, dice_proof, clocks }
        }
    }
}

/// What was agreed, if the first entry says so.
fn terms(entries: &[Entry]) -> Option<&Terms> {
    match &entries.first()?.event {
        Event::MatchCreated(terms) => Some(terms),
        _ => None,
    }
}
