//! Submitted moves: what is accepted, and which rule and step a refusal names.
#![expect(clippy::unwrap_used, reason = "a test stops where its data is not as expected")]

mod common {
    pub(crate) mod cases;
    pub(crate) mod files;
    pub(crate) mod full;
    pub(crate) mod gnu_id;
    pub(crate) mod numbers;
}

use chaquete_rules::{
    Dice, Die, IllegalMove, LegalMove, LegalMoves, MoveViolation, Setup, SideSetup, Source, Target, Written,
    WrittenStep,
};
use common::cases::legal_moves;
use common::files::{data, lines};
use common::full::full;
use common::gnu_id::gnu_id;
use serde_json::Value;

/// The step that a refusal must name.
#[derive(Clone, Copy)]
enum Names {
    /// The last one submitted: the cases stop where the rule is broken.
    Last,
    /// The one that is missing after the last.
    Missing,
}

/// The rule that each kind of mistake breaks. Kinds that are not here are legal.
const MISTAKES: [(&str, MoveViolation, Names); 17] = [
    ("must_move", MoveViolation::MustUseMoreDice, Names::Missing),
    ("must_use_as_many_of_double", MoveViolation::MustUseMoreDice, Names::Missing),
    ("must_use_both_stopped_early", MoveViolation::MustUseMoreDice, Names::Missing),
    ("must_use_both_dead_end", MoveViolation::MustUseMoreDice, Names::Last),
    ("must_use_larger", MoveViolation::MustUseLargerDie, Names::Last),
    ("bear_off_not_highest", MoveViolation::HigherCheckerExists, Names::Last),
    ("bear_off_not_home", MoveViolation::NotAllHome, Names::Last),
    ("sum_of_dice_through_blocks", MoveViolation::PointBlocked, Names::Last),
    ("blocked_point", MoveViolation::PointBlocked, Names::Last),
    ("entry_blocked", MoveViolation::PointBlocked, Names::Last),
    ("no_checker_there", MoveViolation::NoChecker, Names::Last),
    ("same_die_twice", MoveViolation::DieNotAvailable, Names::Last),
    ("not_on_the_dice", MoveViolation::DieNotAvailable, Names::Last),
    ("bar_first", MoveViolation::BarFirst, Names::Last),
    ("bar_not_empty_yet", MoveViolation::BarFirst, Names::Last),
    ("backwards", MoveViolation::WrongDirection, Names::Last),
    ("too_many_moves", MoveViolation::TooManySteps, Names::Last),
];

fn check_submission(case: &Value) {
    let steps: Vec<[u8; 2]> = serde_json::from_value(case["m"].clone()).unwrap();
    let written = Written::from_steps(steps.iter().map(|&[from, to]| WrittenStep {
        source: Source::from_number(from).unwrap(),
        target: Target::from_number(to).unwrap(),
        die: None,
    }));
    let result = legal_moves(case).resolve(&written);
    match MISTAKES.iter().find(|(why, ..)| case["why"] == *why) {
        Some(&(_, violation, names)) => {
            let step = match names {
                Names::Last => steps.len() - 1,
                Names::Missing => steps.len(),
            };
            assert_eq!(result, Err(IllegalMove { violation, step }), "{case}");
        }
        None => assert_eq!(gnu_id(&result.unwrap().after.turned()), case["res"], "{case}"),
    }
}

#[test]
fn submissions_of_every_kind() {
    assert_eq!(lines(&data("submissions.jsonl")).map(|case| check_submission(&case)).count(), 320);
}

#[test]
fn submissions_of_every_kind_in_full() {
    let Some(text) = full("submit_dev.jsonl") else { return };
    assert_eq!(lines(&text).map(|case| check_submission(&case)).count(), 2200);
}

/// The moves of a roll when each side has these checkers, given as numbers of a point of its own and how
/// many stand there; 25 is the bar, and what is missing to 15 is off.
fn moves(mover: &[(u8, u8)], opponent: &[(u8, u8)], dice: (u8, u8)) -> LegalMoves {
    let side = |checkers: &[(u8, u8)]| {
        let mut side = SideSetup::default();
        for &(point, count) in checkers {
            match usize::from(point) {
                25 => side.bar = count,
                point => side.points[point - 1] = count,
            }
        }
        side
    };
    let setup = Setup { mover: side(mover), opponent: side(opponent), checkers: 15 };
    LegalMoves::new(setup.position().unwrap(), Dice::new(dice.0, dice.1).unwrap())
}

