//! What a player wrote, before anybody looked whether it can be played.

use std::fmt;
use std::str::FromStr;

use super::Move;
use super::notation::{self, NotationError};
use crate::{Die, Source, Target};

/// One step as somebody gave it: perhaps of several dice, perhaps backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenStep {
    /// Where the checker comes from.
    pub source: Source,
    /// Where it goes.
    pub target: Target,
    /// The one die it is moved by, if that was given. Without it the step may be of several dice.
    pub die: Option<Die>,
}

/// A step as written, and whether its target was starred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hop {
    pub(crate) step: WrittenStep,
    pub(crate) star: bool,
}

/// How many steps are kept: one more than any roll can play, which is enough to say that it is too many.
const KEPT: usize = 5;

/// A move as a player wrote it, to be resolved by [`LegalMoves::resolve`](crate::LegalMoves::resolve).
///
/// Any usual form is understood: one checker's points in a row or step by step, merged or not, with the bar
/// as `bar`, `b` or 25 and off as `off`, `o` or 0, in any case, order and with any stars.
///
/// ```
/// use chaquete_rules::Written;
///
/// for text in ["24/18 18/13", "24/13", "24-18-13", "Bar/20*, 6/OFF(2)", "b/20 6/0 6/o"] {
///     assert!(text.parse::<Written>().is_ok());
/// }
/// let error = "24/18 18/bar".parse::<Written>().unwrap_err();
/// assert_eq!(error.to_string(), "column 10: no checker moves to the bar: it can only come from there");
/// ```
///
/// More than five steps are more than any roll can play; the rest is dropped, for it changes nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Written {
    hops: [Option<Hop>; KEPT],
}

impl From<&Move> for Written {
    /// The move as it is played: step by step, each with its die.
    fn from(mv: &Move) -> Self {
        Self::from_steps(mv.steps().iter().map(|step| WrittenStep {
            source: step.source,
            target: step.target(),
            die: Some(step.die),
        }))
    }
}

impl Written {
    /// A move given step by step.
    #[must_use]
    pub fn from_steps(steps: impl IntoIterator<Item = WrittenStep>) -> Self {
        let mut written = Self::empty();
        for (place, step) in written.hops.iter_mut().zip(steps) {
            *place = Some(Hop { step, star: false });
        }
        written
    }

    /// The steps, in the order in which they were given.
    pub fn steps(&self) -> impl Iterator<Item = WrittenStep> {
        self.hops().map(|hop| hop.step)
    }

    pub(crate) fn hops(&self) -> impl Iterator<Item = Hop> {
        self.hops.iter().flatten().copied()
    }

    pub(super) const fn empty() -> Self {
        Self { hops: [None; KEPT] }
    }

    pub(super) fn push(&mut self, hop: Hop) {
        if let Some(place) = self.hops.iter_mut().find(|place| place.is_none()) {
            *place = Some(hop);
        }
    }
}

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.hops()).finish()
    }
}

impl FromStr for Written {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        notation::parse(text)
    }
}
