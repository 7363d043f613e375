//! Why the rules refuse something: one variant a rule, each with a stable code.

use std::fmt;

use crate::{Action, Awaited, Contributor, Moment, PhaseKind, Seat, WinKind};

/// A rule of play that a submitted move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveViolation {
    /// No checker of the mover stands where a step begins.
    NoChecker,
    /// A checker is on the bar and another one was moved first (A14).
    BarFirst,
    /// The target holds two or more opposing checkers (A12).
    PointBlocked,
    /// No remaining die has the length of the step (A7).
    DieNotAvailable,
    /// A checker was borne off while another is outside the home board (A16).
    NotAllHome,
    /// A larger die was used to bear off although a checker stands higher (A17).
    HigherCheckerExists,
    /// More dice could have been played (A9).
    MustUseMoreDice,
    /// Either die, but not both, could be played, and the smaller was (A10).
    MustUseLargerDie,
    /// A step goes backward or has no length (A6).
    WrongDirection,
    /// The text fits two different legal results: the points between must be written.
    Ambiguous,
    /// The move has more steps than the roll has dice (A8).
    TooManySteps,
}

impl MoveViolation {
    /// The stable code of the rule.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoChecker => "NO_CHECKER",
            Self::BarFirst => "BAR_FIRST",
            Self::PointBlocked => "POINT_BLOCKED",
            Self::DieNotAvailable => "DIE_NOT_AVAILABLE",
            Self::NotAllHome => "NOT_ALL_HOME",
            Self::HigherCheckerExists => "HIGHER_CHECKER_EXISTS",
            Self::MustUseMoreDice => "MUST_USE_MORE_DICE",
            Self::MustUseLargerDie => "MUST_USE_LARGER_DIE",
            Self::WrongDirection => "WRONG_DIRECTION",
            Self::Ambiguous => "AMBIGUOUS",
            Self::TooManySteps => "TOO_MANY_STEPS",
        }
    }
}

impl fmt::Display for MoveViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoChecker => "no checker of the mover stands there",
            Self::BarFirst => "checkers on the bar must enter first",
            Self::PointBlocked => "the point is blocked by two or more opposing checkers",
            Self::DieNotAvailable => "no die that is left has this length",
            Self::NotAllHome => "bearing off begins only when all checkers are in the home board",
            Self::HigherCheckerExists => "a checker on a higher point must be moved with this die",
            Self::MustUseMoreDice => "more dice can be played, so they must be",
            Self::MustUseLargerDie => "only one die can be played, so it must be the larger",
            Self::WrongDirection => "checkers only move towards the own home board",
            Self::Ambiguous => "two different moves are written like this: write the points between",
            Self::TooManySteps => "there are more steps than dice",
        })
    }
}

/// A reason why the cube may not be turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CubeViolation {
    /// The opponent owns the cube (A22).
    NotOwner,
    /// There is no doubling in the Crawford game.
    CrawfordGame,
    /// The dice have been rolled (A20).
    AlreadyRolled,
    /// The cube is at its limit (S8).
    LimitReached,
    /// The match is played without a cube (S7).
    Disabled,
    /// The present stake already wins the match for the one who would double (S9).
    DeadCube,
    /// Beavers are off or used up.
    BeaverNotAllowed,
    /// The opening roll is played as it lies: no double before the first turn was played.
    OpeningTurn,
}

impl CubeViolation {
    /// The stable code of the rule.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotOwner => "NOT_OWNER",
            Self::CrawfordGame => "CRAWFORD_GAME",
            Self::AlreadyRolled => "ALREADY_ROLLED",
            Self::LimitReached => "LIMIT_REACHED",
            Self::Disabled => "DISABLED",
            Self::DeadCube => "DEAD_CUBE",
            Self::BeaverNotAllowed => "BEAVER_NOT_ALLOWED",
            Self::OpeningTurn => "OPENING_TURN",
        }
    }
}

impl fmt::Display for CubeViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotOwner => "the opponent owns the cube",
            Self::CrawfordGame => "there is no doubling in the Crawford game",
            Self::AlreadyRolled => "the dice have been rolled",
            Self::LimitReached => "the cube is at its limit",
            Self::Disabled => "the match is played without a cube",
            Self::DeadCube => "the present stake already wins the match for the doubler",
            Self::BeaverNotAllowed => "beavers are off or used up",
            Self::OpeningTurn => "there is no double before the first turn was played",
        })
    }
}