fn submit(legal: &LegalMoves, text: &str) -> Result<LegalMove, IllegalMove> {
    legal.resolve(&text.parse().unwrap())
}

fn accepted(legal: &LegalMoves, text: &str) -> String {
    submit(legal, text).unwrap().mv.to_string()
}

fn refused(legal: &LegalMoves, text: &str) -> (MoveViolation, usize) {
    let IllegalMove { violation, step } = submit(legal, text).unwrap_err();
    (violation, step)
}

const START: [(u8, u8); 4] = [(24, 2), (13, 5), (8, 3), (6, 5)];

#[test]
fn one_checker_is_written_in_any_usual_way() {
    let legal = moves(&START, &START, (6, 5));
    for text in ["24/13", "24/18/13", "24/18 18/13", "18/13, 24/18", "24-18-13", "24/18*/13*", " 24/13 "] {
        assert_eq!(accepted(&legal, text), "24/13", "{text}");
    }
}

#[test]
fn the_order_of_steps_is_kept() {
    let legal = moves(&START, &START, (6, 2));
    let played = submit(&legal, "13/11 24/18").unwrap().mv;
    assert_eq!(played.steps().iter().map(|step| step.die.pips()).collect::<Vec<_>>(), [2, 6]);
    assert_eq!(played.to_string(), "24/18 13/11");
}

#[test]
fn both_checkers_on_the_bar_go_on_together() {
    let legal = moves(&[(25, 2), (6, 5)], &[(6, 2)], (3, 3));
    for text in ["bar/19", "bar/22(2)", "bar/22 6/3"] {
        assert!(submit(&legal, text).is_err(), "{text}");
    }
    let legal = moves(&[(25, 2), (6, 5)], &[(7, 1)], (3, 3));
    assert_eq!(accepted(&legal, "bar/19(2)"), "bar/19(2)");
    assert_eq!(accepted(&legal, "6/3 bar/19 bar/22"), "bar/22 bar/19 6/3");
}

#[test]
fn bearing_off_by_one_die_stands_for_both() {
    // 6/3/off uses both dice, as it must; the 6 alone leads to the same position.
    let legal = moves(&[(6, 1)], &[(1, 2)], (6, 3));
    let played = submit(&legal, "6/off").unwrap();
    assert_eq!(played.mv.steps().len(), 2);
    let die = Die::new(6);
    let step = WrittenStep { source: Source::from_number(6).unwrap(), target: Target::Off, die };
    assert_eq!(legal.resolve(&Written::from_steps([step])), Ok(played));
}

#[test]
fn a_single_step_is_played_by_the_larger_die() {
    // T13: either die bears the last checker off, and only one is played.
    let legal = moves(&[(1, 1)], &[(1, 2)], (5, 3));
    let step = WrittenStep { source: Source::from_number(1).unwrap(), target: Target::Off, die: Die::new(3) };
    let played = legal.resolve(&Written::from_steps([step])).unwrap();
    assert_eq!(played.mv.steps()[0].die.pips(), 5);
}

#[test]
fn only_the_points_written_are_touched() {
    // Blots on the 22- and the 21-point of the mover: T16.
    let legal = moves(&[(24, 1), (6, 14)], &[(3, 1), (4, 1), (13, 13)], (2, 1));
    assert_eq!(accepted(&legal, "24/21"), "24/21*");
    assert_eq!(accepted(&legal, "24/22/21"), "24/22*/21*");
}

#[test]
fn the_only_way_is_meant_even_if_it_hits_on_the_way() {
    let legal = moves(&[(24, 1), (6, 14)], &[(2, 2), (3, 1), (13, 12)], (2, 1));
    assert_eq!(accepted(&legal, "24/21"), "24/22*/21");
    let legal = moves(&[(24, 2), (6, 13)], &[(5, 1), (13, 12)], (4, 4));
    assert_eq!(accepted(&legal, "24/16(2)"), "24/20*/16(2)");
}

