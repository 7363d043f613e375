//! The article the project was founded on, statement by statement (A1 to A24).

use crate::kit::{One, Two, board, from_board, given, play, points};
use chaquete_rules::{
    Command, CubeValue, CubeViolation, Dice, Event, IllegalMove, LegalMoves, MoveViolation, Point, Position,
    Refusal, Seat, Side, Variant, WinKind,
};

fn texts(position: Position, first: u8, second: u8) -> Vec<String> {
    let legal = LegalMoves::new(position, Dice::new(first, second).unwrap());
    legal.sorted().iter().map(|legal| legal.mv.to_string()).collect()
}

fn start(seat: Seat) -> Side {
    *Variant::Standard.start().side(seat)
}

fn illegal(violation: MoveViolation, step: usize) -> Refusal {
    Refusal::IllegalMove(IllegalMove { violation, step })
}

/// Seat one on roll with these checkers; the places of both sides in their own numbering.
fn position(one: &[(u8, u8)], two: &[(u8, u8)]) -> Position {
    board(one, two).position(One)
}

#[test]
fn a01_two_players_on_24_points_with_a_bar_between_the_boards() {
    assert_eq!(Seat::BOTH.map(Seat::opponent), [Two, One]);
    assert_eq!(Point::descending().count(), 24);
    assert_eq!(Point::descending().filter(|point| point.is_home()).count(), 6);
    assert_eq!((Point::new(0), Point::new(25)), (None, None), "there is no further point");
    assert_eq!(start(One).bar(), 0);
}

#[test]
fn a02_each_player_counts_from_the_own_side() {
    for point in Point::descending() {
        assert_eq!(point.number() + point.from_opponent().number(), 25);
    }
    let start = Variant::Standard.start();
    let (one, two) = (start.position(One), start.position(Two));
    for point in Point::descending() {
        assert_eq!(one.opposing(point), two.mover().on(point.from_opponent()));
    }
}

#[test]
fn a03_fifteen_checkers_each() {
    assert_eq!(Seat::BOTH.map(|seat| start(seat).checkers()), [15, 15]);
}

#[test]
fn a04_the_start_has_2_on_24_5_on_13_3_on_8_and_5_on_6() {
    for seat in Seat::BOTH {
        let occupied: Vec<_> = Point::descending()
            .map(|point| (point.number(), start(seat).on(point)))
            .filter(|&(_, count)| count > 0)
            .collect();
        assert_eq!(occupied, [(24, 2), (13, 5), (8, 3), (6, 5)]);
        assert_eq!(start(seat).pip_count(), 167);
    }
}

#[test]
fn a05_two_ordinary_dice_and_a_cube_that_shows_2_to_64() {
    assert_eq!(Dice::all().count(), 36);
    assert_eq!((Dice::new(0, 1), Dice::new(6, 7)), (None, None));
    let faces: Vec<_> = std::iter::successors(CubeValue::ONE.doubled(), |value| value.doubled())
        .map(CubeValue::get)
        .take_while(|&value| value <= CubeValue::USUAL_LIMIT.get())
        .collect();
    assert_eq!(faces, [2, 4, 8, 16, 32, 64]);
}

#[test]
fn a06_checkers_move_towards_the_own_home_board_only() {
    given(points(1))
        .roll(One, 3, 1)
        .refused(&play(One, "6/9 8/9"), illegal(MoveViolation::WrongDirection, 0))
        .refused(&play(One, "8/5 6/7"), illegal(MoveViolation::WrongDirection, 1));
}

#[test]
fn a07_one_checker_may_play_both_dice_if_the_point_between_is_not_blocked() {
    given(points(1)).roll(One, 6, 5).play(One, "24/13");
    // Seat two holds its 6- and its 8-point: seat one's 19 and 17.
    let after_4_and_1 = given(points(1)).roll(One, 4, 1);
    after_4_and_1.clone().play(One, "24/23 13/9");
    // 13/8 by 4 and 1 in either order is open; 6/1 and 24/19 are blocked at the end.
    after_4_and_1.refused(&play(One, "24/19"), illegal(MoveViolation::PointBlocked, 0)).play(One, "13/8");
    // 24/16 with 7-1 does not exist, and with 5-2 both ways stop on blocked points.
    given(points(1)).roll(One, 5, 2).refused(&play(One, "24/17"), illegal(MoveViolation::PointBlocked, 0));
    let between = position(&[(20, 1), (6, 14)], &[(11, 2), (9, 2), (1, 11)]);
    assert!(!texts(between, 6, 4).iter().any(|text| text == "20/10"), "20/14 and 20/16 are blocked");
}

