//! What stands in a line of a listing.

use std::str::FromStr;

use chaquete_rules::{Dice, MatchPoints, Point, Score, Seat, Source, Target, Written, WrittenStep};

use crate::excerpt::excerpt;
use crate::sheet::{Cell, Play};

use super::error::{OldmovesError, OldmovesProblem};

/// A line without its end and without blanks around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) number: u32,
    /// Characters before the text.
    indent: u32,
    pub(super) text: &'a str,
}

impl<'a> Line<'a> {
    pub(super) fn new(number: u32, whole: &'a str) -> Self {
        // At most as long as a line: the number fits.
        let indent = whole.chars().take_while(|c| c.is_whitespace()).count() as u32;
        Self { number, indent, text: whole.trim() }
    }

    pub(super) fn error(self, byte: usize, problem: OldmovesProblem) -> OldmovesError {
        OldmovesError { line: self.number, column: self.column(byte), problem }
    }

    /// The column of a byte of the text, in characters from 1.
    pub(super) fn column(self, byte: usize) -> u32 {
        self.indent + self.text[..byte].chars().count() as u32 + 1
    }
}

/// What begins a line with a score.
pub(super) const SCORE: &str = "Score is ";

/// The score of X and O and the match length, in a line like `Score is 0-2 in a 5 point match.`
pub(super) fn score(line: Line<'_>) -> Result<(Score, Option<MatchPoints>), OldmovesProblem> {
    let (_, text) = line.text.split_once(SCORE).ok_or(OldmovesProblem::BadScore)?;
    let mut words = text.split_whitespace();
    let (x, o) = words.next().and_then(|word| word.split_once('-')).ok_or(OldmovesProblem::BadScore)?;
    let score =
        Score::new(number(x).ok_or(OldmovesProblem::BadScore)?, number(o).ok_or(OldmovesProblem::BadScore)?);
    let words: Vec<&str> = words.take(6).collect();
    match words[..] {
        ["in", "an", "unlimited", "match." | "match"] => Ok((score, None)),
        ["in", "a", length, "point", "match." | "match"] => {
            let points = number(length).and_then(|length| length.try_into().ok()).and_then(MatchPoints::new);
            let points = points.ok_or_else(|| OldmovesProblem::BadLength { found: excerpt(length) })?;
            Ok((score, Some(points)))
        }
        _ => Err(OldmovesProblem::BadScore),
    }
}

/// The names in a line like `Alice is X - Bob is O`.
pub(super) fn names<'a>(line: Line<'a>) -> Option<[&'a str; 2]> {
    let (x, o) = line.text.strip_suffix("is O")?.split_once("is X -")?;
    Some([x.trim(), o.trim()]).filter(|names| names.iter().all(|name| !name.is_empty()))
}

/// The seat of a line like `X: doubles`, X being seat one, and the byte at which it goes on.
pub(super) fn actor(line: Line<'_>) -> Option<(Seat, usize)> {
    let seat = match line.text.get(..2)? {
        "X:" => Seat::One,
        "O:" => Seat::Two,
        _ => return None,
    };
    let rest = &line.text[2..];
    Some((seat, 2 + rest.len() - rest.trim_start().len()))
}

/// Whether an answer is to a double or to a resignation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    Double,
    Resignation,
}

/// What the seat does from that byte on.
pub(super) fn cell(line: Line<'_>, start: usize, seat: Seat, offer: Offer) -> Result<Cell, OldmovesError> {
    let text = &line.text[start..];
    if text.starts_with('(') {
        return roll(line, start, seat);
    }
    let unreadable = || line.error(start, OldmovesProblem::Unreadable { found: excerpt(text) });
    let points = |words: &str| {
        let found = words.trim_end_matches('.').trim_end_matches(" points").trim_end_matches(" point");
        number(found.trim()).ok_or_else(|| line.error(start, OldmovesProblem::BadPoints))
    };
    match (text.to_ascii_lowercase().as_str(), offer) {
        ("doubles" | "doubles.", _) => Ok(Cell::Doubles { value: None }),
        ("accepts" | "accepts.", Offer::Double) => Ok(Cell::Takes),
        ("rejects" | "rejects.", Offer::Double) => Ok(Cell::Drops),
        ("accepts" | "accepts.", Offer::Resignation) => Ok(Cell::AcceptsResignation),
        ("rejects" | "rejects.", Offer::Resignation) => Ok(Cell::DeclinesResignation),
        (text, _) => {
            if let Some(words) = text.strip_prefix("wins ") {
                return Ok(Cell::Wins { points: points(words)?, and_the_match: false });
            }
            let words = text.strip_prefix("wants to resign").ok_or_else(unreadable)?;
            let (_, words) = words.split_once("win ").ok_or_else(unreadable)?;
            Ok(Cell::OffersResignation { points: points(words)? })
        }
    }
}

/// A roll like `(3 1) 8-5 6-5`.
fn roll(line: Line<'_>, start: usize, seat: Seat) -> Result<Cell, OldmovesError> {
    let text = &line.text[start..];
    let (dice, play) = text.split_once(')').unwrap_or((text, ""));
    let bad_dice = || line.error(start, OldmovesProblem::BadDice { found: excerpt(dice) });
    let dice = match dice.as_bytes() {
        [b'(', first, b' ', second] => Dice::new(first.wrapping_sub(b'0'), second.wrapping_sub(b'0')),
        _ => None,
    };
    let dice = dice.ok_or_else(bad_dice)?;
    let play_start = line.text.len() - play.trim_start().len();
    let play = play.trim();
    if play.is_empty() {
        return Ok(Cell::Roll { dice, play: Play::Blank });
    }
    if play.trim_end_matches('.').eq_ignore_ascii_case("can't move") {
        return Ok(Cell::Roll { dice, play: Play::CannotMove });
    }
    let written = Written::from_str(play).map_err(|error| {
        let problem = OldmovesProblem::BadMove { text: excerpt(play), problem: error.problem };
        line.error(play_start + error.byte, problem)
    })?;
    let written = if seat == Seat::Two { as_o_sees_it(&written) } else { written };
    Ok(Cell::Roll { dice, play: Play::Written { text: play.to_owned(), written } })
}

/// The points of O are counted from the other side, but for listings that some programs write.
fn as_o_sees_it(written: &Written) -> Written {
    if !written.steps().next().is_some_and(|step| ascends(&step)) {
        return *written;
    }
    let turned = |step: WrittenStep| WrittenStep {
        source: match step.source {
            Source::Point(point) => Source::Point(point.from_opponent()),
            Source::Bar => Source::Bar,
        },
        target: match step.target {
            Target::Point(point) => Target::Point(point.from_opponent()),
            Target::Off => Target::Off,
        },
        die: step.die,
    };
    Written::from_steps(written.steps().map(turned))
}

fn ascends(step: &WrittenStep) -> bool {
    match (step.source, step.target) {
        (Source::Point(from), Target::Point(to)) => from < to,
        (Source::Point(from), Target::Off) => !from.is_home(),
        (Source::Bar, to) => matches!(to, Target::Point(point) if Point::is_home(point)),
    }
}

/// A number of digits only.
fn number(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}
