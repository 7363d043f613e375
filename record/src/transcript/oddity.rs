//! What is odd about a match file, though it can be followed.

use std::fmt;

use chaquete_rules::{Refusal, Score, Seat};
use thiserror::Error;

/// Something odd in a match file, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oddity {
    /// The line in the file, from 1.
    pub line: u32,
    /// What is odd.
    pub kind: OddityKind,
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

/// What can be odd about a match file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OddityKind {
    /// The file is no UTF-8.
    #[error("the file is not UTF-8 and was read as Latin-1")]
    NotUtf8,
    /// The tags name the players the other way round.
    #[error("the tags Player 1 and Player 2 name the players the other way round than the columns")]
    HeaderNamesSwapped,
    /// The players change columns in a later game.
    #[error("the players have changed columns; they keep the seats of the first game")]
    ColumnsSwapped,
    /// The first game does not begin at 0-0.
    #[error("the match begins at {}-{}", score.one, score.two)]
    StartScore {
        /// The score.
        score: Score,
    },
    /// From the start score nobody can tell whether the Crawford game has been played.
    #[error("the file does not tell whether this is the Crawford game: {}", assumed(*.crawford))]
    CrawfordUnknown {
        /// What was assumed: that it is the Crawford game unless there is a double in it.
        crawford: bool,
    },
    /// A game does not begin at the score at which the one before it ended.
    #[error("the game begins at {}-{}, but the one before ended at {}-{}", found.one, found.two, expected.one, expected.two)]
    ScoreGap {
        /// The score by the games before.
        expected: Score,
        /// The score written.
        found: Score,
    },
    /// Games follow although the match is won.
    #[error("a game follows although the match is won")]
    GameAfterEnd,
    /// The file ends before the match does.
    #[error("the file ends at {}-{}: nobody has won the match", score.one, score.two)]
    MatchUnfinished {
        /// The score.
        score: Score,
    },
    /// A single game of a long match: some servers write money games like that.
    #[error("one game of a match to {length} points: probably a money game written as a match")]
    MoneyAsMatch {
        /// The match length.
        length: u32,
    },
    /// The file ends before the game does.
    #[error("the game has no end")]
    GameUnfinished,
    /// A game in which nobody has played.
    #[error("the game ended before the first roll")]
    NothingPlayed,
    /// A comment inside a game.
    #[error("a comment inside a game; other programs take it for a play")]
    CommentInGame,
    /// A move was left out that was the only legal one.
    #[error("the only legal move is not written")]
    ForcedPlayOmitted,
    /// A move was left out that bears off all it can.
    #[error("the move is not written; the one that bears off most was meant")]
    BearOffOmitted,
    /// The last roll was not played.
    #[error("the last roll was not played")]
    RollUnplayed,
    /// A cell without a roll.
    #[error("a cell without a roll")]
    NoRoll,
    /// A player conceded in words.
    #[error("conceded in words")]
    Concession,
    /// A double was dropped without a word.
    #[error("the double was dropped, but no `Drops` is written")]
    DropOmitted,
    /// The value written with the cube is not the one it had.
    #[error("the cube was turned to {expected}, not to {found}")]
    CubeValue {
        /// The value offered.
        expected: u32,
        /// The value written.
        found: u32,
    },
    /// A double in the Crawford game: it is void.
    #[error("a double in the Crawford game: it is void, and the game counts once")]
    CrawfordDouble,
    /// The loser's cell says so.
    #[error("the loser's cell says `Losses`")]
    Losses,
    /// Nothing says who won but the loser's cell.
    #[error("only the loser's cell tells the result")]
    WinsOmitted,
    /// The points were capped to what was needed.
    #[error("{recorded} points are written for {points}: capped to what was left of the match")]
    PointsCapped {
        /// Points by the rules.
        points: u32,
        /// Points written.
        recorded: u32,
    },
    /// The points are those of the Jacoby rule, which no match has.
    #[error("{recorded} points are written for {points}: by the Jacoby rule, as in money play")]
    PointsByJacoby {
        /// Points by the rules.
        points: u32,
        /// Points written.
        recorded: u32,
    },
    /// No game at this cube is worth so many points.
    #[error(
        "{recorded} points are written, but no game is worth more than {most} here; taken as a backgammon"
    )]
    PointsImpossible {
        /// The most a game is worth at this cube.
        most: u32,
        /// Points written.
        recorded: u32,
    },
    /// The points are not those of the game.
    #[error("{recorded} points are written, but the game was worth {points}")]
    PointsWrong {
        /// Points by the rules.
        points: u32,
        /// Points written.
        recorded: u32,
    },
    /// The winner is not the one written.
    #[error("seat {} is written to have won, but the other seat has", .recorded.number())]
    WinnerWrong {
        /// The winner written.
        recorded: Seat,
    },
    /// The file says that the match is won, and it is not.
    #[error("the file says that this wins the match, but it does not")]
    MatchNotWon,
}

