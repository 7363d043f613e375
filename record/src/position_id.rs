//! The position ID of GNU Backgammon.

use std::fmt;
use std::str::FromStr;

use chaquete_rules::{Position, Setup, SetupError, Side, SideSetup};
use thiserror::Error;

use crate::base64::{self, IdTextError};

/// The position ID of GNU Backgammon: the checkers of both sides, seen by the player on roll, in 14
/// characters.
///
/// It does not say who is on roll, nor how many checkers there are in all: what is missing on the board
/// counts as borne off. The 80 bits hold, for the player *not* on roll and then for the one on roll, each
/// of that side's points 1 to 24 and its bar as so many ones and a zero.
///
/// ```
/// use chaquete_record::PositionId;
///
/// let id: PositionId = "4HPwATDgc/ABMA".parse()?;
/// let start = id.position(15).expect("the start of the game is a position");
/// assert_eq!(start.mover().pip_count(), 167);
/// assert_eq!(PositionId::of(&start).to_string(), "4HPwATDgc/ABMA");
/// # Ok::<(), chaquete_record::PositionIdError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PositionId(u128);

/// Why a text is no position ID, or the ID no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionIdError {
    /// The text is no id.
    #[error(transparent)]
    Text(#[from] IdTextError),
    /// Checkers are left over when both sides have all their points and their bar.
    #[error("the id holds more checkers than two sides have places for")]
    TooLong,
    /// The checkers are no position.
    #[error("{}", listed(.0))]
    Setup(Vec<SetupError>),
}

/// All reasons in one sentence.
pub(crate) fn listed(errors: &[SetupError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl PositionId {
    /// The ID of a position; the mover is the player on roll.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let (opponent, length) = runs(position.opponent());
        let (mover, _) = runs(position.mover());
        Self(u128::from(opponent) | u128::from(mover) << length)
    }

    /// The position, if it is one, of a game with so many checkers a side; those not on the board are off.
    ///
    /// # Errors
    /// [`PositionIdError::Setup`] with every reason why the checkers are no position.
    pub fn position(&self, checkers: u8) -> Result<Position, PositionIdError> {
        let [opponent, mover] = self.sides();
        Setup { mover, opponent, checkers }.position().map_err(PositionIdError::Setup)
    }

    /// The 14 characters.
    fn letters(&self) -> [u8; 14] {
        base64::letters(self.0)
    }

    /// The checkers of the player not on roll and of the one on roll.
    fn sides(self) -> [SideSetup; 2] {
        let mut rest = self.0;
        let mut next = || {
            let count = rest.trailing_ones();
            rest >>= count + 1;
            count as u8
        };
        [(); 2].map(|()| {
            let points = [(); 24].map(|()| next());
            SideSetup { points, bar: next(), off: None }
        })
    }
}

/// The counts of two places, the first in the lower half of the index, as so many ones and a zero each: in
/// the lower half of the entry the bits, in the upper one how many they are.
static PAIRS: [u64; 256] = {
    let mut pairs = [0; 256];
    let mut index = 0;
    while index < 256 {
        let (first, second) = (index % 16, index / 16);
        let bits = ((1 << first) - 1) | ((1 << second) - 1) << (first + 1);
        pairs[index] = bits | ((first + second + 2) as u64) << 32;
        index += 1;
    }
    pairs
};

/// A side as so many ones and a zero for each place, and how many bits they are: at most 40.
fn runs(side: &Side) -> (u64, u32) {
    let (pairs, _) = side.points().as_chunks::<2>();
    let (mut runs, mut length) = (0, 0);
    for &[first, second] in pairs.iter().chain([&[side.bar(), 0]]) {
        let pair = PAIRS[usize::from(first | second << 4)];
        runs |= (pair & 0xffff_ffff) << length;
        length += (pair >> 32) as u32;
    }
    // The bar has no other place beside it.
    (runs, length - 1)
}

impl fmt::Debug for PositionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PositionId({self})")
    }
}

impl fmt::Display for PositionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.letters()).map_err(|_| fmt::Error)?)
    }
}

impl FromStr for PositionId {
    type Err = PositionIdError;

    fn from_str(text: &str) -> Result<Self, PositionIdError> {
        let bytes: [u8; 10] = base64::decode(text)?;
        let bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte));
        // The zeros are the ends of 50 places. No checker comes after the last of them.
        let checkers = bits.count_ones();
        let ends = u128::BITS - bits.leading_zeros() - checkers;
        if checkers > 30 || ends >= 50 { Err(PositionIdError::TooLong) } else { Ok(Self(bits)) }
    }
}
