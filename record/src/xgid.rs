//! The XGID of eXtreme Gammon.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use chaquete_rules::{
    Board, Cube, CubeValue, Dice, MAX_CHECKERS, Point, Score, Seat, Setup, SetupError, SideSetup,
};
use thiserror::Error;

use crate::fields::{Field, FieldError, fields};
use crate::position_id::listed;
use crate::{Offer, Play};

/// The fields, as errors name them.
const FIELDS: [&str; 10] = [
    "board",
    "cube",
    "cube owner",
    "turn",
    "dice",
    "score of X",
    "score of O",
    "rule",
    "length",
    "cube limit",
];
/// Characters of the board: the bar of O, 24 points, the bar of X.
const BOARD_LEN: usize = 26;
const PREFIX: &str = "XGID=";

/// A position as eXtreme Gammon writes it: `XGID=` and ten fields with colons between.
///
/// Player X, whose checkers are the upper-case letters, is seat one; player O, in lower case, is seat two.
/// The board is always drawn as X sees it, whoever is on roll.
///
/// ```
/// use chaquete_record::{Xgid, XgidStage};
/// use chaquete_rules::{Dice, Seat};
///
/// let xgid: Xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:2:3:0:7:10".parse()?;
/// assert_eq!(xgid.turn, Seat::Two);
/// assert_eq!(xgid.stage, XgidStage::Rolled(Dice::new(3, 1).unwrap()));
/// assert_eq!(xgid.to_string(), "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:2:3:0:7:10");
/// # Ok::<(), chaquete_record::XgidError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Xgid {
    /// The checkers.
    pub board: Board,
    /// The cube as it lies.
    pub cube: Cube,
    /// The player whose turn it is: the one who has offered a double, if one is offered.
    pub turn: Seat,
    /// How far the turn is.
    pub stage: XgidStage,
    /// Points won so far.
    pub score: Score,
    /// What is played.
    pub play: Play,
    /// The binary logarithm of the highest cube value, 0 to 12. With 0 GNU Backgammon means that there is
    /// no cube; other programs may mean that there is no limit.
    pub cube_limit: u8,
}

/// How far a turn is, in an XGID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XgidStage {
    /// `00`: to roll or to double.
    ToRoll,
    /// Two digits: the dice, in the order written.
    Rolled(Dice),
    /// `D`, `B` or `R`: a double, beaver or raccoon waits for its answer.
    Offered(Offer),
}

/// Why a text is no XGID. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum XgidError {
    /// The text has not the ten fields of an XGID.
    #[error("an XGID has 10 fields with colons between ({}), not {found}", FIELDS.join(", "))]
    FieldCount {
        /// Fields found.
        found: usize,
    },
    /// The board has not 26 characters.
    #[error("column {column}: the board has 26 characters (bar of O, 24 points, bar of X), not {found}")]
    BoardLength {
        /// Where the board begins.
        column: usize,
        /// Characters found.
        found: usize,
    },
    /// A character of the board that means nothing.
    #[error(
        "column {column}: {found:?} is neither - nor a letter: A-O are checkers of X (not on the first place, \
         the bar of O), a-o of O (not on the last, the bar of X)"
    )]
    BoardCharacter {
        /// Where it stands.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// A field holds something that means nothing there.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The checkers are no position.
    #[error("{}", listed(.0))]
    Setup(Vec<SetupError>),
}

impl Xgid {
    /// Reads an XGID of a game with so many checkers a side; those not on the board are off. The text may
    /// lack the `XGID=` at the beginning.
    ///
    /// # Errors
    /// The first [`XgidError`] from the left.
    pub fn parse(text: &str, checkers: u8) -> Result<Self, XgidError> {
        let prefix = if text.starts_with(PREFIX) { PREFIX.len() } else { 0 };
        let fields = fields(&text[prefix..], ':', prefix + 1, &FIELDS);
        let [board, cube, owner, turn, stage, score_x, score_o, rule, length, limit] = fields[..] else {
            return Err(XgidError::FieldCount { found: text[prefix..].split(':').count() });
        };
        let length = length.number(MAX_LENGTH, "a number, 0 for money play")?;
        Ok(Self {
            board: read_board(board, checkers)?,
            cube: Cube { value: cube.cube_log2()?, owner: owner.owner()? },
            turn: turn.turn()?,
            stage: stage.stage()?,
            score: Score::new(score_x.score()?, score_o.score()?),
            play: rule.play(length)?,
            // At most 12, so it fits.
            cube_limit: limit.number(12, LOG2)? as u8,
        })
    }
}

/// Longer matches are a slip of the pen; the limit is that of a match ID.
const MAX_LENGTH: u32 = (1 << 15) - 1;
const LOG2: &str = "the binary logarithm of the cube value, 0 to 12";

