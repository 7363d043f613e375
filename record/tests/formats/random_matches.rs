//! Random matches by the rules, with everything that the rules can produce: what a match file holds is read again
//! as the same, and whatever it cannot hold is told.

use chaquete_record::{Chronicle, Facts};
use chaquete_rules::{
    Action, BySeat, Command, CubeValue, Dice, DiceSource, Event, LegalMoves, Length, Match, MatchPoints,
    MatchRules, MoneyRules, OpeningRule, Phase, Seat, Terms, Turn, Variant, Win, WinKind, Written, create,
    decide, evolve,
};
use proptest::prelude::*;

use crate::exports::{MAT, SGF};
use crate::gnubg::assert_read_the_same;
use crate::ogxm::assert_read_by_codec;
use crate::random::Random;

/// How much of what the rules allow a match makes use of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    /// What a match file can hold.
    Held,
    /// What GNU Backgammon reads the same from it.
    Shared,
    /// All.
    All,
}

fn rules(random: &mut Random, range: Range) -> MatchRules {
    let all = range == Range::All;
    let length = if random.happens(3) {
        Length::Money(MoneyRules {
            max_games: None,
            jacoby: range == Range::Shared || random.happens(2),
            max_beavers: if all { random.pick(&[0, 1, 2, 3]) } else { random.pick(&[0, 2]) },
            max_automatic_doubles: if all { random.pick(&[0, 2]) } else { 0 },
        })
    } else {
        let points = MatchPoints::new(random.pick(&[1, 2, 3, 5, 7])).unwrap();
        Length::Points { points, crawford: range == Range::Shared || !random.happens(4) }
    };
    let openings = [OpeningRule::Standard, OpeningRule::Standard, OpeningRule::SeatOne, OpeningRule::SeatTwo];
    let limit = if range == Range::Shared { 1024 } else { random.pick(&[1, 2, 64, 1024]) };
    let variants = [Variant::Standard, Variant::Nackgammon, Variant::Hypergammon, Variant::LongGammon];
    MatchRules {
        length,
        variant: random.pick(if range == Range::Shared { &variants[..1] } else { &variants }),
        max_cube: CubeValue::new(limit).unwrap(),
        opening: if all { random.pick(&openings) } else { OpeningRule::Standard },
        initial: None,
    }
}

/// A random thing to do, if it is one that is wanted.
fn command(random: &mut Random, state: &Match, range: Range) -> Command {
    let all = range == Range::All;
    if all && random.happens(200) {
        return beside_the_play(random);
    }
    let seat = random.pick(&Seat::BOTH);
    let actions = state.actions(seat, 0);
    let can = |action| actions.contains(&action);
    let kind = random.pick(&[WinKind::Single, WinKind::Gammon, WinKind::Backgammon]);
    if can(Action::AcceptResignation) {
        let declined = all && random.happens(2);
        return if declined {
            Command::DeclineResignation { seat }
        } else {
            Command::AcceptResignation { seat }
        };
    }
    if can(Action::OfferResignation) && random.happens(150) {
        return Command::OfferResignation { seat, kind };
    }
    if can(Action::AcceptDouble) {
        return match random.below(5) {
            0 if range != Range::Shared || !is_beaver(state) => Command::DeclineDouble { seat },
            1 | 2 if can(Action::BeaverDouble) => Command::Beaver { seat },
            _ => Command::AcceptDouble { seat },
        };
    }
    if can(Action::OfferDouble) && random.happens(8) {
        return Command::Double { seat };
    }
    match state.game().unwrap().phase {
        Phase::Turn(Turn::Move { seat, dice, .. }) => play(random, state, seat, dice),
        Phase::Turn(turn) => {
            Command::Roll { seat: turn.seat().unwrap_or(seat), dice: Some(roll(random, turn, range)) }
        }
        _ => Command::Update,
    }
}

/// Over a beaver that was declined GNU Backgammon stumbles.
fn is_beaver(state: &Match) -> bool {
    matches!(state.game().unwrap().phase, Phase::DoubleOffered(double) if double.beavers > 0)
}

fn roll(random: &mut Random, turn: Turn, range: Range) -> Dice {
    loop {
        let dice = Dice::new(random.pick(&[1, 2, 3, 4, 5, 6]), random.pick(&[1, 2, 3, 4, 5, 6])).unwrap();
        if range == Range::All || turn != Turn::OpeningRoll || !dice.is_double() {
            return dice;
        }
    }
}

fn play(random: &mut Random, state: &Match, seat: Seat, dice: Dice) -> Command {
    let legal = LegalMoves::new(state.game().unwrap().board.position(seat), dice);
    let chosen = legal.iter().nth(random.below(legal.len())).unwrap();
    let written =
        if random.happens(2) { chosen.mv.to_string().parse().unwrap() } else { Written::from(&chosen.mv) };
    Command::Move { seat, written }
}

