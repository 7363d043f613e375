//! An exhaustive walk over the match machine: every phase, cube, score and rule setting of short matches.
//!
//! The board is reduced to what the machine can see of it: a move goes on with the game, or wins it as a single
//! game, a gammon or a backgammon.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    num::NonZeroU32,
    sync::Arc,
};

use crate::{
    Action, Board, BySeat, Command, CubeValue, Dice, DiceSource, Length, Match, MatchPoints, MatchRules,
    MoneyRules, OpeningRule, Phase, PhaseKind, Seat, Setup, SideSetup, Terms, Turn, Variant, WinKind, create,
    decide, evolve,
};

/// What a move does, as far as the match is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    GoesOn,
    Wins(WinKind),
}

const OUTCOMES: [Outcome; 4] = [
    Outcome::GoesOn,
    Outcome::Wins(WinKind::Single),
    Outcome::Wins(WinKind::Gammon),
    Outcome::Wins(WinKind::Backgammon),
];

/// The mover's last checker is on the ace point; the other side stands so that it loses by this much.
fn last_checker(kind: WinKind) -> Board {
    let mut mover = SideSetup::default();
    mover.points[0] = 1;
    let mut opponent = SideSetup::default();
    match kind {
        WinKind::Single => opponent.points[5] = 14,
        WinKind::Gammon => opponent.points[5] = 15,
        WinKind::Backgammon => (opponent.points[5], opponent.bar) = (14, 1),
    }
    let position = Setup { mover, opponent, checkers: 15 }.position().unwrap();
    Board::from_position(position, Seat::One)
}

/// A seat on roll plays a move with this outcome.
fn play(state: &Match, outcome: Outcome) -> Match {
    let mut state = state.clone();
    let game = state.game.as_mut().unwrap();
    let Phase::Turn(Turn::Move { seat, dice, .. }) = game.phase else { panic!("no move is due") };
    let (board, text) = match outcome {
        Outcome::GoesOn if dice.is_double() => (Variant::Standard.start(), "8/7(2) 6/5(2)"),
        Outcome::GoesOn => (Variant::Standard.start(), "24/23 13/11"),
        Outcome::Wins(kind) => (last_checker(kind), "1/off"),
    };
    // The boards are made for seat one.
    game.board = Board::from_position(board.position(Seat::One), seat);
    let command = Command::Move { seat, written: text.parse().unwrap() };
    after(&state, &command).unwrap()
}

/// The match after a command, if it is accepted.
fn after(state: &Match, command: &Command) -> Option<Match> {
    let decision = decide(state, command, None, 0).ok()?;
    let mut next = state.clone();
    for event in &decision.events {
        evolve(&mut next, event, 0).unwrap();
        assert_has_parts(&next);
    }
    Some(reduced(next))
}

/// A session is its parts. A match is reduced by its games, without which its score is none.
fn assert_has_parts(state: &Match) {
    if let Length::Money(_) = state.terms.rules.length {
        assert_eq!(Match::from_parts(state.parts()).as_ref(), Ok(state));
    }
}

/// Without what makes two states different that nothing depends on.
fn reduced(mut state: Match) -> Match {
    state.rolls = 0;
    if let Some(game) = &mut state.game {
        game.board = Variant::Standard.start();
        game.turn_number = game.turn_number.min(2);
        if let Length::Points { .. } = state.terms.rules.length {
            game.number = 1;
            state.games = Arc::default();
        }
        if let Phase::Over(result) = &mut game.phase {
            result.number = 1;
        }
    }
    state
}

/// Everything a seat can ask for, but the move.
fn commands(seat: Seat) -> Vec<Command> {
    let dice = |first, second| Command::Roll { seat, dice: Dice::new(first, second) };
    let mut commands = vec![
        // One that opens for seat one, one for seat two, one for nobody.
        dice(2, 1),
        dice(1, 2),
        dice(1, 1),
        Command::Double { seat },
        Command::AcceptDouble { seat },
        Command::DeclineDouble { seat },
        Command::Beaver { seat },
        Command::AcceptResignation { seat },
        Command::DeclineResignation { seat },
        Command::MarkReady { seat },
    ];
    let kinds = [WinKind::Single, WinKind::Gammon, WinKind::Backgammon];
    commands.extend(kinds.map(|kind| Command::OfferResignation { seat, kind }));
    commands
}

/// All states that can follow.
fn successors(state: &Match) -> Vec<Match> {
    let is_move = state.game().is_some_and(|game| game.phase_kind() == PhaseKind::Move);
    let moves = OUTCOMES.into_iter().filter(|_| is_move && state.result.is_none()).map(|it| play(state, it));
    let asked = Seat::BOTH.into_iter().flat_map(commands).filter_map(|command| after(state, &command));
    moves.chain(asked).collect()
}

fn key(state: &Match) -> String {
    format!("{state:?}")
}

