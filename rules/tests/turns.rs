//! The turn: named cases, positions on which other programs were once wrong, and the rules of movement.
#![expect(clippy::unwrap_used, reason = "a test stops where its data is not as expected")]

mod common {
    pub(crate) mod cases;
    pub(crate) mod files;
    pub(crate) mod full;
    pub(crate) mod gnu_id;
    pub(crate) mod numbers;
    pub(crate) mod results;
}

use std::collections::BTreeSet;

use chaquete_rules::Written;
use common::cases::legal_moves;
use common::files::{data, lines};
use common::full::full;
use common::results::check_results;
use serde_json::Value;

/// Checks that the plays of a named case, and no others, are legal.
fn check_turn(name: &str) {
    let cases: Vec<Value> = serde_json::from_str(&data("turns.json")).unwrap();
    let case = cases.iter().find(|case| case["case"] == name).unwrap();
    let legal = legal_moves(case);
    if let Some(count) = case["count"].as_u64() {
        assert_eq!(legal.len() as u64, count, "{legal:?}");
        return;
    }
    let plays: Vec<Written> = case["plays"]
        .as_array()
        .unwrap()
        .iter()
        .map(|play| play.as_str().unwrap().parse().unwrap())
        .collect();
    let written: BTreeSet<_> = plays.iter().map(|play| legal.resolve(play).unwrap().mv.to_string()).collect();
    let moves: BTreeSet<_> = legal.iter().map(|legal| legal.mv.to_string()).collect();
    assert_eq!(moves, written);
    assert_eq!(legal.len(), plays.len());
}

/// Checks that these moves of a named case are legal, and lead to different positions.
fn check_different(name: &str, texts: &[&str]) {
    let cases: Vec<Value> = serde_json::from_str(&data("turns.json")).unwrap();
    let legal = legal_moves(cases.iter().find(|case| case["case"] == name).unwrap());
    let results: Vec<_> =
        texts.iter().map(|text| legal.resolve(&text.parse().unwrap()).unwrap().after).collect();
    assert!(results.windows(2).all(|pair| pair[0] != pair[1]));
}

macro_rules! turn_cases {
    ($($name:ident: $case:literal),* $(,)?) => {
        $(#[test]
        fn $name() {
            check_turn($case);
        })*
    };
}

turn_cases! {
    t1_if_either_die_can_be_played_the_larger_must_be: "T1",
    t2_only_the_smaller_can_be_played: "T2",
    t3_both_dice_with_the_other_checker: "T3",
    t4_no_dead_end: "T4",
    t5_no_bear_off_past_a_higher_checker: "T5",
    t6_the_die_must_match: "T6",
    t7_bearing_off_opens_within_the_turn: "T7",
    t8_three_of_four: "T8",
    t9_two_on_the_bar_and_one_enters: "T9",
    t10_a_dance_loses_the_turn: "T10",
    t11_the_larger_die_from_the_bar: "T11",
    t12_which_die_bears_off_matters: "T12",
    t13_a_win_voids_the_rest: "T13",
    t14_three_results_all_from_the_11_point: "T14",
    t15_a_double_is_one_turn: "T15",
    t16_six_results: "T16",
    t17_the_order_decides: "T17",
    t18_the_last_checker_plays_both_dice: "T18",
}

#[test]
fn t16_the_order_of_hits_matters() {
    check_different("T16", &["24/22*/21*", "24/23/21*"]);
}

#[test]
fn positions_on_which_other_programs_were_wrong() {
    assert_eq!(lines(&data("regressions.jsonl")).map(|case| check_results(&case)).count(), 25);
}

#[test]
fn movement_as_the_manuals_say() {
    assert_eq!(lines(&data("moves.jsonl")).map(|case| check_results(&case)).count(), 18);
}

#[test]
fn plays_of_every_kind() {
    assert_eq!(lines(&data("plays.jsonl")).map(|case| check_results(&case)).count(), 300);
}

#[test]
fn plays_of_every_kind_in_full() {
    let Some(text) = full("plays_dev.jsonl") else { return };
    assert_eq!(lines(&text).map(|case| check_results(&case)).count(), 5700);
}
