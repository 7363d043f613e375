//! What is odd about a record.

use std::fmt;

use chaquete_rules::{MatchPoints, Score, Seat};
use thiserror::Error;

/// Something odd in a record, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oddity {
    /// The line in the record, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is odd.
    pub kind: OddityKind,
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.kind)
    }
}

/// What can be odd about a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OddityKind {
    /// The file is no UTF-8.
    #[error("the file is not UTF-8 and was read as Latin-1")]
    NotUtf8,
    /// The match length is the number that stands for no limit.
    #[error("a match without a limit of points is money play")]
    LengthUnlimited,
    /// The tags name the players the other way round.
    #[error("the tags Player 1 and Player 2 name the players the other way round than the columns")]
    HeaderNamesSwapped,
    /// The players change columns in a later game.
    #[error("the players have changed columns; they keep the seats of the first game")]
    ColumnsSwapped,
    /// The scores of the players stand in each other's place.
    #[error("the scores of the players stand in each other's place")]
    ScoresSwapped,
    /// A game has variations.
    #[error("only the first variation is read, as it was played")]
    Variations,
    /// A later game names other players.
    #[error("the names are not those of the first game, which count")]
    NamesDiffer,
    /// A game has not the number that follows the one before.
    #[error("the game has number {found}, but {expected} is next")]
    GameNumber {
        /// The number that would follow.
        expected: u32,
        /// The number written.
        found: u32,
    },
    /// A turn has not the number that follows the one before.
    #[error("the turn has number {found}, but {expected} is next")]
    TurnNumber {
        /// The number that would follow.
        expected: u32,
        /// The number written.
        found: u32,
    },
    /// Two lines stand in one.
    #[error("a second turn in the same line")]
    LinesGlued,
    /// A hit is marked where nothing was hit.
    #[error("a hit is marked, but the move hits less than that")]
    HitMissing,
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
    /// The record says of the wrong game that it is, or is not, the Crawford game.
    #[error("by the score this is {}the Crawford game, other than the record says", if *.crawford {""} else {"not "})]
    CrawfordWrong {
        /// Whether it is, by the score.
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
    /// How often equal opening dice doubled the cube is written, but not these dice.
    #[error("the dice of {count} automatic doubles are not written; taken as ones")]
    AutomaticDoubles {
        /// How many automatic doubles there were.
        count: u32,
    },
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
    /// No resignation is worth the points written.
    #[error("{recorded} points are written, but at a cube of {cube} no resignation is worth that")]
    PointsUndecided {
        /// The cube.
        cube: u32,
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
            Self::LengthUnlimited => "LENGTH_UNLIMITED",
            Self::HeaderNamesSwapped => "HEADER_NAMES_SWAPPED",
            Self::ColumnsSwapped => "COLUMNS_SWAPPED",
            Self::ScoresSwapped => "SCORES_SWAPPED",
            Self::Variations => "VARIATIONS",
            Self::NamesDiffer => "NAMES_DIFFER",
            Self::GameNumber { .. } => "GAME_NUMBER",
            Self::TurnNumber { .. } => "TURN_NUMBER",
            Self::LinesGlued => "LINES_GLUED",
            Self::HitMissing => "HIT_MISSING",
            Self::StartScore { .. } => "START_SCORE",
            Self::CrawfordUnknown { .. } => "CRAWFORD_UNKNOWN",
            Self::CrawfordWrong { .. } => "CRAWFORD_WRONG",
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
            Self::AutomaticDoubles { .. } => "AUTOMATIC_DOUBLES",
            Self::Losses => "LOSSES",
            Self::WinsOmitted => "WINS_OMITTED",
            Self::PointsCapped { .. } => "POINTS_CAPPED",
            Self::PointsByJacoby { .. } => "POINTS_BY_JACOBY",
            Self::PointsImpossible { .. } => "POINTS_IMPOSSIBLE",
            Self::PointsWrong { .. } => "POINTS_WRONG",
            Self::PointsUndecided { .. } => "POINTS_UNDECIDED",
            Self::WinnerWrong { .. } => "WINNER_WRONG",
            Self::MatchNotWon => "MATCH_NOT_WON",
        }
    }
}

/// What became of an oddity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repair {
    /// What was meant is certain, and the transcript has that.
    Repaired,
    /// There is nothing to repair: it was kept or left out as it stands.
    Kept,
    /// What was meant cannot be known: the record cannot be imported.
    Refused,
}

impl Repair {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Repaired => "REPAIRED",
            Self::Kept => "KEPT",
            Self::Refused => "REFUSED",
        }
    }
}

/// The most points of a score that games without a play may lead to: as many as the longest match has.
const MOST_BEFORE: u32 = 2 * MatchPoints::MAX.get();

impl OddityKind {
    /// What became of the oddity.
    #[must_use]
    pub const fn repair(&self) -> Repair {
        match self {
            Self::CrawfordUnknown { .. }
            | Self::ScoreGap { .. }
            | Self::GameAfterEnd
            | Self::PointsUndecided { .. }
            | Self::WinnerWrong { .. } => Repair::Refused,
            Self::StartScore { score } if score.one.saturating_add(score.two) > MOST_BEFORE => {
                Repair::Refused
            }
            Self::MatchUnfinished { .. }
            | Self::MoneyAsMatch { .. }
            | Self::GameUnfinished
            | Self::NothingPlayed
            | Self::CommentInGame
            | Self::Variations
            | Self::RollUnplayed
            | Self::NoRoll
            | Self::MatchNotWon => Repair::Kept,
            Self::NotUtf8
            | Self::LengthUnlimited
            | Self::HeaderNamesSwapped
            | Self::ColumnsSwapped
            | Self::ScoresSwapped
            | Self::NamesDiffer
            | Self::GameNumber { .. }
            | Self::TurnNumber { .. }
            | Self::LinesGlued
            | Self::HitMissing
            | Self::StartScore { .. }
            | Self::CrawfordWrong { .. }
            | Self::ForcedPlayOmitted
            | Self::BearOffOmitted
            | Self::Concession
            | Self::DropOmitted
            | Self::CubeValue { .. }
            | Self::CrawfordDouble
            | Self::AutomaticDoubles { .. }
            | Self::Losses
            | Self::WinsOmitted
            | Self::PointsCapped { .. }
            | Self::PointsByJacoby { .. }
            | Self::PointsImpossible { .. }
            | Self::PointsWrong { .. } => Repair::Repaired,
        }
    }
}
