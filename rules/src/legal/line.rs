//! Playing what is written, in every order and with every choice of dice.

use crate::turn::Hop;
use crate::{Dice, Die, Move, MoveViolation, Position, Source, Target};

/// The dice that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left([(Die, u8); 2]);

impl Left {
    pub(super) fn all(dice: Dice) -> Self {
        let (larger, smaller) = if dice.is_double() { (4, 0) } else { (1, 1) };
        Self([(dice.larger(), larger), (dice.smaller(), smaller)])
    }

    pub(super) fn count(self) -> usize {
        self.0.iter().map(|&(_, count)| usize::from(count)).sum()
    }

    /// Each die that is left and what is left after it, the larger die first.
    pub(super) fn each(self) -> impl Iterator<Item = (Die, Self)> {
        (0..2).filter(move |&index| self.0[index].1 > 0).map(move |index| {
            let mut rest = self;
            rest.0[index].1 -= 1;
            (self.0[index].0, rest)
        })
    }
}

/// Some steps played, and what is left to play with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) position: Position,
    pub(super) left: Left,
    pub(super) played: Move,
}

impl Line {
    pub(super) fn start(position: Position, dice: Dice) -> Self {
        Self { position, left: Left::all(dice), played: Move::EMPTY }
    }

    /// This line and one more step.
    pub(super) fn step(&self, source: Source, die: Die, left: Left) -> Result<Self, MoveViolation> {
        let (step, position) = self.position.step(source, die)?;
        Ok(Self { position, left, played: self.played.then(step) })
    }
}

/// Visits every line that plays all of the hops to their ends, the steps of different hops in any order.
/// Those in the order given come first.
pub(super) fn all_lines(start: &Line, hops: &[Hop], visit: &mut impl FnMut(&Line)) {
    let Some(open) = hops.iter().map(OnTheWay::new).collect::<Option<Vec<_>>>() else { return };
    if open.len() <= start.left.count() {
        visit_lines(start, &open, visit);
    }
}

/// A hop that is being played: where its checker has got to.
#[derive(Clone, Copy)]
struct OnTheWay {
    at: Source,
    target: Target,
    die: Option<Die>,
}

impl OnTheWay {
    /// The hop at its beginning; `None` if it goes backward.
    fn new(hop: &Hop) -> Option<Self> {
        let step = hop.step;
        let forward = step.target.number() < step.source.number();
        forward.then_some(Self { at: step.source, target: step.target, die: step.die })
    }
}

fn visit_lines(line: &Line, open: &[OnTheWay], visit: &mut impl FnMut(&Line)) {
    if open.is_empty() {
        return visit(line);
    }
    for (index, hop) in open.iter().enumerate() {
        for (die, left) in line.left.each() {
            let target = hop.at.target(die);
            let arrives = target == hop.target;
            let goes_on = target > hop.target && hop.die.is_none();
            let is_meant = hop.die.is_none_or(|meant| meant == die) && (arrives || goes_on);
            let Some(next) = is_meant.then(|| line.step(hop.at, die, left).ok()).flatten() else { continue };
            let mut open = open.to_vec();
            match target {
                Target::Point(point) if goes_on => open[index].at = Source::Point(point),
                _ => drop(open.remove(index)),
            }
            visit_lines(&next, &open, visit);
        }
    }
}
