//! How a store finds a match: in which bucket it lies, and its uid.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::name::MatchName;

/// The key of a match in every table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MatchKey {
    /// The part of the store that it lies in. It is read with the match and never worked out from the uid.
    pub bucket: u8,
    /// The unique id of the match over all tenants.
    pub uid: Uuid,
}

impl MatchKey {
    /// The key of a new match.
    #[must_use]
    pub fn new(name: &MatchName, uid: Uuid) -> Self {
        Self { bucket: bucket(name), uid }
    }
}

/// The bucket of a match: the first byte of the SHA-256 of its full name.
///
/// Every key of every table begins with it, so that a sharded engine keeps a match in one place and spreads
/// matches evenly. Of the name and not of the uid, so that whoever knows only the name asks one bucket, and the
/// name is unique if it is in its bucket. It is stored: it must never change.
#[must_use]
pub fn bucket(name: &MatchName) -> u8 {
    Sha256::digest(name.to_string())[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(id: &str) -> MatchName {
        MatchName { tenant: "default".to_owned(), id: id.to_owned() }
    }

    #[test]
    fn buckets_never_change() {
        // First bytes of what `sha256sum` says of tenants/default/matches/....
        for (id, first) in [("m-1", 0xbd), ("final-2026", 0xd4), ("abcd", 0x38)] {
            assert_eq!(bucket(&name(id)), first, "{id}");
        }
    }

    #[test]
    fn matches_with_similar_names_are_spread_evenly() {
        let mut counts = [0_u32; 256];
        for n in 0..25_600 {
            counts[usize::from(bucket(&name(&format!("match-{n}"))))] += 1;
        }
        assert!(counts.iter().all(|count| (50..=160).contains(count)), "{counts:?}");
    }
}
