//! The rules of backgammon, pure: no input or output, no clock, no randomness, no dependencies.

mod board;
mod cube;
mod dice;
mod game;
mod legal;
mod point;
mod refusal;
mod score;
mod seat;
mod setup;
mod step;
mod turn;

pub use board::{Board, Position, Side};
pub use cube::{Cube, CubeValue};
pub use dice::{Dice, Die};
pub use game::{Action, PhaseKind};
pub use legal::{LegalMove, LegalMoves, MoveEdge, MoveGraph, MoveNode, Results};
pub use point::{Point, Source, Target};
pub use refusal::{CubeViolation, IllegalMove, MoveViolation, Refusal};
pub use score::{GameEndReason, GameResult, MatchEndReason, MatchResult, Score, WinKind};
pub use seat::{BySeat, Seat};
pub use setup::{MAX_CHECKERS, Setup, SetupError, SetupSide, SideSetup};
pub use step::Step;
pub use turn::{Move, NotationError, NotationProblem, Written, WrittenStep};
