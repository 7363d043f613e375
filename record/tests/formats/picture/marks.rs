//! Dice, cube, pip counts, scores, whose turn it is.

use chaquete_record::picture::{HomeSide, LastMove, Picture, View};
use chaquete_record::{GamePosition, Play, Stage};
use chaquete_rules::{CubeValue, Dice, Die, GameEndReason, Move, Score, Seat, Source, Step, WinKind};

use super::drawn::{Cube, Drawn};
use super::games::{picture, views, xgid};

const MIDDLE: f64 = 336.0;

fn position(rest: &str) -> GamePosition {
    xgid(&format!("XGID=-b----E-C---eE---c-e----B-:{rest}"))
}

fn drawn(position: GamePosition) -> Drawn {
    Drawn::of(&picture(position, View::of(Seat::One)))
}

/// Everything in words below the board.
fn foot(position: GamePosition) -> Vec<String> {
    let foot = |(seat, text): (u8, String)| (seat == 0).then_some(text);
    let lines: Vec<String> = drawn(position).texts.into_iter().filter_map(foot).collect();
    lines[lines.len() - 2..].to_vec()
}

#[test]
fn dice_show_their_pips_at_the_right_hand_of_the_roller() {
    for (first, second) in (1..=6).flat_map(|first| (1..=6).map(move |second| (first, second))) {
        for (turn, seat) in [("1", 1), ("-1", 2)] {
            let dice = drawn(position(&format!("0:0:{turn}:{first}{second}:0:0:0:5:10"))).dice.unwrap();
            assert_eq!((dice.seat, dice.words), (seat, format!("{first}-{second}")));
            assert_eq!(dice.pips, [first, second]);
            assert!(dice.spots.iter().all(|spot| (spot.0 > 380.0) == (seat == 1) && spot.1 == MIDDLE));
        }
    }
    assert_eq!(drawn(position("0:0:1:00:0:0:0:5:10")).dice, None);
}

#[test]
fn the_cube_lies_with_its_owner() {
    let cube = |rest: &str, view| Drawn::of(&picture(position(rest), view)).cube.unwrap();
    for view in views() {
        let x = if view.home == HomeSide::Right { 54.0 } else { 706.0 };
        let centred = Cube { value: 1, owner: "none".to_owned(), offered_to: None, spot: (x, MIDDLE) };
        assert_eq!(cube("0:0:1:00:0:0:0:5:10", view), centred);
        for (log2, owner, seat) in [(1, "1", Seat::One), (6, "-1", Seat::Two), (12, "1", Seat::One)] {
            let cube = cube(&format!("{log2}:{owner}:1:00:0:0:0:0:10"), view);
            assert_eq!((cube.value, cube.owner), (1 << log2, seat.number().to_string()));
            assert_eq!((cube.offered_to, cube.spot.0), (None, x));
            assert_eq!(cube.spot.1 > MIDDLE, seat == view.bottom, "{view:?}");
        }
    }
}

#[test]
fn a_cube_that_is_offered_lies_before_the_one_who_answers() {
    for (id, value, to) in [
        ("0:0:1:D:0:0:0:5:10", 2, 2),
        ("0:0:-1:D:0:0:0:5:10", 2, 1),
        ("1:1:1:D:0:0:0:9:10", 4, 2),
        ("1:-1:1:B:0:0:2:0:10", 4, 1),
        ("2:-1:1:R:0:0:2:0:10", 8, 2),
        ("12:0:1:D:0:0:0:0:12", 8_192, 2),
    ] {
        let cube = drawn(position(id)).cube.unwrap();
        assert_eq!((cube.value, cube.offered_to), (value, Some(to)), "{id}");
        assert!((cube.spot.0 > 380.0) == (to == 1) && cube.spot.1 == MIDDLE, "{id}");
    }
}

#[test]
fn where_there_is_no_cube_none_is_drawn() {
    let position = GamePosition { cube_limit: Some(CubeValue::ONE), ..position("0:0:1:00:0:0:0:5:10") };
    let drawn = drawn(position);
    assert_eq!(drawn.cube, None);
    assert!(drawn.description.contains("There is no cube."));
    assert_eq!(foot(position)[1], "to roll");
}

