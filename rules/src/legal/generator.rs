//! The move generator: every result of a roll once, with one way to get there, and nothing allocated.
//!
//! No search and no table of what was seen are needed, because the only ways in which two plays of two
//! different dice `a` and `b` give one result are known:
//! - the same two sources in the other order;
//! - one checker by both ways, `s` to `s - a` to `s - a - b` and `s` to `s - b` to `s - a - b`, when no way
//!   hits between (where another checker of the mover stands between, the play may look like two checkers);
//! - two checkers borne off, each by the other's die.
//!
//! With doubles each set of sources gives one result and can be played from the highest down.

use super::frame::{Frame, Key, Path, descending};
use crate::{Dice, Position};

/// Receives a result and a way to it.
pub(super) trait Emit: FnMut(Key, Path) {}
impl<F: FnMut(Key, Path)> Emit for F {}

/// Emits every legal result of the roll once. Returns how many dice each of them uses.
pub(super) fn generate(position: &Position, dice: Dice, emit: &mut impl Emit) -> u8 {
    let start = Frame::new(position);
    let (larger, smaller) = (u32::from(dice.larger().pips()), u32::from(dice.smaller().pips()));
    if dice.is_double() {
        return four_steps(&start, larger, emit);
    }
    let pair = TwoDice { start, larger, smaller };
    // A9 is a rule of the turn: only if nothing plays both dice is one of them played, the larger one if
    // it can be (A10).
    let both = match start.on_bar() {
        0 if start.is_far_from_home() => pair.running(emit),
        0 => pair.bearing_off(emit),
        1 => pair.entering_one(emit),
        _ => pair.entering_two(emit),
    };
    if both {
        2
    } else if pair.single(larger, Path::larger, emit) || pair.single(smaller, Path::smaller, emit) {
        1
    } else {
        0
    }
}

/// A roll of two different dice. Each method emits plays and says whether there were any.
struct TwoDice {
    start: Frame,
    larger: u32,
    smaller: u32,
}

impl TwoDice {
    fn single(&self, die: u32, path: fn(u32) -> Path, emit: &mut impl Emit) -> bool {
        let sources = self.start.sources(die);
        for source in descending(sources) {
            emit(self.start.key_after(source, die), path(source));
        }
        sources != 0
    }

    /// Emits a first step by the larger die with each of the second ones.
    fn larger_first(&self, first: u32, after: &Frame, seconds: u32, emit: &mut impl Emit) -> bool {
        for second in descending(seconds) {
            let path = Path::larger(first).then(1, Path::smaller(second));
            emit(after.key_after(second, self.smaller), path);
        }
        seconds != 0
    }

    /// Emits a first step by the smaller die with each of the second ones.
    fn smaller_first(&self, first: u32, after: &Frame, seconds: u32, emit: &mut impl Emit) -> bool {
        for second in descending(seconds) {
            let path = Path::smaller(first).then(1, Path::larger(second));
            emit(after.key_after(second, self.larger), path);
        }
        seconds != 0
    }

    /// The sources from which a die leads to a point without any opposing checker.
    fn to_quiet(&self, die: u32) -> u32 {
        !((self.start.blocked | self.start.blots) << die)
    }

    /// Nobody on the bar, and too many outside to bear off within the turn.
    fn running(&self, emit: &mut impl Emit) -> bool {
        let Self { start, larger, smaller } = self;
        let mut any = false;
        // Where the larger die first hits nothing, that way stands for both ways of one checker.
        let twins = start.own & self.to_quiet(*larger);
        for first in descending(start.sources(*larger)) {
            let after = start.after(first, *larger);
            let twin = twins & (1 << (first + smaller));
            any |= self.larger_first(first, &after, after.sources(*smaller) & !twin, emit);
        }
        // The smaller die first gives something new only for one checker that goes on from a point where
        // none stood.
        let chains = start.sources(*smaller)
            & !(start.own << smaller)
            & !(start.blocked << (larger + smaller))
            & (u32::MAX << (larger + smaller + 1));
        let same = self.to_quiet(*larger) & self.to_quiet(*smaller);
        for first in descending(chains & !same) {
            let after = start.after(first, *smaller);
            any |= self.smaller_first(first, &after, 1 << (first - smaller), emit);
        }
        any
    }

    /// One checker on the bar, which enters with either die.
    fn entering_one(&self, emit: &mut impl Emit) -> bool {
        let Self { start, larger, smaller } = self;
        let mut any = false;
        for bar in descending(start.sources(*larger)) {
            let after = start.after(bar, *larger);
            any |= self.larger_first(bar, &after, after.sources(*smaller), emit);
        }
        for bar in descending(start.sources(*smaller)) {
            let after = start.after(bar, *smaller);
            let same = self.to_quiet(*larger) & self.to_quiet(*smaller) & (1 << bar);
            any |= self.smaller_first(bar, &after, after.sources(*larger) & !(same >> smaller), emit);
        }
        any
    }