fn assumed(crawford: bool) -> &'static str {
    if crawford { "assumed that it is" } else { "assumed that it is not, for there is a double in it" }
}

impl OddityKind {
    /// The stable code of the oddity.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotUtf8 => "NOT_UTF8",
            Self::HeaderNamesSwapped => "HEADER_NAMES_SWAPPED",
            Self::ColumnsSwapped => "COLUMNS_SWAPPED",
            Self::StartScore { .. } => "START_SCORE",
            Self::CrawfordUnknown { .. } => "CRAWFORD_UNKNOWN",
            Self::ScoreGap { .. } => "SCORE_GAP",
            Self::GameAfterEnd => "GAME_AFTER_END",
            Self::MatchUnfinished { .. } => "MATCH_UNFINISHED",
            Self::MoneyAsMatch { .. } => "MONEY_AS_MATCH",
            Self::GameUnfinished => "GAME_UNFINISHED",
            Self::NothingPlayed => "NOTHING_PLAYED",
            Self::CommentInGame => "COMMENT_IN_GAME",
            Self::ForcedPlayOmitted => "FORCED_PLAY_OMITTED",
            Self::BearOffOmitted => "BEAR_OFF_OMITTED",
            Self::RollUnplayed => "ROLL_UNPLAYED",
            Self::NoRoll => "NO_ROLL",
            Self::Concession => "CONCESSION",
            Self::DropOmitted => "DROP_OMITTED",
            Self::CubeValue { .. } => "CUBE_VALUE",
            Self::CrawfordDouble => "CRAWFORD_DOUBLE",
            Self::Losses => "LOSSES",
            Self::WinsOmitted => "WINS_OMITTED",
            Self::PointsCapped { .. } => "POINTS_CAPPED",
            Self::PointsByJacoby { .. } => "POINTS_BY_JACOBY",
            Self::PointsImpossible { .. } => "POINTS_IMPOSSIBLE",
            Self::PointsWrong { .. } => "POINTS_WRONG",
            Self::WinnerWrong { .. } => "WINNER_WRONG",
            Self::MatchNotWon => "MATCH_NOT_WON",
        }
    }
}

/// Where a game can no longer be followed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// The line in the file, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// Why.
    pub fault: Fault,
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

/// Why a game can no longer be followed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The rules refuse what is written.
    #[error("{0}")]
    Refused(Refusal),
    /// A roll without a move, and more than one that could be meant.
    #[error("the move is missing, and {choices} different ones are legal")]
    PlayMissing {
        /// How many.
        choices: usize,
    },
    /// The opening dice are equal.
    #[error("equal dice cannot open a game: they are rolled again")]
    OpeningDouble,
    /// The record itself says that the play was illegal.
    #[error("the record says itself that this play was illegal")]
    IllegalPlay,
    /// The game starts from a position that was set up.
    #[error("the game goes on from a position that was set up")]
    PositionSetUp,
    /// Something follows the end of the game.
    #[error("the game is over before this")]
    AfterEnd,
    /// The winner of the record is the one who had to answer a double.
    #[error("the one whose double waits for its answer cannot lose by it")]
    DoubleUnanswered,
}

impl Fault {
    /// The stable code of the fault.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused(_) => "REFUSED",
            Self::PlayMissing { .. } => "PLAY_MISSING",
            Self::OpeningDouble => "OPENING_DOUBLE",
            Self::IllegalPlay => "ILLEGAL_PLAY",
            Self::PositionSetUp => "POSITION_SET_UP",
            Self::AfterEnd => "AFTER_END",
            Self::DoubleUnanswered => "DOUBLE_UNANSWERED",
        }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
