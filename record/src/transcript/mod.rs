//! Match files, followed by the rules: what a recorded match says as commands that the rules accept.

mod end;
mod follow;
mod oddity;
mod seats;
mod terms;

use chaquete_rules::{BySeat, Command, GameResult, Length, MatchRules, Move, Score, Seat};

pub use oddity::{Fault, Halt, Oddity, OddityKind};
pub use terms::TranscriptError;

use crate::mat::{Encoding, Game, MatRecord};
use follow::Follower;
use seats::Seats;

/// A recorded match as the commands that lead through it.
///
/// A match file writes less than what happened, and sometimes something else. The transcript plays it again
/// under the full rules, one command after the other, and finds out what is missing: which die opened, which
/// move was left out because it was forced, who resigned and what. Everything that is odd about the file is
/// listed with its line; where a game can no longer be followed, it halts and says why.
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
/// let transcript = Transcript::of(&mat::read(text.as_bytes())?)?;
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
/// assert_eq!(oddities[0], "line 6: the last roll was not played");
/// assert_eq!(transcript.score, chaquete_rules::Score::new(2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The names of the players; seat one is the left column of the first game.
    pub names: BySeat<String>,
    /// What was agreed, as far as the file tells. Dice are external.
    pub rules: MatchRules,
    /// The score at which the file begins.
    pub start: Score,
    /// The games.
    pub games: Vec<GameTranscript>,
    /// The score after the last game, by the rules.
    pub score: Score,
    /// Everything odd about the file, by line.
    pub oddities: Vec<Oddity>,
}

/// A recorded game as the commands that lead through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTranscript {
    /// The line where the game begins in the file, from 1.
    pub line: u32,
    /// The score at the start.
    pub start: Score,
    /// Whether this is the Crawford game.
    pub crawford: bool,
    /// The commands, in their order.
    pub acts: Vec<Act>,
    /// How the game ends by the rules, if it does.
    pub result: Option<GameResult>,
    /// How the game ended as the file tells it, if it does.
    pub recorded: Option<RecordedEnd>,
    /// Where the game could no longer be followed, if so: then the commands lead to there.
    pub halt: Option<Halt>,
}

/// A command, and what in the file it comes from.
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

/// The end of a game as the file tells it.
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
    /// Whether the file says that this won the match.
    pub and_the_match: bool,
}

impl Transcript {
    /// Follows a match file under the rules.
    ///
    /// # Errors
    /// If the rules of the match are none that can be played. That a game cannot be followed is no error: its
    /// [`halt`](GameTranscript::halt) says so.
    pub fn of(record: &MatRecord) -> Result<Self, TranscriptError> {
        let rules = terms::rules(record)?;
        let seats = Seats::of(record);
        let start = record.games.first().map_or_else(Score::default, |game| game.start);
        let mut transcript = Self {
            names: seats.names(),
            rules,
            start,
            games: Vec::new(),
            score: start,
            oddities: Vec::new(),
        };
        transcript.note_head(record, &seats);
        for game in &record.games {
            transcript.follow(game, &seats);
        }
        transcript.note_end(record);
        transcript.oddities.sort_by_key(|oddity| oddity.line);
        Ok(transcript)
    }

    /// Whether the commands of all games, one after the other, lead through one match from 0-0.
    #[must_use]
    pub fn is_playable(&self) -> bool {
        let broken = |kind| {
            matches!(
                kind,
                OddityKind::StartScore { .. } | OddityKind::ScoreGap { .. } | OddityKind::GameAfterEnd
            )
        };
        let is_unfinished = |game: &GameTranscript| game.result.is_none();
        let (last, before) = match self.games.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, self.games.as_slice()),
        };
        last.is_some_and(|last| last.halt.is_none())
            && !before.iter().any(is_unfinished)
            && !self.oddities.iter().any(|oddity| broken(oddity.kind))
    }

    /// The seat that has won the match, if it has ended.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        match self.rules.length {
            Length::Points { points, .. } => {
                Seat::BOTH.into_iter().find(|&seat| self.score[seat] >= points.get())
            }
            Length::Money(_) => None,
        }
    }

    fn note(&mut self, line: u32, kind: OddityKind) {
        self.oddities.push(Oddity { line, kind });
    }

    fn note_head(&mut self, record: &MatRecord, seats: &Seats) {
        if record.encoding == Encoding::Latin1 {
            self.note(1, OddityKind::NotUtf8);
        }
        if let Some(line) = seats.header_swapped(record) {
            self.note(line, OddityKind::HeaderNamesSwapped);
        }
        if let Some(first) = record.games.first().filter(|_| self.start != Score::default()) {
            self.note(first.line, OddityKind::StartScore { score: self.start });
        }
    }

    fn follow(&mut self, game: &Game, seats: &Seats) {
        let swapped = seats.are_swapped(game);
        if swapped {
            self.note(game.line, OddityKind::ColumnsSwapped);
        }
        let start = if swapped { Score::new(game.start.two, game.start.one) } else { game.start };
        if self.winner().is_some() {
            self.note(game.line, OddityKind::GameAfterEnd);
        }
        if start != self.score {
            self.note(game.line, OddityKind::ScoreGap { expected: self.score, found: start });
        }
        let crawford = self.is_crawford(game, start);
        let follower = Follower::new(&self.rules, start, crawford, swapped);
        let (transcript, oddities) = follower.follow(game);
        self.score = transcript.result.map_or(start, |result| result.score);
        self.oddities.extend(oddities);
        self.games.push(transcript);
    }

    /// Whether a game is the Crawford game: the first in which one side needs exactly one point (S6).
    fn is_crawford(&mut self, game: &Game, start: Score) -> bool {
        let Length::Points { points, crawford: true } = self.rules.length else { return false };
        let one_away = Seat::BOTH.iter().filter(|&&seat| start[seat] + 1 == points.get()).count();
        if points.get() == 1 || one_away == 0 || self.games.iter().any(|game| game.crawford) {
            return false;
        }
        if !self.games.is_empty() {
            // A game before that began one point away was taken for one after the Crawford game.
            let was_one_away =
                |game: &GameTranscript| Seat::BOTH.iter().any(|&seat| game.start[seat] + 1 == points.get());
            return !self.games.iter().any(was_one_away);
        }
        let crawford = one_away == 1 && !follow::has_double(game);
        self.note(game.line, OddityKind::CrawfordUnknown { crawford });
        crawford
    }

    fn note_end(&mut self, record: &MatRecord) {
        let (Length::Points { points, .. }, Some(last)) = (self.rules.length, record.games.last()) else {
            return;
        };
        let line = last.last_line();
        let is_single = record.games.len() == 1 && self.start == Score::default();
        let is_finished = self.games.last().is_some_and(|game| game.result.is_some());
        match self.winner() {
            Some(_) => {}
            None if is_single && is_finished => {
                self.note(line, OddityKind::MoneyAsMatch { length: points.get() });
            }
            None => self.note(line, OddityKind::MatchUnfinished { score: self.score }),
        }
    }
}
