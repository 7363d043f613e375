//! One game.
use std::fmt;

/// What a player can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Roll the dice.
    RollDice,
    /// Play the roll.
    SubmitMove,
    /// Offer to double the stake.
    OfferDouble,
    /// Accept a double or a beaver.
    AcceptDouble,
    /// Decline a double or a beaver, and lose the game.
    DeclineDouble,
    /// Accept a double, redouble at once and keep the cube.
    BeaverDouble,
    /// Offer to resign the game.
    OfferResignation,
    /// Accept a resignation.
    AcceptResignation,
    /// Decline a resignation.
    DeclineResignation,
}

/// What is to be done next in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PhaseKind {
    /// The opening roll is due.
    OpeningRoll,
    /// A seat may double or roll.
    Roll,
    /// A seat has rolled and must move.
    Move,
    /// A seat must answer a double.
    DoubleOffered,
    /// A seat must answer a resignation.
    ResignationOffered,
    /// The game has ended.
    Over,
}
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
impl fmt::Display for PhaseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
