//! What games and matches are worth (S1 to S10), Crawford, Jacoby, beavers, resignations.

use std::num::NonZeroU32;

use chaquete_rules::{
    Command, CubeValue, CubeViolation, GameEndReason, MatchEndReason, MatchRules, Refusal, WinKind,
};

use crate::kit::{One, Play, Two, board, from_board, given, money, play, points};

fn no_cube(violation: CubeViolation) -> Refusal {
    Refusal::CubeNotAvailable(violation)
}

/// Seat one bears its last checker off against these checkers of seat two.
fn last_checker_off(rules: MatchRules, two: &[(u8, u8)]) -> Play {
    given(from_board(rules, board(&[(1, 1)], two))).roll(One, 2, 1).play(One, "1/off")
}

#[test]
fn s01_a_loser_with_14_off_and_one_on_the_bar_loses_once() {
    let game = last_checker_off(points(5), &[(25, 1)]);
    assert_eq!((game.state.games()[0].win.unwrap().kind, game.score()), (WinKind::Single, (1, 0)));
}

#[test]
fn s02_a_loser_with_none_off_and_one_in_the_winners_home_is_backgammoned() {
    let game = last_checker_off(points(5), &[(23, 1), (6, 14)]);
    assert_eq!((game.state.games()[0].win.unwrap().kind, game.score()), (WinKind::Backgammon, (3, 0)));
}

#[test]
fn s03_a_loser_with_none_off_and_none_back_is_gammoned() {
    let game = last_checker_off(points(5), &[(13, 1), (6, 14)]);
    assert_eq!((game.state.games()[0].win.unwrap().kind, game.score()), (WinKind::Gammon, (2, 0)));
}

#[test]
fn s04_a_declined_double_costs_the_stake_before_it_whatever_the_board() {
    // Seat two, with five on the bar, would be backgammoned; by declining it loses one point.
    let lost = board(&[(3, 2), (2, 2), (1, 2)], &[(25, 5), (20, 10)]);
    let game = given(from_board(points(5), lost)).roll(One, 2, 1).play(One, "2/off 1/off").roll(Two, 4, 4);
    let game = game.play(Two, "bar/21(4)").double(One).pass(Two);
    let result = game.state.games()[0];
    assert_eq!((result.win.unwrap().kind, result.reason), (WinKind::Single, GameEndReason::DoubleDeclined));
    assert_eq!((result.cube.get(), game.score()), (1, (1, 0)));
}

#[test]
fn s05_under_jacoby_gammons_count_once_until_the_cube_was_turned() {
    let rules = || money(|_| {});
    let unturned = last_checker_off(rules(), &[(6, 15)]);
    let result = unturned.state.games()[0];
    assert_eq!((result.win.unwrap().kind, result.points, result.jacoby_applied), (WinKind::Gammon, 1, true));

    let end = board(&[(2, 1), (1, 14)], &[(6, 15)]);
    let far = from_board(rules(), end);
    let turned = given(far).roll(One, 2, 1).play(One, "2/off 1/off").double(Two).take(One);
    let won = turned.won_by(One, WinKind::Gammon);
    assert_eq!((won.state.games()[0].points, won.state.games()[0].jacoby_applied), (4, false));
}

#[test]
fn s05_an_automatic_double_is_no_turned_cube() {
    let rules = money(|money| money.max_automatic_doubles = 1);
    let game = given(rules).roll(One, 3, 3);
    assert_eq!(game.cube(), (2, None));
    // The second equal roll adds nothing: the limit is one.
    let game = game.roll(Two, 4, 4);
    assert_eq!(game.cube(), (2, None));
    let game = game.roll(One, 6, 1).won_by(One, WinKind::Gammon);
    assert_eq!((game.score(), game.state.games()[0].jacoby_applied), ((2, 0), true));
}

#[test]
fn s05_a_resigned_gammon_counts_once_while_the_cube_was_not_turned() {
    let game = given(money(|_| {})).opened().won_by(Two, WinKind::Gammon);
    let result = game.state.games()[0];
    assert_eq!((result.points, result.jacoby_applied, result.reason), (1, true, GameEndReason::Resigned));
}

