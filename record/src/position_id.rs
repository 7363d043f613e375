//! The position ID of GNU Backgammon.

use std::fmt;
use std::str::FromStr;

use chaquete_rules::{Position, Setup, SetupError, Side, SideSetup};
use thiserror::Error;

use crate::base64::{self, IdTextError};

/// The places of a side in the order of the id: its points 1 to 24, then its bar.
const PLACES: usize = 25;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionId {
    opponent: [u8; PLACES],
    mover: [u8; PLACES],
}

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
        Self { opponent: places(position.opponent()), mover: places(position.mover()) }
    }

    /// The position, if it is one, of a game with so many checkers a side; those not on the board are off.
    ///
    /// # Errors
    /// [`PositionIdError::Setup`] with every reason why the checkers are no position.
    pub fn position(&self, checkers: u8) -> Result<Position, PositionIdError> {
        let setup = Setup { mover: side(&self.mover), opponent: side(&self.opponent), checkers };
        setup.position().map_err(PositionIdError::Setup)
    }
}

fn places(side: &Side) -> [u8; PLACES] {
    let mut places = [0; PLACES];
    places[..24].copy_from_slice(side.points());
    places[24] = side.bar();
    places
}

fn side(places: &[u8; PLACES]) -> SideSetup {
    let mut points = [0; 24];
    points.copy_from_slice(&places[..24]);
    SideSetup { points, bar: places[24], off: None }
}

impl fmt::Display for PositionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut key = 0_u128;
        let mut bit = 0;
        for count in self.opponent.into_iter().chain(self.mover) {
            key |= ((1 << count) - 1) << bit;
            bit += u32::from(count) + 1;
        }
        f.write_str(&base64::encode(&key.to_le_bytes()[..10]))
    }
}

impl FromStr for PositionId {
    type Err = PositionIdError;

    fn from_str(text: &str) -> Result<Self, PositionIdError> {
        let bytes: [u8; 10] = base64::decode(text)?;
        let mut counts = [0; 2 * PLACES];
        let mut place = 0;
        for bit in 0..80 {
            let is_checker = bytes[bit / 8] >> (bit % 8) & 1 == 1;
            match counts.get_mut(place) {
                Some(count) if is_checker => *count += 1,
                None if is_checker => return Err(PositionIdError::TooLong),
                _ => place += 1,
            }
        }
        if place < counts.len() {
            return Err(PositionIdError::TooLong);
        }
        let mut id = Self { opponent: [0; PLACES], mover: [0; PLACES] };
        id.opponent.copy_from_slice(&counts[..PLACES]);
        id.mover.copy_from_slice(&counts[PLACES..]);
        Ok(id)
    }
}
