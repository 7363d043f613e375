//! A position with all that belongs to it: what every id is written from and read into.

use chaquete_rules::{Board, Cube, CubeValue, Dice, GameEndReason, Position, Score, Seat, WinKind};

use crate::{GamePositionError, GameState, MatchId, MatchIdError, PositionId, Xgid, XgidStage};

/// The cube limit that is written into an XGID when none is known: 1024, what eXtreme Gammon itself writes.
const XGID_LIMIT: u8 = 10;
/// The longest match there is.
const MAX_LENGTH: u32 = 255;

/// A position of a game with everything around it: board, turn, dice, cube, score and what is played.
///
/// The service and the tools read every id into this one type and write every id from it.
///
/// ```
/// use chaquete_record::GamePosition;
///
/// let position = GamePosition::from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:2:3:0:7:10", 15)?;
/// assert_eq!(position.gnu_id()?, "4HPwATDgc/ABMA:cInqACAAGAAE");
/// assert_eq!(GamePosition::from_gnu_id("4HPwATDgc/ABMA:cInqACAAGAAE", 15)?.score, position.score);
/// # Ok::<(), chaquete_record::GamePositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GamePosition {
    /// The checkers by seat.
    pub board: Board,
    /// The seat whose turn it is; of no meaning before the opening roll and when the game is over.
    pub on_roll: Seat,
    /// What the game waits for.
    pub stage: Stage,
    /// The cube as it lies; an offer that waits for its answer is not in its value. Declining costs this.
    pub cube: Cube,
    /// Points won in the games before.
    pub score: Score,
    /// What is played.
    pub play: Play,
    /// The highest value the cube can get, if that is known.
    pub cube_limit: Option<CubeValue>,
}

/// What a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The opening roll.
    OpeningRoll,
    /// The seat on roll: to double or to roll.
    Roll,
    /// The seat on roll: to play these dice.
    Move(Dice),
    /// The answer to a double of the seat on roll, or to a beaver upon it.
    Offered(Offer),
    /// The answer to a resignation.
    ResignationOffered {
        /// The seat that would resign.
        by: Seat,
        /// What it would lose.
        kind: WinKind,
        /// The dice that the seat on roll has rolled and not yet played.
        dice: Option<Dice>,
    },
    /// Nothing: the game has ended.
    Over(GameEndReason),
}

/// An offer of the cube that waits for its answer. Further redoubles in the same exchange count as beaver and
/// raccoon by turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offer {
    /// The seat on roll doubled: the other seat answers.
    Double,
    /// The other seat took and redoubled at once: the seat on roll answers.
    Beaver,
    /// The seat on roll redoubled upon the beaver: the other seat answers.
    Raccoon,
}

/// What is played: a match or for money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Play {
    /// A match to so many points.
    Match {
        /// Match length, at least 1.
        length: u32,
        /// Whether this is the Crawford game.
        crawford: bool,
    },
    /// Money play.
    Money {
        /// Whether the Jacoby rule is on.
        jacoby: bool,
        /// Whether beavers are allowed. A match ID does not tell: read from one, they are not.
        beavers: bool,
    },
}

impl Play {
    /// Match length; 0 for money play.
    #[must_use]
    pub const fn length(self) -> u32 {
        match self {
            Self::Match { length, .. } => length,
            Self::Money { .. } => 0,
        }
    }

    /// Whether this is the Crawford game.
    #[must_use]
    pub const fn is_crawford(self) -> bool {
        matches!(self, Self::Match { crawford: true, .. })
    }

    /// Whether the Jacoby rule is on.
    #[must_use]
    pub const fn is_jacoby(self) -> bool {
        matches!(self, Self::Money { jacoby: true, .. })
    }
}

impl GamePosition {
    /// A position of which no more is known than the checkers: seat one to roll, the cube in the middle,
    /// nothing won yet, money play without Jacoby rule and beavers.
    #[must_use]
    pub fn new(position: Position) -> Self {
        Self {
            board: Board::from_position(position, Seat::One),
            on_roll: Seat::One,
            stage: Stage::Roll,
            cube: Cube::CENTERED,
            score: Score::default(),
            play: Play::Money { jacoby: false, beavers: false },
            cube_limit: None,
        }
    }

    /// The checkers as the seat on roll sees them.
    #[must_use]
    pub fn position(&self) -> Position {
        self.board.position(self.on_roll)
    }