#[test]
fn s05_jacoby_does_not_exist_in_match_play() {
    let game = last_checker_off(points(5), &[(6, 15)]);
    assert_eq!((game.score(), game.state.games()[0].jacoby_applied), ((2, 0), false));
}

/// A match to 7 at 6-3.
fn six_three() -> Play {
    given(points(7))
        .won_by(One, WinKind::Backgammon)
        .won_by(Two, WinKind::Backgammon)
        .won_by(One, WinKind::Backgammon)
}

#[test]
fn s06_at_7_points_6_3_the_crawford_game_comes_once_and_doubling_returns_after_it() {
    let crawford = six_three();
    assert_eq!(crawford.score(), (6, 3));
    assert!(crawford.state.game().unwrap().crawford);
    let crawford = crawford.opened();
    let crawford = crawford.refused(&Command::Double { seat: Two }, no_cube(CubeViolation::CrawfordGame));

    let after = crawford.won_by(Two, WinKind::Single);
    assert!(!after.state.game().unwrap().crawford);
    let after = after.opened().double(Two).take(One);
    // Nor at 6-6: the Crawford game was played.
    let six_six = after.won_by(Two, WinKind::Single);
    assert_eq!((six_six.score(), six_six.state.game().unwrap().crawford), ((6, 6), false));
}

#[test]
fn s06_after_the_crawford_game_the_leaders_own_double_is_dead() {
    let after = six_three().won_by(Two, WinKind::Single).roll(Two, 1, 3).play(Two, "8/5 6/5");
    after.refused(&Command::Double { seat: One }, no_cube(CubeViolation::DeadCube));
}

#[test]
fn s06_without_the_crawford_rule_there_is_no_crawford_game() {
    let mut rules = points(3);
    if let chaquete_rules::Length::Points { crawford, .. } = &mut rules.length {
        *crawford = false;
    }
    let game = given(rules).won_by(One, WinKind::Gammon);
    assert!(!game.state.game().unwrap().crawford);
    game.opened().double(Two);
}

#[test]
fn s06_the_crawford_game_comes_when_anyone_is_first_one_away() {
    let game = given(points(7)).won_by(One, WinKind::Backgammon).won_by(One, WinKind::Gammon);
    let five_five = game.won_by(Two, WinKind::Backgammon).won_by(Two, WinKind::Gammon);
    assert_eq!((five_five.score(), five_five.state.game().unwrap().crawford), ((5, 5), false));
    let six_five = five_five.won_by(One, WinKind::Single);
    assert!(six_five.state.game().unwrap().crawford);
}

#[test]
fn s07_a_one_point_match_and_a_match_without_a_cube_know_no_double() {
    let one_point = given(points(1));
    assert!(!one_point.state.game().unwrap().crawford);
    one_point.opened().refused(&Command::Double { seat: Two }, no_cube(CubeViolation::DeadCube));
    let cubeless = MatchRules { max_cube: CubeValue::ONE, ..points(5) };
    given(cubeless).opened().refused(&Command::Double { seat: Two }, no_cube(CubeViolation::Disabled));
}

#[test]
fn s08_a_cube_at_its_limit_is_not_turned() {
    let rules = MatchRules { max_cube: CubeValue::new(2).unwrap(), ..points(25) };
    let game = given(rules).opened().double(Two).take(One).roll(Two, 2, 1).play(Two, "13/10");
    game.refused(&Command::Double { seat: One }, no_cube(CubeViolation::LimitReached));
}

#[test]
fn s09_a_dead_cube_is_refused_to_the_leader_and_left_to_the_trailer() {
    // 5 points, 3-0: the stake of 2 wins the match for seat one.
    let game = given(points(5)).won_by(One, WinKind::Backgammon).opened().double(Two).take(One);
    let game = game.roll(Two, 2, 1).play(Two, "13/10");
    game.refused(&Command::Double { seat: One }, no_cube(CubeViolation::DeadCube));
    let other = given(points(5)).won_by(One, WinKind::Backgammon).roll(Two, 1, 3).play(Two, "8/5 6/5");
    let other = other.double(One).take(Two).roll(One, 2, 1).play(One, "13/10");
    assert_eq!(other.double(Two).take(One).cube(), (4, Some(One)));
}

