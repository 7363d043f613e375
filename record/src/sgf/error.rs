//! Why a file is no record of backgammon games.

use chaquete_rules::MatchPoints;
use thiserror::Error;

use super::{MAX_BYTES, MAX_ENTRIES, MAX_GAMES, MAX_ROOT};

/// Why a file is no record of backgammon games, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct SgfError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub problem: SgfProblem,
}

/// What can be wrong with an SGF file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SgfProblem {
    /// The file is too large.
    #[error("the file has {found} bytes; no file of one match has more than {MAX_BYTES}")]
    FileTooLarge {
        /// Its size.
        found: usize,
    },
    /// There are too many games.
    #[error("the file has more than {MAX_GAMES} games")]
    TooManyGames,
    /// There are too many moves.
    #[error("the file has more than {MAX_ENTRIES} moves")]
    TooManyEntries,
    /// The first node of a game is too long.
    #[error("the first node of the game has more than {MAX_ROOT} values")]
    RootTooLong,
    /// The file ends too early.
    #[error("the file ends inside of a game; it is cut off")]
    CutOff,
    /// Something that cannot stand there.
    #[error("{found:?} cannot stand here; a property like `W[31hefe]`, a node `;` or the end `)` can")]
    Unexpected {
        /// What stands there.
        found: char,
    },
    /// There is no game.
    #[error("no game follows: one begins with `(;` and has the property `GM[6]`")]
    NoGame,
    /// A tree is of another game.
    #[error("this is no game of backgammon: the first node of one has the property `GM[6]`")]
    NotBackgammon,
    /// A property has a value that means nothing.
    #[error("the property {property} must be {expected}, not {found:?}")]
    BadValue {
        /// The property.
        property: &'static str,
        /// What it can hold.
        expected: &'static str,
        /// What it holds.
        found: String,
    },
    /// The match length is none.
    #[error("the match length is a number from 0 (money play) to {}, not {found:?}", MatchPoints::MAX.get())]
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
    /// A rule is not known, or not played here.
    #[error(
        "the rule {found:?} is none of Crawford, CrawfordGame, Jacoby, NoCube, Nackgammon, Hypergammon3 and \
         LongGammon"
    )]
    UnknownRule {
        /// What stands there.
        found: String,
    },
    /// The games of the file are of different matches.
    #[error("length or rules are others than those of the games before: these are not games of one match")]
    OtherMatch,
    /// The dice are none.
    #[error("the dice must be two digits from 1 to 6, not {found:?}")]
    BadDice {
        /// What stands there.
        found: String,
    },
    /// The move is none.
    #[error(
        "{found:?} is no move: the dice are followed by two letters for each checker moved, from where (a-x, y \
         for the bar) and to where (a-x, z for off); or it is double, take or drop"
    )]
    BadMove {
        /// What stands there.
        found: String,
    },
    /// A move has more than one value.
    #[error("a move has only one value")]
    TooManyValues,
}

impl SgfProblem {
    /// The stable code of the problem.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::FileTooLarge { .. } => "FILE_TOO_LARGE",
            Self::TooManyGames => "TOO_MANY_GAMES",
            Self::TooManyEntries => "TOO_MANY_ENTRIES",
            Self::RootTooLong => "ROOT_TOO_LONG",
            Self::CutOff => "CUT_OFF",
            Self::Unexpected { .. } => "UNEXPECTED",
            Self::NoGame => "NO_GAME",
            Self::NotBackgammon => "NOT_BACKGAMMON",
            Self::BadValue { .. } => "BAD_VALUE",
            Self::BadLength { .. } => "BAD_LENGTH",
            Self::ScoreReachesLength { .. } => "SCORE_REACHES_LENGTH",
            Self::UnknownRule { .. } => "UNKNOWN_RULE",
            Self::OtherMatch => "OTHER_MATCH",
            Self::BadDice { .. } => "BAD_DICE",
            Self::BadMove { .. } => "BAD_MOVE",
            Self::TooManyValues => "TOO_MANY_VALUES",
        }
    }
}
