//! The turn: named cases, positions on which other programs were once wrong, and the rules of movement.
#![expect(clippy::unwrap_used, reason = "a test stops where its data is not as expected")]

mod common;

use std::collections::BTreeSet;

use chaquete_rules::Written;
use common::Case;
use serde_json::Value;

fn turn_case(name: &str) -> Case {
    let cases: Vec<Value> = serde_json::from_str(&common::data("turns.json")).unwrap();
    Case::new(cases.into_iter().find(|case| case["case"] == name).unwrap())
}

/// Checks that the plays of a named case, and no others, are legal.
fn check_turn(name: &str) {
    let case = turn_case(name);
    let legal = case.legal();
    if let Some(count) = case.value["count"].as_u64() {
        assert_eq!(legal.len() as u64, count, "{legal:?}");
        return;
    }
    let plays = case.texts("plays");
    let written: BTreeSet<String> = plays
        .iter()
        .map(|play| legal.resolve(&play.parse::<Written>().unwrap()).unwrap().mv.to_string())
        .collect();
    let legal_moves: BTreeSet<String> = legal.iter().map(|legal| legal.mv.to_string()).collect();
    assert_eq!(legal_moves, written);
    assert_eq!(legal.len(), plays.len());
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
    t16_the_order_of_hits_matters: "T16",
    t17_the_order_decides: "T17",
    t18_the_last_checker_plays_both_dice: "T18",
}

#[test]
fn positions_on_which_other_programs_were_wrong() {
    let text = common::data("regressions.jsonl");
    assert_eq!(common::lines(&text).map(|line| Case::new(line).check_results()).count(), 25);
}

#[test]
fn movement_by_the_manuals() {
    let text = common::data("moves.jsonl");
    assert_eq!(common::lines(&text).map(|line| Case::new(line).check_results()).count(), 18);
}
