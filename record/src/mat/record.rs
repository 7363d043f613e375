//! What a match file says, before anybody looked whether it can be played.

use chaquete_rules::{BySeat, Dice, Score, Seat, Written};

/// A match file as it stands: seat one is the left column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatRecord {
    /// The tags before the match length, in their order.
    pub tags: Vec<Tag>,
    /// Comments outside games.
    pub comments: Vec<Comment>,
    /// Match length; 0 for money play.
    pub length: u32,
    /// The games, in their order.
    pub games: Vec<Game>,
    /// How the bytes of the file were read.
    pub encoding: Encoding,
}

/// How the bytes of a file were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As UTF-8.
    Utf8,
    /// As Latin-1, because the file is no UTF-8: only names and comments can differ.
    Latin1,
}

/// A line `; [Key "value"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its line, from 1.
    pub line: u32,
    /// The key as written.
    pub key: String,
    /// The value.
    pub value: String,
}

/// A free comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its line, from 1.
    pub line: u32,
    /// The text behind the `;` or `#`.
    pub text: String,
}

/// One game of a match file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The line `Game n`, from 1.
    pub line: u32,
    /// The number written there.
    pub number: u32,
    /// The names above the columns.
    pub names: BySeat<Name>,
    /// The score at the start.
    pub start: Score,
    /// What the file says of the game, in its order.
    pub entries: Vec<Entry>,
    /// Comments inside the game.
    pub comments: Vec<Comment>,
}

/// A name above a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The name; may be empty.
    pub text: String,
    /// The rating that some servers append with a comma.
    pub rating: Option<u32>,
}

/// One cell of a game, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its line, from 1.
    pub line: u32,
    /// The column of its first character, from 1.
    pub column: u32,
    /// Whose column it stands in: the left one is that of seat one.
    pub seat: Seat,
    /// What it says.
    pub cell: Cell,
}

/// What a cell says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A roll, and how it was played.
    Roll {
        /// The dice in the order written.
        dice: Dice,
        /// How they were played.
        play: Play,
    },
    /// `00: ????`: no roll was made.
    NoRoll,
    /// `Doubles => n`.
    Doubles {
        /// The value offered, if it is written.
        value: Option<u32>,
    },
    /// `Beavers => n`.
    Beavers {
        /// The value offered back, if it is written.
        value: Option<u32>,
    },
    /// `Raccoons => n`.
    Raccoons {
        /// The value offered back again, if it is written.
        value: Option<u32>,
    },
    /// `Takes`.
    Takes,
    /// `Drops`.
    Drops,
    /// `Concedes` in a cell of its own.
    Concedes,
    /// `Wins n points`.
    Wins {
        /// Points as written: some servers cap them, some write nonsense.
        points: u32,
        /// Whether it says "and the match".
        and_the_match: bool,
    },
    /// `Losses n point`: one server's word for the loser's cell.
    Losses {
        /// Points as written.
        points: u32,
    },
}

/// What a cell says about how a roll was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Play {
    /// A move.
    Written {
        /// As it stands in the file.
        text: String,
        /// As it was understood.
        written: Written,
    },
    /// Nothing: there was no legal move, or it was not played, or the file leaves out forced moves.
    Blank,
    /// `Cannot Move`.
    CannotMove,
    /// `????`: rolled and never played.
    Unplayed,
    /// `Concedes`: rolled, and resigned instead of playing.
    Concedes,
    /// `Illegal play (…)`: the text in parentheses is the position after it.
    Illegal {
        /// That text.
        position: String,
    },
}

impl Game {
    /// The last line that says something of the game.
    #[must_use]
    pub fn last_line(&self) -> u32 {
        self.entries.last().map_or(self.line, |entry| entry.line)
    }
}

impl MatRecord {
    /// The value of a tag, found by its key in any case.
    #[must_use]
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.key.eq_ignore_ascii_case(key)).map(|tag| tag.value.as_str())
    }

    /// Whether a tag says `On` or `Off`; `None` if it is missing or says something else.
    #[must_use]
    pub fn switch(&self, key: &str) -> Option<bool> {
        match self.tag(key)?.trim() {
            value if value.eq_ignore_ascii_case("on") => Some(true),
            value if value.eq_ignore_ascii_case("off") => Some(false),
            _ => None,
        }
    }
}
