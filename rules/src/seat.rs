//! The two sides of a match.

use std::ops::{Index, IndexMut};

/// One of the two sides of a match. A seat keeps its number for the whole match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seat {
    /// The first player of the match.
    One,
    /// The second player of the match.
    Two,
}

impl Seat {
    /// Both seats, seat one first.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The other seat.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// The number of the seat as people count it: 1 or 2.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// The seat with this number, 1 or 2.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            _ => None,
        }
    }
}

/// One value for each seat, indexed by [`Seat`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySeat<T> {
    /// The value of seat one.
    pub one: T,
    /// The value of seat two.
    pub two: T,
}

impl<T> BySeat<T> {
    /// The values of seat one and seat two.
    pub const fn new(one: T, two: T) -> Self {
        Self { one, two }
    }

    /// Makes both values from their seats.
    pub fn from_fn(mut make: impl FnMut(Seat) -> T) -> Self {
        Self { one: make(Seat::One), two: make(Seat::Two) }
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        match seat {
            Seat::One => &self.one,
            Seat::Two => &self.two,
        }
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::One => &mut self.one,
            Seat::Two => &mut self.two,
        }
    }
}
