//! The forms in which positions are written, and which of them a text is.

use std::fmt;
use std::str::FromStr;

use chaquete_rules::MAX_CHECKERS;

use crate::excerpt::excerpt;
use crate::{FibsBoard, GamePosition, GamePositionError, NoWord, SnowiePosition, ogid, xg_text};

/// A form in which a position is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PositionForm {
    /// The IDs of GNU Backgammon: that of the position, alone or with that of the match.
    GnuId,
    /// The XGID of eXtreme Gammon.
    Xgid,
    /// The text of eXtreme Gammon around an XGID.
    XgText,
    /// The OGID of OpenGammon.
    Ogid,
    /// The board line of FIBS.
    FibsBoard,
    /// The position of Snowie.
    Snowie,
}

impl PositionForm {
    /// All forms.
    pub const ALL: [Self; 6] =
        [Self::GnuId, Self::Xgid, Self::XgText, Self::Ogid, Self::FibsBoard, Self::Snowie];

    /// The form that a text has, by what stands at its beginning and between its fields; `None` if it has
    /// none of them. Whether it can be read is another matter.
    ///
    /// ```
    /// use chaquete_record::PositionForm;
    ///
    /// let text = "11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:R:0:0:0:0";
    /// assert_eq!(PositionForm::of(text), Some(PositionForm::Ogid));
    /// assert_eq!(PositionForm::of("once upon a time there was a position"), None);
    /// ```
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let starts_with = |prefix: &str| text.get(..prefix.len()).is_some_and(|start| start == prefix);
        if xg_text::is_one(text) {
            return Some(Self::XgText);
        }
        if starts_with("XGID=") {
            return Some(Self::Xgid);
        }
        if starts_with("board:") {
            return Some(Self::FibsBoard);
        }
        if text.bytes().filter(|&byte| byte == b';').count() >= SNOWIE_FIELDS {
            return Some(Self::Snowie);
        }
        let fields: Vec<&str> = text.split(':').take(4).collect();
        match fields[..] {
            _ if text.contains('\n') => None,
            [_] | [_, _] if text.len() <= MAX_GNU_ID => Some(Self::GnuId),
            [first, ..] if first.len() == 26 => Some(Self::Xgid),
            [first, _, cube, ..] if starts_like_ogid(first) || is_ogid_cube(cube) => Some(Self::Ogid),
            [_, _, _, _] => Some(Self::Xgid),
            _ => None,
        }
    }
}

/// Even with some of its fields lost, a Snowie position has so many semicolons.
const SNOWIE_FIELDS: usize = 20;
/// Both IDs and what may be wrong with them.
const MAX_GNU_ID: usize = 32;

fn starts_like_ogid(field: &str) -> bool {
    field.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("ogid="))
}

fn is_ogid_cube(field: &str) -> bool {
    matches!(field.as_bytes(), [b'N' | b'W' | b'B' | b'D' | b'?', .., b'N' | b'O' | b'T' | b'P'])
}

impl fmt::Display for PositionForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GnuId => "a GNU Backgammon ID (14 characters, or 14 and 12 with a colon between)",
            Self::Xgid => "an XGID (XGID=…, ten fields with colons between)",
            Self::XgText => "the text of eXtreme Gammon (with a line XGID=…)",
            Self::Ogid => "an OGID (checkers of both sides, then a cube like N0N)",
            Self::FibsBoard => "a FIBS board (board:…, 53 fields)",
            Self::Snowie => "a Snowie position (40 fields with semicolons behind)",
        })
    }
}

impl GamePosition {
    /// Reads a position in whatever form it is written, of a game with so many checkers a side.
    ///
    /// ```
    /// use chaquete_record::GamePosition;
    ///
    /// let of_gnu = GamePosition::from_any("4HPwATDgc/ABMA:8AngAFAAMAAE", 15)?;
    /// let of_xg = GamePosition::from_any("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:5:1:7:10", 15)?;
    /// // GNU Backgammon calls X player 1.
    /// assert_eq!(of_gnu.match_id().with_players_exchanged(), of_xg.match_id());
    ///
    /// let error = GamePosition::from_any("start;of;the;game", 15).unwrap_err();
    /// assert_eq!(error.code(), "NO_POSITION_ID");
    /// # Ok::<(), chaquete_record::GamePositionError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the text in the form that it has, or that it has none of those that are known.
    pub fn from_any(text: &str, checkers: u8) -> Result<Self, GamePositionError> {
        let text = text.trim();
        match PositionForm::of(text) {
            Some(PositionForm::GnuId) => Self::from_gnu_id(text, checkers),
            Some(PositionForm::Xgid) => Self::from_xgid(text, checkers),
            Some(PositionForm::XgText) => xg_text::read(text, checkers),
            Some(PositionForm::Ogid) => Self::from_ogid(text, checkers),
            Some(PositionForm::FibsBoard) => FibsBoard::parse(text, checkers).map(|board| board.position),
            Some(PositionForm::Snowie) => SnowiePosition::parse(text, checkers).map(|read| read.position),
            None => Err(GamePositionError::UnknownForm { found: excerpt(text) }),
        }
    }

    /// Reads an OGID; White is seat one. What it does not say (Jacoby rule, beavers, cube limit) is as in
    /// [`GamePosition::new`].
    ///
    /// ```
    /// use chaquete_record::GamePosition;
    ///
    /// let text = "11ccccchhhjjjjj:66666888dddddoo:N0N:46:B:R:6:2:7C:0";
    /// let position = GamePosition::from_ogid(text, 15)?;
    /// assert_eq!(position.xgid().to_string(), "XGID=-b----E-C---eE---c-e----B-:0:0:1:46:6:2:1:7:10");
    /// assert_eq!(position.ogid().as_deref(), Ok(text));
    /// # Ok::<(), chaquete_record::GamePositionError>(())
    /// ```
    ///
    /// # Errors
    /// Why the text is no OGID, or why its parts contradict each other.
    pub fn from_ogid(text: &str, checkers: u8) -> Result<Self, GamePositionError> {
        ogid::read(text, checkers).map_err(GamePositionError::Ogid)?.checked()
    }

    /// The OGID, with the move number 0. It has no place for Jacoby rule, beavers and cube limit.
    ///
    /// # Errors
    /// What an OGID has no word for.
    pub fn ogid(&self) -> Result<String, NoWord> {
        ogid::write(self)
    }
}

impl FromStr for GamePosition {
    type Err = GamePositionError;

    /// Reads a position of a game with 15 checkers a side in whatever form it is written.
    fn from_str(text: &str) -> Result<Self, GamePositionError> {
        Self::from_any(text, MAX_CHECKERS)
    }
}
