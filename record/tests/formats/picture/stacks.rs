//! Checkers and the numbers of the points.

use std::collections::BTreeMap;

use chaquete_record::GamePosition;
use chaquete_record::picture::HomeSide;
use chaquete_rules::{BySeat, Seat};

use super::drawn::{Drawn, Spot, Stack};
use super::games::{arrangements, picture, views, xgid};

const SIZE: Spot = (760.0, 700.0);
/// The middle of the board.
const MIDDLE: Spot = (380.0, 336.0);

fn distance(one: Spot, other: Spot) -> f64 {
    (one.0 - other.0).hypot(one.1 - other.1)
}

/// What a seat has where, in the words of the picture; `counts` are those of points 1 to 24 and of the bar.
fn places(counts: &[u8]) -> BTreeMap<String, u8> {
    let names = (1..=24).map(|point| point.to_string()).chain(["bar".to_owned(), "off".to_owned()]);
    let off = 15 - counts.iter().sum::<u8>();
    names.zip(counts.iter().copied().chain([off])).filter(|(_, count)| *count > 0).collect()
}

#[test]
fn every_checker_of_every_position_is_drawn_once() {
    let mut high = 0;
    for (counts, position) in arrangements() {
        for view in views() {
            let drawn = Drawn::of(&picture(GamePosition::new(position), view));
            for seat in Seat::BOTH {
                let expected = places(&counts[seat]);
                let of_seat = drawn.stacks.iter().filter(|stack| stack.seat == seat.number());
                let found: BTreeMap<_, _> = of_seat.map(|stack| (stack.place.clone(), stack.count)).collect();
                assert_eq!(found, expected, "{view:?}");
            }
            for stack in &drawn.stacks {
                let (shown, number) = match (stack.place.as_str(), stack.count) {
                    ("off", count) => (count, Some(count.to_string())),
                    (_, count @ 0..=5) => (count, None),
                    (_, count) => (5, Some(count.to_string())),
                };
                assert_eq!((stack.spots.len(), &stack.number), (usize::from(shown), &number), "{stack:?}");
                high += usize::from(stack.count > 5);
            }
        }
    }
    assert!(high > 100, "stacks above five: {high}");
}

#[test]
fn no_checker_lies_upon_another() {
    for (_, position) in arrangements() {
        for view in views() {
            let drawn = Drawn::of(&picture(GamePosition::new(position), view));
            let standing: Vec<Spot> = drawn
                .stacks
                .iter()
                .filter(|stack| stack.place != "off")
                .flat_map(|s| s.spots.clone())
                .collect();
            for (index, &one) in standing.iter().enumerate() {
                assert!(standing[..index].iter().all(|&other| distance(one, other) >= 39.9), "{one:?}");
            }
        }
    }
}

/// A checker stands at the number that its seat gives to the point: in its column, in its half.
fn is_at_number(drawn: &Drawn, stack: &Stack) -> bool {
    let mut numbers = drawn.numbers.iter().filter(|n| n.seat == stack.seat && n.number == stack.place);
    let (number, more) = (numbers.next().unwrap(), numbers.next());
    assert!(more.is_none(), "{} is there twice for seat {}", stack.place, stack.seat);
    // The corner of a number is at most the width of two digits left of its middle.
    let is_in_column = |spot: &Spot| (0.0..16.0).contains(&(spot.0 - number.spot.0));
    let is_in_half = |spot: &Spot| (spot.1 < MIDDLE.1) == (number.spot.1 < MIDDLE.1);
    stack.spots.iter().all(|spot| is_in_column(spot) && is_in_half(spot))
}

#[test]
fn checkers_stand_at_the_numbers_of_their_seat() {
    for (_, position) in arrangements() {
        for view in views() {
            let drawn = Drawn::of(&picture(GamePosition::new(position), view));
            assert_eq!(drawn.numbers.len(), 48);
            for stack in drawn.stacks.iter().filter(|stack| stack.place.parse::<u8>().is_ok()) {
                assert!(is_at_number(&drawn, stack), "{view:?}: {stack:?}");
            }
        }
    }
}

