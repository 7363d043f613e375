//! The reader: line after line.

use chaquete_rules::{BySeat, MatchPoints, Score, Seat};

use crate::encoding::Encoding;
use crate::oddity::OddityKind;
use crate::sheet::{Cell, Comment, Entry, Game, Sheet};

use super::MAX_GAMES;
use super::cell::{self, MAX_ROWS, Turn};
use super::error::{MatError, MatProblem};
use super::head::{self, MatchLength, Remark};
use super::line::{self, Line};
use super::terms::Head;
use super::write::column_name;

/// What begins a comment with which one program goes on from another position.
const SET_UP: &str = "Set Pos";

/// Reads a match file.
///
/// # Errors
/// The first thing that cannot be read, with its place. The known defects of other programs are no errors.
pub fn read(bytes: &[u8]) -> Result<Sheet, MatError> {
    let (text, encoding) = line::decode(bytes)?;
    let mut reader = Reader::new();
    if encoding == Encoding::Latin1 {
        reader.note(1, 1, OddityKind::NotUtf8);
    }
    let mut lines = Line::all(&text);
    let mut last = reader.head(&mut lines)?;
    while let Some(line) = lines.next().transpose()? {
        last = line;
        if line.text.trim().is_empty() {
            continue;
        }
        match head::game(line) {
            Some(number) => reader.game(line, number, &mut lines)?,
            None => reader.line(line)?,
        }
    }
    if reader.sheet.games.is_empty() {
        return Err(last.error(0, MatProblem::NoGame));
    }
    reader.compare_names();
    reader.restore_names();
    Ok(reader.sheet)
}

struct Reader {
    sheet: Sheet,
    points: Option<MatchPoints>,
    /// The number that the next turn should have.
    turn: u32,
}

impl Reader {
    fn new() -> Self {
        Self { sheet: Sheet::blank(), points: None, turn: 1 }
    }

    fn note(&mut self, line: u32, column: u32, kind: OddityKind) {
        self.sheet.note(line, column, kind);
    }

