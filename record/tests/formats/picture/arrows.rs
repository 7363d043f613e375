//! The last move.

use std::collections::BTreeMap;

use chaquete_record::GamePosition;
use chaquete_record::picture::{LastMove, Picture, View};
use chaquete_rules::{Board, Dice, Die, Move, Seat, Source, Step};

use super::drawn::{Arrow, Drawn, Spot};
use super::games::{picture, random_game, views, xgid};

/// Checkers of both seats by place, as seat one numbers the points.
type Counts = BTreeMap<(u8, String), i32>;

fn counts(board: &Board) -> Counts {
    let mut counts = Counts::new();
    for seat in Seat::BOTH {
        let side = board.side(seat);
        let points = (1..).zip(side.points()).map(|(point, &count): (u8, &u8)| (point.to_string(), count));
        for (place, count) in points.chain([("bar".to_owned(), side.bar()), ("off".to_owned(), side.off())]) {
            counts.insert((seat.number(), place), count.into());
        }
    }
    counts
}

/// Plays what is drawn: each arrow moves a checker, each mark sends one to the bar.
fn played(drawn: &Drawn, before: &Board) -> Counts {
    let mut counts = counts(before);
    let mut add = |seat: u8, place: &str, count: i32| {
        *counts.get_mut(&(seat, place.to_owned())).unwrap() += count;
    };
    for arrow in &drawn.arrows {
        add(arrow.seat, arrow.places.first().unwrap(), -1);
        add(arrow.seat, arrow.places.last().unwrap(), 1);
    }
    for (point, _) in &drawn.hits {
        let opponent = 3 - drawn.arrows[0].seat;
        add(opponent, &(25 - point).to_string(), -1);
        add(opponent, "bar", 1);
    }
    counts
}

fn distance(one: Spot, other: Spot) -> f64 {
    (one.0 - other.0).hypot(one.1 - other.1)
}

/// Where somebody who looks would say that an arrow points: each tip at a place of its way.
fn points_where_it_says(drawn: &Drawn, arrow: &Arrow) -> bool {
    let stops = arrow.places[1..].iter().zip(&arrow.parts);
    arrow.parts.len() == arrow.places.len() - 1
        && stops.clone().all(|(place, (_, tip))| {
            let hit = drawn.hits.iter().find(|(point, _)| point.to_string() == *place).map(|(_, spot)| *spot);
            let stack = drawn.stack(arrow.seat, place).map(|stack| stack.spots.clone()).unwrap_or_default();
            stack.into_iter().chain(hit).any(|spot| distance(spot, *tip) < 8.0)
        })
}

#[test]
fn the_arrows_of_random_games_are_what_was_played() {
    let (mut hits, mut arrows) = (0, 0);
    for seed in 0..12 {
        for (number, turn) in random_game(seed).iter().enumerate() {
            let Some(view) = views().nth(number % 4) else { unreachable!("four views") };
            let position = GamePosition { board: turn.after, ..xgid("4HPwATDgc/ABMA") };
            let drawn = Drawn::of(&Picture { last_move: Some(turn.last), ..picture(position, view) });
            assert_eq!(played(&drawn, &turn.before), counts(&turn.after), "{:?}", turn.last);
            for arrow in &drawn.arrows {
                assert_eq!(arrow.seat, turn.last.seat.number());
                assert!(points_where_it_says(&drawn, arrow), "{:?}: {arrow:?}", turn.last);
            }
            hits += drawn.hits.len();
            arrows += drawn.arrows.len();
        }
    }
    assert!(hits > 100 && arrows > 1_000, "{hits} hits, {arrows} arrows");
}

/// A move of seat one: sources, dice, and whether they hit.
fn last(dice: (u8, u8), steps: &[(u8, u8, bool)]) -> LastMove {
    let step = |&(source, die, hit): &(u8, u8, bool)| Step {
        source: Source::from_number(source).unwrap(),
        die: Die::new(die).unwrap(),
        hit,
    };
    let played = Move::new(&steps.iter().map(step).collect::<Vec<_>>()).unwrap();
    LastMove { seat: Seat::One, dice: Dice::new(dice.0, dice.1), played }
}