#[test]
fn a08_a_double_is_played_four_times_each_step_under_a07() {
    let open = position(&[(24, 1), (6, 14)], &[(2, 15)]);
    assert!(texts(open, 4, 4).contains(&"24/8".to_owned()), "{:?}", texts(open, 4, 4));
    // Blocked after two steps: seat two's 13-point is 12 for the mover.
    let stopped = position(&[(24, 1), (1, 14)], &[(13, 15)]);
    assert_eq!(texts(stopped, 4, 4), ["24/16"]);
}

#[test]
fn a09_as_many_dice_as_possible_must_be_played() {
    // After 16/14 there is no 6: 14/8 and 10/4 are blocked. The 2 must be played with the other checker.
    let dead_end = board(&[(16, 1), (10, 1), (5, 1), (1, 12)], &[(17, 2), (21, 2), (13, 11)]);
    assert_eq!(texts(dead_end.position(One), 6, 2), ["16/10 5/3"]);
    let game = given(from_board(points(1), dead_end)).roll(One, 6, 2);
    game.refused(&play(One, "16/14"), illegal(MoveViolation::MustUseMoreDice, 0));
}

#[test]
fn a10_if_either_die_but_not_both_can_be_played_the_larger_must_be() {
    // 20/14 or 20/15, and nothing after either: seat two holds the 9-point of the mover.
    let either = board(&[(20, 1), (1, 14)], &[(16, 2), (20, 13)]);
    let game = given(from_board(points(1), either)).roll(One, 6, 5);
    assert_eq!(texts(either.position(One), 6, 5), ["20/14"]);
    game.refused(&play(One, "20/15"), illegal(MoveViolation::MustUseLargerDie, 0)).play(One, "20/14");
}

#[test]
fn a11_if_neither_die_can_be_played_the_turn_is_lost() {
    let stuck = board(&[(24, 2), (1, 13)], &[(7, 2), (6, 13)]);
    let game = given(from_board(points(1), stuck)).roll(One, 6, 5);
    assert_eq!(game.events.last(), Some(&Event::TurnForfeited { seat: One }));
    assert_eq!(game.state.game().unwrap().seat_to_act(), Some(Two));
}

#[test]
fn a12_a_point_is_open_a_blot_or_blocked() {
    let three = board(&[(10, 1), (1, 14)], &[(16, 1), (17, 2), (20, 12)]);
    let to = |die| three.position(One).step(chaquete_rules::Source::from_number(10).unwrap(), die);
    let dice = Dice::new(3, 1).unwrap();
    assert!(to(dice.first).is_ok_and(|(step, _)| !step.hit), "10/7 is open");
    assert!(to(dice.second).is_ok_and(|(step, _)| step.hit), "10/9 is a blot");
    assert_eq!(to(Dice::new(2, 2).unwrap().first), Err(MoveViolation::PointBlocked), "10/8 is blocked");
}

#[test]
fn a13_landing_on_a_blot_hits_it_and_the_checker_goes_to_the_bar() {
    let blot = board(&[(10, 1), (6, 14)], &[(16, 1), (6, 14)]);
    let game = given(from_board(points(1), blot)).roll(One, 2, 1).play(One, "10/9*/7");
    let two = *game.state.game().unwrap().board.side(Two);
    assert_eq!((two.bar(), two.on(Point::new(16).unwrap())), (1, 0));
}

#[test]
fn a14_checkers_on_the_bar_enter_first_on_the_point_the_die_names() {
    let on_bar = board(&[(25, 1), (6, 14)], &[(6, 2), (13, 13)]);
    let game = given(from_board(points(1), on_bar)).roll(One, 4, 1);
    game.clone().refused(&play(One, "6/2 6/5"), illegal(MoveViolation::BarFirst, 0));
    // The 4 enters on the opponent's 4-point, the mover's 21.
    let after = game.play(One, "bar/21 6/5");
    assert_eq!(after.state.game().unwrap().board.side(One).on(Point::new(21).unwrap()), 1);
}

#[test]
fn a15_if_every_named_point_is_blocked_the_turn_is_lost() {
    let shut = board(&[(25, 1), (6, 14)], &[(6, 2), (5, 2), (13, 11)]);
    let game = given(from_board(points(1), shut)).roll(One, 6, 5);
    assert_eq!(game.events.last(), Some(&Event::TurnForfeited { seat: One }));
}

