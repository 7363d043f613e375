//! The match ID of GNU Backgammon.

use std::str::FromStr;

use chaquete_rules::{BySeat, Cube, CubeValue, Dice, Die, GameEndReason, Score, Seat, WinKind};
use thiserror::Error;

use crate::base64::{self, IdTextError};

/// The largest number that the 15 bits of a score or a length hold.
const MAX_NUMBER: u32 = (1 << 15) - 1;

/// The state of a match as the match ID of GNU Backgammon tells it, in 12 characters: all but the checkers.
///
/// Seat one is player 0 of GNU Backgammon (the left column of its match files), seat two is player 1. The
/// position ID that goes with it shows the board as [`on_roll`](Self::on_roll) sees it, even while the
/// other player decides.
///
/// ```
/// use chaquete_record::MatchId;
/// use chaquete_rules::Seat;
///
/// let id: MatchId = "cIkFAAAAAAAE".parse()?;
/// assert_eq!(id.on_roll, Seat::Two);
/// assert_eq!(id.dice.map(|dice| dice.to_string()).as_deref(), Some("3-1"));
/// assert_eq!(id.encode()?, "cIkFAAAAAAAE");
/// # Ok::<(), chaquete_record::MatchIdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchId {
    /// The cube as it lies; a double that waits for its answer is not in its value.
    pub cube: Cube,
    /// The player whose turn it is.
    pub on_roll: Seat,
    /// Whether this is the Crawford game.
    pub crawford: bool,
    /// How far the game is.
    pub state: GameState,
    /// The player who must decide: not the one on roll when a double or a resignation is to be answered.
    pub turn: Seat,
    /// Whether a double waits for its answer.
    pub doubled: bool,
    /// The resignation that waits for its answer.
    pub resignation: Option<WinKind>,
    /// The dice, if rolled. GNU Backgammon writes the larger first, other programs as rolled: compare ids
    /// only after reading them.
    pub dice: Option<Dice>,
    /// Match length; 0 for money play.
    pub length: u32,
    /// Points won so far.
    pub score: Score,
    /// Whether the Jacoby rule is on. Ids written before this bit existed read as on.
    pub jacoby: bool,
}

/// How far a game is, in a match ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameState {
    /// No game has begun.
    None,
    /// The game is on.
    Playing,
    /// The game has ended.
    Over(GameEndReason),
}

/// Why a text is no match ID, or a state has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MatchIdError {
    /// The text is no id.
    #[error(transparent)]
    Text(#[from] IdTextError),
    /// A field of the id holds a number that means nothing.
    #[error("bits {first_bit} and up ({field}) hold {found}, which means nothing")]
    Field {
        /// The field.
        field: &'static str,
        /// The first bit of the field, from 0.
        first_bit: u32,
        /// The number.
        found: u32,
    },
    /// A number does not fit into the 15 bits that the id has for it.
    #[error("the {field} {found} is too large for a match ID, which ends at 32767")]
    TooLarge {
        /// Which number.
        field: &'static str,
        /// The number.
        found: u32,
    },
}

impl MatchId {
    /// The text of the id.
    ///
    /// # Errors
    /// [`MatchIdError::TooLarge`] if the length or a score does not fit.
    pub fn encode(&self) -> Result<String, MatchIdError> {
        let (high, low) = self.dice.map_or((0, 0), |dice| (dice.first.pips(), dice.second.pips()));
        let mut bits = Bits::default();
        bits.push(4, self.cube.value.log2());
        bits.push(2, self.cube.owner.map_or(3, player));
        bits.push(1, player(self.on_roll));
        bits.push(1, self.crawford.into());
        bits.push(3, self.state.number());
        bits.push(1, player(self.turn));
        bits.push(1, self.doubled.into());
        bits.push(2, self.resignation.map_or(0, WinKind::multiplier));
        bits.push(3, high.into());
        bits.push(3, low.into());
        bits.push(15, fitting("length", self.length)?);
        bits.push(15, fitting("score of player 0", self.score.one)?);
        bits.push(15, fitting("score of player 1", self.score.two)?);
        bits.push(1, (!self.jacoby).into());
        Ok(base64::encode(&bits.key.to_le_bytes()[..9]))
    }

