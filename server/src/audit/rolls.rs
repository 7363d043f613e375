//! How the dice of stored matches fell.

use std::sync::Arc;

use chaquete_proof::dice::statistics::RollCounts;
use chaquete_rules::{BySeat, Dice, Event};

use super::{Auditor, compute, moment::whole_log};
use crate::{
    execute::Failure,
    log,
    store::{StoreError, StoredEvent, StoredMatch},
};

/// What was counted over several matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The rolls.
    pub rolls: RollCounts,
    /// How many matches they are from.
    pub matches: u64,
}

impl Counted {
    /// Adds the rolls of a match.
    pub fn add(&mut self, rolls: &RollCounts) {
        self.rolls.add(rolls);
        self.matches += u64::from(rolls.rolls() > 0);
    }
}

impl Auditor {
    /// Counts the rolls of a match, or those of one subject in it. Opening rolls are of nobody, and are not counted.
    /// A log that cannot be read is left out.
    ///
    /// # Errors
    /// The store fails.
    pub async fn count_rolls(
        &self,
        row: StoredMatch,
        subject: Option<Arc<str>>,
    ) -> Result<RollCounts, Failure> {
        let subjects = row.agreed.subjects;
        let BySeat { one, two } = &subjects;
        if subject.as_ref().is_some_and(|subject| **subject != **one && **subject != **two) {
            return Ok(RollCounts::default());
        }
        self.run(move |this| async move {
            let events = match whole_log(&*this.store, row.key).await {
                Ok(events) => events,
                Err(StoreError::Damaged { revision, because }) => {
                    tracing::error!(name = %row.name, revision, because, "rolls are not counted");
                    return Ok(RollCounts::default());
                }
                Err(error) => return Err(error.into()),
            };
            compute(move || count(&events, &subjects, subject.as_deref())).await
        })
        .await
    }
}

fn count(events: &[StoredEvent], subjects: &BySeat<String>, subject: Option<&str>) -> RollCounts {
    let mut counts = RollCounts::default();
    counts.count(events.iter().filter_map(|event| counted(event, subjects, subject)));
    counts
}

/// The roll that an event tells, if it is one that counts.
fn counted(event: &StoredEvent, subjects: &BySeat<String>, subject: Option<&str>) -> Option<Dice> {
    let Event::DiceRolled { seat: Some(seat), roll, opening: false, .. } =
        log::decode(&event.bytes).ok()?.event
    else {
        return None;
    };
    subject.is_none_or(|subject| subjects[seat] == subject).then_some(roll.dice)
}
