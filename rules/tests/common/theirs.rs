//! The move generator of the crate `bkgm`, to compare with.

use bkgm::{ClassicRules, Position, PositionRules};
use chaquete_rules::Dice;

use super::as_numbers::as_numbers;

/// A position and a roll.
pub(crate) struct Theirs {
    position: Position<15>,
    dice: bkgm::Dice,
}

impl Theirs {
    /// A roll in a position of a game with 15 checkers a side.
    pub(crate) fn new(position: &chaquete_rules::Position, dice: Dice) -> Self {
        let [first, second] = [dice.first, dice.second].map(|die| usize::from(die.pips()));
        Self { position: as_numbers(position).try_into().unwrap(), dice: bkgm::Dice::new(first, second) }
    }

    /// The positions after the roll from the view of the one who moves next; some may come twice. Without a
    /// legal move the position itself.
    pub(crate) fn results(&self) -> Vec<Position<15>> {
        <ClassicRules as PositionRules<15>>::legal_positions(self.position, &self.dice)
    }
}
