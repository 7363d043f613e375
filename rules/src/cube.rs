//! The doubling cube.

use std::fmt;

use crate::Seat;

/// The value of the cube: a power of two from 1 to 4096.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CubeValue(u16);

impl CubeValue {
    /// The cube at the start of a game, before anybody doubled (A19).
    pub const ONE: Self = Self(1);
    /// The highest face of an ordinary cube (A5), and the limit unless another is agreed.
    pub const USUAL_LIMIT: Self = Self(64);
    /// The highest limit that can be agreed.
    pub const MAX: Self = Self(4096);

    /// The cube value, if this is a power of two from 1 to 4096.
    #[must_use]
    pub const fn new(value: u32) -> Option<Self> {
        if value.is_power_of_two() && value <= Self::MAX.0 as u32 { Some(Self(value as u16)) } else { None }
    }

    /// The value with this binary logarithm, 0 to 12.
    #[must_use]
    pub const fn from_log2(log2: u32) -> Option<Self> {
        if log2 <= 12 { Some(Self(1 << log2)) } else { None }
    }

    /// The value as a number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0 as u32
    }

    /// The binary logarithm of the value, 0 to 12.
    #[must_use]
    pub const fn log2(self) -> u32 {
        self.0.trailing_zeros()
    }

    /// Twice the value, or `None` beyond [`CubeValue::MAX`].
    #[must_use]
    pub const fn doubled(self) -> Option<Self> {
        Self::new(self.get() * 2)
    }
}

impl fmt::Display for CubeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The cube in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cube {
    /// What the game is played for.
    pub value: CubeValue,
    /// Who alone may double next; `None` while the cube is in the middle and either may (A20, A22).
    pub owner: Option<Seat>,
}

impl Cube {
    /// The cube at the start: 1, in the middle (A19).
    pub const CENTERED: Self = Self { value: CubeValue::ONE, owner: None };
}