/// The ways of the arrows, the points that were hit on, and how many gaps there are.
fn shown(id: &str, last: LastMove) -> (Vec<String>, Vec<u8>, usize) {
    let drawn = Drawn::of(&Picture { last_move: Some(last), ..picture(xgid(id), View::of(Seat::One)) });
    let ways = drawn.arrows.iter().map(|arrow| arrow.places.join("/")).collect();
    (ways, drawn.hits.iter().map(|(point, _)| *point).collect(), drawn.gaps.len())
}

#[test]
fn a_hit_on_the_way_is_a_stop() {
    let after = "XGID=b----BD-B--AcD---c-d----A-:0:0:-1:00:0:0:0:0:10";
    let (ways, hits, _) = shown(after, last((4, 6), &[(25, 4, true), (21, 6, false)]));
    assert_eq!((ways, hits), (vec!["bar/21/15".to_owned()], vec![21]));
    let (ways, hits, _) = shown(after, last((4, 6), &[(25, 4, false), (21, 6, true)]));
    assert_eq!((ways, hits), (vec!["bar/15".to_owned()], vec![15]));
}

#[test]
fn a_checker_enters_from_the_bar() {
    let after = "XGID=-b----E-C---eE---c-eA---A-:0:0:-1:00:0:0:0:0:10";
    assert_eq!(shown(after, last((5, 1), &[(25, 3, false)])), (vec!["bar/22".to_owned()], vec![], 1));
}

#[test]
fn checkers_are_borne_off() {
    let after = "XGID=-BBB----------------bbb---:0:0:-1:00:0:0:0:0:10";
    let ways = vec!["6/off".to_owned(), "4/off".to_owned()];
    assert_eq!(shown(after, last((6, 4), &[(6, 6, false), (4, 4, false)])), (ways, vec![], 2));
}

#[test]
fn each_checker_of_a_double_has_its_arrow() {
    let after = "XGID=-b----C-E---eC-B-c-e------:0:0:-1:00:0:0:0:0:10";
    let steps = [(24, 3, false), (21, 3, false), (24, 3, false), (21, 3, false)];
    let two = vec!["24/18".to_owned(); 2];
    assert_eq!(shown(after, last((3, 3), &steps)), (two, vec![], 2));
    let four: Vec<_> = ["13/10", "13/10", "8/5", "8/5"].map(str::to_owned).into();
    let steps = [(13, 3, false), (13, 3, false), (8, 3, false), (8, 3, false)];
    assert_eq!(shown(after, last((3, 3), &steps)).0, four);
}

#[test]
fn a_gap_is_drawn_where_the_stack_has_room() {
    // Five are left of six: there was no room for the sixth.
    let after = "XGID=-b----E-D---eC---c-e----A-:0:0:-1:00:0:0:0:0:10";
    assert_eq!(shown(after, last((2, 1), &[(6, 2, false), (13, 1, false)])).2, 1);
}

#[test]
fn no_move_has_no_arrow_and_is_told() {
    let position = xgid("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10");
    let last_move = Some(last((6, 6), &[]));
    let drawn = Drawn::of(&Picture { last_move, ..picture(position, View::of(Seat::Two)) });
    assert!(drawn.arrows.is_empty() && drawn.hits.is_empty() && drawn.gaps.is_empty());
    assert!(drawn.strip(1).contains(&"66: no move"), "{:?}", drawn.strip(1));
    assert!(drawn.description.contains("Last move of Alice: 66: no move."), "{}", drawn.description);
}

#[test]
fn a_move_that_the_board_does_not_follow_is_drawn_nevertheless() {
    let empty = xgid("AAAAAAAAAAAAAA");
    let steps = [(25, 1, true), (24, 6, true), (6, 6, false), (1, 6, false)];
    for view in views() {
        let drawn = Drawn::of(&Picture { last_move: Some(last((6, 1), &steps)), ..picture(empty, view) });
        assert_eq!(drawn.arrows.len(), 3);
    }
}
