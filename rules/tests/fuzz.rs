//! Nothing that comes from outside makes the rules panic, and what they refuse changes nothing.
#![expect(clippy::unwrap_used, reason = "a test stops where its data is not as expected")]

mod common {
    pub(crate) mod fuzz;
    pub(crate) mod hard;
    pub(crate) mod numbers;
    pub(crate) mod random;
}

use chaquete_rules::{
    Automation, BySeat, ClockMode, Command, CubeValue, Dice, DiceSource, Die, LegalMoves, Length, Match,
    MatchPoints, MatchRules, Millis, MoneyRules, Move, OpeningRule, Seat, Setup, SetupError, SideSetup,
    Source, Target, Terms, TimeControl, TimeLimit, TimeoutPolicy, Variant, Win, WinKind, Written,
    WrittenStep, create, decide, evolve,
};
use common::fuzz::{fuzz, texts};
use common::hard::hard_position;
use common::numbers::position;
use common::random::Random;
use proptest::prelude::*;

fn die() -> impl Strategy<Value = Die> {
    (1..=6_u8).prop_map(|pips| Die::new(pips).unwrap())
}

fn dice() -> impl Strategy<Value = Dice> {
    (die(), die()).prop_map(|(first, second)| Dice { first, second })
}

/// Steps as a message may have them, most of them impossible.
fn steps() -> impl Strategy<Value = Written> {
    let step =
        (1..=25_u8, 0..=24_u8, prop::option::of(die())).prop_map(|(source, target, die)| WrittenStep {
            source: Source::from_number(source).unwrap(),
            target: Target::from_number(target).unwrap(),
            die,
        });
    prop::collection::vec(step, 0..6).prop_map(Written::from_steps)
}

fn written() -> impl Strategy<Value = Written> {
    prop_oneof![texts("notation.txt").prop_filter_map("no notation", |text| text.parse().ok()), steps()]
}

#[test]
fn notation() {
    fuzz(&(texts("notation.txt"), any::<u64>(), dice()), |(text, seed, dice)| {
        let Ok(written) = text.parse::<Written>() else { return };
        let start = position(&hard_position(&mut Random(seed))).unwrap();
        let legal = LegalMoves::new(start, dice);
        if let Ok(found) = legal.resolve(&written) {
            assert!(legal.is_empty() || legal.iter().any(|legal| legal.after == found.after));
            let again = legal.resolve(&found.mv.to_string().parse().unwrap()).unwrap();
            assert_eq!(again.after, found.after, "what is printed is read as the same");
        }
    });
}

#[test]
fn steps_of_a_message() {
    fuzz(&(steps(), any::<u64>(), dice()), |(written, seed, dice)| {
        let start = position(&hard_position(&mut Random(seed))).unwrap();
        let legal = LegalMoves::new(start, dice);
        match legal.resolve(&written) {
            Ok(found) if found.mv == Move::EMPTY => assert_eq!(found.after, start),
            Ok(found) => assert!(legal.iter().any(|legal| legal.after == found.after)),
            Err(illegal) => assert!(illegal.step <= written.steps().count()),
        }
    });
}

#[test]
fn setups() {
    let count = || prop_oneof![8 => Just(0_u8), 3 => 1..=5_u8, 1 => any::<u8>()];
    let side = || {
        (prop::array::uniform24(count()), count(), prop::option::of(count()))
            .prop_map(|(points, bar, off)| SideSetup { points, bar, off })
    };
    let checkers = prop_oneof![4 => Just(15_u8), 1 => any::<u8>()];
    fuzz(&(side(), side(), checkers, dice()), |(mover, opponent, checkers, dice)| {
        match (Setup { mover, opponent, checkers }).position() {
            Ok(position) => {
                let legal = LegalMoves::new(position, dice);
                assert_eq!(legal.graph().nodes.len() == 1, legal.is_empty());
                assert!(
                    legal.iter().all(|legal| legal.after.mover().checkers() == position.mover().checkers())
                );
            }
            Err(errors) => {
                assert!(!errors.is_empty());
                let texts = errors.iter().map(SetupError::to_string);
                assert!(texts.into_iter().all(|text| !text.is_empty()));
            }
        }
    });
}

fn seat() -> impl Strategy<Value = Seat> {
    prop::sample::select(Seat::BOTH.to_vec())
}

fn kind() -> impl Strategy<Value = WinKind> {
    prop::sample::select(vec![WinKind::Single, WinKind::Gammon, WinKind::Backgammon])
}

/// Lengths of time from nothing to ages.
fn duration() -> impl Strategy<Value = Millis> {
    prop_oneof![4 => 0..100_000_i64, 1 => 0..(1_i64 << 45)]
}

fn length() -> impl Strategy<Value = Length> {
    let money = (0..4_u32, any::<bool>(), 0..4_u32, 0..4_u32).prop_map(
        |(games, jacoby, max_beavers, max_automatic_doubles)| {
            let max_games = games.try_into().ok();
            Length::Money(MoneyRules { max_games, jacoby, max_beavers, max_automatic_doubles })
        },
    );
    let points = (1..=255_u8, any::<bool>()).prop_map(|(points, crawford)| Length::Points {
        points: MatchPoints::new(points).unwrap(),
        crawford,
    });
    prop_oneof![money, points]
}