    /// Reads to the line with the match length, and gives that line.
    fn head<'a>(
        &mut self,
        lines: &mut impl Iterator<Item = Result<Line<'a>, MatError>>,
    ) -> Result<Line<'a>, MatError> {
        let mut last = Line { number: 1, text: "" };
        for line in lines.by_ref() {
            let line = line?;
            last = line;
            match head::remark(line) {
                Some(Remark::Tag(tag)) => self.sheet.tags.push(tag),
                Some(Remark::Comment(comment)) => self.sheet.comments.push(comment),
                None if line.text.trim().is_empty() => {}
                None => {
                    self.length(line)?;
                    return Ok(line);
                }
            }
        }
        Err(last.error(0, MatProblem::NoLength))
    }

    fn length(&mut self, line: Line<'_>) -> Result<(), MatError> {
        let indent = indent(line);
        self.points = match head::length(line).map_err(|problem| line.error(indent, problem))? {
            MatchLength::Points(points) => Some(points),
            MatchLength::Money => None,
            MatchLength::Unlimited => {
                self.note(line.number, line.column(indent), OddityKind::LengthUnlimited);
                None
            }
        };
        let head = Head(&self.sheet.tags);
        let (rules, facts) = (head.rules(self.points)?, head.facts());
        (self.sheet.rules, self.sheet.facts) = (rules, facts);
        Ok(())
    }

    /// Reads the line with names and score below `Game n`.
    fn game<'a>(
        &mut self,
        title: Line<'a>,
        number: u32,
        lines: &mut impl Iterator<Item = Result<Line<'a>, MatError>>,
    ) -> Result<(), MatError> {
        if self.sheet.games.len() == MAX_GAMES {
            return Err(title.error(0, MatProblem::TooManyGames));
        }
        let filled = lines.find(|line| line.as_ref().map_or(true, |line| !line.text.trim().is_empty()));
        let line = filled.transpose()?.ok_or_else(|| title.error(0, MatProblem::NoScore))?;
        let (names, start) =
            head::score(line).ok_or_else(|| line.error(indent(line), MatProblem::NoScore))?;
        self.check_score(start).map_err(|problem| line.error(indent(line), problem))?;
        self.count_games(title, number, start);
        self.turn = 1;
        self.sheet.games.push(Game {
            line: line.number,
            column: line.column(indent(line)),
            number,
            names,
            start,
            crawford: None,
            automatic_doubles: 0,
            entries: Vec::new(),
            comments: Vec::new(),
        });
        Ok(())
    }

    fn check_score(&self, start: Score) -> Result<(), MatProblem> {
        let Some(length) = self.points.map(MatchPoints::get) else { return Ok(()) };
        match [start.one, start.two].into_iter().find(|&score| score >= length) {
            Some(score) => Err(MatProblem::ScoreReachesLength { score, length }),
            None => Ok(()),
        }
    }

    /// Reads a line of a game, or a remark between games.
    fn line(&mut self, line: Line<'_>) -> Result<(), MatError> {
        let remark = head::remark(line).map(|remark| match remark {
            Remark::Comment(comment) => comment,
            Remark::Tag(tag) => Comment { line: tag.line, text: format!("[{} \"{}\"]", tag.key, tag.value) },
        });
        let Some(game) = self.sheet.games.last_mut() else {
            let comment = remark.ok_or_else(|| line.error(indent(line), MatProblem::NoGame))?;
            self.sheet.comments.push(comment);
            return Ok(());
        };
        let Some(comment) = remark else {
            let turns = cell::entries(line, &mut game.entries)?;
            self.count_turns(line, turns);
            return Ok(());
        };
        let column = line.column(indent(line));
        if comment.text.starts_with(SET_UP) {
            game.entries.push(Entry { line: line.number, column, seat: Seat::One, cell: Cell::SetUp });
        }
        game.comments.push(comment);
        self.note(line.number, column, OddityKind::CommentInGame);
        Ok(())
    }

    /// Only a match that does not begin at 0-0 may begin with another game than the first.
    fn count_games(&mut self, title: Line<'_>, found: u32, start: Score) {
        let expected = match self.sheet.games.last() {
            Some(last) => last.number.saturating_add(1),
            None if start == Score::default() => 1,
            None => return,
        };
        if found != expected {
            let column = title.column(indent(title));
            self.note(title.number, column, OddityKind::GameNumber { expected, found });
        }
    }

    /// A number that is not the next one may come from a line that was lost.
    fn count_turns(&mut self, line: Line<'_>, turns: [Option<Turn>; MAX_ROWS]) {
        for (index, Turn { number, column }) in turns.into_iter().flatten().enumerate() {
            // Where two lines stand in one, their number stands there twice.
            let expected = if index > 0 { self.turn - 1 } else { self.turn };
            if index > 0 {
                self.note(line.number, column, OddityKind::LinesGlued);
            }
            if number != expected {
                self.note(line.number, column, OddityKind::TurnNumber { expected, found: number });
            }
            self.turn = number.saturating_add(1);
        }
    }

    /// The tags may name the players the other way round than the columns.
    fn compare_names(&mut self) {
        let head = Head(&self.sheet.tags);
        let (Some(one), Some(two), Some(game)) =
            (head.tag("Player 1"), head.tag("Player 2"), self.sheet.games.first())
        else {
            return;
        };
        if game.has_names_reversed(BySeat::new(one.value.trim(), two.value.trim())) {
            let (line, column) = (one.line, one.column);
            self.note(line, column, OddityKind::HeaderNamesSwapped);
        }
    }

    /// Names that no column holds are written in another way there, and only the tags have them as they are.
    fn restore_names(&mut self) {
        let head = Head(&self.sheet.tags);
        let (Some(one), Some(two)) = (head.tag("Player 1"), head.tag("Player 2")) else { return };
        let names = BySeat::new(one.value.as_str(), two.value.as_str());
        let written = BySeat::from_fn(|seat| column_name(seat, names[seat]));
        for game in &mut self.sheet.games {
            for column in Seat::BOTH {
                let name = &mut game.names[column];
                let seat = [column, column.opponent()].into_iter().find(|&seat| written[seat] == name.text);
                if let Some(seat) = seat {
                    names[seat].clone_into(&mut name.text);
                }
            }
        }
    }
}

fn indent(line: Line<'_>) -> usize {
    line.text.len() - line.text.trim_start().len()
}
