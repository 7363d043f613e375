//! Why a file is no match file.

use chaquete_rules::{MatchPoints, NotationProblem};
use thiserror::Error;

use super::{MAX_BYTES, MAX_GAMES, MAX_LINE};

/// Why a file is no match file, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct MatError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub problem: MatProblem,
}

/// What can be wrong with a match file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatProblem {
    /// The file is too large.
    #[error("the file has {found} bytes; no match file has more than {MAX_BYTES}")]
    FileTooLarge {
        /// Its size.
        found: usize,
    },
    /// A line is too long.
    #[error("the line has {found} bytes; no line of a match file has more than {MAX_LINE}")]
    LineTooLong {
        /// Its length.
        found: usize,
    },
    /// There are too many games.
    #[error("the file has more than {MAX_GAMES} games")]
    TooManyGames,
    /// The line with the match length is missing.
    #[error("a line like `7 point match` must come first, after tags and comments (0 for money play)")]
    NoLength,
    /// The match length is none.
    #[error("the match length is a number from 0 (money play) to {}, not {found:?}", MatchPoints::MAX.get())]
    BadLength {
        /// What stands there.
        found: String,
    },
    /// The variant is not known.
    #[error("the variation {found:?} is none of Backgammon, NackGammon, HyperGammon and LongGammon")]
    UnknownVariation {
        /// What the tag says.
        found: String,
    },
    /// A rule is neither on nor off.
    #[error("the rule is `On` or `Off`, not {found:?}")]
    BadSwitch {
        /// What the tag says.
        found: String,
    },
    /// The cube limit is none.
    #[error("the cube limit {found:?} is no power of two from 1 to 4096")]
    BadCubeLimit {
        /// What the tag says.
        found: String,
    },
    /// There is no game.
    #[error("no game follows: a game begins with a line like `Game 1`")]
    NoGame,
    /// The line with names and score is missing.
    #[error("a line with both names and scores must follow `Game`, like `Alice : 0      Bob : 2`")]
    NoScore,
    /// A score has reached the match length before the game.
    #[error("a score of {score} has won a match to {length} already: no game is left to play")]
    ScoreReachesLength {
        /// The score.
        score: u32,
        /// The match length.
        length: u32,
    },
    /// Something that is no cell of a game.
    #[error(
        "{found:?} is neither a roll like `31: 8/5 6/5` nor one of Doubles, Beavers, Raccoons, Takes, Drops, \
         Concedes, Wins, Losses"
    )]
    Unreadable {
        /// What stands there.
        found: String,
    },
    /// More than one cell a player in a line.
    #[error("a third cell in one line: each line has at most one for each player")]
    TooManyCells,
    /// The dice are none.
    #[error("the dice must be two digits from 1 to 6, not {found:?}")]
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
    #[error("the number of points is missing or is none: write `Wins 2 points`")]
    BadPoints,
}

impl MatProblem {
    /// The stable code of the problem.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::FileTooLarge { .. } => "FILE_TOO_LARGE",
            Self::LineTooLong { .. } => "LINE_TOO_LONG",
            Self::TooManyGames => "TOO_MANY_GAMES",
            Self::NoLength => "NO_LENGTH",
            Self::BadLength { .. } => "BAD_LENGTH",
            Self::UnknownVariation { .. } => "UNKNOWN_VARIATION",
            Self::BadSwitch { .. } => "BAD_SWITCH",
            Self::BadCubeLimit { .. } => "BAD_CUBE_LIMIT",
            Self::NoGame => "NO_GAME",
            Self::NoScore => "NO_SCORE",
            Self::ScoreReachesLength { .. } => "SCORE_REACHES_LENGTH",
            Self::Unreadable { .. } => "UNREADABLE",
            Self::TooManyCells => "TOO_MANY_CELLS",
            Self::BadDice { .. } => "BAD_DICE",
            Self::BadMove { .. } => "BAD_MOVE",
            Self::BadPoints => "BAD_POINTS",
        }
    }
}
