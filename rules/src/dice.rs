//! Dice. Where they come from is not a matter of this crate: rolls are arguments.

use std::fmt;

/// The face of one die, 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Die(u8);

impl Die {
    /// The die that shows this number of pips, 1 to 6.
    #[must_use]
    pub const fn new(pips: u8) -> Option<Self> {
        if pips >= 1 && pips <= 6 { Some(Self(pips)) } else { None }
    }

    /// How many pips the die shows, 1 to 6.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.0
    }

    /// All faces, 1 to 6.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=6).map(Self)
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One roll of two dice, in the order in which they fell. In an opening roll the first die is that of
/// seat one, the second that of seat two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dice {
    /// The first die.
    pub first: Die,
    /// The second die.
    pub second: Die,
}

impl Dice {
    /// A roll of these numbers of pips, each 1 to 6.
    #[must_use]
    pub const fn new(first: u8, second: u8) -> Option<Self> {
        match (Die::new(first), Die::new(second)) {
            (Some(first), Some(second)) => Some(Self { first, second }),
            _ => None,
        }
    }

    /// Whether both dice show the same: then the roll is played four times (A8).
    #[must_use]
    pub const fn is_double(self) -> bool {
        self.first.0 == self.second.0
    }

    /// The die with more pips.
    #[must_use]
    pub const fn larger(self) -> Die {
        if self.first.0 >= self.second.0 { self.first } else { self.second }
    }

    /// The die with fewer pips.
    #[must_use]
    pub const fn smaller(self) -> Die {
        if self.first.0 >= self.second.0 { self.second } else { self.first }
    }

    /// All 36 rolls.
    pub fn all() -> impl Iterator<Item = Self> {
        Die::all().flat_map(|first| Die::all().map(move |second| Self { first, second }))
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.first, self.second)
    }
}
