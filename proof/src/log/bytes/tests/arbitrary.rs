//! Any entry there can be, likely or not.

use std::num::NonZeroU32;

use chaquete_rules::{
    Automation, Board, BySeat, ClockMode, Contributing, Contributor, Cube, CubeValue, Dice, DiceCommitment,
    DiceSource, Die, Event, GameEndReason, GameResult, Length, MatchEndReason, MatchPoints, MatchResult,
    MatchRules, Millis, MoneyRules, Move, OpeningRule, Position, Roll, Score, Seat, Setup, SideSetup, Source,
    Step, Terms, TimeControl, TimeLimit, TimeoutPolicy, Variant, Win, WinKind,
};
use proptest::{option, prelude::*, sample::select};
use uuid::Uuid;

use crate::log::{Actor, ActorKind, Entry, Part, Request, bytes::words::Word};

fn word<T: Word + std::fmt::Debug>() -> impl Strategy<Value = T> {
    select(T::ALL)
}

fn seat() -> impl Strategy<Value = Seat> {
    select(Seat::BOTH.to_vec())
}

fn cube_value() -> impl Strategy<Value = CubeValue> {
    (0..=12_u32).prop_map(|log2| CubeValue::from_log2(log2).unwrap())
}

fn dice() -> impl Strategy<Value = Dice> {
    (1..=6_u8, 1..=6_u8).prop_map(|(first, second)| Dice::new(first, second).unwrap())
}

fn score() -> impl Strategy<Value = Score> {
    any::<(u32, u32)>().prop_map(|(one, two)| Score::new(one, two))
}

/// Checkers of both sides, as places: 0 is off, 25 the bar.
fn position() -> impl Strategy<Value = Position> {
    let places = || prop::collection::vec(0..=25_usize, 15);
    let setup = (0..=15_u8, places(), places()).prop_map(|(checkers, mover, opponent)| {
        let side = |places: &[usize], taken: &[u8; 24]| {
            let mut side = SideSetup::default();
            for &place in &places[..usize::from(checkers)] {
                match place {
                    0 => {}
                    25 => side.bar += 1,
                    point if taken[24 - point] == 0 => side.points[point - 1] += 1,
                    _ => {}
                }
            }
            side
        };
        let mover = side(&mover, &[0; 24]);
        Setup { mover, opponent: side(&opponent, &mover.points), checkers }
    });
    setup.prop_filter_map("a position", |setup| setup.position().ok())
}

fn board() -> impl Strategy<Value = Board> {
    (position(), seat()).prop_map(|(position, seat)| Board::from_position(position, seat))
}

fn mv() -> impl Strategy<Value = Move> {
    let step = (1..=25_u8, 1..=6_u8, any::<bool>()).prop_map(|(source, die, hit)| Step {
        source: Source::from_number(source).unwrap(),
        die: Die::new(die).unwrap(),
        hit,
    });
    prop::collection::vec(step, 0..=4).prop_map(|steps| Move::new(&steps).unwrap())
}

fn length() -> impl Strategy<Value = Length> {
    let points = (1..=u8::MAX, any::<bool>()).prop_map(|(points, crawford)| Length::Points {
        points: MatchPoints::new(points).unwrap(),
        crawford,
    });
    let money = any::<(u32, bool, u32, u32)>().prop_map(|(max_games, jacoby, beavers, doubles)| {
        Length::Money(MoneyRules {
            max_games: NonZeroU32::new(max_games),
            jacoby,
            max_beavers: beavers,
            max_automatic_doubles: doubles,
        })
    });
    prop_oneof![points, money]
}

fn duration() -> impl Strategy<Value = Millis> {
    prop_oneof![0..=Millis::MAX, 0..=1_000_000_i64, Just(0), Just(Millis::MAX)]
}

fn time() -> impl Strategy<Value = TimeControl> {
    let clock = (duration(), word::<ClockMode>(), duration())
        .prop_map(|(reserve, mode, per_turn)| TimeLimit::Clock { reserve, mode, per_turn });
    let action = duration().prop_map(|limit| TimeLimit::Action { limit });
    (prop_oneof![clock, action], word::<TimeoutPolicy>())
        .prop_map(|(limit, policy)| TimeControl { limit, policy })
}

fn automation() -> impl Strategy<Value = Automation> {
    any::<(bool, bool, bool)>().prop_map(|(roll, forced, greedily)| Automation {
        roll_when_cube_unavailable: roll,
        play_forced_moves: forced,
        bear_off_greedily: greedily,
    })
}

fn terms() -> impl Strategy<Value = Event> {
    let rules = (length(), word::<Variant>(), cube_value(), word::<OpeningRule>(), option::of(board()));
    let rules = rules.prop_map(|(length, variant, max_cube, opening, initial)| MatchRules {
        length,
        variant,
        max_cube,
        opening,
        initial,
    });
    let manner = (option::of(time()), automation(), any::<bool>());
    (any::<(String, String)>(), rules, source(), manner).prop_map(
        |((one, two), rules, dice, (time, automation, ready_check))| {
            let players = BySeat::new(one, two);
            Event::MatchCreated(Box::new(Terms { players, rules, dice, time, automation, ready_check }))
        },
    )
}

