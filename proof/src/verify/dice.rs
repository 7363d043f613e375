//! Whether the rolls of a log are those that were committed to.

use chaquete_rules::{DiceSource, Event};
use uuid::Uuid;

use super::Outcome;
use crate::{
    dice::{DiceProof, Unprovable, Unproved, proofs},
    log::Entry,
};

/// Proves the rolls of a log.
pub(super) fn prove(uid: &Uuid, entries: &[Entry]) -> Outcome {
    let proofs = match proofs(uid, entries) {
        Ok(proofs) => proofs,
        Err(unprovable) => return unproved(unprovable),
    };
    let wrong =
        proofs.iter().find_map(|proof| proof.verify().err().map(|why| (place(entries, proof, why), why)));
    Outcome::of(wrong.map_or(Ok(()), |(revision, why)| Err((revision, why.to_string()))))
}

/// Dice that were never committed to are not wrong, but nothing about them can be known. A log that says they were, and
/// lacks what proves them, is.
fn unproved(why: Unprovable) -> Outcome {
    match why {
        Unprovable::Source(DiceSource::External) => Outcome::skipped(format!("unverifiable: {why}")),
        Unprovable::Source(_) => Outcome::skipped(why.to_string()),
        Unprovable::NoCreation => Outcome::failed(1, why.to_string()),
        Unprovable::EpochGap { revision }
        | Unprovable::StrayOpening { revision }
        | Unprovable::Uncommitted { revision }
        | Unprovable::RollGap { revision, .. } => Outcome::failed(revision, why.to_string()),
    }
}

/// The event of an epoch that is wrong: a roll, or the commitment.
fn place(entries: &[Entry], proof: &DiceProof, why: Unproved) -> u32 {
    let number = proof.commitment.epoch;
    let commits =
        |event: &Event| matches!(event, Event::DiceCommitted(committed) if committed.epoch == number);
    let mut epoch = entries.iter().skip_while(|entry| !commits(&entry.event));
    let wrong = match why {
        Unproved::Opening(_) => epoch.next(),
        Unproved::Link { roll } | Unproved::Dice { roll, .. } => {
            let mut rolls = epoch.filter(|entry| matches!(entry.event, Event::DiceRolled { .. }));
            rolls.nth(roll.saturating_sub(1) as usize)
        }
    };
    wrong.map_or(0, |entry| entry.revision)
}