/// What must hold in every state.
fn assert_sound(state: &Match) {
    let game = state.game().unwrap();
    let rules = &state.terms.rules;
    assert!(game.cube.value <= rules.max_cube, "the cube exceeds its limit: {state:?}");
    if let Phase::DoubleOffered(double) = game.phase {
        assert!(double.value <= rules.max_cube, "the cube is offered beyond its limit: {state:?}");
        assert!(!game.crawford, "a double in the Crawford game: {state:?}");
    }
    let actions = Seat::BOTH.map(|seat| state.actions(seat, 0));
    if state.result.is_some() {
        assert_eq!(actions, [vec![], vec![]], "a match that has ended takes no action");
        return;
    }
    let acts = |seat: Seat| !state.actions(seat, 0).iter().all(|&action| action == Action::OfferResignation);
    match (game.seat_to_act(), game.phase_kind()) {
        (Some(seat), _) => assert!(acts(seat) && !acts(seat.opponent()), "not one side to act: {state:?}"),
        (None, PhaseKind::OpeningRoll) => assert!(Seat::BOTH.into_iter().all(acts), "nobody can roll"),
        (None, PhaseKind::Waiting) => assert!(Seat::BOTH.into_iter().any(acts), "nobody can get ready"),
        (None, phase) => panic!("a dead end in phase {phase}: {state:?}"),
    }
}

/// What must hold from one state to the next.
fn assert_follows(before: &Match, after: &Match) {
    let rises = |seat: Seat| before.score[seat] <= after.score[seat];
    assert!(Seat::BOTH.into_iter().all(rises), "a score fell: {before:?} -> {after:?}");
    let is_crawford = |state: &Match| state.game().is_some_and(|game| game.crawford);
    assert!(!before.crawford_played || after.crawford_played, "the Crawford game is forgotten");
    let begins = is_crawford(after) && !is_crawford(before);
    assert!(!(begins && before.crawford_played), "a second Crawford game: {before:?} -> {after:?}");
}

/// Walks through all states that a match under these terms can reach; returns how many there are.
fn walk(terms: Terms) -> usize {
    let mut first = Match::new(terms.clone());
    for event in &create(terms, None, 0).events[1..] {
        evolve(&mut first, event, 0).unwrap();
    }
    let first = reduced(first);
    let mut states = HashSet::from([key(&first)]);
    let mut comes_from: HashMap<String, Vec<String>> = HashMap::new();
    let mut ended = Vec::new();
    let mut queue = VecDeque::from([first]);
    while let Some(state) = queue.pop_front() {
        assert_sound(&state);
        let from = key(&state);
        if state.result.is_some() {
            ended.push(from.clone());
        }
        for next in successors(&state) {
            assert_follows(&state, &next);
            let to = key(&next);
            comes_from.entry(to.clone()).or_default().push(from.clone());
            if states.insert(to) {
                queue.push_back(next);
            }
        }
    }
    assert_all_can_end(&states, &comes_from, ended);
    states.len()
}

/// From every state the match can still come to its end.
fn assert_all_can_end(
    states: &HashSet<String>,
    comes_from: &HashMap<String, Vec<String>>,
    ended: Vec<String>,
) {
    let mut can_end: HashSet<String> = ended.iter().cloned().collect();
    let mut queue = ended;
    while let Some(state) = queue.pop() {
        for from in comes_from.get(&state).into_iter().flatten() {
            if can_end.insert(from.clone()) {
                queue.push(from.clone());
            }
        }
    }
    assert_eq!(can_end.len(), states.len(), "some states can never come to an end");
}

fn terms(length: Length, max_cube: u32, opening: OpeningRule, ready_check: bool) -> Terms {
    let max_cube = CubeValue::new(max_cube).unwrap();
    let rules = MatchRules { length, variant: Variant::Standard, max_cube, opening, initial: None };
    let players = BySeat::new(String::new(), String::new());
    Terms { ready_check, ..Terms::new(players, rules, DiceSource::External) }
}

#[test]
fn every_state_of_short_matches_is_sound() {
    let mut states = 0;
    for points in 1..=4 {
        for crawford in [false, true] {
            for max_cube in [1, 2, 4] {
                let points = MatchPoints::new(points).unwrap();
                let length = Length::Points { points, crawford };
                states += walk(terms(length, max_cube, OpeningRule::Standard, false));
            }
        }
    }
    println!("{states} states of matches");
    assert!(states > 10_000, "only {states} states");
}

#[test]
fn every_state_of_short_money_sessions_is_sound() {
    let mut states = 0;
    for jacoby in [false, true] {
        for (max_beavers, max_automatic_doubles) in [(0, 0), (1, 0), (2, 1), (3, 2)] {
            for max_cube in [1, 2, 8] {
                let max_games = NonZeroU32::new(1);
                let length =
                    Length::Money(MoneyRules { max_games, jacoby, max_beavers, max_automatic_doubles });
                states += walk(terms(length, max_cube, OpeningRule::Standard, false));
            }
        }
    }
    println!("{states} states of money sessions");
    assert!(states > 1_000, "only {states} states");
}

#[test]
fn every_state_with_ready_checks_and_other_openings_is_sound() {
    for opening in [OpeningRule::SeatOne, OpeningRule::SeatTwo] {
        let points = MatchPoints::new(2).unwrap();
        let length = Length::Points { points, crawford: true };
        assert!(walk(terms(length, 2, opening, true)) > 100);
    }
}
