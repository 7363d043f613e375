//! Time limits, clocks and automation.

use std::{ops::RangeInclusive, time::Duration};

use chaquete_proto::v1::{self, time_control::Control};
use chaquete_rules::{Automation, Clocks, DiceSource, Millis, Seat, TimeControl, TimeLimit};

use super::{
    scalar,
    violations::{Path, Violations},
    words,
};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MINUTE: Duration = Duration::from_secs(60);

/// The longest reserve, and the longest deadline of an action.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Reserves a clock can have: more than nothing, so that nobody has lost before the first turn.
const RESERVES: RangeInclusive<Duration> = Duration::from_millis(1)..=LONGEST;
const TIMES_PER_TURN: RangeInclusive<Duration> = Duration::ZERO..=DAY;
const ACTION_LIMITS: RangeInclusive<Duration> = MINUTE..=LONGEST;

/// The limits that a caller wants; `None` inside if it wants none.
pub fn read_time_control(
    violations: &mut Violations,
    path: Path<'_>,
    control: &v1::TimeControl,
) -> Option<Option<TimeControl>> {
    let policy = scalar::known(violations, path.field("timeout_policy"), control.timeout_policy)
        .map(words::read_timeout_policy);
    let limit = match &control.control {
        None => return policy.map(|_| None),
        Some(Control::Clock(clock)) => read_clock(violations, path.field("clock"), clock),
        Some(Control::ActionDeadline(deadline)) => {
            let path = path.field("action_deadline");
            let limit = required(violations, path.field("limit"), deadline.limit.as_ref(), ACTION_LIMITS);
            limit.map(|limit| TimeLimit::Action { limit })
        }
    };
    Some(Some(TimeControl { limit: limit?, policy: policy? }))
}

fn read_clock(violations: &mut Violations, path: Path<'_>, clock: &v1::ClockControl) -> Option<TimeLimit> {
    let mode = scalar::known(violations, path.field("mode"), clock.mode).map(words::read_clock_mode);
    let reserve = required(violations, path.field("reserve"), clock.reserve.as_ref(), RESERVES);
    let per_turn =
        scalar::millis(violations, path.field("per_turn"), clock.per_turn.as_ref(), TIMES_PER_TURN);
    Some(TimeLimit::Clock { reserve: reserve?, mode: mode?, per_turn: per_turn?.unwrap_or(0) })
}

fn required(
    violations: &mut Violations,
    path: Path<'_>,
    given: Option<&prost_types::Duration>,
    bounds: RangeInclusive<Duration>,
) -> Option<Millis> {
    violations.check(given.is_some(), path, "is required");
    scalar::millis(violations, path, given, bounds)?
}

/// The limits of a match.
#[must_use]
pub fn time_control(control: TimeControl) -> v1::TimeControl {
    let limit = match control.limit {
        TimeLimit::Clock { reserve, mode, per_turn } => Control::Clock(v1::ClockControl {
            reserve: Some(scalar::time_span(reserve)),
            mode: words::clock_mode(mode).into(),
            per_turn: (per_turn != 0).then(|| scalar::time_span(per_turn)),
        }),
        TimeLimit::Action { limit } => {
            Control::ActionDeadline(v1::ActionDeadline { limit: Some(scalar::time_span(limit)) })
        }
    };
    v1::TimeControl { control: Some(limit), timeout_policy: words::timeout_policy(control.policy).into() }
}

/// What a caller wants the server to do without being asked.
pub fn read_automation(
    violations: &mut Violations,
    path: Path<'_>,
    automation: Option<v1::Automation>,
    source: Option<DiceSource>,
) -> Automation {
    let automation = automation.unwrap_or_default();
    violations.check(
        !automation.roll_when_cube_unavailable || source != Some(DiceSource::External),
        path.field("roll_when_cube_unavailable"),
        "must not be set with DICE_SOURCE_EXTERNAL: the server cannot roll those dice",
    );
    Automation {
        roll_when_cube_unavailable: automation.roll_when_cube_unavailable,
        play_forced_moves: automation.play_forced_moves,
        bear_off_greedily: automation.bear_off_greedily,
    }
}

/// What the server does in a match without being asked, if it does anything.
#[must_use]
pub fn automation(automation: Automation) -> Option<v1::Automation> {
    (automation != Automation::NONE).then_some(v1::Automation {
        roll_when_cube_unavailable: automation.roll_when_cube_unavailable,
        play_forced_moves: automation.play_forced_moves,
        bear_off_greedily: automation.bear_off_greedily,
    })
}

/// The clocks of both seats.
///
/// The answer holds no time that passes: the same match has the same clocks whenever it is told.
#[must_use]
pub fn seat_clocks(limit: TimeLimit, clocks: &Clocks) -> Vec<v1::SeatClock> {
    let clock = |seat| v1::SeatClock {
        seat: words::seat(seat).into(),
        reserve: match limit {
            TimeLimit::Clock { .. } => Some(scalar::time_span(clocks.reserve(seat))),
            TimeLimit::Action { .. } => None,
        },
        flag_time: clocks
            .flag()
            .filter(|&(running, _)| running == seat)
            .map(|(_, flag)| scalar::timestamp(flag)),
    };
    Seat::BOTH.map(clock).into()
}

#[cfg(test)]
mod tests {
    use chaquete_rules::{ClockMode, TimeoutPolicy};

    use super::*;

