//! Move text, read and written, held against GNU Backgammon 1.07 where it is the model.
#![expect(clippy::unwrap_used, reason = "a test stops where its data is not as expected")]

mod common {
    pub(crate) mod files;
    pub(crate) mod numbers;
}

use chaquete_rules::{Die, Move, NotationError, NotationProblem, Source, Step, Written};
use common::files::{data, lines};
use common::numbers::position;

/// Texts that GNU Backgammon refuses and we read: a count of one is odd, but says what is meant, and five
/// steps are well written; that no roll has so many is for the rules to say (`TOO_MANY_STEPS`). Nothing that
/// it reads is refused.
const READ_ALL_THE_SAME: [&str; 2] = ["8/4(1)", "6/5 6/5 6/5 6/5 6/5"];

#[test]
fn texts_are_read_as_gnu_backgammon_reads_them() {
    for case in lines(&data("parsed_moves.jsonl")) {
        let text = case["text"].as_str().unwrap();
        let written = text.parse::<Written>();
        let accepted = case["ok"] == true || READ_ALL_THE_SAME.contains(&text);
        assert_eq!(written.is_ok(), accepted, "{text:?}: {written:?}");
        let (Ok(written), Some(moves)) = (written, case.get("moves")) else { continue };
        let mut steps: Vec<_> =
            written.steps().map(|step| [step.source.number(), step.target.number()]).collect();
        steps.sort_unstable_by(|one, other| other.cmp(one));
        assert_eq!(serde_json::json!(steps), *moves, "{text:?}");
    }
}

#[test]
fn moves_are_written_as_gnu_backgammon_writes_them() {
    for case in lines(&data("printed_moves.jsonl")) {
        let p: Vec<i8> = serde_json::from_value(case["p"].clone()).unwrap();
        let position = position(&p.try_into().unwrap()).unwrap();
        let moves: Vec<[u8; 2]> = serde_json::from_value(case["moves"].clone()).unwrap();
        let steps: Vec<Step> = moves
            .iter()
            .map(|&[from, to]| {
                let (source, die) = (Source::from_number(from).unwrap(), Die::new(from - to).unwrap());
                // Some of these moves go to blocked points, where that program sees a hit as well.
                let hit = match source.target(die) {
                    chaquete_rules::Target::Point(point) => position.opposing(point) > 0,
                    chaquete_rules::Target::Off => false,
                };
                Step { source, die, hit }
            })
            .collect();
        assert_eq!(Move::new(&steps).unwrap().to_string(), case["text"], "{}", case["note"]);
    }
}

fn step(from: u8, die: u8, hit: bool) -> Step {
    Step { source: Source::from_number(from).unwrap(), die: Die::new(die).unwrap(), hit }
}

fn printed(steps: &[Step]) -> String {
    Move::new(steps).unwrap().to_string()
}

#[test]
fn each_checker_goes_its_own_way() {
    let ways = |steps: &[Step]| {
        let chains = Move::new(steps).unwrap().chains();
        chains.map(|chain| chain.places().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(
        ways(&[step(6, 6, false), step(25, 5, true), step(20, 4, false)]),
        [vec![25, 20, 16], vec![6, 0]]
    );
    assert_eq!(ways(&[step(8, 3, false), step(5, 3, false), step(8, 3, false)]), [[8, 5], [8, 2]]);
    assert_eq!(ways(&[]), [] as [Vec<u8>; 0]);
}

#[test]
fn equal_steps_are_counted_and_a_hit_is_starred_once() {
    assert_eq!(
        printed(&[step(6, 4, true), step(8, 4, false), step(8, 4, false), step(6, 4, false)]),
        "8/4(2) 6/2*(2)"
    );
    assert_eq!(printed(&[step(24, 4, true), step(24, 4, false), step(20, 4, false)]), "24/20*/16 24/20");
}

#[test]
fn one_checkers_steps_are_merged_whatever_their_order() {
    assert_eq!(
        printed(&[step(8, 2, false), step(6, 2, false), step(6, 2, false), step(4, 2, false)]),
        "8/2 6/4"
    );
    assert_eq!(printed(&[step(6, 3, false), step(3, 6, false)]), "6/off");
}

#[test]
fn of_two_ways_from_one_point_the_nearer_target_is_written_first() {
    assert_eq!(printed(&[step(13, 3, false), step(13, 2, false)]), "13/11 13/10");
}

#[test]
fn a_move_has_at_most_four_steps() {
    assert_eq!(Move::new(&[step(6, 1, false); 5]), None);
    assert_eq!(Move::EMPTY.to_string(), "");
}

fn error(text: &str) -> (NotationProblem, usize) {
    let NotationError { problem, column, .. } = text.parse::<Written>().unwrap_err();
    (problem, column)
}

#[test]
fn an_error_names_what_is_wrong_and_where() {
    assert_eq!(error("8/5 6"), (NotationProblem::NoTarget, 5));
    assert_eq!(error("8/5 26/20"), (NotationProblem::NoSuchPoint, 5));
    assert_eq!(error("8/5/"), (NotationProblem::NoPlace, 5));
    assert_eq!(error("8/bar"), (NotationProblem::ToBar, 3));
    assert_eq!(error("6/off/3"), (NotationProblem::FromOff, 3));
    assert_eq!(error("6/off(5)"), (NotationProblem::BadCount, 6));
    assert_eq!(error("6/off(2"), (NotationProblem::BadCount, 6));
    assert_eq!(error("8/5+6/5"), (NotationProblem::Unexpected, 4));
    assert_eq!(error("*8/5"), (NotationProblem::NoPlace, 1));
    assert_eq!(error("8/5 foo"), (NotationProblem::NoPlace, 5));
}

#[test]
fn a_column_counts_characters_and_a_byte_counts_bytes() {
    let NotationError { problem, byte, column } = "8/5 6/5é".parse::<Written>().unwrap_err();
    assert_eq!((problem, byte, column), (NotationProblem::Unexpected, 7, 8));
    let NotationError { problem, byte, column } = "8/é".parse::<Written>().unwrap_err();
    assert_eq!((problem, byte, column), (NotationProblem::NoPlace, 2, 3));
    assert_eq!(error(&"é".repeat(200)).0, NotationProblem::TooLong);
}

#[test]
fn absurdly_long_text_is_an_error() {
    assert_eq!(error(&"6/5 ".repeat(1000)).0, NotationProblem::TooLong);
    assert_eq!(error(&format!("6/{}", "0".repeat(100_000))).0, NotationProblem::TooLong);
}
