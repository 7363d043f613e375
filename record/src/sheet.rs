//! What a record of a match says, before anybody looked whether it can be played: the same for all formats.

use std::fmt;

use chaquete_rules::{BySeat, Dice, MatchRules, Score, Seat, Written};

use crate::oddity::{Oddity, OddityKind};

/// A record as it stands, of whatever format. Seat one is the player who is named first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// What was agreed, as far as the record tells; the rest is what its format takes for granted.
    pub rules: MatchRules,
    /// Where and when the match was played.
    pub facts: Facts,
    /// Tags of the record as they are written, in their order.
    pub tags: Vec<Tag>,
    /// Comments outside games.
    pub comments: Vec<Comment>,
    /// The games, in their order.
    pub games: Vec<Game>,
    /// What the reader found odd about the text itself.
    pub oddities: Vec<Oddity>,
}

/// Where and when a match was played, and who wrote it down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The event.
    pub event: Option<String>,
    /// The round of the event.
    pub round: Option<String>,
    /// The place or the server.
    pub site: Option<String>,
    /// The day.
    pub date: Option<Date>,
    /// Who wrote it down.
    pub transcriber: Option<String>,
}

/// A day of the calendar, shown like `2024-02-29`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The day, if the calendar has it. Years go from 1 to 9999.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 => 28 + u8::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        let is_day = (1..=9999).contains(&year) && (1..=days).contains(&day);
        is_day.then_some(Self { year, month, day })
    }

    /// The day in a text like `2024.02.29`, with `.`, `-` or `/` between its parts.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.trim().split(['.', '-', '/']);
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        Self::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
    }

    /// The day that is so many days after 1970-01-01. Years go from 1 to 9999.
    #[must_use]
    pub fn on_day(days: i64) -> Option<Self> {
        // As below: years begin in March. Years of 400 years have 146,097 days, and the days are counted from one.
        let since = days.checked_add(719_468)?;
        let (era, day) = (since.div_euclid(146_097), since.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let of_year = day - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        let year = u16::try_from(era.checked_mul(400)?.checked_add(year + later)?).ok()?;
        Self::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
    }

    /// How many days after 1970-01-01 it is.
    pub(crate) fn days_since_1970(self) -> i64 {
        // Years that begin in March have the leap day at their end.
        let (year, month) = match self.month {
            1 | 2 => (i64::from(self.year) - 1, i64::from(self.month) + 9),
            month => (i64::from(self.year), i64::from(month) - 3),
        };
        let leap_days = year / 4 - year / 100 + year / 400;
        365 * year + leap_days + (153 * month + 2) / 5 + i64::from(self.day) - 719_469
    }

    /// The day with something else between its parts than `-`.
    #[must_use]
    pub fn separated_by(self, separator: char) -> String {
        format!("{:04}{separator}{:02}{separator}{:02}", self.year, self.month, self.day)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.separated_by('-'))
    }
}

/// Something that a record says about itself by a key, like `; [Key "value"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its line, from 1.
    pub line: u32,
    /// The column of its first character, from 1.
    pub column: u32,
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
    /// The text, without what marks it as a comment.
    pub text: String,
}

/// One game of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Where names and score of the game stand: the line, from 1.
    pub line: u32,
    /// Where names and score of the game stand: the column, from 1.
    pub column: u32,
    /// Its number as written, from 1.
    pub number: u32,
    /// The names of the players in this game.
    pub names: BySeat<Name>,
    /// The score at the start.
    pub start: Score,
    /// Whether the record says that this is the Crawford game; `None` if it does not tell. Whoever knows better
    /// than the record can set it.
    pub crawford: Option<bool>,
    /// How many automatic doubles there were before the first move.
    pub automatic_doubles: u32,
    /// What the record says of the game, in its order.
    pub entries: Vec<Entry>,
    /// Comments inside the game.
    pub comments: Vec<Comment>,
}

/// A name of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The name; may be empty.
    pub text: String,
    /// The rating that some servers append with a comma.
    pub rating: Option<u32>,
}

/// One thing that a record says of a game, and where it begins. No two begin in the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its line, from 1.
    pub line: u32,
    /// The column of its first character, from 1.
    pub column: u32,
    /// Whose entry it is.
    pub seat: Seat,
    /// What it says.
    pub cell: Cell,
}

/// What an entry says. The words are those of match files.
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
    /// The player offers to resign.
    OffersResignation {
        /// What the opponent would win.
        points: u32,
    },
    /// The player accepts a resignation.
    AcceptsResignation,
    /// The player declines a resignation, and the game goes on.
    DeclinesResignation,
    /// The game goes on from a position that nobody has played to.
    SetUp,
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
    /// Whether these are the names of the players the other way round.
    pub(crate) fn has_names_reversed(&self, names: BySeat<&str>) -> bool {
        let own = BySeat::new(self.names.one.text.as_str(), self.names.two.text.as_str());
        own.one != own.two && own == BySeat::new(names.two, names.one)
    }

    /// Line and column of the last thing that the record says of the game.
    #[must_use]
    pub fn end(&self) -> (u32, u32) {
        self.entries.last().map_or((self.line, self.column), |entry| (entry.line, entry.column))
    }
}

/// The cube limit where a record does not tell it: what most programs write.
pub(crate) const CUBE_LIMIT: u32 = 1024;
/// Beavers and raccoons have words in records, more have not: where a record does not tell how many were allowed.
pub(crate) const MAX_BEAVERS: u32 = 2;

impl Sheet {
    /// A sheet on which nothing is written yet.
    pub(crate) fn blank() -> Self {
        Self {
            rules: MatchRules::money(),
            facts: Facts::default(),
            tags: Vec::new(),
            comments: Vec::new(),
            games: Vec::new(),
            oddities: Vec::new(),
        }
    }

    pub(crate) fn note(&mut self, line: u32, column: u32, kind: OddityKind) {
        self.oddities.push(Oddity { line, column, kind });
    }

    /// The value of a tag, found by its key in any case.
    #[must_use]
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.key.eq_ignore_ascii_case(key)).map(|tag| tag.value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_is_counted_and_found_again() {
        let (first, last) = (Date::new(1, 1, 1).unwrap(), Date::new(9999, 12, 31).unwrap());
        let days = first.days_since_1970()..=last.days_since_1970();
        let mut before = None;
        for day in days.clone() {
            let date = Date::on_day(day).unwrap();
            assert_eq!(date.days_since_1970(), day);
            assert!(before < Some(date));
            before = Some(date);
        }
        assert_eq!((Date::on_day(days.start() - 1), Date::on_day(days.end() + 1)), (None, None));
        assert_eq!((Date::on_day(0), Date::on_day(i64::MAX)), (Date::new(1970, 1, 1), None));
    }
}
