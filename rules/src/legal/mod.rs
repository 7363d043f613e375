//! The legal moves of a roll.
//!
//! That as many dice as possible must be played, and the larger one if only one can be (A9, A10), are rules
//! of the turn, not of the step: the set of legal *results* is the law here. Any order of steps that
//! reaches one of them is legal.

mod counts;
mod explain;
mod frame;
mod generator;
mod graph;
mod key;
mod line;
mod path;
mod resolve;
mod results;

use std::fmt;

use crate::{Dice, IllegalMove, Move, Position, Step, Written};
pub use graph::{MoveEdge, MoveGraph, MoveNode};
use key::Key;
use path::Path;
pub use results::Results;

/// One legal move and the position it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LegalMove {
    /// The steps, in an order in which they can be played.
    pub mv: Move,
    /// The position after the move, still from the mover's own view; the opponent sees it
    /// [turned](Position::turned).
    pub after: Position,
}

/// Every legal move of a roll: one for each different resulting position.
///
/// ```
/// use chaquete_rules::{Dice, LegalMoves, Setup, SideSetup};
///
/// // One checker on the 2-point, an opposing blot on the ace point: T18.
/// let mut mover = SideSetup::default();
/// mover.points[1] = 1;
/// let mut opponent = SideSetup { off: Some(14), ..SideSetup::default() };
/// opponent.points[23] = 1;
/// let position = Setup { mover, opponent, checkers: 15 }.position().unwrap();
///
/// // Both dice must be played, even though the 4 alone would bear off.
/// let legal = LegalMoves::new(position, Dice::new(4, 1).unwrap());
/// assert_eq!(legal.dice_used(), 2);
/// assert_eq!(legal.iter().map(|legal| legal.mv.to_string()).collect::<Vec<_>>(), ["2/1*/off"]);
/// ```
#[derive(Clone)]
pub struct LegalMoves {
    position: Position,
    dice: Dice,
    dice_used: u8,
    plays: Vec<(Key, Path)>,
}

impl LegalMoves {
    /// All legal moves of this roll for the side to move.
    #[must_use]
    pub fn new(position: Position, dice: Dice) -> Self {
        let mut plays = Vec::with_capacity(32);
        let dice_used = generator::generate(&position, dice, &mut plays);
        Self { position, dice, dice_used, plays }
    }

    /// The position before the move.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The roll.
    #[must_use]
    pub const fn dice(&self) -> Dice {
        self.dice
    }

    /// How many dice every legal move uses, 0 to 4 (A8, A9).
    #[must_use]
    pub const fn dice_used(&self) -> u8 {
        self.dice_used
    }

    /// How many different positions a legal move can lead to.
    #[must_use]
    pub fn len(&self) -> usize {
        self.plays.len()
    }

    /// Whether there is no legal move: the turn is lost (A11, A15).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plays.is_empty()
    }

    /// One move for each resulting position, in an order that depends on the position and the roll alone.
    /// Where dice may be played in either order, the larger comes first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = LegalMove> {
        self.plays.iter().map(|&(key, path)| self.expand(key, path))
    }

    /// The same moves, ordered by the text of their canonical notation.
    #[must_use]
    pub fn sorted(&self) -> Vec<LegalMove> {
        let mut moves: Vec<_> = self.iter().collect();
        moves.sort_by_cached_key(|legal| legal.mv.to_string());
        moves
    }

    /// The legal move that a player wrote.
    ///
    /// What is written is accepted if some order of its steps, with some choice of dice, each step legal by
    /// itself, reaches the result of a legal move. Where one checker moves by several dice and the points
    /// between are not written, a way that hits nothing there is meant, if there is one. Stars are not
    /// needed, and wrong ones do no harm; only a star that contradicts this reading while another exists
    /// makes the text ambiguous.
    ///
    /// When there is no legal move, the empty text is the move that plays nothing.
    ///
    /// # Errors
    /// The rule that is broken, and the step that breaks it.
    pub fn resolve(&self, written: &Written) -> Result<LegalMove, IllegalMove> {
        resolve::resolve(self, written)
    }

    /// All ways to play the roll, step by step.
    #[must_use]
    pub fn graph(&self) -> MoveGraph {
        graph::build(self)
    }

    /// The legal move that leads to this position.
    fn to(&self, after: &Position) -> Option<LegalMove> {
        let wanted = Key::between(&self.position, after);
        self.plays.iter().find(|(key, _)| *key == wanted).map(|&(key, path)| self.expand(key, path))
    }

    fn expand(&self, key: Key, path: Path) -> LegalMove {
        let mut hits = key;
        let steps = path.steps(self.dice.larger(), self.dice.smaller()).map(|(source, die)| {
            // The first checker that lands on a blot hits it.
            Step { source, die, hit: hits.take_hit(source.target(die)) }
        });
        LegalMove { mv: Move::from_few(steps), after: key.position(self.position.opponent()) }
    }
}

impl fmt::Debug for LegalMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LegalMoves")
            .field("position", &self.position)
            .field("dice", &self.dice)
            .field("dice_used", &self.dice_used)
            .field("moves", &self.sorted().iter().map(|legal| legal.mv.to_string()).collect::<Vec<_>>())
            .finish()
    }
}
