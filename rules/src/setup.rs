//! An untrusted arrangement of checkers, and every reason why it is no position.

use std::fmt;

use crate::{Point, Position, Side};

/// The most checkers a side can have in any variant.
pub const MAX_CHECKERS: u8 = 15;

/// The checkers of one side as somebody claims them, in that side's own numbering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideSetup {
    /// Entry `i` counts the checkers on point `i + 1`.
    pub points: [u8; 24],
    /// Checkers on the bar.
    pub bar: u8,
    /// Checkers borne off; `None`: what is missing to the full number.
    pub off: Option<u8>,
}

/// An arrangement of checkers that has not been checked.
///
/// ```
/// use chaquete_rules::{Setup, SideSetup, SetupError, SetupSide};
///
/// let mut mover = SideSetup::default();
/// mover.points[5] = 16;
/// let setup = Setup { mover, opponent: SideSetup::default(), checkers: 15 };
/// let errors = setup.position().unwrap_err();
/// assert_eq!(errors, [SetupError::TooManyCheckers { side: SetupSide::Mover, found: 16, checkers: 15 }]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The side to move.
    pub mover: SideSetup,
    /// The other side.
    pub opponent: SideSetup,
    /// How many checkers each side has in all: 15, or fewer in some variants.
    pub checkers: u8,
}

/// One of the two sides of a [`Setup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupSide {
    /// The side to move.
    Mover,
    /// The other side.
    Opponent,
}

/// A reason why an arrangement of checkers is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A side has more checkers than there are.
    TooManyCheckers {
        /// The side.
        side: SetupSide,
        /// How many were counted.
        found: u16,
        /// How many there are.
        checkers: u8,
    },
    /// A side has fewer checkers than there are, counting those it says are borne off.
    MissingCheckers {
        /// The side.
        side: SetupSide,
        /// How many were counted.
        found: u16,
        /// How many there are.
        checkers: u8,
    },
    /// Both sides have checkers on one point.
    SharedPoint {
        /// The point, in the mover's numbering.
        point: Point,
    },
    /// Both sides are on the bar against six blocked points: neither could ever move again.
    BothClosedOut,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side: &SetupSide| match side {
            SetupSide::Mover => "the side on roll",
            SetupSide::Opponent => "the other side",
        };
        match self {
            Self::TooManyCheckers { side, found, checkers } => {
                write!(f, "{} has {found} checkers, more than {checkers}", name(side))
            }
            Self::MissingCheckers { side, found, checkers } => {
                write!(f, "{} has {found} checkers, fewer than {checkers}", name(side))
            }
            Self::SharedPoint { point } => {
                write!(f, "both sides have checkers on the {point}-point of the side on roll")
            }
            Self::BothClosedOut => f.write_str("both sides are on the bar against a closed board"),
        }
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// The position, or every reason why there is none.
    ///
    /// # Errors
    /// All reasons at once, in the order of [`SetupError`].
    pub fn position(&self) -> Result<Position, Vec<SetupError>> {
        let mover = side(&self.mover, SetupSide::Mover, self.checkers);
        let opponent = side(&self.opponent, SetupSide::Opponent, self.checkers);
        let mut errors: Vec<_> =
            [&mover, &opponent].into_iter().filter_map(|s| s.as_ref().err()).copied().collect();
        errors.extend(shared_points(self).map(|point| SetupError::SharedPoint { point }));
        if both_closed_out(self) {
            errors.push(SetupError::BothClosedOut);
        }
        match (mover, opponent) {
            (Ok(mover), Ok(opponent)) if errors.is_empty() => Ok(Position::new(mover, opponent)),
            _ => Err(errors),
        }
    }
}

fn side(setup: &SideSetup, side: SetupSide, checkers: u8) -> Result<Side, SetupError> {
    let in_play = setup.points.iter().map(|&count| u16::from(count)).sum::<u16>() + u16::from(setup.bar);
    let found = in_play + u16::from(setup.off.unwrap_or(0));
    let missing = u16::from(checkers.min(MAX_CHECKERS)).checked_sub(found);
    match (missing, setup.off) {
        (None, _) => Err(SetupError::TooManyCheckers { side, found, checkers }),
        (Some(0), Some(off)) => Ok(Side::new(setup.points, setup.bar, off)),
        (Some(_), Some(_)) => Err(SetupError::MissingCheckers { side, found, checkers }),
        // What is missing is at most 15, so it fits.
        (Some(off), None) => Ok(Side::new(setup.points, setup.bar, off as u8)),
    }
}

fn shared_points(setup: &Setup) -> impl Iterator<Item = Point> {
    Point::descending().filter(|&point| {
        setup.mover.points[point.index()] > 0 && setup.opponent.points[point.from_opponent().index()] > 0
    })
}

fn both_closed_out(setup: &Setup) -> bool {
    [&setup.mover, &setup.opponent].iter().all(|s| s.bar > 0 && s.points[..6].iter().all(|&count| count >= 2))
}