#[test]
fn s10_points_are_kept_as_won_and_the_match_ends_when_the_length_is_reached() {
    let mut game = given(points(3)).opened();
    let mut doubler = Two;
    // 2, then a redouble to 4 while it still matters: 3 points needed, stake 2.
    for _ in 0..2 {
        game = game.double(doubler).take(doubler.opponent());
        game = game.roll(doubler, 2, 1).play(doubler, "13/10");
        doubler = doubler.opponent();
    }
    let game = game.won_by(One, WinKind::Backgammon);
    let result = game.state.result().unwrap();
    assert_eq!(
        (game.score(), result.winner, result.reason),
        ((12, 0), Some(One), MatchEndReason::PointsReached)
    );
    game.refused(&Command::Double { seat: Two }, Refusal::MatchNotActive);
}

#[test]
fn money_games_count_separately_until_the_agreed_number_is_played() {
    let rules = money(|money| money.max_games = NonZeroU32::new(2));
    let game = given(rules).opened().double(Two).take(One).won_by(One, WinKind::Single);
    assert!(game.state.result().is_none());
    let level = game.clone().opened().double(Two).take(One).won_by(Two, WinKind::Single);
    let result = level.state.result().unwrap();
    assert_eq!((result.reason, result.winner), (MatchEndReason::SessionClosed, None), "2-2 is level");
    let won = game.won_by(Two, WinKind::Single);
    assert_eq!(won.state.result().unwrap().winner, Some(One));
}

#[test]
fn a_beaver_keeps_the_cube_and_declining_it_costs_the_stake_before() {
    let rules = money(|money| money.max_beavers = 2);
    let beavered = given(rules).opened().double(Two).beaver(One);
    assert_eq!(beavered.cube(), (2, Some(One)), "the double itself is accepted");
    assert_eq!(beavered.state.game().unwrap().seat_to_act(), Some(Two));
    assert_eq!(beavered.clone().pass(Two).score(), (2, 0));
    assert_eq!(beavered.clone().take(Two).cube(), (4, Some(One)));
    let raccooned = beavered.beaver(Two);
    assert_eq!(raccooned.clone().take(One).cube(), (8, Some(One)), "seat one still owns it");
    assert_eq!(raccooned.clone().pass(One).score(), (0, 4));
    raccooned.refused(&Command::Beaver { seat: One }, no_cube(CubeViolation::BeaverNotAllowed));
}

#[test]
fn there_are_no_beavers_in_match_play_nor_where_they_were_not_agreed() {
    let beaver = Command::Beaver { seat: One };
    given(points(5)).opened().double(Two).refused(&beaver, no_cube(CubeViolation::BeaverNotAllowed));
    given(money(|_| {})).opened().double(Two).refused(&beaver, no_cube(CubeViolation::BeaverNotAllowed));
}

#[test]
fn a_beaver_stops_at_the_limit_of_the_cube() {
    let rules = MatchRules { max_cube: CubeValue::new(2).unwrap(), ..money(|money| money.max_beavers = 1) };
    let doubled = given(rules).opened().double(Two);
    doubled.refused(&Command::Beaver { seat: One }, no_cube(CubeViolation::LimitReached));
}

#[test]
fn a_resignation_counts_by_the_cube_and_needs_consent() {
    let game = given(points(9)).opened().double(Two).take(One).won_by(Two, WinKind::Gammon);
    assert_eq!(game.score(), (0, 4));
}

#[test]
fn the_result_of_a_game_starts_the_next_one_with_a_fresh_cube_and_nobody_on_roll() {
    let game = given(points(5)).opened().double(Two).take(One).won_by(One, WinKind::Single);
    let next = game.state.game().unwrap();
    assert_eq!((next.number, game.cube(), next.seat_on_roll()), (2, (1, None), None));
    // No winner or loser has precedence: the dice decide again.
    game.roll(Two, 2, 5).refused(&play(One, "24/20"), Refusal::NotYourTurn { seat: One, seat_to_act: Two });
}
