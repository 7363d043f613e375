//! Why a recorded game can no longer be followed.

use std::fmt;

use chaquete_rules::Refusal;
use thiserror::Error;

/// Where a game can no longer be followed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// The line in the record, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// Why.
    pub fault: Fault,
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

/// Why a game can no longer be followed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The rules refuse what is written.
    #[error("{0}")]
    Refused(Refusal),
    /// A roll without a move, and more than one that could be meant.
    #[error("the move is missing, and {choices} different ones are legal")]
    PlayMissing {
        /// How many.
        choices: usize,
    },
    /// The opening dice are equal.
    #[error("equal dice cannot open a game: they are rolled again")]
    OpeningDouble,
    /// The record itself says that the play was illegal.
    #[error("the record says itself that this play was illegal")]
    IllegalPlay,
    /// The game starts from a position that was set up.
    #[error("the game goes on from a position that was set up")]
    PositionSetUp,
    /// There were automatic doubles, and the rules of the match allow fewer.
    #[error("so many automatic doubles were not agreed")]
    AutomaticDoubles,
    /// A player gave up, and nothing tells by how much.
    #[error("nothing tells how many points were given up")]
    PointsUnknown,
    /// Something follows the end of the game.
    #[error("the game is over before this")]
    AfterEnd,
    /// The winner of the record is the one who had to answer a double.
    #[error("the one whose double waits for its answer cannot lose by it")]
    DoubleUnanswered,
}

impl Fault {
    /// The stable code of the fault.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused(_) => "REFUSED",
            Self::PlayMissing { .. } => "PLAY_MISSING",
            Self::OpeningDouble => "OPENING_DOUBLE",
            Self::IllegalPlay => "ILLEGAL_PLAY",
            Self::PositionSetUp => "POSITION_SET_UP",
            Self::AutomaticDoubles => "AUTOMATIC_DOUBLES",
            Self::PointsUnknown => "POINTS_UNKNOWN",
            Self::AfterEnd => "AFTER_END",
            Self::DoubleUnanswered => "DOUBLE_UNANSWERED",
        }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
