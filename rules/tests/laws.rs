//! Laws that hold for every input: nothing panics, what is printed is read back, checkers are conserved.
#![expect(clippy::unwrap_used, reason = "a test stops where its data is not as expected")]

mod common {
    pub(crate) mod hard;
    pub(crate) mod numbers;
    pub(crate) mod random;
}

use chaquete_rules::{
    Board, Dice, Die, LegalMove, LegalMoves, Position, Seat, Setup, SideSetup, Source, Step, Target, Written,
    WrittenStep,
};
use common::hard::hard_position;
use common::numbers::position;
use common::random::Random;
use proptest::prelude::*;

fn any_dice() -> impl Strategy<Value = Dice> {
    (1u8..=6, 1u8..=6).prop_map(|(first, second)| Dice::new(first, second).unwrap())
}

fn any_position() -> impl Strategy<Value = Position> {
    any::<u64>().prop_map(|seed| position(&hard_position(&mut Random(seed))).unwrap())
}

fn any_moves() -> impl Strategy<Value = LegalMoves> {
    (any_position(), any_dice()).prop_map(|(position, dice)| LegalMoves::new(position, dice))
}

prop_compose! {
    fn any_side()(points in any::<[u8; 24]>(), bar: u8, off: Option<u8>) -> SideSetup {
        SideSetup { points, bar, off }
    }
}

prop_compose! {
    /// Mostly empty points, so that there is a chance for a position.
    fn sparse_side()(
        points in prop::collection::vec(prop_oneof![20 => Just(0u8), 1 => 1u8..5, 1 => any::<u8>()], 24),
        bar in prop_oneof![4 => Just(0), 1 => 0u8..3],
        off in prop::option::weighted(0.3, 0u8..16),
    ) -> SideSetup {
        SideSetup { points: points.try_into().unwrap(), bar, off }
    }
}

prop_compose! {
    fn any_step()(from in 1u8..=25, to in 0u8..=24, die in prop::option::weighted(0.2, 1u8..=6)) -> WrittenStep {
        WrittenStep {
            source: Source::from_number(from).unwrap(),
            target: Target::from_number(to).unwrap(),
            die: die.and_then(Die::new),
        }
    }
}

fn written_steps(steps: &[Step], with_dice: bool) -> Vec<WrittenStep> {
    let written = |step: &Step| {
        let die = with_dice.then_some(step.die);
        WrittenStep { source: step.source, target: step.target(), die }
    };
    steps.iter().map(written).collect()
}

/// All orders of up to four things.
fn permutations<T: Clone>(of: &[T]) -> Vec<Vec<T>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |first: usize| {
        let rest = [&of[..first], &of[first + 1..]].concat();
        permutations(&rest).into_iter().map(move |rest| [&of[first..=first], &rest].concat())
    };
    (0..of.len()).flat_map(with_first).collect()
}

