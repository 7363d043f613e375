//! The move generator: every result of a roll once, with one way to get there, and nothing allocated.
//!
//! No search and no table of what was seen are needed. Two plays of two different dice come to one result
//! in these ways only, and of each pair masks tell which one to leave out:
//! - the same two sources in the other order;
//! - one checker by both ways, `s` to `s - a` to `s - a - b` and `s` to `s - b` to `s - a - b`, when no way
//!   hits between (where another checker of the mover stands between, the play may look like two checkers);
//! - two checkers borne off, each by the other's die.
//!
//! With doubles each set of sources gives one result and can be played from the highest down.

use super::frame::{Frame, Way, ascending, descending, highest};
use super::key::Key;
use super::path::Path;
use crate::{Dice, Position};

/// Receives results, each with a way to it.
pub(super) trait Sink {
    fn add(&mut self, results: impl Iterator<Item = (Key, Path)>);

    /// Whether there have been none.
    fn is_empty(&self) -> bool;
}

impl Sink for Vec<(Key, Path)> {
    fn add(&mut self, results: impl Iterator<Item = (Key, Path)>) {
        self.extend(results);
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

/// Adds every legal result of the roll once. Returns how many dice each of them uses.
pub(super) fn generate(position: &Position, dice: Dice, results: &mut impl Sink) -> u8 {
    let (start, blocked) = Frame::new(position);
    let larger = Way::new(dice.larger().pips().into(), blocked);
    let by_larger = start.own >> larger.die;
    if dice.is_double() {
        let twice = by_larger | by_larger >> larger.die;
        return match start.quiet(twice | twice >> (2 * larger.die)) {
            Some(quiet) => doubles(&quiet, &larger, results),
            None => doubles(&start, &larger, results),
        };
    }
    let smaller = Way::new(dice.smaller().pips().into(), blocked);
    match start.quiet(by_larger | (start.own | by_larger) >> smaller.die) {
        Some(start) => TwoDice { start, larger, smaller }.play(results),
        None => TwoDice { start, larger, smaller }.play(results),
    }
}

/// Adds what a last step from each of the sources leads to.
fn last(
    key: Key,
    sources: u32,
    hitting: u32,
    way: &Way,
    path: impl Fn(u32) -> Path,
    results: &mut impl Sink,
) {
    let step = |source, hits| (key.plus(way.added(source, hits)), path(source));
    results.add(ascending(sources & hitting).map(|source| step(source, true)));
    results.add(ascending(sources & !hitting).map(|source| step(source, false)));
}

/// Plays a step from each of the sources, and what comes `next` after it.
fn each<const HITS: bool>(
    frame: &Frame<HITS>,
    sources: u32,
    way: &Way,
    mut next: impl FnMut(u32, &Frame<HITS>),
) {
    for source in descending(sources) {
        next(source, &frame.after(source, way));
    }
}

/// A roll of two different dice.
struct TwoDice<const HITS: bool> {
    start: Frame<HITS>,
    larger: Way,
    smaller: Way,
}

impl<const HITS: bool> TwoDice<HITS> {
    /// A9 is a rule of the turn: only if nothing plays both dice is one of them played, the larger one if it
    /// can be (A10).
    fn play(&self, results: &mut impl Sink) -> u8 {
        self.both(results);
        if !results.is_empty() {
            return 2;
        }
        self.only(&self.larger, Path::by_larger, results);
        if results.is_empty() {
            self.only(&self.smaller, Path::by_smaller, results);
        }
        u8::from(!results.is_empty())
    }

    fn only(&self, way: &Way, path: fn(u32) -> Path, results: &mut impl Sink) {
        let Self { start, .. } = self;
        last(start.key, start.sources(way), start.hitting(way), way, path, results);
    }

    fn both(&self, results: &mut impl Sink) {
        let Self { start, smaller, .. } = self;
        if start.is_running(1) {
            self.larger_first(|frame| frame.own & smaller.open, results);
            self.smaller_first(self.onward(), results);
        } else {
            self.larger_first(|frame| frame.sources(smaller), results);
            // When the highest checker moves, others may bear off.
            self.smaller_first(self.onward() | highest(start.own), results);
        }
    }

    /// `sources` are those of the smaller die.
    fn larger_first(&self, sources: impl Fn(&Frame<HITS>) -> u32, results: &mut impl Sink) {
        let Self { start, larger, smaller } = self;
        // Of one checker by both ways the one by the larger die first stands for both.
        let twins = start.own & larger.open & !start.hitting(larger);
        each(start, start.sources(larger), larger, |first, after| {
            let twin = twins & 1 << first << smaller.die;
            let path = |second| Path::by_larger(first).then(1, Path::by_smaller(second));
            let seconds = sources(after) & !twin;
            last(after.key, seconds, after.hitting(smaller), smaller, path, results);
        });
    }

    /// Adds what cannot be played with the larger die first. Only plays that begin at these `firsts` can be
    /// so.
    ///
    /// A first step by the smaller die that bears off gives nothing new. If it is from the highest point, so
    /// is the larger die's, and the two can be exchanged; if not, all of the second ones could come first.
    fn smaller_first(&self, firsts: u32, results: &mut impl Sink) {
        let Self { start, larger, smaller } = self;
        let old = start.sources(larger);
        each(start, firsts & smaller.open & start.sources(smaller), smaller, |first, after| {
            let mut seconds = after.sources(larger) & !old;
            let between = 1 << (first - smaller.die);
            if seconds & between != 0 && self.can_play_larger_first(first) {
                seconds &= !between;
            }
            let path = |second| Path::by_smaller(first).then(1, Path::by_larger(second));
            last(after.key, seconds, after.hitting(larger), larger, path, results);
        });
    }

    /// Sources of a checker that may go on by the larger die from where none stood, while by the larger die
    /// first it cannot play, or hits.
    fn onward(&self) -> u32 {
        let Self { start, larger, smaller } = self;
        let hitting = start.hitting(larger) | start.hitting(smaller);
        let between = (larger.open | 1 << larger.die) & !start.own;
        between << smaller.die & !(larger.open & !hitting)
    }

    /// Whether one checker that plays both dice can as well play the larger one first, and neither way hits.
    fn can_play_larger_first(&self, source: u32) -> bool {
        let Self { start, larger, smaller } = self;
        let hitting = start.hitting(larger) | start.hitting(smaller);
        larger.open & !hitting & 1 << source != 0
            && start.after(source, larger).sources(smaller) & 1 << (source - larger.die) != 0
    }
}

/// Doubles: four steps, or as many as there are.
fn doubles<const HITS: bool>(start: &Frame<HITS>, way: &Way, results: &mut impl Sink) -> u8 {
    if start.is_running(3) {
        let sources = start.own & way.open;
        Runners::<HITS> { key: start.key, sources, hitting: start.hitting(way) }.four_steps(way, results);
    } else {
        four_steps(start, way, results);
    }
    if results.is_empty() { all_that_can(start, way, results) } else { 4 }
}

/// The way that takes these sources.
fn path(sources: [u32; 4]) -> Path {
    let [first, second, third, fourth] = sources.map(Path::by_larger);
    first.then(1, second).then(2, third).then(3, fourth)
}

/// Adds plays of four steps, each from the source of the one before or a lower one.
fn four_steps<const HITS: bool>(start: &Frame<HITS>, way: &Way, results: &mut impl Sink) {
    let from = |frame: &Frame<HITS>, highest: u32| frame.sources(way) & u32::MAX >> (31 - highest);
    each(start, start.sources(way), way, |a, one| {
        each(one, from(one, a), way, |b, two| {
            each(two, from(two, b), way, |c, three| {
                let path = |d| path([a, b, c, d]);
                last(three.key, from(three, c), three.hitting(way), way, path, results);
            });
        });
    });
}

/// The checkers that may still move when so many are far from home that nothing can be borne off.
struct Runners<const HITS: bool> {
    key: Key,
    /// From where they can move: no higher than from where the last one did.
    sources: u32,
    hitting: u32,
}

impl<const HITS: bool> Runners<HITS> {
    fn four_steps(&self, way: &Way, results: &mut impl Sink) {
        self.each(way, |a, one| {
            one.each(way, |b, two| {
                two.each(way, |c, three| {
                    let path = |d| path([a, b, c, d]);
                    last(three.key, three.sources, three.hitting(), way, path, results);
                });
            });
        });
    }

    const fn hitting(&self) -> u32 {
        if HITS { self.hitting } else { 0 }
    }

    /// Plays a step from each of the sources, and what comes `next` after it.
    fn each(&self, way: &Way, mut next: impl FnMut(u32, &Self)) {
        let mut lower = self.sources;
        for source in descending(self.sources) {
            let bit = 1 << source;
            lower &= !bit;
            let key = self.key.plus(way.added(source, self.hitting() & bit != 0));
            let again = if way.is_empty(source, key) { 0 } else { bit };
            let onward = bit >> way.die & way.open;
            next(source, &Self { key, sources: lower | onward | again, hitting: self.hitting & !bit });
        }
    }
}

/// Plays fewer than four steps, which are all that a double has here. Returns how many.
///
/// Any order plays as many steps as it can; when the steps run out before the dice, all that can move has
/// moved, so there is one result.
fn all_that_can<const HITS: bool>(start: &Frame<HITS>, way: &Way, results: &mut impl Sink) -> u8 {
    let (mut end, mut path, mut steps) = (*start, Path::default(), 0);
    while let (0..4, Some(source)) = (steps, descending(end.sources(way)).next()) {
        end = end.after(source, way);
        path = path.then(steps.into(), Path::by_larger(source));
        steps += 1;
    }
    if steps > 0 {
        results.add([(end.key, path)].into_iter());
    }
    steps
}
