//! Which bucket a match is kept in.

use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The bucket of a match: the first byte of the SHA-256 of the 16 bytes of its uid.
///
/// Every key of every table begins with it, so that a sharded engine keeps a match in one place and spreads
/// matches evenly. A hash of the uid and not its own first byte, because those tell the time of creation.
/// It is stored: it must never change.
#[must_use]
pub fn bucket(uid: Uuid) -> u8 {
    Sha256::digest(uid.as_bytes())[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_never_change() {
        assert_eq!(bucket(Uuid::nil()), 0x37);
        assert_eq!(bucket(Uuid::max()), 0x5a);
        assert_eq!(bucket(Uuid::from_u128(1)), 0x7c);
    }

    #[test]
    fn buckets_of_matches_made_in_the_same_moment_are_spread_evenly() {
        let mut counts = [0_u32; 256];
        for n in 0..25_600_u128 {
            counts[usize::from(bucket(Uuid::from_u128(0x0190_0000_0000_7000_8000 << 48 | n)))] += 1;
        }
        assert!(counts.iter().all(|count| (50..=160).contains(count)), "{counts:?}");
    }
}
