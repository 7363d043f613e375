//! The reader: line after line.

use chaquete_rules::{BySeat, CubeValue, Length, MatchPoints, MatchRules, MoneyRules, Score};

use crate::encoding::{self, Encoding};
use crate::excerpt::excerpt;
use crate::oddity::OddityKind;
use crate::sheet::{CUBE_LIMIT, Cell, Entry, Game, Name, Sheet};

use super::error::{OldmovesError, OldmovesProblem};
use super::line::{self, Line, Offer, SCORE};
use super::{MAX_BYTES, MAX_GAMES, MAX_LINE};

/// Reads a listing of moves. What stands before the first game, or behind a game and an empty line, is not
/// read, unless it looks like a move.
///
/// # Errors
/// The first thing that cannot be read, with its place.
pub fn read(bytes: &[u8]) -> Result<Sheet, OldmovesError> {
    if bytes.len() > MAX_BYTES {
        let problem = OldmovesProblem::FileTooLarge { found: bytes.len() };
        return Err(OldmovesError { line: 1, column: 1, problem });
    }
    let (text, encoding) = encoding::decode(bytes);
    let mut reader = Reader { sheet: Sheet::blank(), points: None, expected: None, place: Place::Outside };
    if encoding == Encoding::Latin1 {
        reader.sheet.note(1, 1, OddityKind::NotUtf8);
    }
    // At most 2 MiB of text: the number fits.
    for (number, text) in (1..).zip(text.split('\n')) {
        if text.len() > MAX_LINE {
            let problem = OldmovesProblem::LineTooLong { found: text.len() };
            return Err(OldmovesError { line: number, column: 1, problem });
        }
        reader.line(Line::new(number, text))?;
    }
    reader.finish()
}

/// What the reader expects.
#[derive(Clone, Copy)]
enum Place {
    /// A score, or words that do not matter.
    Outside,
    /// The names that belong to the score.
    Names(Score),
    /// Moves.
    Moves(Offer),
}

struct Reader {
    sheet: Sheet,
    points: Option<MatchPoints>,
    /// The score of the next game by the names of the players, if it can be told.
    expected: Option<Score>,
    place: Place,
}

impl Reader {
    fn line(&mut self, line: Line<'_>) -> Result<(), OldmovesError> {
        match self.place {
            Place::Names(_) if line.text.is_empty() => Ok(()),
            Place::Names(score) => self.names(line, score),
            _ if line.text.contains(SCORE) => self.score(line),
            Place::Outside if line::actor(line).is_none() => Ok(()),
            Place::Moves(_) if line.text.is_empty() => {
                self.place = Place::Outside;
                Ok(())
            }
            Place::Moves(offer) => self.action(line, offer),
            Place::Outside => {
                let found = excerpt(line.text);
                let problem = if self.sheet.games.is_empty() {
                    OldmovesProblem::NoGame
                } else {
                    OldmovesProblem::Unreadable { found }
                };
                Err(line.error(0, problem))
            }
        }
    }

    fn score(&mut self, line: Line<'_>) -> Result<(), OldmovesError> {
        let (score, points) = line::score(line).map_err(|problem| line.error(0, problem))?;
        if self.sheet.games.is_empty() {
            self.points = points;
            self.sheet.rules = rules(points);
        }
        if self.points != points {
            return Err(line.error(0, OldmovesProblem::OtherMatch));
        }
        if let Some(length) = points.map(MatchPoints::get)
            && let Some(score) = [score.one, score.two].into_iter().find(|&score| score >= length)
        {
            return Err(line.error(0, OldmovesProblem::ScoreReachesLength { score, length }));
        }
        self.place = Place::Names(score);
        Ok(())
    }

    fn names(&mut self, line: Line<'_>, score: Score) -> Result<(), OldmovesError> {
        if self.sheet.games.len() == MAX_GAMES {
            return Err(line.error(0, OldmovesProblem::TooManyGames));
        }
        let [x, o] = line::names(line).ok_or_else(|| line.error(0, OldmovesProblem::NoNames))?;
        let name = |text: &str| Name { text: text.to_owned(), rating: None };
        let names = BySeat::new(name(x), name(o));
        let first = self.sheet.games.first().map(|game| [&game.names.one.text, &game.names.two.text]);
        if first.is_some_and(|first| first != [x, o] && first != [o, x]) {
            return Err(line.error(0, OldmovesProblem::OtherMatch));
        }
        let mut game = Game {
            line: line.number,
            column: line.column(0),
            // As many games as numbers of 32 bits.
            number: self.sheet.games.len() as u32 + 1,
            names,
            start: score,
            crawford: None,
            automatic_doubles: 0,
            entries: Vec::new(),
            comments: Vec::new(),
        };
        if self.has_swapped_scores(&game) {
            self.sheet.note(game.line, game.column, OddityKind::ScoresSwapped);
            game.start = exchanged(game.start);
        }
        self.expected = None;
        self.sheet.games.push(game);
        self.place = Place::Moves(Offer::Double);
        Ok(())
    }

    /// An error of the server: where the players change sides, the scores do not, or the other way round.
    fn has_swapped_scores(&self, game: &Game) -> bool {
        let Some(expected) = self.expected else { return false };
        let is_same_way =
            self.sheet.games.last().is_some_and(|last| last.names.one.text == game.names.one.text);
        let expected = if is_same_way { expected } else { exchanged(expected) };
        game.start != expected && exchanged(game.start) == expected
    }

    fn action(&mut self, line: Line<'_>, offer: Offer) -> Result<(), OldmovesError> {
        let unreadable = || line.error(0, OldmovesProblem::Unreadable { found: excerpt(line.text) });
        let (seat, start) = line::actor(line).ok_or_else(unreadable)?;
        let cell = line::cell(line, start, seat, offer)?;
        let Some(game) = self.sheet.games.last_mut() else { return Ok(()) };
        if let Cell::Wins { points, .. } = cell {
            let mut score = game.start;
            score[seat] = score[seat].saturating_add(points);
            self.expected = Some(score);
        }
        self.place = Place::Moves(match cell {
            Cell::OffersResignation { .. } => Offer::Resignation,
            _ => Offer::Double,
        });
        game.entries.push(Entry { line: line.number, column: line.column(0), seat, cell });
        Ok(())
    }

    fn finish(self) -> Result<Sheet, OldmovesError> {
        let place = |problem| OldmovesError { line: 1, column: 1, problem };
        match self.place {
            Place::Names(_) => Err(place(OldmovesProblem::NoNames)),
            _ if self.sheet.games.is_empty() => Err(place(OldmovesProblem::NoGame)),
            _ => Ok(self.sheet),
        }
    }
}

const fn exchanged(score: Score) -> Score {
    Score::new(score.two, score.one)
}

/// The server knows no Jacoby rule; nobody is told whether there were beavers.
fn rules(points: Option<MatchPoints>) -> MatchRules {
    let usual = points.map_or_else(MatchRules::money, MatchRules::points);
    let length = match usual.length {
        Length::Money(money) => Length::Money(MoneyRules { jacoby: false, ..money }),
        points @ Length::Points { .. } => points,
    };
    MatchRules { length, max_cube: CubeValue::new(CUBE_LIMIT).unwrap_or(CubeValue::MAX), ..usual }
}
