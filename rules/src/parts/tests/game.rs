//! The present game: cube, board, phase.

use super::*;
use crate::{Board, Game, PendingDouble, PendingResignation, Setup, SideSetup, Turn, Variant};

#[test]
fn a_cube_has_the_value_that_its_doubles_make() {
    let accepted = with(first_turn(), [Command::Double { seat: TWO }, Command::AcceptDouble { seat: ONE }]);
    let state = played(&points(5), &accepted);
    let game = |parts: &mut MatchParts, change: &dyn Fn(&mut Game)| change(parts.game.as_mut().unwrap());
    refused(&state, "a cube beyond its limit", |parts| parts.terms.rules.max_cube = CubeValue::ONE);
    let no_owner = "a cube has an owner once it was turned, and only then";
    refused(&state, no_owner, |parts| game(parts, &|game| game.cube.owner = None));
    refused(&state, no_owner, |parts| game(parts, &|game| game.cube_turned = false));
    let other_value = "a cube with another value than its doubles make";
    refused(&state, other_value, |parts| game(parts, &|game| game.cube.value = CubeValue::ONE));
    refused(&state, "more automatic doubles than were agreed", |parts| {
        game(parts, &|game| game.automatic_doubles = 1);
    });
    refused(&state, "a cube that was turned before the first turn", |parts| {
        game(parts, &|game| game.turn_number = 1);
    });
    let automatic = played(&money(), &[roll(ONE, 2, 2)]);
    refused(&automatic, other_value, |parts| game(parts, &|game| game.automatic_doubles = 0));
    refused(&automatic, "more automatic doubles than were agreed", |parts| {
        game(parts, &|game| game.automatic_doubles = 2);
    });
}

/// A board on which the mover has these checkers on its ace point, and the others off; the opponent has 15
/// on the 6-point.
fn ending(mover: Seat, on_ace: u8) -> Board {
    let (mut own, mut others) = (SideSetup::default(), SideSetup::default());
    (own.points[0], others.points[5]) = (on_ace, 15);
    Board::from_position(Setup { mover: own, opponent: others, checkers: 15 }.position().unwrap(), mover)
}

#[test]
fn boards_have_their_checkers() {
    let state = played(&points(5), &first_turn());
    refused(&state, "another number of checkers than the game began with", |parts| {
        parts.game.as_mut().unwrap().board = Variant::Hypergammon.start();
    });
    refused(&state, "a seat without checkers that has not won", |parts| {
        parts.game.as_mut().unwrap().board = ending(TWO, 0);
    });
    let state = played(&points(5), &[]);
    refused(&state, "checkers moved before the opening roll", |parts| {
        parts.game.as_mut().unwrap().board = ending(TWO, 1);
    });

    let mut rules = MatchRules::points(MatchPoints::new(2).unwrap());
    rules.initial = Some(ending(ONE, 1));
    let state = played(&terms(rules), &[roll(ONE, 3, 1), play(ONE, "1/off")]);
    refused(&state, "a game borne off with checkers left", |parts| {
        parts.game.as_mut().unwrap().board = ending(ONE, 1);
    });
}

#[test]
fn games_wait_only_for_seats_that_are_not_ready() {
    let state = played(&Terms { ready_check: true, ..money() }, &[Command::MarkReady { seat: ONE }]);
    refused(&state, "a game that waits, though no ready check was agreed", |parts| {
        parts.terms.ready_check = false;
    });
    refused(&state, "a game that waits, though both seats are ready", |parts| {
        *phase(parts) = Phase::Waiting { ready: BySeat::new(true, true) };
    });
    let begun = "a game that waits after it has begun";
    refused(&state, begun, |parts| parts.game.as_mut().unwrap().turn_number = 2);
    refused(&state, begun, |parts| {
        let game = parts.game.as_mut().unwrap();
        (game.automatic_doubles, game.cube.value) = (1, CubeValue::new(2).unwrap());
    });
    refused(&state, "a resignation before the game has begun", |parts| {
        parts.game.as_mut().unwrap().declined.two = Some(WinKind::Single);
    });
}