fn source() -> impl Strategy<Value = DiceSource> {
    let contributing = (any::<bool>(), any::<Option<[u8; 32]>>(), 1..=Millis::MAX)
        .prop_map(|(players, creator, timeout)| Contributing::new(players, creator, timeout));
    prop_oneof![
        contributing.prop_map(DiceSource::Committed),
        Just(DiceSource::External),
        Just(DiceSource::Seeded)
    ]
}

fn contribution() -> impl Strategy<Value = Event> {
    let by = prop::sample::select(Contributor::ALL.to_vec());
    (by, any::<([u8; 32], bool)>()).prop_map(|(by, (bytes, is_opening))| match is_opening {
        true => Event::EntropyOpened { by, opening: bytes },
        false => Event::EntropyCommitted { by, commitment: bytes },
    })
}

fn commitment() -> impl Strategy<Value = Event> {
    any::<(String, u32, [u8; 32], [[u8; 32]; 3])>().prop_map(|(key_id, epoch, anchor, commitments)| {
        Event::DiceCommitted(Box::new(DiceCommitment { key_id, epoch, anchor, commitments }))
    })
}

fn start() -> impl Strategy<Value = Event> {
    (board(), any::<bool>(), cube_value(), option::of(seat())).prop_map(|(board, crawford, value, owner)| {
        Event::GameStarted { board, crawford, cube: Cube { value, owner } }
    })
}

fn roll() -> impl Strategy<Value = Event> {
    let roll = (dice(), any::<Option<[u8; 32]>>()).prop_map(|(dice, link)| Roll { dice, link });
    (option::of(seat()), roll, any::<(u32, bool, bool)>()).prop_map(|(seat, roll, rest)| {
        let (index, opening, automatic_double) = rest;
        Event::DiceRolled { seat, roll, index, opening, automatic_double }
    })
}

fn game_end() -> impl Strategy<Value = Event> {
    let win = (seat(), word::<WinKind>()).prop_map(|(seat, kind)| Win { seat, kind });
    let how = (option::of(win), word::<GameEndReason>(), cube_value());
    (any::<(u32, u32, bool)>(), how, score()).prop_map(|((number, points, jacoby_applied), how, score)| {
        let (win, reason, cube) = how;
        Event::GameEnded(GameResult { number, win, reason, cube, points, jacoby_applied, score })
    })
}

fn match_end() -> impl Strategy<Value = Event> {
    let result = (option::of(seat()), score(), word::<MatchEndReason>());
    let result = result.prop_map(|(winner, score, reason)| MatchResult { winner, score, reason });
    (result, any::<String>()).prop_map(|(result, reason)| Event::MatchEnded { result, reason })
}

/// Events with nothing but a seat, if that, and perhaps a cube value or a kind.
fn small() -> impl Strategy<Value = Event> {
    (0..13_u8, seat(), cube_value(), word::<WinKind>()).prop_map(|(which, seat, value, kind)| match which {
        0 => Event::TurnForfeited { seat },
        1 => Event::DoubleOffered { seat, value },
        2 => Event::DoubleAccepted { seat, value },
        3 => Event::DoubleDeclined { seat },
        4 => Event::DoubleBeavered { seat, value },
        5 => Event::ResignationOffered { seat, kind },
        6 => Event::ResignationAccepted { seat },
        7 => Event::ResignationDeclined { seat },
        8 => Event::PlayerReady { seat },
        9 => Event::TimeExpired { seat },
        10 => Event::MatchResumed,
        11 => Event::MatchUpdated,
        _ => Event::SessionClosed,
    })
}

/// Events with a reason in anybody's words.
fn explained() -> impl Strategy<Value = Event> {
    (0..3_u8, any::<String>(), duration(), any::<bool>()).prop_map(
        |(which, reason, duration, whole_match)| match which {
            0 => Event::TimeCredited { duration, reason },
            1 => Event::MatchPaused { reason },
            _ => Event::Adjudicated { reason, whole_match },
        },
    )
}

fn event() -> impl Strategy<Value = Event> {
    let played = (seat(), mv(), position()).prop_map(|(seat, mv, after)| Event::MoveMade { seat, mv, after });
    prop_oneof![
        1 => terms(),
        1 => commitment(),
        1 => contribution(),
        1 => start(),
        1 => roll(),
        1 => played,
        1 => game_end(),
        1 => match_end(),
        3 => small(),
        1 => explained(),
    ]
}

fn actor() -> impl Strategy<Value = Actor> {
    let subject = prop_oneof![any::<String>(), "[ -~]{0,12}"];
    (word::<ActorKind>(), option::of(seat()), subject).prop_map(|(kind, seat, subject)| Actor {
        kind,
        seat,
        subject,
    })
}

fn part() -> impl Strategy<Value = Part> {
    let id = any::<u128>().prop_map(Uuid::from_u128);
    let request = (id.clone(), any::<[u8; 32]>()).prop_map(|(id, digest)| Request { id, digest });
    prop_oneof![
        (any::<NonZeroU32>(), option::of(request))
            .prop_map(|(events, request)| Part::First { events, request }),
        option::of(id).prop_map(|request_id| Part::Later { request_id }),
    ]
}

/// Any entry.
pub(super) fn entry() -> impl Strategy<Value = Entry> {
    (any::<(u32, u32, i64, u32)>(), actor(), part(), event()).prop_map(|(numbers, actor, part, event)| {
        let (rules, revision, time, game) = numbers;
        Entry { rules, revision, time, actor, game, part, event }
    })
}