/// Why a command is refused. Nothing changes when it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The match has ended.
    MatchNotActive,
    /// The action is not possible in this phase, whoever asks for it.
    WrongPhase {
        /// What was asked for.
        action: Action,
        /// The phase of the game.
        phase: PhaseKind,
    },
    /// The action is possible now, but for the other seat.
    NotYourTurn {
        /// The seat that asked.
        seat: Seat,
        /// The seat that has to act.
        seat_to_act: Seat,
    },
    /// The move breaks a rule.
    IllegalMove(IllegalMove),
    /// The cube may not be turned.
    CubeNotAvailable(CubeViolation),
    /// A resignation at least as large was declined in this turn.
    ResignationNotAvailable {
        /// What was offered.
        kind: WinKind,
        /// The largest offer that was declined in this turn.
        declined: WinKind,
    },
    /// The match is paused.
    MatchPaused,
    /// The match is not paused.
    MatchNotPaused,
    /// Time has run out for the seat that had to act: it is too late for any action.
    TimeExpired {
        /// The seat.
        seat: Seat,
    },
    /// Time has not run out for the opponent of the one who claims.
    TimeNotExpired {
        /// When it will; `None` if no time of the opponent runs.
        flag: Option<Moment>,
    },
    /// No time runs that could be given back, or none is given.
    NothingToCredit,
    /// A session is closed only between two games, and only money sessions are.
    SessionNotClosable,
    /// Nothing of this kind is awaited of this contributor to the dice.
    NotAwaited {
        /// Who wanted to contribute.
        by: Contributor,
        /// What is awaited of it instead, if anything is.
        awaited: Option<Awaited>,
    },
    /// What is to open a contribution to the dice is not what was committed to.
    WrongOpening {
        /// Whose it is.
        by: Contributor,
    },
    /// Contributions to the dice are missing, and it is too late for any.
    ContributionsLate,
    /// Dice were given though the server rolls, or none were given for external dice.
    DiceNotAccepted,
}

/// A move that breaks a rule, and where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The rule.
    pub violation: MoveViolation,
    /// The step that breaks it, from 0, in the order in which the move was given; the number of steps if
    /// what breaks the rule is that no further step follows.
    pub step: usize,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step + 1, self.violation)
    }
}

impl std::error::Error for IllegalMove {}

impl Refusal {
    /// The stable code of the rule: the most exact there is.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::IllegalMove(illegal) => illegal.violation.code(),
            Self::CubeNotAvailable(violation) => violation.code(),
            Self::MatchNotActive => "MATCH_NOT_ACTIVE",
            Self::WrongPhase { .. } => "WRONG_PHASE",
            Self::NotYourTurn { .. } => "NOT_YOUR_TURN",
            Self::ResignationNotAvailable { .. } => "RESIGNATION_NOT_AVAILABLE",
            Self::MatchPaused => "MATCH_PAUSED",
            Self::MatchNotPaused => "MATCH_NOT_PAUSED",
            Self::TimeExpired { .. } => "TIME_EXPIRED",
            Self::TimeNotExpired { .. } => "TIME_NOT_EXPIRED",
            Self::NothingToCredit => "NOTHING_TO_CREDIT",
            Self::SessionNotClosable => "SESSION_NOT_CLOSABLE",
            Self::NotAwaited { .. } => "ENTROPY_NOT_AWAITED",
            Self::WrongOpening { .. } => "WRONG_OPENING",
            Self::ContributionsLate => "CONTRIBUTIONS_LATE",
            Self::DiceNotAccepted => "DICE_NOT_ACCEPTED",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MatchNotActive => f.write_str("the match has ended"),
            Self::WrongPhase { action, phase } => write!(f, "{action} is not possible in phase {phase}"),
            Self::NotYourTurn { seat, seat_to_act } => {
                write!(f, "seat {} cannot act: it is for seat {} to act", seat.number(), seat_to_act.number())
            }
            Self::IllegalMove(illegal) => illegal.fmt(f),
            Self::CubeNotAvailable(violation) => violation.fmt(f),
            Self::ResignationNotAvailable { kind, declined } => {
                write!(f, "a resignation as {kind} cannot be offered: {declined} was declined in this turn")
            }
            Self::MatchPaused => f.write_str("the match is paused"),
            Self::MatchNotPaused => f.write_str("the match is not paused"),
            Self::TimeExpired { seat } => write!(f, "the time of seat {} has run out", seat.number()),
            Self::TimeNotExpired { .. } => f.write_str("the time of the opponent has not run out"),
            Self::NothingToCredit => f.write_str("no time runs that could be given back, or none is given"),
            Self::SessionNotClosable => {
                f.write_str("only a money session can be closed, and only before the first move of a game")
            }
            Self::NotAwaited { by, awaited: Some(awaited) } => {
                write!(f, "the dice await the {awaited} of {by}, and nothing else of it")
            }
            Self::NotAwaited { by, awaited: None } => write!(f, "the dice await nothing of {by} now"),
            Self::WrongOpening { by } => {
                write!(f, "these bytes are not what {by} has committed to with its contribution to the dice")
            }
            Self::ContributionsLate => f.write_str("the time for contributions to the dice has run out"),
            Self::DiceNotAccepted => {
                f.write_str("dice are given with every roll of external dice, and never otherwise")
            }
        }
    }
}

impl std::error::Error for Refusal {}
