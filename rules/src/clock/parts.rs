//! Clocks taken apart and put together again.

use super::{ClockMode, Clocks, Duty, Millis, Moment, Running, TimeLimit};
use crate::{BadParts, BySeat, Game, PhaseKind, Seat, parts::none_of};

/// What clocks consist of, but for the limit and for whose time runs: both follow from the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockParts {
    /// Reserve of each seat when its clock was last started or stopped.
    pub reserve: BySeat<Millis>,
    /// The turn, or the action of it, for which a clock was last wound; no answer is one.
    pub wound: Option<Duty>,
    /// What was left of its time per turn or action when its clock was last stopped.
    pub allowance: Millis,
    /// The clock that runs; `None` while nobody has to act.
    pub running: Option<RunningParts>,
    /// Since when the clocks stand still, while the match is paused.
    pub paused: Option<Moment>,
}

/// The clock that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningParts {
    /// Since when, time that was given back not counted.
    pub since: Moment,
    /// What was left of the time per turn or action then.
    pub allowance: Millis,
}

impl Clocks {
    pub(crate) fn parts(&self) -> ClockParts {
        let Self { limit: _, reserve, wound, allowance, running, paused } = *self;
        let running = running.map(|Running { duty: _, since, allowance }| RunningParts { since, allowance });
        ClockParts { reserve, wound, allowance, running, paused }
    }

    /// The clocks of a match under this limit that has come to this game, and to this duty in it.
    pub(crate) fn from_parts(
        limit: TimeLimit,
        parts: ClockParts,
        game: Option<&Game>,
        duty: Option<Duty>,
    ) -> Result<Self, BadParts> {
        let ClockParts { reserve, wound, allowance, running, paused } = parts;
        let mut clocks = Self { reserve, wound, allowance, running: None, paused, ..Self::new(limit) };
        clocks.running = match (duty, running) {
            (None, None) => None,
            (Some(duty), Some(RunningParts { since, allowance })) => {
                Some(Running { duty: clocks.task(duty), since, allowance })
            }
            (Some(_), None) => {
                return Err(BadParts { because: "nobody's time runs, though a seat has to act" });
            }
            (None, Some(_)) => return Err(BadParts { because: "time runs, though no seat has to act" }),
        };
        clocks.check_wound(game)?;
        clocks.check_lengths()?;
        Ok(clocks)
    }

    fn check_wound(&self, game: Option<&Game>) -> Result<(), BadParts> {
        let turn_running = self.running.map(|running| running.duty).filter(|duty| !duty.is_answer());
        let latest = game.map_or((0, 0), |game| (game.number, game.turn_number));
        let is_turn = |duty: Duty| matches!(duty.phase, PhaseKind::Roll | PhaseKind::Move);
        none_of([
            (self.wound.is_some_and(|duty| !is_turn(duty)), "a clock wound for what is no turn"),
            (
                self.wound.is_some_and(|duty| self.task(duty) != duty),
                "a clock wound for an action, though each turn has its time",
            ),
            (
                self.wound
                    .is_some_and(|Duty { game, turn, .. }| (game, turn) > latest || game.min(turn) == 0),
                "a clock wound for a turn that has not come",
            ),
            (
                turn_running.is_some() && self.wound != turn_running,
                "a clock runs that was wound for another turn",
            ),
        ])
    }

    fn check_lengths(&self) -> Result<(), BadParts> {
        let allowances = [Some(self.allowance), self.running.map(|running| running.allowance)];
        let agreed = 0..=self.full_allowance();
        let full = Self::new(self.limit).reserve;
        let grows = matches!(self.limit, TimeLimit::Clock { mode: ClockMode::Fischer, .. });
        let reserve_is_good = |seat: Seat| {
            let reserve = self.reserve[seat];
            reserve >= 0 && (grows || reserve <= full[seat])
        };
        none_of([
            (!Seat::BOTH.into_iter().all(reserve_is_good), "a reserve that the limits of time do not allow"),
            (
                !allowances.into_iter().flatten().all(|allowance| agreed.contains(&allowance)),
                "a time per turn or action that the limits of time do not allow",
            ),
        ])
    }
}