    /// Two or more on the bar: both dice enter, or one of them.
    fn entering_two(&self, emit: &mut impl Emit) -> bool {
        let mut any = false;
        for bar in descending(self.start.sources(self.larger)) {
            let after = self.start.after(bar, self.larger);
            any |= self.larger_first(bar, &after, after.sources(self.smaller), emit);
        }
        any
    }

    /// Bearing off is possible within the turn, so which order is possible depends on more than masks: the
    /// pairs of sources played so far are kept.
    fn bearing_off(&self, emit: &mut impl Emit) -> bool {
        let Self { start, larger, smaller } = self;
        let mut played = Played::new(self);
        let mut any = false;
        for first in descending(start.sources(*larger)) {
            let after = start.after(first, *larger);
            let seconds = played.new_by_smaller(first, after.sources(*smaller));
            any |= self.larger_first(first, &after, seconds, emit);
        }
        for first in descending(start.sources(*smaller)) {
            let after = start.after(first, *smaller);
            let seconds = played.new_by_larger(after.sources(*larger), first);
            any |= self.smaller_first(first, &after, seconds, emit);
        }
        any
    }
}

/// The pairs of sources played near the end, to leave out those that give a result again.
struct Played<'a> {
    pair: &'a TwoDice,
    /// For each source of the larger die the sources of the smaller one.
    smaller: [u32; 26],
    /// Sources from which one checker by either way hits nothing between.
    quiet: u32,
}

impl<'a> Played<'a> {
    fn new(pair: &'a TwoDice) -> Self {
        let quiet = pair.to_quiet(pair.larger) & pair.to_quiet(pair.smaller);
        Self { pair, smaller: [0; 26], quiet }
    }

    /// Those of the sources of the smaller die that give something new with this one of the larger.
    fn new_by_smaller(&mut self, by_larger: u32, mask: u32) -> u32 {
        descending(mask).filter(|&source| self.is_new(by_larger, source)).fold(0, |new, s| new | 1 << s)
    }

    /// Those of the sources of the larger die that give something new with this one of the smaller.
    fn new_by_larger(&mut self, mask: u32, by_smaller: u32) -> u32 {
        descending(mask).filter(|&source| self.is_new(source, by_smaller)).fold(0, |new, s| new | 1 << s)
    }

    fn is_new(&mut self, by_larger: u32, by_smaller: u32) -> bool {
        let TwoDice { larger, smaller, .. } = *self.pair;
        let has = |l: u32, s: u32| self.smaller[l as usize] & (1 << s) != 0;
        let is_quiet = |source: u32| self.quiet & (1 << source) != 0;
        let same_pair = has(by_larger, by_smaller);
        // The way by the larger die first is always played before the other.
        let other_way = by_larger + smaller == by_smaller
            && by_smaller > larger
            && is_quiet(by_smaller)
            && has(by_smaller, by_smaller - larger);
        // Both off by either die: neither is higher than the smaller one.
        let swapped = by_larger.max(by_smaller) <= smaller && has(by_smaller, by_larger);
        self.smaller[by_larger as usize] |= 1 << by_smaller;
        !(same_pair || other_way || swapped)
    }
}

/// Doubles: four steps, or as many as there are.
fn four_steps(start: &Frame, die: u32, emit: &mut impl Emit) -> u8 {
    let mut end = *start;
    let mut path = Path::default();
    for steps in 0..4 {
        let Some(source) = descending(end.sources(die)).next() else {
            // Any order plays as many steps as it can; when the steps run out before the dice, all that
            // can move has moved, so there is one result.
            if steps > 0 {
                emit(end.key, path);
            }
            return steps;
        };
        end = end.after(source, die);
        path = path.then(steps.into(), Path::larger(source));
    }
    downward(start, die, u32::MAX, Path::default(), 0, emit);
    4
}

/// Plays the steps from `steps` to the fourth, each from the source of the one before or a lower one.
fn downward(frame: &Frame, die: u32, allowed: u32, path: Path, steps: u32, emit: &mut impl Emit) {
    for source in descending(frame.sources(die) & allowed) {
        let path = path.then(steps, Path::larger(source));
        if steps == 3 {
            emit(frame.key_after(source, die), path);
        } else {
            let not_higher = u32::MAX >> (31 - source);
            downward(&frame.after(source, die), die, not_higher, path, steps + 1, emit);
        }
    }
}
