//! Which writer writes what.

use std::num::{NonZeroU8, NonZeroUsize};

/// How a store writes. The default is the fastest on one database: while one transaction is made durable, everything
/// else gathers for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writing {
    /// How many connections write at once, each the matches of its own buckets.
    pub writers: NonZeroU8,
    /// The most writes in one transaction.
    pub batch: NonZeroUsize,
}

impl Writing {
    /// The largest batch. Large enough that durability costs each write next to nothing, small enough that the first of
    /// a batch does not wait long for the last.
    pub const MAX_BATCH: NonZeroUsize = NonZeroUsize::new(1_024).expect("it is not 0");
}

impl Default for Writing {
    fn default() -> Self {
        Self { writers: NonZeroU8::MIN, batch: Self::MAX_BATCH }
    }
}

/// How many buckets there are.
const BUCKETS: usize = 256;

/// The writer of each bucket. All that is written of a match is written by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct Shares {
    writers: usize,
    writer_of: [u8; BUCKETS],
}

impl Shares {
    /// One writer for all.
    pub(in crate::store) const ONE: Self = Self { writers: 1, writer_of: [0; BUCKETS] };

    /// Every writer has as many buckets as the others, or one less.
    pub(in crate::store) fn even(writers: NonZeroU8) -> Self {
        let writer_of = std::array::from_fn(|bucket| (bucket % usize::from(writers.get())) as u8);
        Self { writers: writers.get().into(), writer_of }
    }

    /// A writer for every group of buckets that lie in one place: the place of each bucket.
    pub(in crate::store) fn by_place<P: PartialEq + Copy>(places: [P; BUCKETS]) -> Self {
        let mut known: Vec<P> = Vec::new();
        let writer_of = places.map(|place| {
            let writer = known.iter().position(|other| *other == place).unwrap_or_else(|| {
                known.push(place);
                known.len() - 1
            });
            // No more places than buckets.
            writer as u8
        });
        Self { writers: known.len(), writer_of }
    }

    pub(in crate::store) const fn writers(&self) -> usize {
        self.writers
    }

    pub(super) fn writer_of(&self, bucket: u8) -> usize {
        self.writer_of[usize::from(bucket)].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(shares: &Shares) -> Vec<usize> {
        let mut buckets = vec![0; shares.writers()];
        for bucket in 0..=255 {
            buckets[shares.writer_of(bucket)] += 1;
        }
        buckets
    }

    #[test]
    fn every_writer_has_its_share() {
        assert_eq!(shares(&Shares::even(NonZeroU8::MIN)), [256]);
        assert_eq!(shares(&Shares::even(NonZeroU8::new(3).unwrap())), [86, 85, 85]);
        assert_eq!(shares(&Shares::even(NonZeroU8::MAX)).iter().max(), Some(&2));
    }

    #[test]
    fn buckets_of_one_place_have_one_writer() {
        assert_eq!(shares(&Shares::by_place([7_i64; 256])), [256]);
        let scattered = Shares::by_place(std::array::from_fn(|bucket| (bucket * 13) % 32));
        assert_eq!(shares(&scattered), [8; 32]);
        assert_eq!(scattered.writer_of(0), scattered.writer_of(32), "0 and 416 % 32");
        assert_eq!(shares(&Shares::by_place(std::array::from_fn(|bucket| bucket))), [1; 256]);
    }
}
