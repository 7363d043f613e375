//! Time limits: whose time runs, when it runs out, and what that costs.
//!
//! Time itself is an argument. A moment is a number of milliseconds since some beginning that the caller
//! chooses once; all that counts here is the difference of two.

mod parts;

use crate::{BySeat, CubeValue, PhaseKind, Seat};

pub use parts::{ClockParts, RunningParts};

/// A moment, in milliseconds.
pub type Moment = i64;

/// A length of time, in milliseconds; never negative.
pub type Millis = i64;

/// Time limits of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    /// The kind of limit.
    pub limit: TimeLimit,
    /// What happens when time runs out.
    pub policy: TimeoutPolicy,
}

/// The kind of limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeLimit {
    /// A clock for each side, which runs while that side has to act.
    Clock {
        /// Reserve of each side for the whole match.
        reserve: Millis,
        /// How `per_turn` is used.
        mode: ClockMode,
        /// The increment or delay of each turn.
        per_turn: Millis,
    },
    /// A deadline for each action (correspondence play).
    Action {
        /// Time for each action.
        limit: Millis,
    },
}

/// How the time per turn works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClockMode {
    /// Simple (US) delay: the reserve starts to run when the time per turn is used up.
    SimpleDelay,
    /// Time used, up to the time per turn, is given back when the seat has acted.
    Bronstein,
    /// The time per turn is added to the reserve before each turn.
    Fischer,
}

/// What happens when time runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeoutPolicy {
    /// The side loses the match at once.
    ForfeitMatch,
    /// The side loses the game, at the value it would lose by declining a double.
    ForfeitGame,
    /// Nothing, until the opponent claims the match.
    Claim,
}

/// The clocks of a match.
///
/// A turn has its time per turn once: a double or a resignation in the middle of it stops the clock, and
/// when the turn goes on it has what was left. Whoever has to answer has a time per turn for the answer.
/// A deadline for each action is the same with nothing in reserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    limit: TimeLimit,
    reserve: BySeat<Millis>,
    /// The turn, or the action of it, that was last wound for, and what is left of its time.
    wound: Option<Duty>,
    allowance: Millis,
    running: Option<Running>,
    paused: Option<Moment>,
}

/// What a seat has to do while its time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duty {
    /// The seat.
    pub seat: Seat,
    /// Number of the game, from 1.
    pub game: u32,
    /// Number of the turn in its game, from 1.
    pub turn: u32,
    /// Which step of the turn: each has a deadline of its own if actions have. With a clock for each side it
    /// is always that of the roll, unless an answer is due.
    pub phase: PhaseKind,
    /// The stake: a double that was accepted begins a new action. With a clock for each side it is always 1,
    /// unless an answer is due.
    pub stake: CubeValue,
}

impl Duty {
    /// Answers are not the turn of the one who answers.
    const fn is_answer(self) -> bool {
        matches!(self.phase, PhaseKind::DoubleOffered | PhaseKind::ResignationOffered)
    }
}

/// The clock that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Running {
    /// As much of the duty as has a time of its own: see [`Clocks::task`].
    duty: Duty,
    since: Moment,
    /// What is left of the time per turn or action.
    allowance: Millis,
}

impl Clocks {
    /// Clocks that stand still, wound for the match.
    #[must_use]
    pub const fn new(limit: TimeLimit) -> Self {
        let reserve = match limit {
            TimeLimit::Clock { reserve, .. } => reserve,
            TimeLimit::Action { .. } => 0,
        };
        let reserve = BySeat::new(reserve, reserve);
        Self { limit, reserve, wound: None, allowance: 0, running: None, paused: None }
    }

    /// Reserve of a seat when its clock was last started or stopped.
    #[must_use]
    pub fn reserve(&self, seat: Seat) -> Millis {
        self.reserve[seat]
    }

    /// The seat whose time runs, and when it runs out. Nobody's does while the match is paused.
    #[must_use]
    pub fn flag(&self) -> Option<(Seat, Moment)> {
        let Running { duty, since, allowance } = self.running.filter(|_| self.paused.is_none())?;
        let free = match self.limit {
            // Bronstein gives back only after the seat has acted.
            TimeLimit::Clock { mode: ClockMode::Bronstein, .. } => 0,
            _ => allowance,
        };
        Some((duty.seat, since.saturating_add(free).saturating_add(self.reserve[duty.seat])))
    }

    /// Since when the time of a seat runs, time that was given back not counted.
    #[must_use]
    pub fn running_since(&self) -> Option<Moment> {
        self.running.map(|running| running.since)
    }

    /// The seat whose time has run out.
    #[must_use]
    pub fn expired(&self, now: Moment) -> Option<Seat> {
        self.flag().filter(|&(_, flag)| now >= flag).map(|(seat, _)| seat)
    }

    /// Lets the time of a seat run for what it has to do, or nobody's.
    pub(crate) fn run(&mut self, duty: Option<Duty>, now: Moment) {
        let task = duty.map(|duty| self.task(duty));
        if self.running.map(|running| running.duty) == task {
            return;
        }
        self.stop(now);
        self.running = task.map(|duty| Running { duty, since: now, allowance: self.wind(duty) });
    }

    /// As much of a duty as has a time of its own.
    const fn task(&self, duty: Duty) -> Duty {
        match self.limit {
            TimeLimit::Clock { .. } if !duty.is_answer() => {
                Duty { phase: PhaseKind::Roll, stake: CubeValue::ONE, ..duty }
            }
            _ => duty,
        }
    }

    /// The time per turn or action that is left for a task.
    fn wind(&mut self, task: Duty) -> Millis {
        if !task.is_answer() {
            if self.wound == Some(task) {
                return self.allowance;
            }
            self.wound = Some(task);
            if let TimeLimit::Clock { mode: ClockMode::Fischer, per_turn, .. } = self.limit {
                self.reserve[task.seat] = self.reserve[task.seat].saturating_add(per_turn);
            }
        }
        self.full_allowance()
    }

    /// The time that each turn or action has beside the reserve.
    const fn full_allowance(&self) -> Millis {
        match self.limit {
            TimeLimit::Action { limit } => limit,
            TimeLimit::Clock { mode: ClockMode::SimpleDelay | ClockMode::Bronstein, per_turn, .. } => {
                per_turn
            }
            TimeLimit::Clock { mode: ClockMode::Fischer, .. } => 0,
        }
    }

    /// Stops the clock that runs, and charges the time it ran.
    fn stop(&mut self, now: Moment) {
        let Some(Running { duty, since, allowance }) = self.running.take() else { return };
        let elapsed = now.saturating_sub(since).max(0);
        let free = elapsed.min(allowance);
        self.reserve[duty.seat] = (self.reserve[duty.seat] - (elapsed - free)).max(0);
        if !duty.is_answer() {
            self.allowance = allowance - free;
        }
    }

    /// Lets the clocks stand still until [`Clocks::resume`].
    pub(crate) fn pause(&mut self, now: Moment) {
        self.paused = Some(now);
    }

    /// Lets the clock go on where it was paused.
    pub(crate) fn resume(&mut self, now: Moment) {
        if let Some(paused) = self.paused.take() {
            self.credit(now.saturating_sub(paused).max(0));
        }
    }

    /// Gives time back to the seat whose time runs.
    pub(crate) fn credit(&mut self, duration: Millis) {
        if let Some(running) = &mut self.running {
            running.since = running.since.saturating_add(duration);
        }
    }
}
