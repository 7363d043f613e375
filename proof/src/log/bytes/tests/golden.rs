//! One entry of every kind, whose bytes and hashes lie in files: they may never change for version 1.

use std::{collections::BTreeSet, num::NonZeroU32};

use chaquete_rules::{
    Board, BySeat, Cube, CubeValue, Dice, DiceCommitment, DiceSource, Die, Event, GameEndReason, GameResult,
    Length, MatchEndReason, MatchPoints, MatchResult, MatchRules, MoneyRules, Move, OpeningRule, Position,
    Roll, Score, Seat, Setup, SideSetup, Source, Step, Terms, Variant, Win, WinKind,
};
use uuid::Uuid;

use super::{golden_entropy, golden_notes, golden_time};
use crate::log::{Actor, ActorKind, Entry, Part, Request, bytes, decode, encode, initial_hash, next_hash};

/// The exact bytes, one entry a line.
pub(super) const LINES: &str = include_str!("../../../../../tests/data/log/golden_v1.jsonl");

/// The hashes: of no event yet, then after each line.
const HEADS: &str = include_str!("../../../../../tests/data/log/golden_v1.heads");

const UID: Uuid = Uuid::from_u128(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);

pub(super) fn cube(value: u32) -> CubeValue {
    CubeValue::new(value).unwrap()
}

fn terms(one: &str, two: &str, rules: MatchRules, dice: DiceSource) -> Event {
    let players = BySeat::new(one.to_owned(), two.to_owned());
    Event::MatchCreated(Box::new(Terms::new(players, rules, dice)))
}

/// Three checkers a side, one of seat two on the bar, one of seat one off.
pub(super) fn few_checkers() -> Board {
    let mut one = SideSetup::default();
    one.points[0] = 2;
    let mut two = SideSetup { bar: 1, ..SideSetup::default() };
    two.points[21] = 2;
    let position = Setup { mover: one, opponent: two, checkers: 3 }.position().unwrap();
    Board::from_position(position, Seat::One)
}

fn mv(steps: &[(u8, u8, bool)]) -> Move {
    let step = |&(source, die, hit)| Step {
        source: Source::from_number(source).unwrap(),
        die: Die::new(die).unwrap(),
        hit,
    };
    Move::new(&steps.iter().map(step).collect::<Vec<_>>()).unwrap()
}

fn rolled(seat: Option<Seat>, dice: (u8, u8), index: u32, link: Option<u8>, automatic_double: bool) -> Event {
    let roll = Roll { dice: Dice::new(dice.0, dice.1).unwrap(), link: link.map(|byte| [byte; 32]) };
    Event::DiceRolled { seat, roll, index, opening: index < 3, automatic_double }
}

fn start() -> Position {
    Variant::Standard.start().position(Seat::One)
}

fn creations() -> Vec<Event> {
    let money =
        MoneyRules { max_games: NonZeroU32::new(9), jacoby: false, max_beavers: 2, max_automatic_doubles: 1 };
    let odd = MatchRules {
        length: Length::Money(money),
        variant: Variant::Hypergammon,
        max_cube: CubeValue::MAX,
        opening: OpeningRule::SeatTwo,
        initial: Some(few_checkers()),
    };
    let points = MatchRules::points(MatchPoints::new(7).unwrap());
    let turned = MatchRules {
        variant: Variant::LongGammon,
        opening: OpeningRule::SeatOne,
        initial: Some(Variant::Nackgammon.start()),
        ..MatchRules::points(MatchPoints::MAX)
    };
    vec![
        terms("u-1", "u-2", points, DiceSource::COMMITTED),
        terms("u-1", "u-1", MatchRules::money(), DiceSource::External),
        terms("a \"b\" \\c/", "ñ\u{1f3b2}\n", odd, DiceSource::Seeded),
        terms("", "~", turned, DiceSource::COMMITTED),
        terms(
            "u-1",
            "u-2",
            MatchRules { variant: Variant::Nackgammon, ..MatchRules::money() },
            DiceSource::Seeded,
        ),
    ]
}

fn rolls_and_moves() -> Vec<Event> {
    let after = few_checkers().position(Seat::Two);
    let hits = mv(&[(25, 5, true), (20, 6, false), (6, 3, true), (2, 6, false)]);
    vec![
        Event::DiceCommitted(Box::new(DiceCommitment {
            key_id: "1f2e3d4c".to_owned(),
            epoch: 1,
            anchor: [0xa0; 32],
            commitments: [[0; 32], [0x5e; 32], [0xff; 32]],
        })),
        Event::GameStarted { board: Variant::Standard.start(), crawford: false, cube: Cube::CENTERED },
        Event::GameStarted {
            board: few_checkers(),
            crawford: true,
            cube: Cube { value: cube(2), owner: Some(Seat::Two) },
        },
        rolled(None, (4, 4), 1, Some(0x01), true),
        rolled(Some(Seat::Two), (2, 5), 2, Some(0xab), false),
        rolled(Some(Seat::One), (6, 6), 4_000, None, false),
        Event::MoveMade { seat: Seat::Two, mv: mv(&[(24, 5, false), (13, 2, false)]), after: start() },
        Event::MoveMade { seat: Seat::One, mv: hits, after },
        Event::MoveMade { seat: Seat::One, mv: Move::EMPTY, after: start() },
        Event::TurnForfeited { seat: Seat::One },
    ]
}

