//! The cells of a line. They are found by what they say, not by fixed columns: no two programs agree on those.

use std::str::FromStr;

use chaquete_rules::{Dice, Seat, Written};

use crate::excerpt::excerpt;
use crate::sheet::{Cell, Entry, Play};

use super::error::{MatError, MatProblem};
use super::head::number;
use super::line::{Line, Word};

/// A cell that stands alone in its line is that of the left player if it begins before this column.
const RIGHT_COLUMN: usize = 22;

/// Some lines hold the end of a game behind a second turn number. More than that is no match file.
pub(super) const MAX_ROWS: usize = 2;

/// Words that begin a cell.
const KEYWORDS: [&str; 7] = ["Doubles", "Beavers", "Raccoons", "Takes", "Drops", "Wins", "Losses"];

/// Adds the entries of a line of a game to it, and gives the turn numbers in the line.
pub(super) fn entries(
    line: Line<'_>,
    entries: &mut Vec<Entry>,
) -> Result<[Option<Turn>; MAX_ROWS], MatError> {
    let mut turns = [None; MAX_ROWS];
    let mut row = Vec::new();
    let mut words = line.words();
    while let Some(word) = words.next() {
        if let Some(number) = turn_number(word.text) {
            let free = turns.iter_mut().find(|turn| turn.is_none());
            let turn = free.ok_or_else(|| line.error(word.start, MatProblem::TooManyCells))?;
            *turn = Some(Turn { number, column: line.column(word.start) });
            read_row(line, &row, entries)?;
            row.clear();
        } else if begins_cell(line, word, row.last()) {
            row.push(Span { start: word.start, end: word.end() });
        } else {
            let unreadable = || line.error(word.start, MatProblem::Unreadable { found: excerpt(word.text) });
            let cell: &mut Span = row.last_mut().ok_or_else(unreadable)?;
            let last = match word.text {
                "Illegal" => words.find(|word| word.text.ends_with(')')).unwrap_or(word),
                _ => word,
            };
            cell.end = last.end();
        }
    }
    read_row(line, &row, entries)?;
    Ok(turns)
}

/// Reads the cells between two turn numbers.
fn read_row(line: Line<'_>, row: &[Span], entries: &mut Vec<Entry>) -> Result<(), MatError> {
    let seats: &[Seat] = match row {
        [alone] if line.indent(alone.start) >= RIGHT_COLUMN => &[Seat::Two],
        [_, _, third, ..] => return Err(line.error(third.start, MatProblem::TooManyCells)),
        _ => &Seat::BOTH,
    };
    for (&seat, span) in seats.iter().zip(row) {
        let cell = span.read(line)?;
        entries.push(Entry { line: line.number, column: line.column(span.start), seat, cell });
    }
    Ok(())
}

/// The number before the cells of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) number: u32,
    pub(super) column: u32,
}

/// From where to where a cell goes, in bytes.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    end: usize,
}

/// A word like `12)`.
fn turn_number(word: &str) -> Option<u32> {
    word.strip_suffix(')').filter(|digits| !digits.is_empty()).and_then(number)
}

fn begins_cell(line: Line<'_>, word: Word<'_>, last: Option<&Span>) -> bool {
    if is_keyword(word.text) || dice_text(word.text).is_some() {
        return true;
    }
    // These belong to the roll before them, unless they stand too far away.
    let is_play = word.text == "Concedes" || is_question(word.text);
    is_play
        && last
            .is_none_or(|last| !is_bare_roll(&line.text[last.start..last.end]) || word.start > last.end + 2)
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| {
        word.strip_prefix(keyword).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
    })
}

fn is_question(word: &str) -> bool {
    word.len() >= 3 && word.bytes().all(|byte| byte == b'?')
}

/// The two digits of a text that begins like `31:`, and what follows the colon.
fn dice_text(text: &str) -> Option<(&str, &str)> {
    let (dice, rest) = text.split_once(':')?;
    let is_dice = dice.len() == 2 && dice.bytes().all(|byte| byte.is_ascii_digit());
    is_dice.then_some((dice, rest))
}

