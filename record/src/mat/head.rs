//! What stands before the games and above their columns.

use chaquete_rules::{BySeat, MatchPoints, Score};

use crate::excerpt::excerpt;
use crate::sheet::{Comment, Name, Tag};

use super::error::MatProblem;
use super::line::Line;

/// A line that begins with `;` or `#`.
pub(super) enum Remark {
    Tag(Tag),
    Comment(Comment),
}

/// The remark in a line, if it is one.
pub(super) fn remark(line: Line<'_>) -> Option<Remark> {
    let text = line.text.trim().strip_prefix([';', '#'])?.trim();
    let tag = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(|inner| {
        let (key, rest) = inner.split_once('"')?;
        let (value, _) = rest.rsplit_once('"')?;
        let column = line.column(line.text.len() - line.text.trim_start().len());
        Some(Tag { line: line.number, column, key: key.trim().to_owned(), value: value.to_owned() })
    });
    Some(
        tag.map_or_else(
            || Remark::Comment(Comment { line: line.number, text: text.to_owned() }),
            Remark::Tag,
        ),
    )
}

/// How long a match file says that the match is.
pub(super) enum MatchLength {
    Points(MatchPoints),
    Money,
    Unlimited,
}

/// How some servers write that there is no limit.
const UNLIMITED: u32 = 9999;

/// The match length in a line like `7 point match`.
pub(super) fn length(line: Line<'_>) -> Result<MatchLength, MatProblem> {
    let mut words = line.text.split_whitespace();
    let number = words.next().unwrap_or_default();
    let is_length = matches!(words.next(), Some("point" | "points")) && words.next() == Some("match");
    if !is_length {
        return Err(MatProblem::NoLength);
    }
    let points = match self::number(number).filter(|_| !number.is_empty()) {
        Some(0) => return Ok(MatchLength::Money),
        Some(UNLIMITED) => return Ok(MatchLength::Unlimited),
        points => points.and_then(|points| points.try_into().ok()).and_then(MatchPoints::new),
    };
    points.map(MatchLength::Points).ok_or_else(|| MatProblem::BadLength { found: excerpt(number) })
}

/// The number of the game in a line like `Game 3`.
pub(super) fn game(line: Line<'_>) -> Option<u32> {
    let rest = line.text.trim().strip_prefix("Game")?;
    if rest.starts_with(char::is_whitespace) { number(rest.trim()) } else { None }
}

/// A number of digits only.
pub(super) fn number(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// The names and the score in a line like `Alice : 0      Bob : 2`. Names may be empty and hold colons.
pub(super) fn score(line: Line<'_>) -> Option<(BySeat<Name>, Score)> {
    let text = line.text.trim_end();
    let (right, right_score) = last_score(text)?;
    let (left, left_score, right) = split(right)?;
    Some((BySeat::new(name(left), name(right)), Score::new(left_score, right_score)))
}

/// What stands before `: n` at the end of the text, and that number.
fn last_score(text: &str) -> Option<(&str, u32)> {
    let (before, after) = text.rsplit_once(':')?;
    Some((before, number(after.trim()).filter(|_| !after.trim().is_empty())?))
}

/// Left name, left score and right name. Of several `: n` the one that looks most like a score counts: with a
/// gap behind it, then with a blank before its colon.
fn split(text: &str) -> Option<(&str, u32, &str)> {
    let candidates = text.match_indices(':').filter_map(|(colon, _)| {
        let after = text[colon + 1..].trim_start();
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let rest = &after[digits..];
        let score = number(&after[..digits]).filter(|_| digits > 0)?;
        let gap: String = rest.chars().take_while(|c| c.is_whitespace()).take(2).collect();
        let is_end = rest.is_empty() || !gap.is_empty();
        let looks = (gap.len() == 2 || gap == "\t", text[..colon].ends_with(char::is_whitespace));
        is_end.then_some((looks, (&text[..colon], score, rest)))
    });
    // The first of the best.
    candidates.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, found)| found)
}

fn name(text: &str) -> Name {
    let text = text.trim();
    let rating = text.rsplit_once(',').and_then(|(name, digits)| {
        let rating = number(digits).filter(|_| !digits.is_empty())?;
        Some((name, rating))
    });
    match rating {
        Some((name, rating)) => Name { text: name.trim().to_owned(), rating: Some(rating) },
        None => Name { text: text.to_owned(), rating: None },
    }
}