/// What the fields of an XGID hold.
impl Field<'_> {
    fn score(self) -> Result<u32, FieldError> {
        self.number(MAX_LENGTH, "a number of points")
    }

    fn cube_log2(self) -> Result<CubeValue, FieldError> {
        CubeValue::from_log2(self.number(12, LOG2)?).ok_or_else(|| self.error(LOG2))
    }

    fn owner(self) -> Result<Option<Seat>, FieldError> {
        match self.text {
            "0" => Ok(None),
            "1" => Ok(Some(Seat::One)),
            "-1" => Ok(Some(Seat::Two)),
            _ => Err(self.error("1 (X), -1 (O) or 0 (in the middle)")),
        }
    }

    fn turn(self) -> Result<Seat, FieldError> {
        match self.text {
            "1" => Ok(Seat::One),
            "-1" => Ok(Seat::Two),
            _ => Err(self.error("1 (X) or -1 (O)")),
        }
    }

    fn stage(self) -> Result<XgidStage, FieldError> {
        match self.text.as_bytes() {
            b"00" => Ok(XgidStage::ToRoll),
            b"D" => Ok(XgidStage::Offered(Offer::Double)),
            b"B" => Ok(XgidStage::Offered(Offer::Beaver)),
            b"R" => Ok(XgidStage::Offered(Offer::Raccoon)),
            [first, second] => {
                { Dice::new(first.wrapping_sub(b'0'), second.wrapping_sub(b'0')).map(XgidStage::Rolled) }
                    .ok_or_else(|| self.error(DICE))
            }
            _ => Err(self.error(DICE)),
        }
    }

    fn play(self, length: u32) -> Result<Play, FieldError> {
        match (length, self.text) {
            (0, "0" | "1" | "2" | "3") => Ok(Play::Money {
                jacoby: matches!(self.text, "1" | "3"),
                beavers: matches!(self.text, "2" | "3"),
            }),
            (0, _) => Err(self.error("0 to 3 in money play (1 Jacoby, 2 beavers, 3 both)")),
            (_, "0" | "1") => Ok(Play::Match { length, crawford: self.text == "1" }),
            _ => Err(self.error("1 (Crawford game) or 0 in a match")),
        }
    }
}

const DICE: &str = "two digits 1 to 6, or 00, D, B or R";

fn read_board(field: Field<'_>, checkers: u8) -> Result<Board, XgidError> {
    let found = field.text.chars().count();
    if found != BOARD_LEN {
        return Err(XgidError::BoardLength { column: field.column, found });
    }
    let mut x = SideSetup::default();
    let mut o = SideSetup::default();
    for (place, character) in (0..).zip(field.text.chars()) {
        let column = field.column + usize::from(place);
        let unknown = XgidError::BoardCharacter { column, found: character };
        match character {
            '-' => {}
            'A'..='O' if place > 0 => *count_at(&mut x, place) = character as u8 - b'A' + 1,
            'a'..='o' if place < 25 => *count_at(&mut o, 25 - place) = character as u8 - b'a' + 1,
            _ => return Err(unknown),
        }
    }
    let setup = Setup { mover: x, opponent: o, checkers };
    setup.position().map(|position| Board::from_position(position, Seat::One)).map_err(XgidError::Setup)
}

/// The count at a place of a side, 1 to 24 for its points and 25 for its bar.
fn count_at(side: &mut SideSetup, place: u8) -> &mut u8 {
    if place == 25 { &mut side.bar } else { &mut side.points[usize::from(place) - 1] }
}

impl FromStr for Xgid {
    type Err = XgidError;

    /// Reads an XGID of a game with 15 checkers a side.
    fn from_str(text: &str) -> Result<Self, XgidError> {
        Self::parse(text, MAX_CHECKERS)
    }
}

impl fmt::Display for Xgid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        self.write_board(f)?;
        let seat_sign = |seat: Seat| if seat == Seat::One { 1 } else { -1 };
        let owner = self.cube.owner.map_or(0, seat_sign);
        write!(f, ":{}:{owner}:{}:{}", self.cube.value.log2(), seat_sign(self.turn), self.stage)?;
        let rule = match self.play {
            Play::Match { crawford, .. } => u8::from(crawford),
            Play::Money { jacoby, beavers } => u8::from(jacoby) + 2 * u8::from(beavers),
        };
        let length = self.play.length();
        write!(f, ":{}:{}:{rule}:{length}:{}", self.score.one, self.score.two, self.cube_limit)
    }
}

impl Xgid {
    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, o) = (self.board.side(Seat::One), self.board.side(Seat::Two));
        f.write_char(letter(0, o.bar()))?;
        for point in (1..=24).filter_map(Point::new) {
            f.write_char(letter(x.on(point), o.on(point.from_opponent())))?;
        }
        f.write_char(letter(x.bar(), 0))
    }
}

/// The character of a place on which only one side has checkers, at most 15.
fn letter(of_x: u8, of_o: u8) -> char {
    match (of_x, of_o) {
        (0, 0) => '-',
        (0, count) => char::from(b'a' + count - 1),
        (count, _) => char::from(b'A' + count - 1),
    }
}

impl fmt::Display for XgidStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ToRoll => f.write_str("00"),
            Self::Rolled(dice) => write!(f, "{}{}", dice.first, dice.second),
            Self::Offered(Offer::Double) => f.write_str("D"),
            Self::Offered(Offer::Beaver) => f.write_str("B"),
            Self::Offered(Offer::Raccoon) => f.write_str("R"),
        }
    }
}
