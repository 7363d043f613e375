//! One game: its phases hold only what each phase has.

use std::fmt;

use crate::{Board, BySeat, Cube, CubeValue, CubeViolation, Dice, GameResult, Refusal, Seat, WinKind};

/// What a seat can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Declare itself ready for the game.
    MarkReady,
    /// Roll the dice.
    RollDice,
    /// Play the roll.
    SubmitMove,
    /// Offer to double the stake.
    OfferDouble,
    /// Accept a double or a beaver.
    AcceptDouble,
    /// Decline a double or a beaver, and lose the game.
    DeclineDouble,
    /// Accept a double, redouble at once and keep the cube.
    BeaverDouble,
    /// Offer to resign the game.
    OfferResignation,
    /// Accept a resignation.
    AcceptResignation,
    /// Decline a resignation.
    DeclineResignation,
    /// Claim what the opponent loses by running out of time.
    ClaimTimeout,
    /// Contribute to the dice.
    ContributeEntropy,
}

impl Action {
    /// All actions.
    pub const ALL: [Self; 12] = [
        Self::MarkReady,
        Self::RollDice,
        Self::SubmitMove,
        Self::OfferDouble,
        Self::AcceptDouble,
        Self::DeclineDouble,
        Self::BeaverDouble,
        Self::OfferResignation,
        Self::AcceptResignation,
        Self::DeclineResignation,
        Self::ClaimTimeout,
        Self::ContributeEntropy,
    ];

    /// The stable code of the action.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::MarkReady => "MARK_READY",
            Self::RollDice => "ROLL_DICE",
            Self::SubmitMove => "SUBMIT_MOVE",
            Self::OfferDouble => "OFFER_DOUBLE",
            Self::AcceptDouble => "ACCEPT_DOUBLE",
            Self::DeclineDouble => "DECLINE_DOUBLE",
            Self::BeaverDouble => "BEAVER_DOUBLE",
            Self::OfferResignation => "OFFER_RESIGNATION",
            Self::AcceptResignation => "ACCEPT_RESIGNATION",
            Self::DeclineResignation => "DECLINE_RESIGNATION",
            Self::ClaimTimeout => "CLAIM_TIMEOUT",
            Self::ContributeEntropy => "CONTRIBUTE_ENTROPY",
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// What is to be done next in a game, without the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PhaseKind {
    /// The game waits until both players are ready.
    Waiting,
    /// The opening roll is due.
    OpeningRoll,
    /// A seat may double or roll.
    Roll,
    /// A seat has rolled and must move.
    Move,
    /// A seat must answer a double.
    DoubleOffered,
    /// A seat must answer a resignation.
    ResignationOffered,
    /// The game has ended.
    Over,
}

impl PhaseKind {
    /// The stable code of the phase.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Waiting => "WAITING",
            Self::OpeningRoll => "OPENING_ROLL",
            Self::Roll => "ROLL",
            Self::Move => "MOVE",
            Self::DoubleOffered => "DOUBLE_OFFERED",
            Self::ResignationOffered => "RESIGNATION_OFFERED",
            Self::Over => "OVER",
        }
    }
}

impl fmt::Display for PhaseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Where a turn stands while nothing waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The opening roll is due; nobody is on roll yet.
    OpeningRoll,
    /// The seat may double or roll.
    Roll {
        /// The seat on roll.
        seat: Seat,
    },
    /// The seat has rolled and must move.
    Move {
        /// The seat on roll.
        seat: Seat,
        /// The roll to be played.
        dice: Dice,
        /// Whether it is the opening roll.
        opening: bool,
    },
}

impl Turn {
    /// The seat whose turn it is.
    #[must_use]
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::OpeningRoll => None,
            Self::Roll { seat } | Self::Move { seat, .. } => Some(seat),
        }
    }
}

/// A double that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingDouble {
    /// The seat on roll, who doubled first.
    pub on_roll: Seat,
    /// The cube value if the double is accepted.
    pub value: CubeValue,
    /// How many beavers lie in this exchange: 0 for a plain double.
    pub beavers: u32,
}

impl PendingDouble {
    /// The seat that made the offer which waits: beavers go to and fro.
    #[must_use]
    pub const fn offered_by(self) -> Seat {
        if self.beavers.is_multiple_of(2) { self.on_roll } else { self.on_roll.opponent() }
    }
}

/// A resignation that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingResignation {
    /// The seat that resigns.
    pub offered_by: Seat,
    /// What it gives up.
    pub kind: WinKind,
    /// Where the game goes on if it is declined.
    pub turn: Turn,
}

/// What is to be done next in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The game waits for the seats that are not ready; nobody's time runs.
    Waiting {
        /// Which seats are ready: never both.
        ready: BySeat<bool>,
    },
    /// The turn goes on.
    Turn(Turn),
    /// A double waits for its answer: nothing else is possible (P1).
    DoubleOffered(PendingDouble),
    /// A resignation waits for its answer: nothing else is possible.
    ResignationOffered(PendingResignation),
    /// The game has ended.
    Over(GameResult),
}

/// One game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Number of the game in the match, from 1.
    pub number: u32,
    /// What is to be done next.
    pub phase: Phase,
    /// Number of the turn, from 1.
    pub turn_number: u32,
    /// The checkers.
    pub board: Board,
    /// The cube. While a double waits for its answer: the value before it.
    pub cube: Cube,
    /// Whether this is the Crawford game.
    pub crawford: bool,
    /// Whether a double was accepted in this game: an automatic double is none (Jacoby).
    pub cube_turned: bool,
    /// How many automatic doubles there were.
    pub automatic_doubles: u32,
    /// The largest resignation of each seat that was declined in this turn.
    pub declined: BySeat<Option<WinKind>>,
}

