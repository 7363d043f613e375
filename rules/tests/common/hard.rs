//! Random positions in which the rules of movement matter.

use super::numbers::{Numbers, position};
use super::random::Random;

fn within(random: &mut Random, first: usize, last: usize) -> usize {
    first + random.below(last - first + 1)
}

/// Where the checkers of a position may be, by what makes it hard.
struct Recipe {
    /// Checkers of the mover on the bar, on points up to the highest, and how many stand alone.
    bar: usize,
    mover: usize,
    highest: usize,
    /// Points that the opponent blocks, opposing blots, and opposing checkers on the bar.
    blocks: usize,
    blots: usize,
    opposing_bar: usize,
}

impl Recipe {
    fn choose(random: &mut Random) -> Self {
        let r = random;
        let any = Self { bar: 0, mover: 15, highest: 24, blocks: 0, blots: 0, opposing_bar: 0 };
        match r.below(9) {
            // Few checkers anywhere.
            0 => Self { mover: within(r, 1, 4), blocks: r.below(6), blots: r.below(4), ..any },
            // Almost nothing is open.
            1 => Self { mover: within(r, 1, 6), blocks: within(r, 5, 7), ..any },
            // Bearing off, perhaps against a few opposing checkers.
            2 => Self { mover: within(r, 1, 15), highest: 6, blocks: r.below(3), blots: r.below(3), ..any },
            // The last checker or two come home.
            3 => Self {
                mover: within(r, 1, 8),
                highest: within(r, 7, 10),
                blocks: r.below(4),
                blots: r.below(3),
                ..any
            },
            // On the bar.
            4 => Self {
                bar: within(r, 1, 4),
                mover: r.below(11),
                blocks: within(r, 1, 6),
                blots: r.below(4),
                ..any
            },
            // Nearly all on the bar.
            8 => Self {
                bar: within(r, 5, 12),
                mover: r.below(4),
                blocks: r.below(6),
                blots: r.below(4),
                ..any
            },
            // Something to hit everywhere.
            5 => Self { mover: within(r, 1, 12), blots: within(r, 5, 12), opposing_bar: r.below(3), ..any },
            // The very end.
            6 => Self { mover: within(r, 1, 3), highest: 6, blots: r.below(2), blocks: r.below(2), ..any },
            // Anything.
            _ => Self {
                bar: r.below(3),
                mover: within(r, 5, 12),
                blocks: r.below(5),
                blots: r.below(4),
                ..any
            },
        }
    }

    fn place(&self, random: &mut Random) -> Numbers {
        let mut p = [0; 26];
        p[25] = self.bar as i8;
        p[0] = -(self.opposing_bar as i8);
        let mut opposing = 15 - self.opposing_bar;
        for wanted in [2; 7].iter().take(self.blocks).chain([1; 12].iter().take(self.blots)) {
            let point = within(random, 1, 24);
            let count = wanted + if *wanted > 1 { random.below(3) } else { 0 };
            if p[point] == 0 && count <= opposing {
                p[point] = -(count as i8);
                opposing -= count;
            }
        }
        // Some of the mover's checkers stand together, most alone.
        let mut last = 0;
        for _ in 0..self.mover {
            let point = if last > 0 && random.below(3) == 0 { last } else { within(random, 1, self.highest) };
            if p[point] >= 0 {
                p[point] += 1;
                last = point;
            }
        }
        p
    }
}

/// A random position in which the rules of movement matter: few checkers, blocked points, checkers on the
/// bar, bearing off.
pub(crate) fn hard_position(random: &mut Random) -> Numbers {
    loop {
        let p = Recipe::choose(random).place(random);
        if position(&p).is_some() {
            return p;
        }
    }
}