    const MODES: [ClockMode; 3] = [ClockMode::SimpleDelay, ClockMode::Bronstein, ClockMode::Fischer];
    const POLICIES: [TimeoutPolicy; 3] =
        [TimeoutPolicy::ForfeitMatch, TimeoutPolicy::ForfeitGame, TimeoutPolicy::Claim];

    fn read(control: &v1::TimeControl) -> Result<Option<TimeControl>, Vec<String>> {
        let mut violations = Violations::default();
        let read = read_time_control(&mut violations, Path::root("t"), control);
        let told = |bad: super::super::violations::BadRequest| {
            bad.violations.iter().map(|it| format!("{}: {}", it.field, it.description)).collect()
        };
        violations.finish(read).map_err(told)
    }

    const fn span(seconds: i64, nanos: i32) -> Option<prost_types::Duration> {
        Some(prost_types::Duration { seconds, nanos })
    }

    fn of_clock(clock: v1::ClockControl) -> v1::TimeControl {
        v1::TimeControl { control: Some(Control::Clock(clock)), timeout_policy: 0 }
    }

    #[test]
    fn what_is_written_reads_the_same() {
        let limits = MODES
            .iter()
            .flat_map(|&mode| {
                [0, 1, 12_345].map(|per_turn| TimeLimit::Clock { reserve: 90_001, mode, per_turn })
            })
            .chain([60_000, 2_592_000_000].map(|limit| TimeLimit::Action { limit }));
        for limit in limits {
            for policy in POLICIES {
                let control = TimeControl { limit, policy };
                assert_eq!(read(&time_control(control)), Ok(Some(control)));
            }
        }
        for number in 0..8 {
            let wanted = Automation {
                roll_when_cube_unavailable: number & 1 != 0,
                play_forced_moves: number & 2 != 0,
                bear_off_greedily: number & 4 != 0,
            };
            let mut violations = Violations::default();
            let told = automation(wanted);
            assert_eq!(told.is_none(), number == 0, "nothing is told as nothing");
            let source = Some(DiceSource::COMMITTED);
            assert_eq!(read_automation(&mut violations, Path::root("a"), told, source), wanted);
            assert!(violations.finish(Some(())).is_ok());
        }
    }

    #[test]
    fn what_is_left_out_is_filled_in() {
        assert_eq!(read(&v1::TimeControl::default()), Ok(None));
        let plain = of_clock(v1::ClockControl { reserve: span(60, 0), ..v1::ClockControl::default() });
        let limit = TimeLimit::Clock { reserve: 60_000, mode: ClockMode::SimpleDelay, per_turn: 0 };
        assert_eq!(read(&plain), Ok(Some(TimeControl { limit, policy: TimeoutPolicy::ForfeitMatch })));
    }

    #[test]
    fn times_have_their_bounds_and_whole_milliseconds() {
        let clock = |reserve, per_turn| read(&of_clock(v1::ClockControl { reserve, mode: 3, per_turn }));
        assert!(clock(span(0, 1_000_000), span(0, 0)).is_ok());
        assert!(clock(span(2_592_000, 0), span(86_400, 0)).is_ok());
        assert_eq!(
            clock(span(0, 0), span(86_400, 1_000_000)),
            Err(vec![
                "t.clock.reserve: must be from 0.001 s to 2592000 s".to_owned(),
                "t.clock.per_turn: must be from 0 s to 86400 s".to_owned(),
            ])
        );
        assert_eq!(
            clock(span(60, 1), span(12, 500_000)),
            Err(vec![
                "t.clock.reserve: must be in whole milliseconds".to_owned(),
                "t.clock.per_turn: must be in whole milliseconds".to_owned(),
            ])
        );
        assert!(clock(span(-1, 0), span(0, -1)).is_err());
        let deadline = |limit| {
            let control = Some(Control::ActionDeadline(v1::ActionDeadline { limit }));
            read(&v1::TimeControl { control, timeout_policy: 3 })
        };
        assert!(deadline(span(60, 0)).is_ok() && deadline(span(2_592_000, 0)).is_ok());
        for wrong in [None, span(59, 999_000_000), span(2_592_000, 1_000_000), span(60, 999)] {
            assert!(deadline(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn everything_wrong_is_told_at_once() {
        let clock = v1::ClockControl { mode: 4, reserve: None, per_turn: span(-1, 0) };
        let wrong = v1::TimeControl { control: Some(Control::Clock(clock)), timeout_policy: 4 };
        let fields: Vec<_> = read(&wrong)
            .expect_err("nothing is right")
            .into_iter()
            .map(|it| it.split(':').next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(fields, ["t.timeout_policy", "t.clock.mode", "t.clock.reserve", "t.clock.per_turn"]);
    }

    #[test]
    fn external_dice_cannot_be_rolled_here() {
        let rolling = v1::Automation { roll_when_cube_unavailable: true, ..v1::Automation::default() };
        for (source, count) in [
            (Some(DiceSource::External), 1),
            (Some(DiceSource::COMMITTED), 0),
            (Some(DiceSource::Seeded), 0),
            (None, 0),
        ] {
            let mut violations = Violations::default();
            read_automation(&mut violations, Path::root("a"), Some(rolling), source);
            let found = violations.finish(None::<()>).expect_err("nothing was read").violations;
            assert_eq!(found.len(), count, "{source:?}");
        }
    }
}
