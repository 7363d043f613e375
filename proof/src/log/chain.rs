//! The hash chain of a log.

use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::hex;

/// The hash of an event and of all that came before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

/// A text that is no hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash is written as 64 lower-case hexadecimal digits")]
pub struct BadHash;

impl Hash {
    /// The hash with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes of the hash.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for Hash {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl From<Hash> for [u8; 32] {
    fn from(hash: Hash) -> Self {
        hash.0
    }
}

impl TryFrom<&[u8]> for Hash {
    type Error = BadHash;

    /// The hash with these bytes, if they are 32.
    fn try_from(bytes: &[u8]) -> Result<Self, BadHash> {
        bytes.try_into().map(Self).map_err(|_| BadHash)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

impl FromStr for Hash {
    type Err = BadHash;

    fn from_str(text: &str) -> Result<Self, BadHash> {
        hex::decode(text).map(Self).ok_or(BadHash)
    }
}

/// What the first event of a match is chained to: it ties the log to its match.
#[must_use]
pub fn initial_hash(uid: &Uuid) -> Hash {
    Hash(Sha256::new().chain_update(b"bglog/1 init\0").chain_update(uid.as_bytes()).finalize().into())
}

/// The hash of an event with these exact bytes that follows one with the hash `previous`.
#[must_use]
pub fn next_hash(previous: &Hash, bytes: &[u8]) -> Hash {
    let tagged = Sha256::new().chain_update(b"bglog/1 event\0").chain_update(previous.0);
    Hash(tagged.chain_update(bytes).finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const UID: Uuid = Uuid::from_u128(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);

    /// Computed with `printf 'bglog/1 init\0\0\1\2…\17' | sha256sum`, and so on.
    #[test]
    fn the_chain_is_what_sha256sum_makes_of_it() {
        let first = initial_hash(&UID);
        assert_eq!(first.to_string(), "3983cd54eb0aa933ec7c132e356d999e5200d96c5fa02751e48dfe37b59df8a2");
        assert_eq!(
            next_hash(&first, b"{}").to_string(),
            "00f883b9cfc07541b22cd7cb332216ce830a74371b3d55f0f29412319a27759a"
        );
    }

    #[test]
    fn a_hash_is_read_as_it_is_written() {
        let hash = initial_hash(&UID);
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert_eq!(Hash::try_from(hash.as_bytes().as_slice()), Ok(hash));
        assert_eq!(format!("{hash:?}"), format!("Hash({hash})"));
        assert_eq!(hash.to_string().to_uppercase().parse::<Hash>(), Err(BadHash));
        assert_eq!(Hash::try_from([0; 31].as_slice()), Err(BadHash));
    }
}
