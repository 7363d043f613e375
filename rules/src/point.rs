//! Points of the board, and the places a checker comes from or goes to.

use std::fmt;

use crate::Die;

/// One of the 24 points, numbered from the view of the side that is spoken of (article A1, A2): 1 is its
/// ace point, 1 to 6 are its home board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

impl Point {
    /// The point with this number, 1 to 24.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= 24 { Some(Self(number)) } else { None }
    }

    /// The number of the point, 1 to 24.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The same point as the other side numbers it: point `n` of one is point `25 - n` of the other (A2).
    #[must_use]
    pub const fn from_opponent(self) -> Self {
        Self(25 - self.0)
    }

    /// Whether the point lies in the home board of the side that numbers it.
    #[must_use]
    pub const fn is_home(self) -> bool {
        self.0 <= 6
    }

    /// All points, from the 24-point down to the ace point: the way checkers go.
    pub fn descending() -> impl Iterator<Item = Self> {
        (1..=24).rev().map(Self)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where a checker comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A point, in the mover's numbering.
    Point(Point),
    /// The bar, which counts as the mover's 25-point.
    Bar,
}

impl Source {
    /// The number of the place: 1 to 24 for a point, 25 for the bar.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Point(point) => point.number(),
            Self::Bar => 25,
        }
    }

    /// The place with this number: 1 to 24 for a point, 25 for the bar.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        match (number, Point::new(number)) {
            (25, _) => Some(Self::Bar),
            (_, Some(point)) => Some(Self::Point(point)),
            (_, None) => None,
        }
    }

    /// Where a checker from here lands with this die.
    #[must_use]
    pub const fn target(self, die: Die) -> Target {
        match Point::new(self.number().saturating_sub(die.pips())) {
            Some(point) => Target::Point(point),
            None => Target::Off,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(point) => point.fmt(f),
            Self::Bar => f.write_str("bar"),
        }
    }
}

/// Where a checker goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// Borne off.
    Off,
    /// A point, in the mover's numbering.
    Point(Point),
}

impl Target {
    /// The number of the place: 1 to 24 for a point, 0 for borne off.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Point(point) => point.number(),
            Self::Off => 0,
        }
    }

    /// The place with this number: 1 to 24 for a point, 0 for borne off.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        match (number, Point::new(number)) {
            (0, _) => Some(Self::Off),
            (_, Some(point)) => Some(Self::Point(point)),
            (_, None) => None,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(point) => point.fmt(f),
            Self::Off => f.write_str("off"),
        }
    }
}