    /// The same state with the players exchanged: what the other program calls player 0 becomes player 1.
    #[must_use]
    pub fn with_players_exchanged(self) -> Self {
        Self {
            cube: Cube { owner: self.cube.owner.map(Seat::opponent), ..self.cube },
            on_roll: self.on_roll.opponent(),
            turn: self.turn.opponent(),
            score: BySeat::new(self.score.two, self.score.one),
            ..self
        }
    }
}

fn fitting(field: &'static str, number: u32) -> Result<u32, MatchIdError> {
    if number <= MAX_NUMBER { Ok(number) } else { Err(MatchIdError::TooLarge { field, found: number }) }
}

const fn player(seat: Seat) -> u32 {
    match seat {
        Seat::One => 0,
        Seat::Two => 1,
    }
}

const fn seat(player: u32) -> Seat {
    if player == 0 { Seat::One } else { Seat::Two }
}

impl GameState {
    const fn number(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Playing => 1,
            Self::Over(GameEndReason::Resigned) => 3,
            Self::Over(GameEndReason::DoubleDeclined) => 4,
            // It knows no clocks and no arbiters: to it such a game is simply over.
            Self::Over(
                GameEndReason::BorneOff
                | GameEndReason::Timeout
                | GameEndReason::Adjudicated
                | GameEndReason::Void,
            ) => 2,
        }
    }

    const fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::None),
            1 => Some(Self::Playing),
            2 => Some(Self::Over(GameEndReason::BorneOff)),
            3 => Some(Self::Over(GameEndReason::Resigned)),
            4 => Some(Self::Over(GameEndReason::DoubleDeclined)),
            _ => None,
        }
    }
}

impl FromStr for MatchId {
    type Err = MatchIdError;

    fn from_str(text: &str) -> Result<Self, MatchIdError> {
        let bytes: [u8; 9] = base64::decode(text)?;
        let mut bits = Bits::from_bytes(&bytes);
        let id = Self {
            cube: Cube {
                value: bits.read("cube", 4, CubeValue::from_log2)?,
                // 2 is what old versions wrote for a cube in the middle.
                owner: bits.read("cube owner", 2, |owner| Some((owner < 2).then(|| seat(owner))))?,
            },
            on_roll: seat(bits.pop(1)),
            crawford: bits.pop(1) == 1,
            state: bits.read("game state", 3, GameState::from_number)?,
            turn: seat(bits.pop(1)),
            doubled: bits.pop(1) == 1,
            resignation: bits.read("resignation", 2, |level| match level {
                0 => Some(None),
                _ => WinKind::from_multiplier(level).map(Some),
            })?,
            dice: bits.read("dice", 6, dice)?,
            length: bits.pop(15),
            score: BySeat::new(bits.pop(15), bits.pop(15)),
            jacoby: bits.pop(1) == 0,
        };
        bits.read("unused", 5, |unused| (unused == 0).then_some(()))?;
        Ok(id)
    }
}

fn dice(six_bits: u32) -> Option<Option<Dice>> {
    match (six_bits & 7, six_bits >> 3) {
        (0, 0) => Some(None),
        (first, second) => {
            let die = |pips: u32| u8::try_from(pips).ok().and_then(Die::new);
            Some(Some(Dice { first: die(first)?, second: die(second)? }))
        }
    }
}

/// The bits of the id, the lowest of the first byte first.
#[derive(Default)]
struct Bits {
    key: u128,
    next: u32,
}

impl Bits {
    fn from_bytes(bytes: &[u8; 9]) -> Self {
        let mut all = [0; 16];
        all[..9].copy_from_slice(bytes);
        Self { key: u128::from_le_bytes(all), next: 0 }
    }

    fn push(&mut self, width: u32, value: u32) {
        self.key |= u128::from(value) << self.next;
        self.next += width;
    }

    fn pop(&mut self, width: u32) -> u32 {
        let value = (self.key >> self.next) as u32 & ((1 << width) - 1);
        self.next += width;
        value
    }

    fn read<T>(
        &mut self,
        field: &'static str,
        width: u32,
        meaning: impl Fn(u32) -> Option<T>,
    ) -> Result<T, MatchIdError> {
        let first_bit = self.next;
        let found = self.pop(width);
        meaning(found).ok_or(MatchIdError::Field { field, first_bit, found })
    }
}
