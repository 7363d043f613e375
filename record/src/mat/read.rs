//! The reader: line after line.

use super::cell;
use super::error::{MatError, MatProblem};
use super::head::{self, Remark};
use super::line::{self, Line};
use super::record::{Game, MatRecord};
use super::{MAX_GAMES, record};

/// Reads a match file.
///
/// # Errors
/// The first thing that cannot be read, with its place. The known defects of other programs are no errors.
pub fn read(bytes: &[u8]) -> Result<MatRecord, MatError> {
    let (text, encoding) = line::decode(bytes)?;
    let mut lines = Line::all(&text);
    let mut record =
        MatRecord { tags: Vec::new(), comments: Vec::new(), length: 0, games: Vec::new(), encoding };
    let mut last = read_head(&mut lines, &mut record)?;
    while let Some(line) = lines.next().transpose()? {
        last = line;
        if line.text.trim().is_empty() {
            continue;
        }
        if let Some(number) = head::game(line) {
            let game = begin_game(line, number, &mut lines, &record)?;
            record.games.push(game);
        } else {
            read_line(line, &mut record)?;
        }
    }
    if record.games.is_empty() {
        return Err(last.error(0, MatProblem::NoGame));
    }
    Ok(record)
}

/// Reads to the line with the match length, and gives that line.
fn read_head<'a>(
    lines: &mut impl Iterator<Item = Result<Line<'a>, MatError>>,
    record: &mut MatRecord,
) -> Result<Line<'a>, MatError> {
    let mut last = Line { number: 1, text: "" };
    for line in lines.by_ref() {
        let line = line?;
        last = line;
        match head::remark(line) {
            Some(Remark::Tag(tag)) => record.tags.push(tag),
            Some(Remark::Comment(comment)) => record.comments.push(comment),
            None if line.text.trim().is_empty() => {}
            None => {
                record.length = head::length(line).map_err(|problem| line.error(indent(line), problem))?;
                return Ok(line);
            }
        }
    }
    Err(last.error(0, MatProblem::NoLength))
}

fn indent(line: Line<'_>) -> usize {
    line.text.len() - line.text.trim_start().len()
}

/// Reads the line with names and score below `Game n`.
fn begin_game<'a>(
    title: Line<'a>,
    number: u32,
    lines: &mut impl Iterator<Item = Result<Line<'a>, MatError>>,
    record: &MatRecord,
) -> Result<Game, MatError> {
    if record.games.len() == MAX_GAMES {
        return Err(title.error(0, MatProblem::TooManyGames));
    }
    let filled = lines.find(|line| line.as_ref().map_or(true, |line| !line.text.trim().is_empty()));
    let line = filled.transpose()?.ok_or_else(|| title.error(0, MatProblem::NoScore))?;
    let (names, start) = head::score(line).ok_or_else(|| line.error(indent(line), MatProblem::NoScore))?;
    let length = record.length;
    match [start.one, start.two].into_iter().find(|&score| length > 0 && score >= length) {
        Some(score) => Err(line.error(indent(line), MatProblem::ScoreReachesLength { score, length })),
        None => {
            Ok(Game { line: title.number, number, names, start, entries: Vec::new(), comments: Vec::new() })
        }
    }
}

/// Reads a line of a game, or a remark between games.
fn read_line(line: Line<'_>, record: &mut record::MatRecord) -> Result<(), MatError> {
    let remark = head::remark(line).map(|remark| match remark {
        Remark::Comment(comment) => comment,
        Remark::Tag(tag) => {
            record::Comment { line: tag.line, text: format!("[{} \"{}\"]", tag.key, tag.value) }
        }
    });
    match (remark, record.games.last_mut()) {
        (Some(comment), None) => record.comments.push(comment),
        (Some(comment), Some(game)) => game.comments.push(comment),
        (None, Some(game)) => game.entries.extend(cell::entries(line)?),
        (None, None) => return Err(line.error(indent(line), MatProblem::NoGame)),
    }
    Ok(())
}
