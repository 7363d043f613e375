//! Deciding without the dice that a match was committed to.

use std::cell::Cell;

use chaquete_proof::dice::opens;
use chaquete_rules::{Contributions, Contributor, Dice, DiceCommitment, DiceCup, Roll};

/// Stands in for dice that cannot be had. What was decided with it is worth nothing once it was asked.
#[derive(Default)]
pub(super) struct MissingCup {
    pub(super) asked: Cell<bool>,
}

impl DiceCup for MissingCup {
    fn commit(&self, _: u32, _: &Contributions) -> Option<DiceCommitment> {
        self.asked.set(true);
        None
    }

    /// No secret is needed for it.
    fn opens(&self, by: Contributor, commitment: &[u8; 32], opening: &[u8; 32]) -> bool {
        opens(by, commitment, opening)
    }

    fn roll(&self, _epoch: u32, _index: u32, _: &Contributions) -> Roll {
        self.asked.set(true);
        Roll { dice: NEVER_ROLLED, link: None }
    }
}

/// Unequal, so that an opening roll of them is not rolled again for ever.
const NEVER_ROLLED: Dice = match Dice::new(2, 1) {
    Some(dice) => dice,
    None => panic!("two faces"),
};
