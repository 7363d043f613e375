//! Records, followed by the rules: what a recorded match says as commands that the rules accept.

mod end;
mod fault;
mod follow;
mod playable;

use chaquete_rules::{BySeat, Command, GameResult, Length, MatchRules, Move, Score, Seat};

pub use fault::{Fault, Halt};
pub use playable::Unplayable;

use crate::oddity::{Oddity, OddityKind};
use crate::sheet::{Facts, Game, Sheet};
use follow::Follower;

/// A recorded match as the commands that lead through it.
///
/// A record writes less than what happened, and sometimes something else. The transcript plays it again
/// under the full rules, one command after the other, and finds out what is missing: which die opened, which
/// move was left out because it was forced, who resigned and what. Everything that is odd about it is
/// listed with its place and with what became of it; where a game can no longer be followed, it halts and says why.
///
/// ```
/// use chaquete_record::{Transcript, mat};
/// use chaquete_rules::{Command, Seat, WinKind};
///
/// let text = "
///  7 point match
///
///  Game 1
///  Alice : 0                       Bob : 0
///   1) 31: 8/5 6/5                 64: ????
///       Wins 2 points
/// ";
/// let transcript = Transcript::of(&mat::read(text.as_bytes())?);
/// let game = &transcript.games[0];
/// // Alice has opened: hers is the higher of the two dice.
/// assert!(matches!(game.acts[0].command, Command::Roll { dice: Some(dice), .. } if dice.first.pips() == 3));
/// // Bob has not played his roll but resigned a gammon: two points with the cube at 1.
/// let commands: Vec<_> = game.acts.iter().map(|act| act.command.clone()).collect();
/// assert_eq!(
///     commands[3..],
///     [
///         Command::OfferResignation { seat: Seat::Two, kind: WinKind::Gammon },
///         Command::AcceptResignation { seat: Seat::One },
///     ]
/// );
/// let oddities: Vec<_> = transcript.oddities.iter().map(ToString::to_string).collect();
/// assert_eq!(oddities[0], "line 6, column 34: the last roll was not played");
/// assert_eq!(transcript.score, chaquete_rules::Score::new(2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The names of the players; seat one is named first in the first game.
    pub names: BySeat<String>,
    /// Where and when the match was played.
    pub facts: Facts,
    /// What was agreed, as far as the record tells. Dice are external.
    pub rules: MatchRules,
    /// The score at which the record begins.
    pub start: Score,
    /// The games.
    pub games: Vec<GameTranscript>,
    /// The score after the last game, by the rules.
    pub score: Score,
    /// Everything odd about the record, by place.
    pub oddities: Vec<Oddity>,
}

/// A recorded game as the commands that lead through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTranscript {
    /// The line with names and score of the game, from 1.
    pub line: u32,
    /// The score at the start.
    pub start: Score,
    /// Whether this is the Crawford game.
    pub crawford: bool,
    /// The commands, in their order.
    pub acts: Vec<Act>,
    /// How the game ends by the rules, if it does.
    pub result: Option<GameResult>,
    /// How the game ended as the record tells it, if it does.
    pub recorded: Option<RecordedEnd>,
    /// Where the game could no longer be followed, if so: then the commands lead to there.
    pub halt: Option<Halt>,
}

/// A command, and what in the record it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The command. Rolls have their dice: those of seat one and seat two in an opening roll.
    pub command: Command,
    /// The move as the rules understood it, if the command is one.
    pub played: Option<Move>,
}

/// The end of a game as the record tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedEnd {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// Who won.
    pub winner: Seat,
    /// Points as written; `None` if only the loser's word tells the end.
    pub points: Option<u32>,
    /// Whether the record says that this won the match.
    pub and_the_match: bool,
}

impl Transcript {
    /// Follows a record under the rules.
    ///
    /// That a game cannot be followed is no error: its [`halt`](GameTranscript::halt) says so.
    #[must_use]
    pub fn of(sheet: &Sheet) -> Self {
        let name = |seat| sheet.games.first().map_or_else(String::new, |game| game.names[seat].text.clone());
        let start = sheet.games.first().map_or_else(Score::default, |game| game.start);
        let mut transcript = Self {
            names: BySeat::from_fn(name),
            facts: sheet.facts.clone(),
            rules: sheet.rules.clone(),
            start,
            games: Vec::new(),
            score: start,
            oddities: sheet.oddities.clone(),
        };
        if let Some(first) = sheet.games.first().filter(|_| start != Score::default()) {
            transcript.note(first, OddityKind::StartScore { score: start });
        }
        for (index, game) in sheet.games.iter().enumerate() {
            transcript.follow(game, sheet.games.get(index + 1));
        }
        transcript.note_end(sheet);
        transcript.oddities.sort_by_key(|oddity| (oddity.line, oddity.column));
        transcript
    }

