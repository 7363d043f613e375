//! The checkers on all points looked at in a few operations, eight points at a time.

/// How many checkers are on each of the 24 points, one byte each, in three words. No count exceeds 15.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts([u64; 3]);

/// One in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

impl Counts {
    pub(super) fn of(points: &[u8; 24]) -> Self {
        let (words, _) = points.as_chunks();
        Self([0, 1, 2].map(|word| u64::from_le_bytes(words[word])))
    }

    /// The same points in the numbering of the other side.
    pub(super) const fn reversed(self) -> Self {
        let [low, middle, high] = self.0;
        Self([high.swap_bytes(), middle.swap_bytes(), low.swap_bytes()])
    }

    /// The points with at least so many checkers: bit `n` is the `n`-point.
    pub(super) fn at_least(self, count: u8) -> u32 {
        // A byte gets its highest bit if it is large enough, and never carries into the next.
        let tops = self.0.map(|word| (word + ONES * u64::from(0x80 - count)) & (ONES * 0x80));
        let [low, middle, high] = tops.map(gather);
        (low | middle << 8 | high << 16) << 1
    }

    /// The points 1 to 8, 9 to 16 and 17 to 24, the first in the lowest byte.
    pub(super) const fn words(self) -> [u64; 3] {
        self.0
    }

    /// The points of which these are the words.
    pub(super) fn points(words: [u64; 3]) -> [u8; 24] {
        let mut points = [0; 24];
        let (bytes, _) = points.as_chunks_mut();
        bytes.copy_from_slice(&words.map(u64::to_le_bytes));
        points
    }
}

/// The highest bits of eight bytes, side by side; all other bits are zero.
const fn gather(word: u64) -> u32 {
    // The bit of byte `i` is moved to bit 56 + i by the factor 2^(49 - 7i); no two products meet.
    (word.wrapping_mul(0x0002_0408_1020_4081) >> 56) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_counts_are_seen_on_all_points() {
        for count in 0..=15 {
            for point in 1..=24 {
                let mut points = [0; 24];
                points[point - 1] = count;
                let counts = Counts::of(&points);
                for least in 1..=15 {
                    let seen = u32::from(count >= least);
                    assert_eq!(counts.at_least(least), seen << point);
                    assert_eq!(counts.reversed().at_least(least), seen << (25 - point));
                }
                assert_eq!(Counts::points(counts.words()), points);
            }
        }
        assert_eq!(Counts::of(&[15; 24]).at_least(15), 0xff_ffff << 1);
    }
}
