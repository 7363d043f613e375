//! Why an id says no position that a game can have.

use chaquete_rules::{Cube, CubeValue, Score, Seat};
use thiserror::Error;

use crate::{FieldsError, MatchIdError, Offer, PositionForm, PositionIdError, XgTextError, XgidError};

/// Why an id says no position that a game can have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GamePositionError {
    /// The position ID is none.
    #[error("position ID: {0}")]
    PositionId(#[from] PositionIdError),
    /// The match ID is none.
    #[error("match ID: {0}")]
    MatchId(#[from] MatchIdError),
    /// The XGID is none.
    #[error("XGID: {0}")]
    Xgid(#[from] XgidError),
    /// The text around an XGID is none of eXtreme Gammon.
    #[error("text of eXtreme Gammon: {0}")]
    XgText(#[from] XgTextError),
    /// The OGID is none.
    #[error("OGID: {0}")]
    Ogid(FieldsError),
    /// The FIBS board is none.
    #[error("FIBS board: {0}")]
    FibsBoard(FieldsError),
    /// The Snowie position is none.
    #[error("Snowie position: {0}")]
    Snowie(FieldsError),
    /// The text has none of the forms that are known.
    #[error("{found:?} is in no known form of a position; it could be {}", forms())]
    UnknownForm {
        /// The text, or its beginning.
        found: String,
    },
    /// The game is on although somebody has won the match.
    #[error("seat {} has {score} points of a match to {length}: no game is left to play", seat.number())]
    ScoreReachesLength {
        /// The seat.
        seat: Seat,
        /// Its points.
        score: u32,
        /// The match length.
        length: u32,
    },
    /// The match is longer than any that can be played.
    #[error("a match to {length} points is too long: the longest is 255")]
    MatchTooLong {
        /// The match length.
        length: u32,
    },
    /// The Crawford game belongs to a match.
    #[error("there is no Crawford game in money play")]
    CrawfordInMoneyPlay,
    /// The cube is not turned in the Crawford game.
    #[error("the cube is not turned in the Crawford game, but it is owned or stands at {cube}")]
    CrawfordWithTurnedCube {
        /// The value of the cube.
        cube: CubeValue,
    },
    /// The Crawford game is one in which a side needs exactly one point.
    #[error("at {}-{} to {length} no side needs exactly one point: it cannot be the Crawford game", score.one, score.two)]
    CrawfordAtScore {
        /// The score.
        score: Score,
        /// The match length.
        length: u32,
    },
    /// A double waits for its answer: there are no dice and no resignation.
    #[error("a double waits for its answer: there can be neither dice nor a resignation")]
    DoubledAndMore,
    /// Who is said to have offered the cube could not.
    #[error(
        "seat {} cannot have offered a {offer:?} with the cube at {} {}",
        by.number(),
        cube.value,
        owned(cube)
    )]
    OfferWithoutCube {
        /// What is said to be offered.
        offer: Offer,
        /// By whom.
        by: Seat,
        /// The cube.
        cube: Cube,
    },
}

fn owned(cube: &Cube) -> String {
    cube.owner.map_or("in the middle".to_owned(), |seat| format!("with seat {}", seat.number()))
}

/// All forms in one sentence.
fn forms() -> String {
    PositionForm::ALL.map(|form| form.to_string()).join(", ")
}

impl GamePositionError {
    /// The stable code of the reason.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::PositionId(PositionIdError::Setup(_))
            | Self::Xgid(XgidError::Setup(_))
            | Self::Ogid(FieldsError::Setup(_))
            | Self::FibsBoard(FieldsError::Setup(_))
            | Self::Snowie(FieldsError::Setup(_)) => "NO_POSITION",
            Self::PositionId(_) => "NO_POSITION_ID",
            Self::MatchId(_) => "NO_MATCH_ID",
            Self::Xgid(_) => "NO_XGID",
            Self::XgText(_) => "NO_XG_TEXT",
            Self::Ogid(_) => "NO_OGID",
            Self::FibsBoard(_) => "NO_FIBS_BOARD",
            Self::Snowie(_) => "NO_SNOWIE_POSITION",
            Self::UnknownForm { .. } => "UNKNOWN_FORM",
            Self::ScoreReachesLength { .. } => "SCORE_REACHES_LENGTH",
            Self::MatchTooLong { .. } => "MATCH_TOO_LONG",
            Self::CrawfordInMoneyPlay => "CRAWFORD_IN_MONEY_PLAY",
            Self::CrawfordWithTurnedCube { .. } => "CRAWFORD_WITH_TURNED_CUBE",
            Self::CrawfordAtScore { .. } => "CRAWFORD_AT_SCORE",
            Self::DoubledAndMore => "DOUBLED_AND_MORE",
            Self::OfferWithoutCube { .. } => "OFFER_WITHOUT_CUBE",
        }
    }
}