    /// The seat that has won the match, if it has ended.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        let points = self.points()?;
        Seat::BOTH.into_iter().find(|&seat| self.score[seat] >= points)
    }

    /// The points that win the match; `None` in money play.
    fn points(&self) -> Option<u32> {
        match self.rules.length {
            Length::Points { points, .. } => Some(points.get()),
            Length::Money(_) => None,
        }
    }

    fn note(&mut self, game: &Game, kind: OddityKind) {
        self.oddities.push(Oddity { line: game.line, column: game.column, kind });
    }

    /// Whether the players stand in each other's columns.
    fn is_swapped(&self, game: &Game) -> bool {
        game.has_names_reversed(BySeat::new(&self.names.one, &self.names.two))
    }

    /// The score at the start of a game, by the seats of the match.
    fn start_of(&self, game: &Game) -> Score {
        if self.is_swapped(game) { Score::new(game.start.two, game.start.one) } else { game.start }
    }

    fn follow(&mut self, game: &Game, next: Option<&Game>) {
        let swapped = self.is_swapped(game);
        if swapped {
            self.note(game, OddityKind::ColumnsSwapped);
        } else if Seat::BOTH.into_iter().any(|seat| game.names[seat].text != self.names[seat]) {
            self.note(game, OddityKind::NamesDiffer);
        }
        let start = self.start_of(game);
        if self.winner().is_some() {
            self.note(game, OddityKind::GameAfterEnd);
        }
        if start != self.score {
            self.note(game, OddityKind::ScoreGap { expected: self.score, found: start });
        }
        let crawford = self.is_crawford(game, start);
        let next = next.map(|next| self.start_of(next));
        let follower = Follower::new(&self.rules, start, crawford, swapped, next);
        let (transcript, oddities) = follower.follow(game);
        self.score = transcript.result.map_or(start, |result| result.score);
        self.oddities.extend(oddities);
        self.games.push(transcript);
    }

    /// Whether a game is the Crawford game: the first in which one side needs exactly one point (S6).
    fn is_crawford(&mut self, game: &Game, start: Score) -> bool {
        let Some(crawford) = self.crawford_by_score(start) else { return self.crawford_as_told(game) };
        if game.crawford.is_some_and(|told| told != crawford) {
            self.note(game, OddityKind::CrawfordWrong { crawford });
        }
        crawford
    }

    /// `None` if the score does not tell: the record begins with a game that may be the Crawford game or a later one.
    fn crawford_by_score(&self, start: Score) -> Option<bool> {
        let Length::Points { points, crawford: true } = self.rules.length else { return Some(false) };
        let is_one_away = |start: Score| Seat::BOTH.iter().any(|&seat| start[seat] + 1 == points.get());
        if points.get() == 1 || !is_one_away(start) {
            return Some(false);
        }
        if !self.games.is_empty() {
            // After a game that began one point away the Crawford game has been played.
            return Some(!self.games.iter().any(|game| is_one_away(game.start)));
        }
        match (start.one, start.two) {
            // Whoever came second to one point away did so in the Crawford game or after it.
            (one, two) if one == two => Some(false),
            // In the Crawford game either the leader has won the match, or the other has won a point.
            (0, _) | (_, 0) => Some(true),
            _ => None,
        }
    }

    fn crawford_as_told(&mut self, game: &Game) -> bool {
        game.crawford.unwrap_or_else(|| {
            let crawford = !follow::has_double(game);
            self.note(game, OddityKind::CrawfordUnknown { crawford });
            crawford
        })
    }

    fn note_end(&mut self, sheet: &Sheet) {
        let (Some(points), Some(last)) = (self.points(), sheet.games.last()) else { return };
        let (line, column) = last.end();
        let is_single = sheet.games.len() == 1 && self.start == Score::default();
        let is_finished = self.games.last().is_some_and(|game| game.result.is_some());
        let kind = match self.winner() {
            Some(_) => return,
            None if is_single && is_finished => OddityKind::MoneyAsMatch { length: points },
            None => OddityKind::MatchUnfinished { score: self.score },
        };
        self.oddities.push(Oddity { line, column, kind });
    }
}
