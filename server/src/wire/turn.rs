//! Moves as messages have them.

use chaquete_proto::v1;
use chaquete_rules::{Die, Move, Source, Step, Target, Written, WrittenStep};

use super::{
    scalar,
    violations::{Path, Violations},
};

/// The most steps of a move: a double is played four times.
const MAX_STEPS: usize = 4;

/// A move that somebody wants to make, given as steps, as notation, or as both if they agree.
pub fn read_move(violations: &mut Violations, path: Path<'_>, mv: Option<&v1::Move>) -> Option<Written> {
    let given = mv.filter(|mv| !mv.steps.is_empty() || !mv.notation.trim().is_empty());
    violations.check(given.is_some(), path, "is required: `steps`, `notation`, or both if they agree");
    read_move_or_none(violations, path, given?)
}

/// A move that may be empty, as it is when there is no legal one.
pub fn read_move_or_none(violations: &mut Violations, path: Path<'_>, mv: &v1::Move) -> Option<Written> {
    let steps = read_steps(violations, path, &mv.steps);
    let notation = mv.notation.parse::<Written>();
    if let Err(error) = &notation {
        violations.add(path.field("notation"), error.to_string());
    }
    let (steps, notation) = (steps?, notation.ok()?);
    if mv.steps.is_empty() {
        return Some(notation);
    }
    let is_one_move = mv.notation.trim().is_empty() || agree(&steps, &notation);
    violations.check(is_one_move, path.field("notation"), "says another move than `steps`").then_some(steps)
}

fn read_steps(violations: &mut Violations, path: Path<'_>, steps: &[v1::Step]) -> Option<Written> {
    let path = path.field("steps");
    if !violations.check(steps.len() <= MAX_STEPS, path, "a move has at most 4 steps") {
        return None;
    }
    let read: Vec<_> =
        (0..).zip(steps).map(|(index, step)| read_step(violations, path.index(index), step)).collect();
    read.into_iter().collect::<Option<Vec<_>>>().map(Written::from_steps)
}

fn read_step(violations: &mut Violations, path: Path<'_>, step: &v1::Step) -> Option<WrittenStep> {
    let place = |number: Option<i32>| number.and_then(|number| u8::try_from(number).ok());
    let source = place(step.from).and_then(Source::from_number);
    violations.check(source.is_some(), path.field("from"), "is required: a point 1 to 24, or 25 for the bar");
    let target = place(step.to).and_then(Target::from_number);
    violations.check(target.is_some(), path.field("to"), "is required: a point 1 to 24, or 0 for borne off");
    let die = place(Some(step.die)).and_then(Die::new);
    let is_die = violations.check(
        step.die == 0 || die.is_some(),
        path.field("die"),
        "must be 1 to 6, or 0 to leave it open",
    );
    is_die.then_some(WrittenStep { source: source?, target: target?, die })
}

/// Whether two ways to write a move mean the same checkers: they lead to the same places, and the one with
/// fewer steps leaves out landings of the other, but has no landing of its own.
fn agree(one: &Written, other: &Written) -> bool {
    let (landings, others) = (landings(one), landings(other));
    balance(one) == balance(other) && (is_part(&landings, &others) || is_part(&others, &landings))
}

/// For each place how many checkers more there are after the move.
fn balance(written: &Written) -> [i8; 26] {
    let mut balance = [0; 26];
    for step in written.steps() {
        balance[usize::from(step.source.number())] -= 1;
        balance[usize::from(step.target.number())] += 1;
    }
    balance
}

fn landings(written: &Written) -> [u8; 26] {
    let mut landings = [0; 26];
    for step in written.steps() {
        landings[usize::from(step.target.number())] += 1;
    }
    landings
}

fn is_part(part: &[u8; 26], whole: &[u8; 26]) -> bool {
    part.iter().zip(whole).all(|(part, whole)| part <= whole)
}

/// Dice, if they are given.
pub fn read_dice(
    violations: &mut Violations,
    path: Path<'_>,
    dice: Option<v1::Dice>,
) -> Option<Option<chaquete_rules::Dice>> {
    dice.map_or(Some(None), |dice| scalar::dice(violations, path, dice).map(Some))
}

/// A roll.
#[must_use]
pub fn dice(dice: chaquete_rules::Dice) -> v1::Dice {
    v1::Dice { first: dice.first.pips().into(), second: dice.second.pips().into() }
}

/// A move in canonical form.
#[must_use]
pub fn mv(mv: &Move) -> v1::Move {
    v1::Move { steps: mv.steps().iter().map(step).collect(), notation: mv.to_string() }
}

fn step(step: &Step) -> v1::Step {
    v1::Step {
        from: Some(step.source.number().into()),
        to: Some(step.target().number().into()),
        die: step.die.pips().into(),
        hit: step.hit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(steps: &[(i32, i32)]) -> Vec<v1::Step> {
        steps
            .iter()
            .map(|&(from, to)| v1::Step { from: Some(from), to: Some(to), die: 0, hit: false })
            .collect()
    }

    fn read(mv: &v1::Move) -> Result<Written, String> {
        let mut violations = Violations::default();
        let written = read_move(&mut violations, Path::root("move"), Some(mv));
        let fields = |bad: super::super::violations::BadRequest| {
            bad.violations.iter().map(|violation| violation.field.as_str()).collect::<Vec<_>>().join(" ")
        };
        violations.finish(written).map_err(fields)
    }

    #[test]
    fn steps_and_notation_must_agree() {
        let both = |pairs: &[(i32, i32)], notation: &str| {
            read(&v1::Move { steps: steps(pairs), notation: notation.to_owned() })
        };
        for notation in ["24/13", "24/18 18/13", "24/18*/13", " "] {
            assert!(both(&[(24, 18), (18, 13)], notation).is_ok(), "{notation}");
        }
        for notation in ["24/19/13", "24/18", "24/12", "13/24"] {
            assert_eq!(both(&[(24, 18), (18, 13)], notation).unwrap_err(), "move.notation", "{notation}");
        }
        assert!(both(&[(25, 20), (6, 0)], "6/off bar/20").is_ok());
        assert!(both(&[(6, 5), (6, 5), (8, 7), (8, 7)], "8/7(2) 6/5(2)").is_ok());
    }

    #[test]
    fn every_bad_part_of_a_move_is_told() {
        let bad = v1::Step { from: Some(26), to: Some(-1), die: 7, hit: false };
        let mv = v1::Move { steps: vec![bad, v1::Step::default()], notation: "8/".to_owned() };
        assert_eq!(
            read(&mv).unwrap_err(),
            "move.steps[0].from move.steps[0].to move.steps[0].die move.steps[1].from move.steps[1].to \
             move.notation"
        );
        assert_eq!(read(&v1::Move::default()).unwrap_err(), "move");
        let five = v1::Move { steps: steps(&[(6, 5); 5]), notation: String::new() };
        assert_eq!(read(&five).unwrap_err(), "move.steps");
    }
}
