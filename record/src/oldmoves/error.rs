//! Why a text is no listing of moves from FIBS.

use chaquete_rules::{MatchPoints, NotationProblem};
use thiserror::Error;

use super::{MAX_BYTES, MAX_GAMES, MAX_LINE};

/// Why a text is no listing of moves from FIBS, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct OldmovesError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub problem: OldmovesProblem,
}

/// What can be wrong with a listing of moves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OldmovesProblem {
    /// The text is too large.
    #[error("the text has {found} bytes; no listing has more than {MAX_BYTES}")]
    FileTooLarge {
        /// Its size.
        found: usize,
    },
    /// A line is too long.
    #[error("the line has {found} bytes; no line of a listing has more than {MAX_LINE}")]
    LineTooLong {
        /// Its length.
        found: usize,
    },
    /// There are too many games.
    #[error("the text has more than {MAX_GAMES} games")]
    TooManyGames,
    /// There is no game.
    #[error("no game follows: one begins with a line like `Score is 0-0 in a 5 point match.`")]
    NoGame,
    /// The line with the score is none.
    #[error("the score must be like `Score is 0-2 in a 5 point match.` or `… in an unlimited match.`")]
    BadScore,
    /// The match length is none.
    #[error("the match length is a number from 1 to {}, not {found:?}", MatchPoints::MAX.get())]
    BadLength {
        /// What stands there.
        found: String,
    },
    /// A score has reached the match length before the game.
    #[error("a score of {score} has won a match to {length} already: no game is left to play")]
    ScoreReachesLength {
        /// The score.
        score: u32,
        /// The match length.
        length: u32,
    },
    /// The names are missing.
    #[error("a line with the names must follow the score, like `Alice is X - Bob is O`")]
    NoNames,
    /// The games are of different matches.
    #[error("other players or another length than in the games before: these are not games of one match")]
    OtherMatch,
    /// Something that nobody can do.
    #[error(
        "{found:?} is neither a roll like `X: (3 1) 8-5 6-5` nor one of doubles, accepts, rejects, wants to \
         resign, wins"
    )]
    Unreadable {
        /// What stands there.
        found: String,
    },
    /// The dice are none.
    #[error("the dice must be two digits from 1 to 6 in parentheses, like (3 1), not {found:?}")]
    BadDice {
        /// What stands there.
        found: String,
    },
    /// The move is none.
    #[error("in the move {text:?}: {problem}")]
    BadMove {
        /// The move.
        text: String,
        /// What is wrong with it.
        problem: NotationProblem,
    },
    /// A number of points is missing.
    #[error("the number of points is missing or is none: it is like `wins 2 points`")]
    BadPoints,
}

impl OldmovesProblem {
    /// The stable code of the problem.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::FileTooLarge { .. } => "FILE_TOO_LARGE",
            Self::LineTooLong { .. } => "LINE_TOO_LONG",
            Self::TooManyGames => "TOO_MANY_GAMES",
            Self::NoGame => "NO_GAME",
            Self::BadScore => "BAD_SCORE",
            Self::BadLength { .. } => "BAD_LENGTH",
            Self::ScoreReachesLength { .. } => "SCORE_REACHES_LENGTH",
            Self::NoNames => "NO_NAMES",
            Self::OtherMatch => "OTHER_MATCH",
            Self::Unreadable { .. } => "UNREADABLE",
            Self::BadDice { .. } => "BAD_DICE",
            Self::BadMove { .. } => "BAD_MOVE",
            Self::BadPoints => "BAD_POINTS",
        }
    }
}