#[test]
fn a16_bearing_off_only_while_all_checkers_are_in_the_home_board() {
    let one_outside = board(&[(7, 1), (6, 2)], &[(1, 15)]);
    let game = given(from_board(points(1), one_outside)).roll(One, 6, 2);
    let too_early = play(One, "6/off 7/6 2/off");
    assert!(matches!(game.when(&too_early), Err(Refusal::IllegalMove(IllegalMove { step: 0, .. }))));
    game.play(One, "7/5 6/off");
}

#[test]
fn a17_a_die_bears_off_from_its_point_or_else_a_higher_checker_moves_or_the_highest_goes_off() {
    let exact = position(&[(4, 1), (2, 1)], &[(1, 15)]);
    assert_eq!(texts(exact, 4, 2), ["4/off", "4/off 2/off"], "4/2/off, or both");
    let higher = board(&[(6, 1), (3, 1)], &[(1, 15)]);
    let game = given(from_board(points(1), higher)).roll(One, 5, 1);
    game.refused(&play(One, "3/off 6/5"), illegal(MoveViolation::HigherCheckerExists, 0));
    let none_higher = position(&[(3, 2), (2, 2)], &[(1, 15)]);
    assert_eq!(texts(none_higher, 6, 5), ["3/off(2)"]);
}

#[test]
fn a18_the_first_to_bear_off_all_checkers_wins() {
    let last = board(&[(1, 1)], &[(1, 1)]);
    let game = given(from_board(points(1), last)).roll(One, 6, 5).play(One, "1/off");
    assert_eq!(game.state.games()[0].win.unwrap().seat, One);
    assert_eq!(game.state.result().unwrap().winner, Some(One));
}

#[test]
fn a19_the_cube_starts_at_1_in_the_middle() {
    assert_eq!(given(points(5)).cube(), (1, None));
}

#[test]
fn a20_on_the_own_turn_a_player_may_double_before_rolling() {
    let game = given(points(5)).opened();
    game.clone()
        .refused(&Command::Double { seat: One }, Refusal::NotYourTurn { seat: One, seat_to_act: Two })
        .double(Two);
    game.roll(Two, 6, 4)
        .refused(&Command::Double { seat: Two }, Refusal::CubeNotAvailable(CubeViolation::AlreadyRolled));
}

#[test]
fn a21_declining_loses_the_game_at_the_stake_before_the_double() {
    let game = given(points(7)).opened().double(Two).take(One).roll(Two, 2, 1).play(Two, "13/10");
    let game = game.double(One).pass(Two);
    assert_eq!(game.score(), (2, 0));
    assert_eq!(game.state.games()[0].win.unwrap().kind, WinKind::Single);
}

#[test]
fn a22_accepting_doubles_the_stake_and_gives_the_cube_to_the_one_who_accepts() {
    let game = given(points(7)).opened().double(Two).take(One);
    assert_eq!(game.cube(), (2, Some(One)));
    let game = game.roll(Two, 2, 1).play(Two, "13/10").roll(One, 2, 1).play(One, "13/10");
    game.refused(&Command::Double { seat: Two }, Refusal::CubeNotAvailable(CubeViolation::NotOwner));
}

#[test]
fn a23_a_loser_who_has_borne_off_a_checker_loses_once() {
    let end = board(&[(1, 1)], &[(1, 14)]);
    let game = given(from_board(points(5), end)).roll(One, 2, 1).play(One, "1/off");
    assert_eq!((game.state.games()[0].win.unwrap().kind, game.score()), (WinKind::Single, (1, 0)));
}

#[test]
fn a24_a_loser_who_has_borne_off_none_is_gammoned_or_backgammoned() {
    let kind_with = |two: &[(u8, u8)]| {
        let end = board(&[(1, 1)], two);
        let game = given(from_board(points(5), end)).roll(One, 2, 1).play(One, "1/off");
        (game.state.games()[0].win.unwrap().kind, game.score().0)
    };
    assert_eq!(kind_with(&[(6, 15)]), (WinKind::Gammon, 2));
    assert_eq!(kind_with(&[(18, 15)]), (WinKind::Gammon, 2), "18 is outside the winner's home board");
    assert_eq!(kind_with(&[(25, 1), (6, 14)]), (WinKind::Backgammon, 3));
    assert_eq!(kind_with(&[(19, 1), (6, 14)]), (WinKind::Backgammon, 3));
}