#[test]
fn the_first_turn_has_the_opening_roll() {
    let because = "the first turn, and no other, has the opening roll";
    let opening = played(&points(5), &[roll(ONE, 3, 1)]);
    let later = played(&points(5), &with(first_turn(), [roll(TWO, 3, 1)]));
    let dice = Dice::new(3, 1).unwrap();
    refused(&opening, because, |parts| parts.game.as_mut().unwrap().turn_number = 2);
    refused(&opening, because, |parts| *phase(parts) = Phase::Turn(Turn::Roll { seat: ONE }));
    refused(&opening, because, |parts| {
        *phase(parts) = Phase::Turn(Turn::Move { seat: ONE, dice, opening: false });
    });
    refused(&later, because, |parts| {
        *phase(parts) = Phase::Turn(Turn::Move { seat: ONE, dice, opening: true });
    });
    refused(&played(&points(5), &[]), because, |parts| parts.game.as_mut().unwrap().turn_number = 2);
    refused(&opening, "an opening roll that lets the other seat begin", |parts| {
        *phase(parts) = Phase::Turn(Turn::Move { seat: TWO, dice, opening: true });
    });
    refused(&later, "turns are numbered from 1", |parts| parts.game.as_mut().unwrap().turn_number = 0);
    let resigned = with(first_turn(), [Command::OfferResignation { seat: ONE, kind: WinKind::Gammon }]);
    let resigned = played(&points(5), &resigned);
    refused(&resigned, because, |parts| {
        let turn = Turn::OpeningRoll;
        *phase(parts) =
            Phase::ResignationOffered(PendingResignation { offered_by: ONE, kind: WinKind::Gammon, turn });
    });
    refused(&resigned, "a resignation that was declined already", |parts| {
        parts.game.as_mut().unwrap().declined.one = Some(WinKind::Gammon);
    });
}

#[test]
fn doubles_have_room_and_are_allowed() {
    let double = |parts: &mut MatchParts, change: &dyn Fn(&mut PendingDouble)| match phase(parts) {
        Phase::DoubleOffered(double) => change(double),
        other => panic!("no double but {other:?}"),
    };
    let no_room = "a double for which the cube has no room";
    let state = doubled(&points(5));
    refused(&state, no_room, |parts| parts.terms.rules.max_cube = CubeValue::ONE);
    refused(&state, no_room, |parts| double(parts, &|double| double.value = CubeValue::new(4).unwrap()));
    refused(&state, "more beavers than were agreed", |parts| double(parts, &|double| double.beavers = 1));
    refused(&state, "a double before the first turn", |parts| parts.game.as_mut().unwrap().turn_number = 1);

    let not_allowed = "a double that was not allowed";
    let accepted = [Command::AcceptDouble { seat: ONE }, roll(TWO, 2, 1), play(TWO, "13/10")];
    let commands = with(first_turn(), [Command::Double { seat: TWO }]);
    let redoubled = with(with(commands.clone(), accepted), [Command::Double { seat: ONE }]);
    let state = played(&points(5), &redoubled);
    refused(&state, not_allowed, |parts| double(parts, &|double| double.on_roll = TWO));
    // A cube of 2 is dead for a side that needs two points.
    refused(&state, not_allowed, |parts| {
        let points = MatchPoints::new(2).unwrap();
        parts.terms.rules.length = Length::Points { points, crawford: true };
    });

    let state = played(&money(), &with(commands, [Command::Beaver { seat: ONE }]));
    refused(&state, "a beaver without the cube", |parts| {
        parts.game.as_mut().unwrap().cube.owner = Some(TWO);
    });
    refused(&state, "more beavers than were agreed", |parts| double(parts, &|double| double.beavers = 2));
}