fn rules() -> impl Strategy<Value = MatchRules> {
    let opening =
        prop::sample::select(vec![OpeningRule::Standard, OpeningRule::SeatOne, OpeningRule::SeatTwo]);
    let variant = prop::sample::select(Variant::ALL.to_vec());
    let max_cube = (0..=12_u32).prop_map(|log2| CubeValue::from_log2(log2).unwrap());
    (length(), variant, max_cube, opening).prop_map(|(length, variant, max_cube, opening)| MatchRules {
        length,
        variant,
        max_cube,
        opening,
        initial: None,
    })
}

fn time() -> impl Strategy<Value = TimeControl> {
    let mode = prop::sample::select(vec![ClockMode::SimpleDelay, ClockMode::Bronstein, ClockMode::Fischer]);
    let clock = (duration(), mode, duration()).prop_map(|(reserve, mode, per_turn)| TimeLimit::Clock {
        reserve,
        mode,
        per_turn,
    });
    let limit = prop_oneof![clock, duration().prop_map(|limit| TimeLimit::Action { limit })];
    let policy = prop::sample::select(vec![
        TimeoutPolicy::ForfeitMatch,
        TimeoutPolicy::ForfeitGame,
        TimeoutPolicy::Claim,
    ]);
    (limit, policy).prop_map(|(limit, policy)| TimeControl { limit, policy })
}

fn terms() -> impl Strategy<Value = Terms> {
    (rules(), prop::option::of(time()), any::<[bool; 4]>()).prop_map(|(rules, time, flags)| Terms {
        time,
        automation: Automation {
            roll_when_cube_unavailable: flags[0],
            play_forced_moves: flags[1],
            bear_off_greedily: flags[2],
        },
        ready_check: flags[3],
        ..Terms::new(BySeat::new("a".to_owned(), "b".to_owned()), rules, DiceSource::External)
    })
}

/// What is tried: any command at all, or the nth legal move, without which no game would get far.
#[derive(Clone, Debug)]
enum Attempt {
    Any(Command),
    LegalMove(prop::sample::Index),
}

fn command() -> impl Strategy<Value = Command> {
    let text = || any::<String>();
    let win = (seat(), kind()).prop_map(|(seat, kind)| Win { seat, kind });
    prop_oneof![
        6 => (seat(), prop::option::weighted(0.95, dice())).prop_map(|(seat, dice)| Command::Roll { seat, dice }),
        2 => (seat(), written()).prop_map(|(seat, written)| Command::Move { seat, written }),
        2 => seat().prop_map(|seat| Command::Double { seat }),
        2 => seat().prop_map(|seat| Command::AcceptDouble { seat }),
        1 => seat().prop_map(|seat| Command::DeclineDouble { seat }),
        1 => seat().prop_map(|seat| Command::Beaver { seat }),
        1 => (seat(), kind()).prop_map(|(seat, kind)| Command::OfferResignation { seat, kind }),
        1 => seat().prop_map(|seat| Command::AcceptResignation { seat }),
        1 => seat().prop_map(|seat| Command::DeclineResignation { seat }),
        2 => seat().prop_map(|seat| Command::MarkReady { seat }),
        1 => seat().prop_map(|seat| Command::ClaimTimeout { seat }),
        1 => Just(Command::Expire),
        1 => (duration(), text()).prop_map(|(duration, reason)| Command::CreditTime { duration, reason }),
        1 => text().prop_map(|reason| Command::Pause { reason }),
        2 => Just(Command::Resume),
        1 => Just(Command::CloseSession),
        1 => (prop::option::of(win), text()).prop_map(|(win, reason)| Command::AdjudicateGame { win, reason }),
    ]
}

fn attempts() -> impl Strategy<Value = Vec<(Attempt, Millis)>> {
    let attempt = prop_oneof![
        2 => command().prop_map(Attempt::Any),
        1 => any::<prop::sample::Index>().prop_map(Attempt::LegalMove)
    ];
    let later = prop_oneof![20 => 0..2_000_i64, 1 => duration()];
    prop::collection::vec((attempt, later), 1..120)
}

fn nth_legal_move(state: &Match, nth: prop::sample::Index) -> Option<Command> {
    let game = state.game()?;
    let seat = game.seat_to_act()?;
    let legal = LegalMoves::new(game.board.position(seat), game.dice()?);
    let chosen = legal.iter().nth(nth.index(legal.len().max(1)))?;
    Some(Command::Move { seat, written: chosen.mv.to_string().parse().unwrap() })
}

#[test]
fn random_commands_on_random_states() {
    fuzz(&(terms(), attempts()), |(terms, attempts)| {
        let mut state = Match::new(terms.clone());
        for event in &create(terms, None, 0).events[1..] {
            evolve(&mut state, event, 0).unwrap();
        }
        let mut now = 0;
        for (attempt, later) in attempts {
            now += later;
            let command = match attempt {
                Attempt::Any(command) => command,
                Attempt::LegalMove(nth) => match nth_legal_move(&state, nth) {
                    Some(command) => command,
                    None => continue,
                },
            };
            let before = state.clone();
            match decide(&state, &command, None, now) {
                // What is decided can happen.
                Ok(decision) => {
                    for event in &decision.events {
                        evolve(&mut state, event, now).unwrap();
                        assert_eq!(Match::from_parts(state.parts()), Ok(state.clone()), "after {event:?}");
                    }
                }
                Err(refusal) => {
                    assert!(!refusal.to_string().is_empty());
                    assert_eq!(state, before);
                }
            }
            let can_act = Seat::BOTH.iter().any(|&seat| !state.actions(seat, now).is_empty());
            let has_ended = state.result().is_some();
            assert!(!has_ended || (!can_act && state.overdue(now).is_none()), "an end is an end");
        }
    });
}