fn offers() -> Vec<Event> {
    vec![
        Event::DoubleOffered { seat: Seat::One, value: cube(2) },
        Event::DoubleBeavered { seat: Seat::Two, value: cube(4) },
        Event::DoubleAccepted { seat: Seat::One, value: cube(4) },
        Event::DoubleDeclined { seat: Seat::Two },
        Event::ResignationOffered { seat: Seat::One, kind: WinKind::Single },
        Event::ResignationOffered { seat: Seat::Two, kind: WinKind::Backgammon },
        Event::ResignationDeclined { seat: Seat::One },
        Event::ResignationAccepted { seat: Seat::Two },
    ]
}

fn ends() -> Vec<Event> {
    let game = |number, seat, kind, reason, cube, points, jacoby_applied, score| {
        let (win, score) = (Some(Win { seat, kind }), BySeat { one: score, two: points });
        Event::GameEnded(GameResult { number, win, reason, cube, points, jacoby_applied, score })
    };
    let ended = |winner, score, reason, text: &str| Event::MatchEnded {
        result: MatchResult { winner, score, reason },
        reason: text.to_owned(),
    };
    vec![
        game(1, Seat::One, WinKind::Gammon, GameEndReason::BorneOff, cube(2), 4, false, 4),
        game(2, Seat::Two, WinKind::Backgammon, GameEndReason::Resigned, cube(1), 1, true, 0),
        game(3, Seat::Two, WinKind::Single, GameEndReason::DoubleDeclined, cube(4_096), 4_096, false, 7),
        ended(Some(Seat::One), Score::new(9, 3), MatchEndReason::PointsReached, ""),
        ended(None, Score::new(2, 2), MatchEndReason::SessionClosed, ""),
        ended(None, Score::default(), MatchEndReason::Cancelled, "Stromausfall: \"später\""),
    ]
}

/// Actors and parts take turns, so that all of them are in the file.
fn sealed(place: usize, event: Event) -> Entry {
    let number = place as u32;
    let kinds = [ActorKind::Player, ActorKind::Backend, ActorKind::Operator, ActorKind::Server];
    let seats = [Some(Seat::One), None, Some(Seat::Two)];
    let subjects = ["u-1", "", "arena/eu \"1\""];
    let id = Uuid::from_u128(0xfeed << 64 | u128::from(number));
    let request = Request { id, digest: [0xd0 | number as u8; 32] };
    let first = |events, request| Part::First { events: NonZeroU32::new(events).unwrap(), request };
    let part = match number % 5 {
        1 => first(1, None),
        2 => first(2, Some(request)),
        3 => Part::Later { request_id: Some(id) },
        _ => Part::Later { request_id: None },
    };
    Entry {
        rules: 1,
        revision: number + 1,
        time: if place == 0 { -1 } else { 1_767_225_600_000 + i64::from(number) },
        actor: Actor {
            kind: kinds[place % 4],
            seat: seats[place % 3],
            subject: subjects[place / 2 % 3].to_owned(),
        },
        game: number % 5,
        part,
        event,
    }
}

/// What a golden file holds.
struct Golden {
    entries: Vec<Entry>,
    lines: &'static str,
    heads: &'static str,
}

/// The files: the second one holds what came with limits of time, the third what came with updates, the fourth what came
/// with contributions to dice.
fn files() -> [Golden; 4] {
    let golden = |events: Vec<Event>, lines, heads| Golden {
        entries: events.into_iter().enumerate().map(|(place, event)| sealed(place, event)).collect(),
        lines,
        heads,
    };
    [
        golden([creations(), rolls_and_moves(), offers(), ends()].concat(), LINES, HEADS),
        golden(golden_time::events(), golden_time::LINES, golden_time::HEADS),
        golden(golden_notes::events(), golden_notes::LINES, golden_notes::HEADS),
        golden(golden_entropy::events(), golden_entropy::LINES, golden_entropy::HEADS),
    ]
}

#[test]
fn the_bytes_are_those_of_the_files() {
    for Golden { entries, lines, .. } in files() {
        let written: Vec<_> = entries.iter().map(|entry| String::from_utf8(encode(entry)).unwrap()).collect();
        assert_eq!(written, lines.lines().collect::<Vec<_>>());
        let read: Vec<_> = lines.lines().map(|line| decode(line.as_bytes()).unwrap()).collect();
        assert_eq!(read, entries);
    }
}

#[test]
fn the_hashes_are_those_of_the_files() {
    for Golden { lines, heads, .. } in files() {
        let mut head = initial_hash(&UID);
        let mut expected = vec![head.to_string()];
        for line in lines.lines() {
            head = next_hash(&head, line.as_bytes());
            expected.push(head.to_string());
        }
        assert_eq!(expected, heads.lines().collect::<Vec<_>>());
    }
}

#[test]
fn every_kind_of_event_is_in_the_files() {
    let entries = files().into_iter().flat_map(|golden| golden.entries);
    let types: BTreeSet<_> = entries.map(|entry| bytes::events::type_of(&entry.event)).collect();
    assert_eq!(types.len(), 25, "{types:?}");
}

#[test]
fn the_documentation_has_every_type_and_key() {
    let page = include_str!("../../../../../docs/log-format.md");
    for line in files().iter().flat_map(|golden| golden.lines.lines()) {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        let keys = entry.as_object().unwrap().keys().map(String::as_str);
        for word in keys.chain(entry["type"].as_str()) {
            assert!(page.contains(&format!("`{word}`")), "{word}");
        }
    }
    let example = page.lines().find(|line| line.starts_with("{\"v\":1")).unwrap();
    assert!(decode(example.as_bytes()).is_ok());
}
