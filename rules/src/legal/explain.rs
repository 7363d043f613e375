//! Which rule an illegal move breaks, and by which step.

use super::LegalMoves;
use super::line::{Left, Line, all_lines};
use crate::turn::Hop;
use crate::{Die, IllegalMove, MoveViolation, Source, Target};

/// Why hops that do not make a legal move do not.
pub(super) fn explain(moves: &LegalMoves, hops: &[Hop]) -> IllegalMove {
    let start = Line::start(moves.position, moves.dice);
    let dice = start.left.count();
    let could_have_dice = &hops[..hops.len().min(dice)];
    if let Some(broken) = broken_step(&start, could_have_dice) {
        return broken;
    }
    if hops.len() > dice {
        return IllegalMove { violation: MoveViolation::TooManySteps, step: dice };
    }
    // Each step is fine by itself: the turn as a whole is not (A9, A10).
    let violation = match moves.dice_used {
        1 if !hops.is_empty() => MoveViolation::MustUseLargerDie,
        _ => MoveViolation::MustUseMoreDice,
    };
    IllegalMove { violation, step: dead_end(moves, &start, hops) }
}

/// The first hop that no order of the hops can play, if there is one.
fn broken_step(start: &Line, hops: &[Hop]) -> Option<IllegalMove> {
    let mut before = *start;
    for step in 0..hops.len() {
        match line_with(start, hops, step + 1) {
            Some(with) => before = with,
            None => return Some(blame(&before, hops, step)),
        }
    }
    None
}

/// A line that plays the first `count` hops, with as few others as they need.
fn line_with(start: &Line, hops: &[Hop], count: usize) -> Option<Line> {
    let (first, others) = hops.split_at(count);
    (0..1 << others.len()).find_map(|chosen: u32| {
        let is_chosen = |&(index, _): &(usize, _)| chosen & (1 << index) != 0;
        let chosen = others.iter().enumerate().filter(is_chosen).map(|(_, hop)| hop);
        let played: Vec<_> = first.iter().chain(chosen).copied().collect();
        let mut found = None;
        all_lines(start, &played, &mut |line| {
            found.get_or_insert(*line);
        });
        found
    })
}

/// The rule that a hop breaks after this line.
fn blame(before: &Line, hops: &[Hop], step: usize) -> IllegalMove {
    let violation = violation(before, &hops[step]);
    // Had the checker on the bar entered as a later hop says, this one might have been fine: that the
    // other cannot enter is the better reason.
    let entering = (step + 1..hops.len()).find(|&later| hops[later].step.source == Source::Bar);
    match entering {
        Some(later) if violation == MoveViolation::BarFirst => {
            IllegalMove { violation: self::violation(before, &hops[later]), step: later }
        }
        _ => IllegalMove { violation, step },
    }
}

/// The rule that a hop breaks after this line.
fn violation(line: &Line, hop: &Hop) -> MoveViolation {
    let step = hop.step;
    if step.target.number() >= step.source.number() {
        return MoveViolation::WrongDirection;
    }
    let mover = line.position.mover();
    if mover.bar() > 0 && step.source != Source::Bar {
        return MoveViolation::BarFirst;
    }
    if mover.at(step.source) == 0 {
        return MoveViolation::NoChecker;
    }
    let ways = match step.die {
        Some(die) => given_die(line.left, die),
        None => ways(line.left),
    };
    let fits = ways.iter().filter(|way| leads_to(way, step.source, step.target));
    let breaks = fits.filter_map(|way| first_break(line, way, step.source));
    breaks.into_iter().next().unwrap_or(MoveViolation::DieNotAvailable)
}

/// Every sequence of the dice left, the shortest first, then those with the larger die first.
fn ways(left: Left) -> Vec<Vec<(Die, Left)>> {
    let mut ways: Vec<Vec<(Die, Left)>> = left.each().map(|next| vec![next]).collect();
    let mut next = 0;
    while let Some(way) = ways.get(next).cloned() {
        let rest = way.last().map_or(left, |&(_, left)| left);
        ways.extend(rest.each().map(|next| [way.as_slice(), &[next]].concat()));
        next += 1;
    }
    ways
}

fn given_die(left: Left, die: Die) -> Vec<Vec<(Die, Left)>> {
    left.each().filter(|&(each, _)| each == die).map(|next| vec![next]).collect()
}

/// Whether a checker that moves by these dice gets to the target with the last of them.
fn leads_to(way: &[(Die, Left)], source: Source, target: Target) -> bool {
    let mut at = Some(source);
    let mut last = None;
    for &(die, _) in way {
        let Some(from) = at else { return false };
        let to = from.target(die);
        at = Source::from_number(to.number());
        last = Some(to);
    }
    last == Some(target)
}

/// The rule that one checker breaks when it moves by these dice.
fn first_break(line: &Line, way: &[(Die, Left)], source: Source) -> Option<MoveViolation> {
    let mut line = *line;
    let mut at = source;
    for &(die, left) in way {
        line = match line.step(at, die, left) {
            Ok(next) => next,
            Err(violation) => return Some(violation),
        };
        at = Source::from_number(at.target(die).number())?;
    }
    None
}

/// The first step from which a legal move cannot be reached any more; the number of steps if the move only
/// stops early.
fn dead_end(moves: &LegalMoves, start: &Line, hops: &[Hop]) -> usize {
    let is_dead = |&count: &usize| {
        let mut lines = Vec::new();
        all_lines(start, &hops[..count], &mut |line| lines.push(*line));
        !lines.is_empty() && !lines.iter().any(|line| can_finish(moves, line))
    };
    (1..=hops.len()).find(is_dead).map_or(hops.len(), |count| count - 1)
}

/// Whether some legal move goes on from here.
fn can_finish(moves: &LegalMoves, line: &Line) -> bool {
    if line.played.steps().len() == usize::from(moves.dice_used) {
        return moves.to(&line.position).is_some();
    }
    (1..=25).filter_map(Source::from_number).any(|source| {
        line.left
            .each()
            .any(|(die, left)| line.step(source, die, left).is_ok_and(|next| can_finish(moves, &next)))
    })
}
