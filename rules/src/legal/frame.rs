//! The board as the generator sees it: masks over the places and one key, from the mover's view.

use std::num::NonZero;

use super::counts::Counts;
use super::key::{Key, Steps};
use crate::Position;

/// The bar in a mask of the mover's checkers: bit `n` is the mover's `n`-point, bit 25 the bar.
const BAR: u32 = 1 << 25;

/// All places outside the home board, the bar among them.
const OUTSIDE: u32 = u32::MAX << 7;

/// What changes during a turn.
///
/// Most rolls cannot hit anything. `HITS` says whether this one may; if not, the compiler leaves out all that
/// deals with hits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<const HITS: bool> {
    pub(super) key: Key,
    /// Places with a checker of the mover.
    pub(super) own: u32,
    /// Points with one opposing checker.
    blots: u32,
}

/// What one die can do on a board. Points that the opponent blocks stay blocked during a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) die: u32,
    /// Places from which the die leads to a point that is not blocked.
    pub(super) open: u32,
    steps: &'static Steps,
}

impl Frame<true> {
    /// A position, and the points that the opponent blocks in it.
    pub(super) fn new(position: &Position) -> (Self, u32) {
        let (mover, opponent) = (position.mover(), position.opponent());
        let opposing = Counts::of(opponent.points()).reversed();
        let blocked = opposing.at_least(2);
        let bar = if mover.bar() > 0 { BAR } else { 0 };
        let own = Counts::of(mover.points()).at_least(1) | bar;
        (Self { key: Key::of(mover), own, blots: opposing.at_least(1) & !blocked }, blocked)
    }

    /// The same if nothing stands on these points that could be hit.
    pub(super) const fn quiet(&self, targets: u32) -> Option<Frame<false>> {
        if self.blots & targets != 0 {
            return None;
        }
        Some(Frame { key: self.key, own: self.own, blots: 0 })
    }
}

impl<const HITS: bool> Frame<HITS> {
    /// Whether nobody is on the bar and more checkers are outside the home board than so many steps can bring
    /// home: until after these steps, nothing can be borne off.
    pub(super) const fn is_running(&self, steps: u32) -> bool {
        let outside = self.own & OUTSIDE;
        // Two places are enough for one step, and more often enough than not.
        let two_places = outside & outside.wrapping_sub(1) != 0;
        self.own & BAR == 0 && outside != 0 && ((steps == 1 && two_places) || self.key.outside() > steps)
    }

    /// The places from which a checker can be moved by a die: the rules of a single step (A12, A14, A16,
    /// A17) in one mask.
    pub(super) const fn sources(&self, way: &Way) -> u32 {
        let on_board = self.own & way.open;
        if self.own & OUTSIDE == 0 {
            on_board | self.bearing_off(way.die)
        } else if self.own & BAR != 0 {
            on_board & BAR
        } else {
            on_board
        }
    }

    /// The places from which a die bears off when all checkers are home.
    const fn bearing_off(&self, die: u32) -> u32 {
        let exact_or_higher = self.own & (u32::MAX << die);
        if exact_or_higher != 0 { self.own & (1 << die) } else { highest(self.own) }
    }

    /// The sources from which a die would hit.
    pub(super) const fn hitting(&self, way: &Way) -> u32 {
        if HITS { self.blots << way.die } else { 0 }
    }

    /// The frame after a step that [`sources`](Self::sources) allows.
    pub(super) const fn after(&self, source: u32, way: &Way) -> Self {
        let bit = 1 << source;
        let key = self.key.plus(way.added(source, self.hitting(way) & bit != 0));
        let gone = if way.is_empty(source, key) { bit } else { 0 };
        let target = bit >> way.die;
        // Place 0 is off, where nobody moves from.
        let own = (self.own ^ gone | target) & !1;
        Self { key, own, blots: self.blots & !target }
    }
}

impl Way {
    pub(super) const fn new(die: u32, blocked: u32) -> Self {
        // Whatever is shifted in comes from no point.
        Self { die, open: !(blocked | 1) << die, steps: Steps::by(die) }
    }

    /// What a step adds to a key.
    pub(super) const fn added(&self, source: u32, hits: bool) -> u128 {
        self.steps.added(source, hits)
    }

    /// Whether no checker is left at a source after a step from there.
    pub(super) const fn is_empty(&self, source: u32, after: Key) -> bool {
        after.is_empty(self.steps.place(source))
    }
}

/// The highest place of a mask alone; nothing of an empty one.
pub(super) const fn highest(mask: u32) -> u32 {
    match mask.checked_ilog2() {
        Some(place) => 1 << place,
        None => 0,
    }
}

/// The places of a mask, from the highest down.
pub(super) fn descending(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = mask.checked_ilog2()?;
        mask &= !(1 << place);
        Some(place)
    })
}

/// The places of a mask, from the lowest up.
pub(super) fn ascending(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let places = NonZero::new(mask)?;
        mask &= mask - 1;
        Some(places.trailing_zeros())
    })
}
