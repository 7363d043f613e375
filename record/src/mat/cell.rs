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
const MAX_ROWS: usize = 2;

/// Words that begin a cell.
const KEYWORDS: [&str; 7] = ["Doubles", "Beavers", "Raccoons", "Takes", "Drops", "Wins", "Losses"];

/// Adds the entries of a line of a game.
pub(super) fn entries(line: Line<'_>, entries: &mut Vec<Entry>) -> Result<(), MatError> {
    for row in rows(line)? {
        let seats: &[Seat] = match row[..] {
            [alone] if line.indent(alone.start) >= RIGHT_COLUMN => &[Seat::Two],
            [_, _, third, ..] => return Err(line.error(third.start, MatProblem::TooManyCells)),
            _ => &Seat::BOTH,
        };
        for (&seat, span) in seats.iter().zip(row) {
            let cell = span.read(line)?;
            entries.push(Entry { line: line.number, column: line.column(span.start), seat, cell });
        }
    }
    Ok(())
}

/// From where to where a cell goes, in bytes.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    end: usize,
}

/// The cells of the line. A second turn number in it begins a new row.
fn rows(line: Line<'_>) -> Result<Vec<Vec<Span>>, MatError> {
    let mut rows = vec![Vec::new()];
    let mut words = line.words();
    while let Some(word) = words.next() {
        if is_turn_number(word.text) {
            if rows.len() > MAX_ROWS {
                return Err(line.error(word.start, MatProblem::TooManyCells));
            }
            rows.push(Vec::new());
            continue;
        }
        let row = rows.last_mut();
        match row {
            Some(row) if begins_cell(line, word, row.last()) => {
                row.push(Span { start: word.start, end: word.end() });
            }
            Some(row) => {
                let last = row.last_mut().ok_or_else(|| {
                    line.error(word.start, MatProblem::Unreadable { found: excerpt(word.text) })
                })?;
                last.end = word.end();
                if word.text == "Illegal" {
                    last.end = words.find(|word| word.text.ends_with(')')).map_or(last.end, Word::end);
                }
            }
            None => {}
        }
    }
    Ok(rows)
}

/// A word like `12)`.
fn is_turn_number(word: &str) -> bool {
    word.strip_suffix(')').is_some_and(|digits| !digits.is_empty() && number(digits).is_some())
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
    let value = || number(rest.trim_start_matches("=>").trim()).filter(|_| !rest.is_empty());
    match word {
        "Doubles" => Ok(Cell::Doubles { value: value() }),
        "Beavers" => Ok(Cell::Beavers { value: value() }),
        "Raccoons" => Ok(Cell::Raccoons { value: value() }),
        "Wins" => Ok(Cell::Wins { points: points(rest)?, and_the_match: rest.ends_with("match") }),
        "Losses" => Ok(Cell::Losses { points: points(rest)? }),
        "Takes" if rest.is_empty() => Ok(Cell::Takes),
        "Drops" if rest.is_empty() => Ok(Cell::Drops),
        "Concedes" if rest.is_empty() => Ok(Cell::Concedes),
        "" if is_question(text) => Ok(Cell::NoRoll),
        _ => Err(unreadable()),
    }
}

fn points(text: &str) -> Result<u32, MatProblem> {
    text.split_whitespace().next().and_then(number).ok_or(MatProblem::BadPoints)
}
