//! One number for the mover's checkers and hits, and what each step adds to it.

use super::counts::Counts;
use crate::{Point, Position, Side, Target};

/// The mover's checkers and the blots hit so far, in one number that tells results apart.
///
/// Four bits for each place count the mover's checkers: place 0 is off, 1 to 24 are the points, 25 is the
/// bar. No side has more than 15 checkers, so none overflows. One bit for each point says that a blot was
/// hit there. Opposing checkers move in no other way, so equal keys from one start are equal positions.
///
/// Of the 16 bytes, the first eight hold the 1- to 8-point in their lower halves and the 9- to 16-point in
/// their upper ones, the others the 17- to 24-point and, in their upper halves, off, the bar and the hits:
/// so a key is put together from eight points at a time, and taken apart as quickly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u128);

/// The lower halves of all bytes.
const LOWER: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// Where the bits begin that say where a blot was hit: four for the 1- to 4-point, in the next byte four for
/// the 5- to 8-point, and so on.
const FIRST_HIT: u32 = 84;

/// All of these bits.
const HITS: u128 = 0x0f0f_0f0f_0f0f << FIRST_HIT;

impl Key {
    /// Where the count of a place begins.
    const fn bit(place: u32) -> u32 {
        match place {
            0 => 68,
            1..=8 => 8 * (place - 1),
            9..=16 => 8 * (place - 9) + 4,
            17..=24 => 8 * (place - 9),
            _ => 76,
        }
    }

    const fn one(place: u32) -> u128 {
        1 << Self::bit(place)
    }

    const fn hit(point: u32) -> u128 {
        let index = point - 1;
        1 << (FIRST_HIT + 8 * (index / 4) + index % 4)
    }

    /// The key of a side that has hit nothing yet.
    pub(super) fn of(side: &Side) -> Self {
        let [low, middle, high] = Counts::of(side.points()).words();
        let high = high | u64::from(side.off()) << 4 | u64::from(side.bar()) << 12;
        Self(u128::from(low | middle << 4) | u128::from(high) << 64)
    }

    /// The key of `after` among the results that can come from `before`.
    pub(super) fn between(before: &Position, after: &Position) -> Self {
        let hits = Point::descending().filter(|&point| before.opposing(point) > after.opposing(point));
        let own = Self::of(after.mover());
        Self(hits.fold(own.0, |key, point| key | Self::hit(u32::from(point.number()))))
    }

    /// How many checkers are outside the home board, those on the bar not counted.
    pub(super) const fn outside(self) -> u32 {
        let [low, middle, high] = self.words();
        // The sum of the bytes comes together in the highest.
        (((low >> 48) + middle + high).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
    }

    /// Whether no checker is left at a place, whose bits are these.
    pub(super) const fn is_empty(self, bits: u128) -> bool {
        self.0 & bits == 0
    }

    /// The key after a step, as [`Steps`] has them.
    pub(super) const fn plus(self, step: u128) -> Self {
        Self(self.0.wrapping_add(step))
    }

    /// Takes back the hit on a target, if there was one on the way to this key.
    pub(super) const fn take_hit(&mut self, target: Target) -> bool {
        let point = target.number() as u32;
        let hit = point > 0 && self.0 & Self::hit(point) != 0;
        if hit {
            self.0 &= !Self::hit(point);
        }
        hit
    }

    /// The checkers on the points, one byte each.
    const fn words(self) -> [u64; 3] {
        let low = self.0 as u64;
        [low & LOWER, low >> 4 & LOWER, (self.0 >> 64) as u64 & LOWER]
    }

    /// The position with this key among the results that can come from one with these opposing checkers.
    pub(super) fn position(self, opponent: &Side) -> Position {
        let high = (self.0 >> 64) as u64;
        let [off, bar] = [high >> 4, high >> 12].map(|count| count as u8 & 0xf);
        let mover = Side::new(Counts::points(self.words()), bar, off);
        let mut opposing = *opponent.points();
        let mut opposing_bar = opponent.bar();
        let mut hits = self.0 & HITS;
        while hits != 0 {
            let bit = hits.trailing_zeros() - FIRST_HIT;
            let index = bit / 8 * 4 + bit % 8;
            opposing[23 - index as usize] = 0;
            opposing_bar += 1;
            hits &= hits - 1;
        }
        Position::new(mover, Side::new(opposing, opposing_bar, opponent.off()))
    }
}

/// What is done to keys by one die, by source.
#[derive(Debug)]
pub(super) struct Steps {
    /// What a step that hits nothing adds to a key, and then what one that hits adds.
    added: [u128; 64],
    /// The bits that count the checkers at the source.
    places: [u128; 32],
}

impl Steps {
    /// The steps by a die.
    pub(super) const fn by(die: u32) -> &'static Self {
        &STEPS[die as usize & 7]
    }

    /// What a step adds to a key.
    pub(super) const fn added(&self, source: u32, hits: bool) -> u128 {
        let row = if hits { 32 } else { 0 };
        self.added[(source + row) as usize & 63]
    }

    /// The bits that count the checkers at a source.
    pub(super) const fn place(&self, source: u32) -> u128 {
        self.places[source as usize & 31]
    }
}

static STEPS: [Steps; 8] = {
    let mut all = [const { Steps { added: [0; 64], places: [0; 32] } }; 8];
    let mut die = 1;
    while die <= 6 {
        let mut source = 1_u32;
        while source <= 25 {
            let target = source.saturating_sub(die);
            let moved = Key::one(target).wrapping_sub(Key::one(source));
            let steps = &mut all[die as usize];
            steps.places[source as usize] = 0xf * Key::one(source);
            steps.added[source as usize] = moved;
            if target > 0 {
                steps.added[source as usize + 32] = moved.wrapping_add(Key::hit(target));
            }
            source += 1;
        }
        die += 1;
    }
    all
};