#[test]
fn pip_count_and_score_stand_beside_the_name() {
    let both = xgid("XGID=a-BB-BC------BA-----ddcb-A:0:0:1:00:2:13:0:15:10");
    let drawn = drawn(both);
    let pips = |seat| both.board.side(seat).pip_count().to_string();
    assert_eq!(drawn.strip(1), ["Alice", &pips(Seat::One), "pips", "2 / 15"]);
    assert_eq!(drawn.strip(2), ["Bob", &pips(Seat::Two), "pips", "13 / 15"]);
    let money = Drawn::of(&picture(position("0:0:1:00:4:0:3:0:10"), View::of(Seat::One)));
    assert_eq!(money.strip(1), ["Alice", "167", "pips", "4"]);
}

/// Where the texts of a strip begin.
fn begins(svg: &str, text: &str) -> f64 {
    let (_, rest) = svg.split_once(&format!("data-text=\"{text}\" transform=\"translate(")).unwrap();
    rest.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_longest_move_and_the_highest_score_have_room() {
    let steps = [(25, true), (24, true), (13, true), (12, true)].map(|(source, hit)| Step {
        source: Source::from_number(source).unwrap(),
        die: Die::new(2).unwrap(),
        hit,
    });
    let played = Move::new(&steps).unwrap();
    let last_move = Some(LastMove { seat: Seat::One, dice: Dice::new(2, 2), played });
    for (score, length) in [(Score::new(255, 254), 255), (Score::new(u32::MAX, 0), 255)] {
        let play = Play::Match { length, crawford: false };
        let position = GamePosition { score, play, ..position("0:0:1:00:0:0:0:5:10") };
        let svg = Picture { last_move, ..picture(position, View::of(Seat::One)) }.svg();
        let (name, played) = (begins(&svg, "Alice"), begins(&svg, "22: bar/23* 24/22* 13/11* 12/10*"));
        let (pips, count) = (begins(&svg, "pips"), begins(&svg, "167"));
        assert!(name < played && played < pips && pips < count);
        assert!(begins(&svg, &format!("{} / 255", score.one)) > 628.0);
    }
}

#[test]
fn the_foot_says_what_is_played() {
    for (rest, play) in [
        ("0:0:1:00:0:0:0:5:10", "5-point match"),
        ("0:0:1:00:4:0:1:5:10", "5-point match, Crawford game"),
        ("0:0:1:00:0:0:0:0:10", "Money game"),
        ("0:0:1:00:0:0:3:0:10", "Money game, Jacoby rule, beavers"),
    ] {
        assert_eq!(foot(position(rest))[0], play);
    }
}

#[test]
fn the_foot_says_what_is_to_be_done() {
    let id = position("0:0:1:52:0:0:0:5:10");
    let dice = Dice::new(5, 2);
    let kind = WinKind::Gammon;
    for (position, to_do) in [
        (id, "to play 5-2"),
        (position("0:0:1:00:0:0:0:5:10"), "to roll or double"),
        (position("1:-1:1:00:0:0:0:5:10"), "to roll"),
        (position("0:0:1:00:4:0:1:5:10"), "to roll"),
        (position("0:0:1:D:0:0:0:5:10"), "to answer a double to 2"),
        (position("1:-1:1:B:0:0:2:0:10"), "to answer a beaver to 4"),
        (position("2:-1:1:R:0:0:2:0:10"), "to answer a raccoon to 8"),
        (GamePosition { stage: Stage::OpeningRoll, ..id }, "The opening roll is due"),
        (
            GamePosition { stage: Stage::ResignationOffered { by: Seat::One, kind, dice }, ..id },
            "to answer: the other resigns a gammon",
        ),
        (GamePosition { stage: Stage::Over(GameEndReason::Timeout), ..id }, "The game is over: time ran out"),
    ] {
        assert_eq!(foot(position)[1], to_do);
    }
}