#[test]
fn two_ways_with_different_hits_are_ambiguous() {
    let legal = moves(&[(24, 1), (6, 14)], &[(2, 1), (3, 1), (13, 13)], (2, 1));
    assert_eq!(refused(&legal, "24/21"), (MoveViolation::Ambiguous, 0));
    assert_eq!(accepted(&legal, "24/22/21"), "24/22*/21");
    assert_eq!(accepted(&legal, "24/23/21"), "24/23*/21");
}

#[test]
fn a_star_that_contradicts_the_quiet_way_is_ambiguous_only_if_there_is_another() {
    let quiet_or_hit = moves(&[(24, 1), (6, 14)], &[(3, 1), (13, 14)], (2, 1));
    assert_eq!(accepted(&quiet_or_hit, "24/21"), "24/21");
    assert_eq!(refused(&quiet_or_hit, "24/21*"), (MoveViolation::Ambiguous, 0));
    let quiet = moves(&[(24, 1), (6, 14)], &[(13, 15)], (2, 1));
    assert_eq!(accepted(&quiet, "24/21*"), "24/21");
}

#[test]
fn the_die_of_a_step_may_be_said() {
    let legal = moves(&START, &START, (6, 5));
    let step = |from, to, die| WrittenStep {
        source: Source::from_number(from).unwrap(),
        target: Target::from_number(to).unwrap(),
        die: Die::new(die),
    };
    assert!(legal.resolve(&Written::from_steps([step(24, 18, 6), step(13, 8, 5)])).is_ok());
    let illegal = legal.resolve(&Written::from_steps([step(24, 18, 6), step(13, 8, 6)])).unwrap_err();
    assert_eq!(illegal, IllegalMove { violation: MoveViolation::DieNotAvailable, step: 1 });
    let illegal = legal.resolve(&Written::from_steps([step(24, 13, 6)])).unwrap_err();
    assert_eq!(illegal, IllegalMove { violation: MoveViolation::DieNotAvailable, step: 0 });
}

#[test]
fn steps_out_of_order_are_not_blamed_for_what_others_break() {
    let legal = moves(&START, &START, (2, 2));
    // 22/20 comes last but enables nothing wrong: the turn only stops early.
    assert_eq!(refused(&legal, "22/20 24/22"), (MoveViolation::MustUseMoreDice, 2));
    assert_eq!(refused(&legal, "22/20 24/22 13/10"), (MoveViolation::DieNotAvailable, 2));
    // A later step by the same die does not hide that the first one is blocked.
    let legal = moves(&START, &START, (5, 6));
    assert_eq!(refused(&legal, "6/1 13/8"), (MoveViolation::PointBlocked, 0));
}

#[test]
fn a_blocked_entry_is_named_before_the_step_that_waits_for_it() {
    let legal = moves(&[(25, 1), (13, 5), (6, 5)], &[(6, 2), (13, 5)], (6, 4));
    assert_eq!(refused(&legal, "13/9 bar/19"), (MoveViolation::PointBlocked, 1));
    assert_eq!(refused(&legal, "13/9"), (MoveViolation::BarFirst, 0));
}

#[test]
fn a_refusal_says_which_step_ends_in_a_dead_end() {
    // T4: 17/14 and 17/16 cannot both be played, and the 3 is only playable from the 5-point.
    let opponent = [(21, 2), (18, 2), (12, 3), (10, 2), (2, 2), (1, 2)];
    let legal = moves(&[(17, 1), (5, 1)], &opponent, (3, 1));
    assert_eq!(refused(&legal, "17/14"), (MoveViolation::MustUseMoreDice, 0));
    assert_eq!(refused(&legal, "5/2"), (MoveViolation::MustUseMoreDice, 1));
    assert_eq!(refused(&legal, ""), (MoveViolation::MustUseMoreDice, 0));
}

#[test]
fn steps_beyond_any_roll_are_too_many() {
    let legal = moves(&[(6, 15)], &[(6, 15)], (1, 1));
    assert_eq!(refused(&legal, "6/5 6/5 6/5 6/5 6/5 6/5 6/5"), (MoveViolation::TooManySteps, 4));
    assert_eq!(refused(&legal, "6/5 6/5 6/5 5/3 5/3 6/5"), (MoveViolation::DieNotAvailable, 3));
}