fn beside_the_play(random: &mut Random) -> Command {
    let reason = "because \"so\"\n".to_owned();
    let kind = random.pick(&[WinKind::Single, WinKind::Gammon, WinKind::Backgammon]);
    let win = Some(Win { seat: random.pick(&Seat::BOTH), kind });
    match random.below(7) {
        0 => Command::Pause { reason },
        1 | 2 => Command::AdjudicateGame { win, reason },
        3 => Command::AdjudicateGame { win: None, reason },
        4 => Command::AdjudicateMatch { winner: random.pick(&Seat::BOTH), reason },
        5 => Command::Cancel { reason },
        _ => Command::Update,
    }
}

/// A match in which this many things are done, or fewer.
fn chronicle(seed: u64, range: Range) -> Chronicle {
    let mut random = Random::new(seed);
    let names = BySeat::new("Alice".to_owned(), "Bob".to_owned());
    let terms = Terms::new(names.clone(), rules(&mut random, range), DiceSource::External);
    let mut state = Match::new(terms.clone());
    let mut events = create(terms, None, 0).events;
    let mut folded = 1;
    for _ in 0..random.below(500) {
        for event in &events[folded..] {
            evolve(&mut state, event, 0).unwrap();
        }
        folded = events.len();
        if state.result().is_some() {
            break;
        }
        let command = if state.is_paused() { Command::Resume } else { command(&mut random, &state, range) };
        if command != Command::Update || range == Range::All {
            events.extend(decide(&state, &command, None, 0).map_or(Vec::new(), |decision| decision.events));
        }
    }
    Chronicle::new(names, Facts::default(), events).unwrap()
}

/// Of a money session a file does not tell whether it goes on: it is read as closed if its last game has ended.
fn without_close(events: &[Event]) -> &[Event] {
    match events {
        [rest @ .., Event::SessionClosed, Event::MatchEnded { .. }] => rest,
        all => all,
    }
}

/// What the writer of SGF says of almost every money match, though it changes nothing that happens.
const HARMLESS: [&str; 5] =
    ["MATCH_UNFINISHED", "VARIANT_UNKNOWN", "BEAVER_DECLINED", "TERM_CUBE_LIMIT", "TERM_BEAVERS"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_a_file_holds_is_read_as_the_same(seed in any::<u64>()) {
        let chronicle = chronicle(seed, Range::Held);
        for format in [MAT, SGF] {
            let (text, remarks) = format.export(&chronicle);
            let resigned = ["RESIGNED_FOR_LESS", "RESIGNATION_LEFT_OUT"];
            prop_assert!(remarks.iter().all(|code| HARMLESS.contains(code) || resigned.contains(code)), "{remarks:?}");
            let again = format.transcript(&text).chronicle().unwrap_or_else(|error| panic!("{error}\n{text}"));
            if !remarks.iter().any(|code| resigned.contains(code)) {
                prop_assert_eq!(&without_close(again.events())[1..], &chronicle.events()[1..], "{}", text);
            }
        }
    }

    /// Whatever happens in a match: either its file is the same match, or it is said why it is not.
    #[test]
    fn what_a_file_does_not_hold_is_told(seed in any::<u64>()) {
        let chronicle = chronicle(seed, Range::All);
        for format in [MAT, SGF] {
            let (text, remarks) = format.export(&chronicle);
            let again = format.transcript(&text).chronicle();
            let same = again.is_ok_and(|again| without_close(again.events())[1..] == chronicle.events()[1..]);
            prop_assert!(same || remarks.iter().any(|code| !HARMLESS.contains(code)), "{}", text);
        }
    }
}

#[test]
fn random_matches_are_read_with_the_same_positions() {
    let matches: Vec<_> =
        (0..60).map(|seed| (format!("seed {seed}"), chronicle(seed << 20, Range::Shared))).collect();
    for (run, format) in [("gnubg-random-mat", MAT), ("gnubg-random-sgf", SGF)] {
        let compared = assert_read_the_same(run, format, &matches);
        assert!(compared.is_none_or(|actions| actions > 3_000), "{compared:?}");
    }
}

#[test]
fn random_matches_are_read_by_the_codec_of_ogxm() {
    let ranges = [Range::Held, Range::All];
    let matches: Vec<_> = (0..60)
        .flat_map(|seed| ranges.map(|range| (format!("seed {seed}"), chronicle(seed << 20, range))))
        .collect();
    let compared = assert_read_by_codec("ogxm-random", &matches);
    assert!(compared.is_none_or(|moves| moves > 4_000), "{compared:?}");
}
