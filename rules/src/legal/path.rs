//! A way to a result.

use crate::{Die, Source};

/// The sources of a play and the die of each, in playing order: one byte a step, the first in the lowest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path(u32);

/// Marks a step by the smaller of two dice; the lower bits of a step are its source, never 0.
const SMALLER: u32 = 1 << 5;

impl Path {
    pub(super) const fn by_larger(source: u32) -> Self {
        Self(source)
    }

    pub(super) const fn by_smaller(source: u32) -> Self {
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