    /// The dice that are rolled and not yet played.
    #[must_use]
    pub const fn dice(&self) -> Option<Dice> {
        match self.stage {
            Stage::Move(dice) => Some(dice),
            Stage::ResignationOffered { dice, .. } => dice,
            Stage::OpeningRoll | Stage::Roll | Stage::Offered(_) | Stage::Over(_) => None,
        }
    }

    /// The seat that has to act; `None` before the opening roll and when the game is over.
    #[must_use]
    pub const fn seat_to_act(&self) -> Option<Seat> {
        match self.stage {
            Stage::OpeningRoll | Stage::Over(_) => None,
            Stage::Roll | Stage::Move(_) | Stage::Offered(Offer::Beaver) => Some(self.on_roll),
            Stage::Offered(Offer::Double | Offer::Raccoon) => Some(self.on_roll.opponent()),
            Stage::ResignationOffered { by, .. } => Some(by.opponent()),
        }
    }

    /// Reads an ID of GNU Backgammon: a position ID, or a position ID and a match ID with a colon between,
    /// in either order. What a position ID alone does not say is as in [`GamePosition::new`].
    ///
    /// # Errors
    /// Why the text is no id, or why its parts contradict each other.
    pub fn from_gnu_id(text: &str, checkers: u8) -> Result<Self, GamePositionError> {
        let Some((first, second)) = text.split_once(':') else {
            return Ok(Self::new(text.parse::<PositionId>()?.position(checkers)?));
        };
        let is_reversed = first.len() < second.len();
        let (position, state) = if is_reversed { (second, first) } else { (first, second) };
        let id: PositionId = position.parse()?;
        Self::from_ids(id, &state.parse()?, checkers)
    }

    /// Puts together what a position ID and a match ID say.
    ///
    /// # Errors
    /// Why the checkers are no position, or what contradicts itself.
    pub fn from_ids(id: PositionId, state: &MatchId, checkers: u8) -> Result<Self, GamePositionError> {
        let play = match state.length {
            0 => Play::Money { jacoby: state.jacoby, beavers: false },
            length => Play::Match { length, crawford: state.crawford },
        };
        if state.crawford && state.length == 0 {
            return Err(GamePositionError::CrawfordInMoneyPlay);
        }
        Self {
            board: Board::from_position(id.position(checkers)?, state.on_roll),
            on_roll: state.on_roll,
            stage: stage_of(state)?,
            cube: state.cube,
            score: state.score,
            play,
            cube_limit: None,
        }
        .checked()
    }

    /// Reads an XGID; seat one is player X.
    ///
    /// # Errors
    /// Why the text is no XGID, or why its parts contradict each other.
    pub fn from_xgid(text: &str, checkers: u8) -> Result<Self, GamePositionError> {
        Self::try_from(Xgid::parse(text, checkers)?)
    }

    /// The position ID of GNU Backgammon, as the seat on roll sees the board.
    #[must_use]
    pub fn position_id(&self) -> PositionId {
        PositionId::of(&self.position())
    }

    /// The match ID of GNU Backgammon. It has no place for the cube limit and for beavers.
    #[must_use]
    pub fn match_id(&self) -> MatchId {
        let (doubled, resignation) = match self.stage {
            Stage::Offered(_) => (true, None),
            Stage::ResignationOffered { kind, .. } => (false, Some(kind)),
            Stage::OpeningRoll | Stage::Roll | Stage::Move(_) | Stage::Over(_) => (false, None),
        };
        MatchId {
            cube: self.cube,
            on_roll: self.on_roll,
            crawford: self.play.is_crawford(),
            state: match self.stage {
                Stage::OpeningRoll => GameState::None,
                Stage::Over(reason) => GameState::Over(reason),
                _ => GameState::Playing,
            },
            turn: self.seat_to_act().unwrap_or(self.on_roll),
            doubled,
            resignation,
            // As GNU Backgammon writes them: the larger first.
            dice: self.dice().map(|dice| Dice { first: dice.larger(), second: dice.smaller() }),
            length: self.play.length(),
            score: self.score,
            jacoby: self.play.is_jacoby(),
        }
    }

    /// Position ID and match ID of GNU Backgammon, with a colon between.
    ///
    /// # Errors
    /// If a score or the length is too large for a match ID.
    pub fn gnu_id(&self) -> Result<String, MatchIdError> {
        Ok(format!("{}:{}", self.position_id(), self.match_id().encode()?))
    }

