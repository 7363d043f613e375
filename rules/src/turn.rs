//! A whole turn: the move as it is played, and as players write it.

mod notation;
mod written;

use std::fmt;

use crate::{Die, Source, Step};

pub use notation::{NotationError, NotationProblem};
pub(crate) use written::Hop;
pub use written::{Written, WrittenStep};

/// The most steps a turn can have: a double is played four times (A8).
const MAX_STEPS: usize = 4;

/// What a player does with one roll: all steps of the turn, in playing order.
///
/// Displayed in canonical notation: checkers from the highest source down, the steps of one checker merged
/// unless it hits in between, equal ones counted, a hit starred once.
///
/// ```
/// use chaquete_rules::{Die, Move, Source, Step};
///
/// let die = |pips| Die::new(pips).unwrap();
/// let source = |number| Source::from_number(number).unwrap();
/// let steps = [
///     Step { source: source(25), die: die(5), hit: true },
///     Step { source: source(20), die: die(6), hit: false },
/// ];
/// assert_eq!(Move::new(&steps).unwrap().to_string(), "bar/20*/14");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// Unused places hold [`UNUSED`], so that equal moves compare equal.
    steps: [Step; MAX_STEPS],
    len: u8,
}

const UNUSED: Step = match Die::new(1) {
    Some(die) => Step { source: Source::Bar, die, hit: false },
    None => panic!("every die has a 1"),
};

impl Move {
    /// The move that plays nothing.
    pub const EMPTY: Self = Self { steps: [UNUSED; MAX_STEPS], len: 0 };

    /// A move of these steps; `None` if there are more than four.
    #[must_use]
    pub fn new(steps: &[Step]) -> Option<Self> {
        (steps.len() <= MAX_STEPS).then(|| Self::from_few(steps.iter().copied()))
    }

    /// A move of the first four steps, for callers that know there are no more.
    pub(crate) fn from_few(steps: impl Iterator<Item = Step>) -> Self {
        let mut few = Self::EMPTY;
        for (place, step) in few.steps.iter_mut().zip(steps) {
            *place = step;
            few.len += 1;
        }
        few
    }

    /// The steps, in playing order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    /// This move and one more step; a fifth step is dropped.
    pub(crate) fn then(mut self, step: Step) -> Self {
        if let Some(place) = self.steps.get_mut(usize::from(self.len)) {
            *place = step;
            self.len += 1;
        }
        self
    }

    /// The points on which the move hits, as a mask.
    pub(crate) fn hits(&self) -> u32 {
        let hits = self.steps().iter().filter(|step| step.hit);
        hits.fold(0, |mask, step| mask | 1 << step.target().number())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.steps()).finish()
    }
}

/// The way of one checker in a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chain {
    /// Unused ones are 0, which orders a shorter chain behind.
    places: [u8; MAX_STEPS + 1],
    len: usize,
}

impl Chain {
    fn from(source: Source) -> Self {
        let mut chain = Self::default();
        chain.push(source.number());
        chain
    }

    fn push(&mut self, place: u8) {
        if let Some(next) = self.places.get_mut(self.len) {
            *next = place;
            self.len += 1;
        }
    }

    /// Places of the way by number (25 the bar, 0 off): the first is where the checker comes from, the last
    /// where it stays, between them those where it hits. Always two at least.
    #[must_use]
    pub fn places(&self) -> &[u8] {
        &self.places[..self.len]
    }
}

impl Move {
    /// The ways of the checkers that are moved, the highest source first. Which of several checkers on a
    /// point goes on cannot be told: the first that got there does.
    pub fn chains(&self) -> impl Iterator<Item = Chain> + use<> {
        self.all_chains().into_iter().filter(|chain| chain.len > 0)
    }

    /// Groups the steps by checker; unused chains are at the end.
    fn all_chains(&self) -> [Chain; MAX_STEPS] {
        let hits = self.hits();
        let mut open = self.steps.map(Some);
        open[usize::from(self.len)..].fill(None);
        open.sort_by_key(|step| step.map(|s| (s.source, s.target())));
        open.reverse();

        let mut chains = [Chain::default(); MAX_STEPS];
        for (first, chain) in chains.iter_mut().enumerate() {
            let Some(step) = open[first].take() else { continue };
            *chain = Chain::from(step.source);
            let mut last = step.target().number();
            for next in &mut open[first + 1..] {
                if let Some(step) = next.take_if(|step| step.source.number() == last) {
                    if hits & (1 << last) != 0 {
                        chain.push(last);
                    }
                    last = step.target().number();
                }
            }
            chain.push(last);
        }
        chains.sort();
        chains.reverse();
        chains
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hits = self.hits();
        let chains = self.all_chains();
        let used = chains.partition_point(|chain| chain.len > 0);
        for (index, equal) in chains[..used].chunk_by(PartialEq::eq).enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            for (index, &place) in equal[0].places().iter().enumerate() {
                if index > 0 {
                    f.write_str("/")?;
                }
                match place {
                    25 => f.write_str("bar")?,
                    0 => f.write_str("off")?,
                    point => write!(f, "{point}")?,
                }
                if index > 0 && hits & (1 << place) != 0 {
                    f.write_str("*")?;
                    hits &= !(1 << place);
                }
            }
            if equal.len() > 1 {
                write!(f, "({})", equal.len())?;
            }
        }
        Ok(())
    }
}
