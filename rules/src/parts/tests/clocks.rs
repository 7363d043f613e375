//! Clocks are those of the match.

use super::*;
use crate::{ClockMode, Duty, Millis, PhaseKind, TimeControl, TimeLimit, TimeoutPolicy};

fn timed(limit: TimeLimit, policy: TimeoutPolicy) -> Terms {
    Terms { time: Some(TimeControl { limit, policy }), ..points(5) }
}

fn clock(mode: ClockMode) -> Terms {
    timed(TimeLimit::Clock { reserve: 60_000, mode, per_turn: 5_000 }, TimeoutPolicy::Claim)
}

#[test]
fn clocks_are_those_of_the_limits_of_time() {
    let state = played(&points(5), &first_turn());
    let timed = played(&clock(ClockMode::SimpleDelay), &first_turn());
    let clocks = timed.parts().clocks;
    refused(&state, "clocks, though there are no limits of time", |parts| parts.clocks = clocks);
    refused(&timed, "no clocks, though there are limits of time", |parts| parts.clocks = None);
    refused(&state, "time was given back, though there are no limits of time", |parts| {
        parts.credited = Some(7);
    });
    let not_agreed = "the match and its clocks do not agree whether they are paused";
    refused(&timed, not_agreed, |parts| parts.paused = true);
    refused(&timed, not_agreed, |parts| parts.clocks.as_mut().unwrap().paused = Some(7));
    refused(&timed, "nobody's time runs, though a seat has to act", |parts| {
        parts.clocks.as_mut().unwrap().running = None;
    });
    let running = clocks.unwrap().running;
    refused(&played(&clock(ClockMode::Fischer), &[]), "time runs, though no seat has to act", |parts| {
        parts.clocks.as_mut().unwrap().running = running;
    });
}

#[test]
fn a_clock_is_wound_for_the_turn_that_is_played() {
    let wound = |parts: &mut MatchParts, change: &dyn Fn(&mut Duty)| {
        change(parts.clocks.as_mut().unwrap().wound.as_mut().unwrap());
    };
    let turn = played(&clock(ClockMode::SimpleDelay), &first_turn());
    let answer = doubled(&clock(ClockMode::SimpleDelay));
    let action = doubled(&timed(TimeLimit::Action { limit: 60_000 }, TimeoutPolicy::ForfeitMatch));
    for state in [&turn, &answer, &action] {
        refused(state, "a clock wound for what is no turn", |parts| {
            wound(parts, &|duty| duty.phase = PhaseKind::DoubleOffered);
        });
        let to_come = "a clock wound for a turn that has not come";
        refused(state, to_come, |parts| wound(parts, &|duty| duty.game = 2));
        refused(state, to_come, |parts| wound(parts, &|duty| duty.turn = 3));
        refused(state, to_come, |parts| wound(parts, &|duty| duty.turn = 0));
    }
    for state in [&turn, &answer] {
        let no_turn = "a clock wound for an action, though each turn has its time";
        refused(state, no_turn, |parts| wound(parts, &|duty| duty.phase = PhaseKind::Move));
        refused(state, no_turn, |parts| wound(parts, &|duty| duty.stake = CubeValue::MAX));
    }
    let another = "a clock runs that was wound for another turn";
    refused(&turn, another, |parts| wound(parts, &|duty| duty.seat = ONE));
    refused(&turn, another, |parts| parts.clocks.as_mut().unwrap().wound = None);
}

#[test]
fn lengths_of_time_are_within_the_limits() {
    let reserve =
        |reserve: Millis| move |parts: &mut MatchParts| parts.clocks.as_mut().unwrap().reserve.one = reserve;
    let delay = played(&clock(ClockMode::SimpleDelay), &first_turn());
    let fischer = played(&clock(ClockMode::Fischer), &first_turn());
    let action = timed(TimeLimit::Action { limit: 60_000 }, TimeoutPolicy::Claim);
    let action = played(&action, &first_turn());
    let too_much = "a reserve that the limits of time do not allow";
    refused(&delay, too_much, reserve(60_001));
    refused(&delay, too_much, reserve(-1));
    refused(&fischer, too_much, reserve(-1));
    refused(&action, too_much, reserve(1));
    let mut rich = fischer.parts();
    reserve(Millis::MAX)(&mut rich);
    assert_eq!(reason(Match::from_parts(rich)), None);

    for (state, most) in [(&delay, 5_000), (&fischer, 0), (&action, 60_000)] {
        let because = "a time per turn or action that the limits of time do not allow";
        for wrong in [most + 1, -1] {
            refused(state, because, |parts| parts.clocks.as_mut().unwrap().allowance = wrong);
            refused(state, because, |parts| {
                parts.clocks.as_mut().unwrap().running.as_mut().unwrap().allowance = wrong;
            });
        }
    }
}