    /// The XGID. It has no word for a resignation, for a game that has not begun and for one that is over:
    /// there it shows the turn around it.
    #[must_use]
    pub fn xgid(&self) -> Xgid {
        Xgid {
            board: self.board,
            cube: self.cube,
            turn: self.on_roll,
            stage: match (self.stage, self.dice()) {
                (Stage::Offered(offer), _) => XgidStage::Offered(offer),
                (_, Some(dice)) => XgidStage::Rolled(dice),
                (_, None) => XgidStage::ToRoll,
            },
            score: self.score,
            play: self.play,
            // At most 12, so it fits.
            cube_limit: self.cube_limit.map_or(XGID_LIMIT, |limit| limit.log2() as u8),
        }
    }

    /// The position itself, unless it contradicts itself.
    pub(crate) fn checked(self) -> Result<Self, GamePositionError> {
        let is_over = matches!(self.stage, Stage::Over(_));
        if let Play::Match { length, crawford } = self.play {
            if length > MAX_LENGTH {
                return Err(GamePositionError::MatchTooLong { length });
            }
            let winner = Seat::BOTH.into_iter().find(|&seat| self.score[seat] >= length);
            if let Some(seat) = winner.filter(|_| !is_over) {
                return Err(GamePositionError::ScoreReachesLength { seat, score: self.score[seat], length });
            }
            if crawford && self.cube != Cube::CENTERED {
                return Err(GamePositionError::CrawfordWithTurnedCube { cube: self.cube.value });
            }
            if crawford && !is_over && Seat::BOTH.iter().all(|&seat| self.score[seat] + 1 != length) {
                return Err(GamePositionError::CrawfordAtScore { score: self.score, length });
            }
        }
        self.check_offer()?;
        Ok(self)
    }

    /// Whether the cube lies where the offer that waits could have been made.
    fn check_offer(&self) -> Result<(), GamePositionError> {
        let Stage::Offered(offer) = self.stage else { return Ok(()) };
        // The one who was doubled keeps the cube through beaver and raccoon.
        let doubled = Some(self.on_roll.opponent());
        let is_money = matches!(self.play, Play::Money { .. });
        let (by, may_offer) = match offer {
            Offer::Double => (self.on_roll, self.cube.owner != doubled),
            Offer::Beaver => (self.on_roll.opponent(), is_money && self.is_turned_to(doubled, 2)),
            Offer::Raccoon => (self.on_roll, is_money && self.is_turned_to(doubled, 4)),
        };
        if may_offer {
            Ok(())
        } else {
            Err(GamePositionError::OfferWithoutCube { offer, by, cube: self.cube })
        }
    }

    /// Whether somebody has the cube, and at such a value at least.
    fn is_turned_to(&self, owner: Option<Seat>, value: u32) -> bool {
        self.cube.owner == owner && self.cube.value.get() >= value
    }
}

fn stage_of(state: &MatchId) -> Result<Stage, GamePositionError> {
    match (state.state, state.doubled, state.resignation, state.dice) {
        (GameState::None, ..) => Ok(Stage::OpeningRoll),
        (GameState::Over(reason), ..) => Ok(Stage::Over(reason)),
        (_, true, None, None) if state.turn == state.on_roll => Ok(Stage::Offered(Offer::Beaver)),
        // Nobody doubles a cube of the other: in money play this is the answer to a beaver.
        (_, true, None, None) if state.length == 0 && state.cube.owner == Some(state.turn) => {
            Ok(Stage::Offered(Offer::Raccoon))
        }
        (_, true, None, None) => Ok(Stage::Offered(Offer::Double)),
        (_, true, ..) => Err(GamePositionError::DoubledAndMore),
        (_, false, Some(kind), dice) => {
            Ok(Stage::ResignationOffered { by: state.turn.opponent(), kind, dice })
        }
        (_, false, None, Some(dice)) => Ok(Stage::Move(dice)),
        (_, false, None, None) => Ok(Stage::Roll),
    }
}

impl TryFrom<Xgid> for GamePosition {
    type Error = GamePositionError;

    fn try_from(xgid: Xgid) -> Result<Self, GamePositionError> {
        Self {
            board: xgid.board,
            on_roll: xgid.turn,
            stage: match xgid.stage {
                XgidStage::ToRoll => Stage::Roll,
                XgidStage::Rolled(dice) => Stage::Move(dice),
                XgidStage::Offered(offer) => Stage::Offered(offer),
            },
            cube: xgid.cube,
            score: xgid.score,
            play: xgid.play,
            // Programs disagree about 0, so it says nothing.
            cube_limit: CubeValue::from_log2(xgid.cube_limit.into()).filter(|&limit| limit != CubeValue::ONE),
        }
        .checked()
    }
}
