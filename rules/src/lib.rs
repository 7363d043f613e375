//! The rules of backgammon, pure: no input or output, no clock, no randomness, no dependencies.
//!
//! One idea carries everything: **a match is the fold of its events.** [`decide()`] says which [`Event`]s a
//! [`Command`] causes, or which rule refuses it; [`evolve()`] says what an event makes of a [`Match`].
//! Dice are an argument: a [`DiceCup`], or `None` if each roll comes with its command. So is time.
//!
//! ```
//! use chaquete_rules::{
//!     BySeat, Command, Dice, DiceSource, Match, MatchPoints, MatchRules, Seat, Terms, create, decide, evolve,
//! };
//!
//! let rules = MatchRules::points(MatchPoints::new(5).unwrap());
//! let players = BySeat::new("ann".to_owned(), "bob".to_owned());
//! let terms = Terms::new(players, rules, DiceSource::External);
//! let mut state = Match::new(terms.clone());
//! for event in &create(terms, None, 0).events[1..] {
//!     evolve(&mut state, event, 0)?;
//! }
//! // The opening roll: 3 for seat one, 1 for seat two. Seat one plays 3-1.
//! let opening = Command::Roll { seat: Seat::One, dice: Dice::new(3, 1) };
//! let play = Command::Move { seat: Seat::One, written: "8/5 6/5".parse()? };
//! for command in [opening, play] {
//!     for event in decide(&state, &command, None, 0)?.events {
//!         evolve(&mut state, &event, 0)?;
//!     }
//! }
//! assert_eq!(state.game().unwrap().seat_to_act(), Some(Seat::Two));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod automate;
mod board;
mod clock;
mod command;
mod contribute;
mod cube;
mod decide;
mod dice;
mod entropy;
mod event;
mod evolve;
mod game;
mod legal;
mod matchplay;
#[cfg(test)]
mod model;
mod parts;
mod point;
mod refusal;
mod score;
mod seat;
mod setup;
mod step;
mod terms;
mod turn;
mod variant;

pub use board::{Board, Position, Side};
pub use clock::{
    ClockMode, ClockParts, Clocks, Duty, Millis, Moment, RunningParts, TimeControl, TimeLimit, TimeoutPolicy,
};
pub use command::Command;
pub use cube::{Cube, CubeValue};
pub use decide::{Decision, MAX_AUTOMATIC, ROLLS_PER_EPOCH, create, decide};
pub use dice::{Dice, Die};
pub use entropy::{Awaited, Contributing, Contribution, Contributions, Contributor, Entropy};
pub use event::{DiceCommitment, DiceCup, Event, Roll};
pub use evolve::{OutOfOrder, evolve};
pub use game::{Action, Game, PendingDouble, PendingResignation, Phase, PhaseKind, Turn};
pub use legal::{LegalMove, LegalMoves, MoveEdge, MoveGraph, MoveNode, Results};
pub use matchplay::Match;
pub use parts::{BadParts, MatchParts};
pub use point::{Point, Source, Target};
pub use refusal::{CubeViolation, IllegalMove, MoveViolation, Refusal};
pub use score::{GameEndReason, GameResult, MatchEndReason, MatchResult, Score, Win, WinKind};
pub use seat::{BySeat, Seat};
pub use setup::{MAX_CHECKERS, Setup, SetupError, SetupSide, SideSetup};
pub use step::Step;
pub use terms::{Automation, DiceSource, Length, MatchPoints, MatchRules, MoneyRules, OpeningRule, Terms};
pub use turn::{Chain, Move, NotationError, NotationProblem, Written, WrittenStep};
pub use variant::Variant;