impl Game {
    /// What is to be done next.
    #[must_use]
    pub const fn phase_kind(&self) -> PhaseKind {
        match self.phase {
            Phase::Waiting { .. } => PhaseKind::Waiting,
            Phase::Turn(Turn::OpeningRoll) => PhaseKind::OpeningRoll,
            Phase::Turn(Turn::Roll { .. }) => PhaseKind::Roll,
            Phase::Turn(Turn::Move { .. }) => PhaseKind::Move,
            Phase::DoubleOffered(_) => PhaseKind::DoubleOffered,
            Phase::ResignationOffered(_) => PhaseKind::ResignationOffered,
            Phase::Over(_) => PhaseKind::Over,
        }
    }

    /// The seat that has to act; `None` before the opening roll and after the end.
    #[must_use]
    pub const fn seat_to_act(&self) -> Option<Seat> {
        match self.phase {
            Phase::Turn(turn) => turn.seat(),
            Phase::DoubleOffered(double) => Some(double.offered_by().opponent()),
            Phase::ResignationOffered(resignation) => Some(resignation.offered_by.opponent()),
            Phase::Waiting { .. } | Phase::Over(_) => None,
        }
    }

    /// The seat whose turn it is, whoever has to answer something; `None` before the opening roll and
    /// after the end.
    #[must_use]
    pub const fn seat_on_roll(&self) -> Option<Seat> {
        match self.phase {
            Phase::Turn(turn) | Phase::ResignationOffered(PendingResignation { turn, .. }) => turn.seat(),
            Phase::DoubleOffered(double) => Some(double.on_roll),
            Phase::Waiting { .. } | Phase::Over(_) => None,
        }
    }

    /// The dice of the turn, once rolled and not yet played.
    #[must_use]
    pub const fn dice(&self) -> Option<Dice> {
        match self.phase {
            Phase::Turn(Turn::Move { dice, .. })
            | Phase::ResignationOffered(PendingResignation { turn: Turn::Move { dice, .. }, .. }) => {
                Some(dice)
            }
            _ => None,
        }
    }

    /// Whether the first move or anything in place of it has happened; until then a session may be closed.
    pub(crate) fn has_begun(&self) -> bool {
        self.turn_number > 1 || matches!(self.phase, Phase::DoubleOffered(_) | Phase::ResignationOffered(_))
    }

    /// Whether a seat may take an action as far as phase and turn go.
    pub(crate) fn permits(&self, seat: Seat, action: Action) -> Result<(), Refusal> {
        let phase = self.phase_kind();
        let possible = match action {
            Action::MarkReady => phase == PhaseKind::Waiting,
            // Whose time has run out is for the clocks to say, in any phase in which time runs.
            Action::ClaimTimeout => phase != PhaseKind::Over,
            Action::RollDice => matches!(phase, PhaseKind::OpeningRoll | PhaseKind::Roll),
            Action::SubmitMove => phase == PhaseKind::Move,
            // After the roll a double is late rather than out of place: the cube has its own reasons.
            Action::OfferDouble => matches!(phase, PhaseKind::Roll | PhaseKind::Move),
            Action::AcceptDouble | Action::DeclineDouble | Action::BeaverDouble => {
                phase == PhaseKind::DoubleOffered
            }
            Action::OfferResignation => {
                matches!(phase, PhaseKind::OpeningRoll | PhaseKind::Roll | PhaseKind::Move)
            }
            Action::AcceptResignation | Action::DeclineResignation => phase == PhaseKind::ResignationOffered,
            // What the dice await of whom is a matter of the match, in any phase.
            Action::ContributeEntropy => return Ok(()),
        };
        if !possible {
            return Err(Refusal::WrongPhase { action, phase });
        }
        let either_may = matches!(action, Action::OfferResignation | Action::ClaimTimeout);
        match self.seat_to_act() {
            Some(seat_to_act) if seat != seat_to_act && !either_may => {
                Err(Refusal::NotYourTurn { seat, seat_to_act })
            }
            _ => self.in_time(seat, action),
        }
    }

    /// After a refusal the same or a smaller size may not be offered again in that turn.
    pub(crate) fn may_resign(&self, seat: Seat, kind: WinKind) -> Result<(), Refusal> {
        match self.declined[seat] {
            Some(declined) if kind <= declined => Err(Refusal::ResignationNotAvailable { kind, declined }),
            _ => Ok(()),
        }
    }

    /// A double comes before the roll (A20), and never before the first turn (P2). One is ready once.
    fn in_time(&self, seat: Seat, action: Action) -> Result<(), Refusal> {
        match (action, self.phase) {
            (Action::MarkReady, Phase::Waiting { ready }) if ready[seat] => {
                Err(Refusal::NotYourTurn { seat, seat_to_act: seat.opponent() })
            }
            (Action::OfferDouble, Phase::Turn(Turn::Move { opening: true, .. })) => {
                Err(Refusal::CubeNotAvailable(CubeViolation::OpeningTurn))
            }
            (Action::OfferDouble, Phase::Turn(Turn::Move { .. })) => {
                Err(Refusal::CubeNotAvailable(CubeViolation::AlreadyRolled))
            }
            _ => Ok(()),
        }
    }
}