/// Whether the steps are legal one after the other and lead to the position that the move says.
fn is_playable(start: Position, legal: &LegalMove) -> bool {
    let end = legal.mv.steps().iter().try_fold(start, |position, step| {
        let (played, next) = position.step(step.source, step.die).ok()?;
        (played == *step).then_some(next)
    });
    end == Some(legal.after)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_arrangement_is_a_position_or_says_why_not(
        mover in prop_oneof![any_side(), sparse_side()],
        opponent in prop_oneof![any_side(), sparse_side()],
        checkers: u8,
        dice in any_dice(),
    ) {
        match (Setup { mover, opponent, checkers }).position() {
            Ok(position) => {
                let legal = LegalMoves::new(position, dice);
                prop_assert!(legal.iter().all(|legal| is_playable(position, &legal)));
                prop_assert_eq!(legal.graph().nodes[0].complete, legal.is_empty());
            }
            Err(reasons) => prop_assert!(!reasons.is_empty()),
        }
    }

    #[test]
    fn any_text_is_read_or_says_where_it_is_wrong(
        text in prop_oneof![".{0,300}", "([0-9]{1,2}|bar|b|off|o|[-/*,() ]|\\(2\\)){0,30}"],
        legal in any_moves(),
    ) {
        match text.parse::<Written>() {
            Ok(written) => drop(legal.resolve(&written)),
            Err(error) => {
                prop_assert!(text.is_char_boundary(error.byte), "{}", error);
                prop_assert_eq!(text[..error.byte].chars().count() + 1, error.column);
            }
        }
    }

    #[test]
    fn any_steps_make_a_legal_move_or_break_a_rule(
        steps in prop::collection::vec(any_step(), 0..7),
        legal in any_moves(),
    ) {
        match legal.resolve(&Written::from_steps(steps.iter().copied())) {
            Ok(found) if !legal.is_empty() => {
                prop_assert!(legal.iter().any(|legal| legal.after == found.after));
                prop_assert!(is_playable(*legal.position(), &found));
            }
            Ok(found) => prop_assert!(found.mv.steps().is_empty() && found.after == *legal.position()),
            Err(illegal) => prop_assert!(illegal.step <= steps.len()),
        }
    }

    #[test]
    fn what_is_printed_is_read_back(legal in any_moves()) {
        for legal_move in legal.iter().take(300) {
            let text = legal_move.mv.to_string();
            let found = legal.resolve(&text.parse().unwrap());
            prop_assert_eq!(found.map(|found| (found.after, found.mv.to_string())), Ok((legal_move.after, text)));
        }
    }

    #[test]
    fn no_two_legal_moves_are_printed_alike(legal in any_moves()) {
        let sorted = legal.sorted();
        prop_assert_eq!(sorted.len(), legal.len());
        let texts: Vec<_> = sorted.iter().map(|legal| legal.mv.to_string()).collect();
        prop_assert!(texts.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn the_steps_of_a_legal_move_may_come_in_any_order(legal in any_moves(), with_dice: bool) {
        for legal_move in legal.iter().take(20) {
            for order in permutations(legal_move.mv.steps()) {
                let found = legal.resolve(&Written::from_steps(written_steps(&order, with_dice)));
                prop_assert_eq!(found.map(|found| found.after), Ok(legal_move.after));
                prop_assert!(is_playable(*legal.position(), &found.unwrap()));
                prop_assert_eq!(found.unwrap().mv.to_string(), legal_move.mv.to_string());
            }
        }
    }

    #[test]
    fn the_pips_fall_by_no_more_than_the_dice(legal in any_moves()) {
        let before = legal.position().mover().pip_count();
        for legal_move in legal.iter() {
            let dice: u16 = legal_move.mv.steps().iter().map(|step| u16::from(step.die.pips())).sum();
            let fallen = before - legal_move.after.mover().pip_count();
            prop_assert!(fallen <= dice);
            // Only bearing off wastes pips.
            let bears_off = legal_move.after.mover().off() > legal.position().mover().off();
            prop_assert!(fallen == dice || bears_off);
        }
    }

    #[test]
    fn checkers_are_conserved_and_hit_ones_are_on_the_bar(legal in any_moves()) {
        let before = legal.position();
        for LegalMove { mv, after } in legal.iter() {
            prop_assert_eq!(after.mover().checkers(), before.mover().checkers());
            prop_assert_eq!(after.opponent().checkers(), before.opponent().checkers());
            let hits = mv.steps().iter().filter(|step| step.hit).count();
            prop_assert_eq!(usize::from(after.opponent().bar() - before.opponent().bar()), hits);
        }
    }

    #[test]
    fn the_roll_may_be_read_in_either_order(position in any_position(), dice in any_dice()) {
        let other = Dice { first: dice.second, second: dice.first };
        let (one, other) = (LegalMoves::new(position, dice), LegalMoves::new(position, other));
        prop_assert!(one.iter().eq(other.iter()));
        prop_assert_eq!(one.graph(), other.graph());
    }

    #[test]
    fn both_seats_have_the_same_moves_on_mirrored_boards(position in any_position(), dice in any_dice()) {
        let board = Board::from_position(position, Seat::One);
        let mirrored = Board::from_position(position, Seat::Two);
        let texts = |board: Board, seat| -> Vec<String> {
            let moves = LegalMoves::new(board.position(seat), dice).sorted();
            moves.iter().map(|legal| legal.mv.to_string()).collect()
        };
        prop_assert_eq!(texts(board, Seat::One), texts(mirrored, Seat::Two));
        prop_assert_eq!(texts(board, Seat::Two), texts(mirrored, Seat::One));
        prop_assert_eq!(position.turned().turned(), position);
    }
}