#[test]
fn checkers_off_the_points_lie_where_they_enter_and_where_they_leave() {
    let position = xgid("XGID=a-BB-BC------BA-----ddcb-A:1:1:-1:00:2:3:0:7:10");
    for view in views() {
        let drawn = Drawn::of(&picture(position, view));
        for seat in Seat::BOTH {
            let is_lower = |place| drawn.stack(seat.number(), place).unwrap().spots[0].1 > MIDDLE.1;
            let has_home_below = seat == view.bottom;
            assert_eq!((is_lower("bar"), is_lower("off")), (!has_home_below, has_home_below), "{view:?}");
            let x = |place| drawn.stack(seat.number(), place).unwrap().spots[0].0;
            let is_at_right = view.home == HomeSide::Right;
            assert_eq!((x("bar"), x("off") > MIDDLE.0), (MIDDLE.0, is_at_right), "{view:?}");
        }
    }
}

/// Numbers of one row from left to right.
fn row(drawn: &Drawn, seat: u8, is_upper: bool) -> Vec<u8> {
    let mut row: Vec<_> = drawn.numbers.iter().filter(|n| n.seat == seat).collect();
    row.retain(|number| (number.spot.1 < MIDDLE.1) == is_upper);
    row.sort_by(|one, other| one.spot.0.total_cmp(&other.spot.0));
    row.iter().map(|number| number.number.parse().unwrap()).collect()
}

#[test]
fn the_points_are_numbered_as_both_seats_count_them() {
    let start = xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10");
    for view in views() {
        let drawn = Drawn::of(&picture(start, view));
        let [mut low, mut high]: [Vec<u8>; 2] = [(1..=12).rev().collect(), (13..=24).collect()];
        if view.home == HomeSide::Left {
            low.reverse();
            high.reverse();
        }
        let (bottom, top) = (view.bottom.number(), view.bottom.opponent().number());
        assert_eq!((row(&drawn, bottom, false), row(&drawn, bottom, true)), (low.clone(), high.clone()));
        assert_eq!((row(&drawn, top, true), row(&drawn, top, false)), (low, high));
    }
}

/// All checkers as somebody sees them, in whole units.
fn seen(drawn: &Drawn, turn: impl Fn(Spot) -> Spot) -> Vec<String> {
    let whole = |&spot: &Spot| (turn(spot).0.round() as i32, turn(spot).1.round() as i32);
    let stack = |s: &Stack| {
        let spots: Vec<(i32, i32)> = s.spots.iter().map(whole).collect();
        format!("seat {} at {}: {spots:?}", s.seat, s.place)
    };
    drawn.stacks.iter().map(stack).collect()
}

#[test]
fn views_are_turned_and_mirrored_pictures_of_each_other() {
    let position = xgid("XGID=a-BB-BC------BA-----ddcb-A:1:1:-1:00:2:3:0:7:10");
    let drawn: Vec<Drawn> = views().map(|view| Drawn::of(&picture(position, view))).collect();
    let [one_right, one_left, two_right, two_left] = &drawn[..] else { panic!("four views") };
    let plain = seen(one_right, |spot| spot);
    let (across, down) = (|(x, _)| SIZE.0 - x, |(_, y)| 2.0 * MIDDLE.1 - y);
    assert_eq!(seen(one_left, |spot| (across(spot), spot.1)), plain);
    assert_eq!(seen(two_right, |spot| (spot.0, down(spot))), plain);
    assert_eq!(seen(two_left, |spot| (across(spot), down(spot))), plain);
}

#[test]
fn a_variant_may_have_fewer_checkers() {
    let start = chaquete_rules::Variant::Hypergammon.start().position(Seat::One);
    let drawn = Drawn::of(&picture(GamePosition::new(start), views().next().unwrap()));
    let all: BySeat<Vec<_>> = BySeat::from_fn(|seat| {
        let of_seat = drawn.stacks.iter().filter(|stack| stack.seat == seat.number());
        of_seat.map(|stack| (stack.place.as_str(), stack.count)).collect()
    });
    assert_eq!(all.one, [("24", 1), ("23", 1), ("22", 1)]);
    assert_eq!(all.one, all.two);
}
