//! Variants as data: how many checkers, and where they start.

use crate::{Board, Position, Seat, Side};

/// A starting position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Standard backgammon (A3, A4).
    #[default]
    Standard,
    /// Nackgammon: two checkers more on the 23-point, taken from the 13- and the 6-point.
    Nackgammon,
    /// Hypergammon: three checkers a side.
    Hypergammon,
    /// LongGammon: all checkers on the 24-point.
    LongGammon,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 4] = [Self::Standard, Self::Nackgammon, Self::Hypergammon, Self::LongGammon];

    /// Point and number of checkers at the start, the same for both sides.
    const fn start_points(self) -> &'static [(u8, u8)] {
        match self {
            Self::Standard => &[(24, 2), (13, 5), (8, 3), (6, 5)],
            Self::Nackgammon => &[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)],
            Self::Hypergammon => &[(24, 1), (23, 1), (22, 1)],
            Self::LongGammon => &[(24, 15)],
        }
    }

    /// How many checkers each side has.
    #[must_use]
    pub fn checkers(self) -> u8 {
        self.start_points().iter().map(|&(_, count)| count).sum()
    }

    /// The board at the start of a game.
    ///
    /// ```
    /// use chaquete_rules::{Seat, Variant};
    /// let board = Variant::Standard.start();
    /// assert_eq!(board.side(Seat::One).pip_count(), 167);
    /// ```
    #[must_use]
    pub fn start(self) -> Board {
        let mut points = [0; 24];
        for &(point, count) in self.start_points() {
            points[usize::from(point) - 1] = count;
        }
        let side = Side::new(points, 0, 0);
        Board::from_position(Position::new(side, side), Seat::One)
    }
}