fn is_bare_roll(text: &str) -> bool {
    dice_text(text).is_some_and(|(_, rest)| rest.is_empty())
}

impl Span {
    fn read(self, line: Line<'_>) -> Result<Cell, MatError> {
        let text = &line.text[self.start..self.end];
        match dice_text(text) {
            Some((dice, play)) => self.read_roll(line, dice, play),
            None => read_word(text).map_err(|problem| line.error(self.start, problem)),
        }
    }

    fn read_roll(self, line: Line<'_>, digits: &str, rest: &str) -> Result<Cell, MatError> {
        let text = rest.trim_start();
        let play_start = self.end - text.len();
        let play = read_play(text).map_err(|(byte, problem)| line.error(play_start + byte, problem))?;
        let dice = digits.as_bytes();
        match Dice::new(dice[0] - b'0', dice[1] - b'0') {
            Some(dice) => Ok(Cell::Roll { dice, play }),
            None if digits == "00" && matches!(play, Play::Unplayed | Play::Concedes) => Ok(Cell::NoRoll),
            None => Err(line.error(self.start, MatProblem::BadDice { found: digits.to_owned() })),
        }
    }
}

/// How a roll was played, or what is wrong and at which byte.
fn read_play(text: &str) -> Result<Play, (usize, MatProblem)> {
    if text.is_empty() {
        return Ok(Play::Blank);
    }
    if text.eq_ignore_ascii_case("cannot move") {
        return Ok(Play::CannotMove);
    }
    if text == "Concedes" {
        return Ok(Play::Concedes);
    }
    if is_question(text) {
        return Ok(Play::Unplayed);
    }
    if let Some(rest) = text.strip_prefix("Illegal play") {
        let position = rest.trim().trim_start_matches('(').trim_end_matches(')');
        return Ok(Play::Illegal { position: position.to_owned() });
    }
    match Written::from_str(text) {
        Ok(written) => Ok(Play::Written { text: text.to_owned(), written }),
        Err(error) => Err((error.byte, MatProblem::BadMove { text: excerpt(text), problem: error.problem })),
    }
}

/// A cell that is no roll.
fn read_word(text: &str) -> Result<Cell, MatProblem> {
    let (word, rest) = text.split_at(text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len()));
    let rest = rest.trim();
    let unreadable = || MatProblem::Unreadable { found: excerpt(text) };
    let value = || value(rest).ok_or_else(unreadable);
    match word {
        "Doubles" => Ok(Cell::Doubles { value: value()? }),
        "Beavers" => Ok(Cell::Beavers { value: value()? }),
        "Raccoons" => Ok(Cell::Raccoons { value: value()? }),
        "Wins" | "Losses" => match (word, points(rest)?) {
            ("Wins", (points, "")) => Ok(Cell::Wins { points, and_the_match: false }),
            ("Wins", (points, "and the match")) => Ok(Cell::Wins { points, and_the_match: true }),
            ("Losses", (points, "")) => Ok(Cell::Losses { points }),
            _ => Err(unreadable()),
        },
        "Takes" if rest.is_empty() => Ok(Cell::Takes),
        "Drops" if rest.is_empty() => Ok(Cell::Drops),
        "Concedes" if rest.is_empty() => Ok(Cell::Concedes),
        "" if is_question(text) => Ok(Cell::NoRoll),
        _ => Err(unreadable()),
    }
}

/// The points, and what follows the word for them.
fn points(text: &str) -> Result<(u32, &str), MatProblem> {
    let (digits, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let points = number(digits).filter(|_| !digits.is_empty()).ok_or(MatProblem::BadPoints)?;
    let rest = rest.trim_start();
    let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Ok((points, if matches!(word, "point" | "points") { after.trim_start() } else { rest }))
}

/// The value of the cube behind `=>`, if it is written; `None` if something else stands there.
fn value(text: &str) -> Option<Option<u32>> {
    if text.is_empty() {
        return Some(None);
    }
    let digits = text.strip_prefix("=>")?.trim_start();
    number(digits).filter(|_| !digits.is_empty()).map(Some)
}
