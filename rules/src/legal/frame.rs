//! The board as the generator sees it: masks over the points and one key, from the mover's view.

use crate::{Die, Point, Position, Side, Source, Target};

/// The bar in a mask of the mover's checkers: bit `n` is the mover's `n`-point, bit 25 the bar.
const BAR: u32 = 1 << 25;

/// All places outside the home board, the bar among them.
const OUTSIDE: u32 = u32::MAX << 7;

/// The mover's checkers and the blots hit so far, in one number that tells results apart.
///
/// Four bits for each place count the mover's checkers: place 0 is off, 1 to 24 are the points, 25 is the
/// bar. No side has more than 15 checkers, so none overflows. Above them one bit for each point says that
/// a blot was hit there. Opposing checkers move in no other way, so equal keys from one start are equal
/// positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u128);

impl Key {
    const fn one(place: u32) -> u128 {
        1 << (4 * place)
    }

    const fn count(self, place: u32) -> u8 {
        (self.0 >> (4 * place)) as u8 & 0xf
    }

    const fn hit(point: u32) -> u128 {
        1 << (103 + point)
    }

    const fn is_hit(self, point: u32) -> bool {
        self.0 & Self::hit(point) != 0
    }

    /// The key of a side that has hit nothing yet.
    fn of(side: &Side) -> Self {
        let board = side
            .points()
            .iter()
            .rev()
            .fold(u128::from(side.bar()), |key, &count| key << 4 | u128::from(count));
        Self(board << 4 | u128::from(side.off()))
    }

    /// The key of `after` among the results that can come from `before`.
    pub(super) fn between(before: &Position, after: &Position) -> Self {
        let hits = Point::descending().filter(|&point| before.opposing(point) > after.opposing(point));
        let own = Self::of(after.mover());
        Self(hits.fold(own.0, |key, point| key | Self::hit(u32::from(point.number()))))
    }

    /// Takes back the hit on a target, if there was one on the way to this key.
    pub(super) fn take_hit(&mut self, target: Target) -> bool {
        let point = u32::from(target.number());
        let hit = point > 0 && self.is_hit(point);
        if hit {
            self.0 &= !Self::hit(point);
        }
        hit
    }

    /// The position with this key among the results that can come from `before`.
    pub(super) fn position(self, before: &Position) -> Position {
        let mut own = [0; 24];
        let mut places = self.0;
        for count in &mut own {
            places >>= 4;
            *count = places as u8 & 0xf;
        }
        let mut opposing = *before.opponent().points();
        let mut opposing_bar = before.opponent().bar();
        for point in descending((self.0 >> 103) as u32 & !1) {
            opposing[24 - point as usize] = 0;
            opposing_bar += 1;
        }
        let mover = Side::new(own, self.count(25), self.count(0));
        Position::new(mover, Side::new(opposing, opposing_bar, before.opponent().off()))
    }
}

/// A position in masks: where the mover's checkers are, where one of theirs can be hit, where two stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) key: Key,
    /// Places with a checker of the mover.
    pub(super) own: u32,
    /// Points with one opposing checker.
    pub(super) blots: u32,
    /// Points with two or more opposing checkers. They cannot change during a turn.
    pub(super) blocked: u32,
}

impl Frame {
    pub(super) fn new(position: &Position) -> Self {
        let mask = |wanted: fn(u8) -> bool, points: &[u8; 24]| {
            (1..).zip(points).fold(0, |mask, (place, &count)| mask | u32::from(wanted(count)) << place)
        };
        let mut opposing = *position.opponent().points();
        opposing.reverse();
        let bar = if position.mover().bar() > 0 { BAR } else { 0 };
        Self {
            key: Key::of(position.mover()),
            own: mask(|count| count > 0, position.mover().points()) | bar,
            blots: mask(|count| count == 1, &opposing),
            blocked: mask(|count| count >= 2, &opposing),
        }
    }

    pub(super) const fn on_bar(&self) -> u8 {
        self.key.count(25)
    }

    /// Whether there are checkers on two or more places outside the home board: two steps cannot then bear
    /// off.
    pub(super) const fn is_far_from_home(&self) -> bool {
        (self.own & OUTSIDE).count_ones() > 1
    }

    /// The places from which a checker can be moved by a die: the rules of a single step (A12, A14, A16,
    /// A17) in one mask.
    pub(super) const fn sources(&self, die: u32) -> u32 {
        let open = self.own & !(self.blocked << die);
        if self.own & BAR != 0 {
            return open & BAR;
        }
        let on_board = open & (u32::MAX << (die + 1));
        if self.own & OUTSIDE != 0 {
            return on_board;
        }
        let exact_or_higher = self.own & (u32::MAX << die);
        if exact_or_higher != 0 { on_board | self.own & (1 << die) } else { highest(self.own) }
    }

    /// The key after a step that [`sources`](Self::sources) allows.
    pub(super) const fn key_after(&self, source: u32, die: u32) -> Key {
        let target = source.saturating_sub(die);
        let moved = self.key.0 - Key::one(source) + Key::one(target);
        if self.blots & (1 << target) != 0 { Key(moved | Key::hit(target)) } else { Key(moved) }
    }

    /// The frame after a step that [`sources`](Self::sources) allows.
    pub(super) const fn after(&self, source: u32, die: u32) -> Self {
        let target = source.saturating_sub(die);
        let key = self.key_after(source, die);
        let left = if key.count(source) == 0 { self.own & !(1 << source) } else { self.own };
        // Place 0 is off, where nobody moves from.
        let own = (left | 1 << target) & !1;
        Self { key, own, blots: self.blots & !(1 << target), blocked: self.blocked }
    }
}

/// The highest place of a mask alone; nothing of an empty one.
const fn highest(mask: u32) -> u32 {
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

/// The sources of a play and the die of each, in playing order: one byte a step, the first in the lowest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path(u32);

/// Marks a step by the smaller of two dice; the lower bits of a step are its source, never 0.
const SMALLER: u32 = 1 << 5;

impl Path {
    pub(super) const fn larger(source: u32) -> Self {
        Self(source)
    }

    pub(super) const fn smaller(source: u32) -> Self {
        Self(source | SMALLER)
    }

    /// This play of `steps` steps and then that one.
    pub(super) const fn then(self, steps: u32, next: Self) -> Self {
        Self(self.0 | next.0 << (8 * steps))
    }

    /// The steps, as sources with their dice.
    pub(super) fn steps(self, larger: Die, smaller: Die) -> impl Iterator<Item = (Source, Die)> {
        self.0.to_le_bytes().into_iter().filter_map(move |step| {
            let die = if u32::from(step) & SMALLER != 0 { smaller } else { larger };
            Some((Source::from_number(step & 0x1f)?, die))
        })
    }
}
