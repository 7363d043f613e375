//! What came to the format with limits of time, in files of its own.

use std::num::NonZeroU32;

use chaquete_rules::{
    Automation, BySeat, ClockMode, DiceSource, Event, GameEndReason, GameResult, Length, MatchEndReason,
    MatchPoints, MatchResult, MatchRules, Millis, MoneyRules, Score, Seat, Terms, TimeControl, TimeLimit,
    TimeoutPolicy, Variant, Win, WinKind,
};

use super::golden::{cube, few_checkers};

/// The exact bytes, one entry a line.
pub(super) const LINES: &str = include_str!("../../../../../tests/data/log/golden_v1_time.jsonl");

/// The hashes: of no event yet, then after each line.
pub(super) const HEADS: &str = include_str!("../../../../../tests/data/log/golden_v1_time.heads");

fn clock(reserve: Millis, mode: ClockMode, per_turn: Millis, policy: TimeoutPolicy) -> Option<TimeControl> {
    Some(TimeControl { limit: TimeLimit::Clock { reserve, mode, per_turn }, policy })
}

fn action(limit: Millis, policy: TimeoutPolicy) -> Option<TimeControl> {
    Some(TimeControl { limit: TimeLimit::Action { limit }, policy })
}

/// Terms whose automation is three flags: roll, move, bear off.
fn terms(rules: MatchRules, time: Option<TimeControl>, automation: [bool; 3], ready_check: bool) -> Event {
    let [roll_when_cube_unavailable, play_forced_moves, bear_off_greedily] = automation;
    let players = BySeat::new("u-1".to_owned(), "u-2".to_owned());
    Event::MatchCreated(Box::new(Terms {
        time,
        automation: Automation { roll_when_cube_unavailable, play_forced_moves, bear_off_greedily },
        ready_check,
        ..Terms::new(players, rules, DiceSource::COMMITTED)
    }))
}

fn creations() -> Vec<Event> {
    let points = || MatchRules::points(MatchPoints::new(7).unwrap());
    let few = MatchRules {
        variant: Variant::Hypergammon,
        initial: Some(few_checkers()),
        length: Length::Money(MoneyRules {
            max_games: NonZeroU32::new(3),
            jacoby: true,
            max_beavers: 1,
            max_automatic_doubles: 0,
        }),
        ..MatchRules::money()
    };
    let turned = MatchRules { initial: Some(Variant::Nackgammon.start()), ..points() };
    let usual = clock(840_000, ClockMode::SimpleDelay, 12_000, TimeoutPolicy::ForfeitMatch);
    let fischer = clock(Millis::MAX, ClockMode::Fischer, Millis::MAX, TimeoutPolicy::ForfeitGame);
    let nothing = [false; 3];
    vec![
        terms(points(), usual, [true; 3], true),
        terms(MatchRules::money(), clock(0, ClockMode::Bronstein, 0, TimeoutPolicy::Claim), nothing, false),
        terms(few, fischer, [false, true, false], false),
        terms(turned, action(259_200_000, TimeoutPolicy::Claim), nothing, true),
        terms(points(), action(0, TimeoutPolicy::ForfeitMatch), [false, false, true], false),
        terms(points(), None, [true, false, false], false),
        terms(points(), None, nothing, true),
    ]
}

fn happenings() -> Vec<Event> {
    let odd = "Störung \u{1f50c}: \"aus\"\n\\ \u{2028}\u{7f}";
    let reason = str::to_owned;
    vec![
        Event::PlayerReady { seat: Seat::One },
        Event::PlayerReady { seat: Seat::Two },
        Event::TimeExpired { seat: Seat::Two },
        Event::TimeExpired { seat: Seat::One },
        Event::TimeCredited { duration: 90_500, reason: reason("the service was down") },
        Event::TimeCredited { duration: 0, reason: String::new() },
        Event::TimeCredited { duration: Millis::MAX, reason: reason(odd) },
        Event::MatchPaused { reason: reason(odd) },
        Event::MatchPaused { reason: String::new() },
        Event::MatchResumed,
        Event::SessionClosed,
        Event::Adjudicated { reason: reason(odd), whole_match: true },
        Event::Adjudicated { reason: String::new(), whole_match: false },
    ]
}

fn ends() -> Vec<Event> {
    let won = |seat, kind| Some(Win { seat, kind });
    let game = |number, win, reason, value, points, score| {
        let (cube, jacoby_applied) = (cube(value), false);
        Event::GameEnded(GameResult { number, win, reason, cube, points, jacoby_applied, score })
    };
    let ended = |winner, score, reason| Event::MatchEnded {
        result: MatchResult { winner, score, reason },
        reason: String::new(),
    };
    vec![
        game(1, won(Seat::One, WinKind::Single), GameEndReason::Timeout, 2, 2, Score::new(2, 0)),
        game(2, won(Seat::Two, WinKind::Gammon), GameEndReason::Adjudicated, 1, 2, Score::new(2, 2)),
        game(3, None, GameEndReason::Void, 4, 0, Score::new(2, 2)),
        ended(Some(Seat::Two), Score::new(2, 2), MatchEndReason::Timeout),
        ended(Some(Seat::One), Score::new(0, 6), MatchEndReason::Adjudicated),
        ended(None, Score::default(), MatchEndReason::Adjudicated),
    ]
}

pub(super) fn events() -> Vec<Event> {
    [creations(), happenings(), ends()].concat()
}
