//! The proof of the rolls of a match, as a verifier that knows nothing of us takes it.

use chaquete_rules::{Contributions, Contributor, Dice, DiceCommitment, DiceSource, Event};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Beacon, Binding, Link, opens, previous_link, roll};
use crate::{hex, log::Entry};

/// Why the rolls of a match cannot be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unprovable {
    /// The first event is not the creation of the match.
    #[error("the log does not begin with the creation of the match")]
    NoCreation,
    /// The dice were not committed to.
    #[error("{}", source_reason(*.0))]
    Source(DiceSource),
    /// A commitment does not follow the one before.
    #[error("event {revision}: the epochs of the dice have a gap")]
    EpochGap {
        /// Number of the event.
        revision: u32,
    },
    /// A contribution was opened that the dice do not wait for.
    #[error(
        "event {revision}: a contribution was opened before its dice were committed to, or after a roll of them"
    )]
    StrayOpening {
        /// Number of the event.
        revision: u32,
    },
    /// A roll that was not committed to, or reveals nothing.
    #[error("event {revision}: the roll comes from no commitment")]
    Uncommitted {
        /// Number of the event.
        revision: u32,
    },
    /// A roll does not follow the one before.
    #[error("event {revision}: roll {found} where roll {expected} should be")]
    RollGap {
        /// Number of the event.
        revision: u32,
        /// Number of the roll that should come.
        expected: u32,
        /// Number of the roll that comes.
        found: u32,
    },
}

const fn source_reason(source: DiceSource) -> &'static str {
    match source {
        DiceSource::External => "the dice came from outside: nothing about them can be verified",
        DiceSource::Seeded => "the dice came from a seed: they were never committed to",
        DiceSource::Committed(_) => "the dice are committed",
    }
}

/// All rolls of one epoch, with what proves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiceProof {
    /// Uid of the match.
    pub match_uid: Uuid,
    /// What was committed to before the first roll.
    pub commitment: DiceCommitment,
    /// What others put in after that: it opens the commitments.
    pub contributions: Contributions,
    /// What each roll revealed, and what it came to; the first is roll number 1.
    pub rolls: Vec<(Link, Dice)>,
}

/// The proofs of a match from its log, one for each epoch of dice.
///
/// # Errors
/// Why there are none. Whether the dice follow from the links is not looked at: that is for a verifier.
pub fn proofs(match_uid: &Uuid, log: &[Entry]) -> Result<Vec<DiceProof>, Unprovable> {
    match log.first().map(|entry| &entry.event) {
        Some(Event::MatchCreated(terms)) if terms.dice.is_committed() => {}
        Some(Event::MatchCreated(terms)) => return Err(Unprovable::Source(terms.dice)),
        _ => return Err(Unprovable::NoCreation),
    }
    let mut proofs: Vec<DiceProof> = Vec::new();
    for entry in log {
        let revision = entry.revision;
        match &entry.event {
            Event::DiceCommitted(commitment) => {
                if proofs.len() != commitment.epoch as usize {
                    return Err(Unprovable::EpochGap { revision });
                }
                let commitment = (**commitment).clone();
                let contributions = Contributions::NONE;
                proofs.push(DiceProof {
                    match_uid: *match_uid,
                    commitment,
                    contributions,
                    rolls: Vec::new(),
                });
            }
            Event::EntropyOpened { by, opening } => {
                let proof = proofs.last_mut().filter(|proof| proof.rolls.is_empty());
                proof.ok_or(Unprovable::StrayOpening { revision })?.contributions[*by] = Some(*opening);
            }
            Event::DiceRolled { roll, index, .. } => {
                let (Some(proof), Some(link)) = (proofs.last_mut(), roll.link) else {
                    return Err(Unprovable::Uncommitted { revision });
                };
                let expected = proof.rolls.len() as u32 + 1;
                if *index != expected {
                    return Err(Unprovable::RollGap { revision, expected, found: *index });
                }
                proof.rolls.push((link, roll.dice));
            }
            _ => {}
        }
    }
    Ok(proofs)
}

/// Why rolls are not those that were committed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// What somebody put in is not what it committed to.
    #[error("the contribution of {0} is not what it committed to")]
    Opening(Contributor),
    /// What a roll reveals does not lead back to the anchor.
    #[error("roll {roll} reveals a link that does not lead to the one before")]
    Link {
        /// Number of the roll in its epoch.
        roll: u32,
    },
    /// The dice do not follow from what their roll reveals.
    #[error("roll {roll} is not what follows from its link: that is {right}")]
    Dice {
        /// Number of the roll in its epoch.
        roll: u32,
        /// The dice that follow.
        right: Dice,
    },
}

impl DiceProof {
    /// Checks the proof: that the contributions open their commitments, that each link leads to the one before, back to
    /// the anchor, and that the dice follow from them.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify(&self) -> Result<(), Unproved> {
        let DiceProof { match_uid, commitment, contributions, rolls } = self;
        self.check_openings()?;
        let binding = Binding::new(match_uid, &commitment.anchor, contributions, &Beacon::default());
        let mut previous = &commitment.anchor;
        for (number, (link, dice)) in (1..).zip(rolls) {
            if previous_link(link) != *previous {
                return Err(Unproved::Link { roll: number });
            }
            let right = roll(link, &binding, number);
            if right != *dice {
                return Err(Unproved::Dice { roll: number, right });
            }
            previous = link;
        }
        Ok(())
    }

    /// What is not opened yet is wrong once there was a roll.
    fn check_openings(&self) -> Result<(), Unproved> {
        let is_wrong = |by: &Contributor| {
            let committed = self.commitment.commitments[*by as usize];
            match self.contributions[*by] {
                Some(opening) => !opens(*by, &committed, &opening),
                None => committed != [0; 32] && !self.rolls.is_empty(),
            }
        };
        Contributor::ALL.into_iter().find(is_wrong).map_or(Ok(()), |by| Err(Unproved::Opening(by)))
    }

    /// The proof as a JSON object in one line: match, anchor, commitments, opened contributions, and of each
    /// roll the link and the dice.
    #[must_use]
    pub fn to_json(&self) -> String {
        let roll = |(link, dice): &(Link, Dice)| json!({ "s": hex::encode(link), "links": [], "dice": [dice.first.pips(), dice.second.pips()] });
        let opened = |contribution: Option<[u8; 32]>| {
            contribution.map_or_else(String::new, |bytes| hex::encode(&bytes))
        };
        let proof = json!({
            "match_id": hex::encode(self.match_uid.as_bytes()),
            "mode": 0,
            "anchor": hex::encode(&self.commitment.anchor),
            "commits": self.commitment.commitments.map(|commitment| hex::encode(&commitment)),
            "opened": self.contributions.0.map(opened),
            "rolls": self.rolls.iter().map(roll).collect::<Vec<Value>>(),
        });
        proof.to_string()
    }
}
