//! What the leaves of the tree say, as exact bytes.

use uuid::Uuid;

use super::{LogKey, NodeHash, VerifierKey, leaf_hash};
use crate::log::{Hash, initial_hash, next_hash};

const HEAD: &[u8] = b"bglog/1 leaf\0";
const KEY: &[u8] = b"bglog/1 key\0";

/// A leaf of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// How far the log of a match had come.
    Head(HeadLeaf),
    /// That another key signs from now on.
    Key(Box<KeyLeaf>),
}

/// How far the log of a match had come: its hash covers every event up to there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadLeaf {
    /// The match.
    pub uid: Uuid,
    /// Number of the last event.
    pub revision: u32,
    /// Hash of that event.
    pub hash: Hash,
}

/// That another key signs from now on, signed by the one that did before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyLeaf {
    key: VerifierKey,
    signature: [u8; 64],
}

/// Why bytes are no leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the bytes of a leaf of the tree")]
pub struct BadLeaf;

impl Leaf {
    /// Its exact bytes.
    #[must_use]
    pub fn data(&self) -> Vec<u8> {
        match self {
            Self::Head(HeadLeaf { uid, revision, hash }) => {
                [HEAD, uid.as_bytes(), &revision.to_be_bytes(), hash.as_bytes()].concat()
            }
            Self::Key(leaf) => [&*told(&leaf.key), &leaf.signature].concat(),
        }
    }

    /// Its hash.
    #[must_use]
    pub fn hash(&self) -> NodeHash {
        leaf_hash(&self.data())
    }

    /// The leaf with these bytes.
    ///
    /// # Errors
    /// There is none.
    pub fn parse(data: &[u8]) -> Result<Self, BadLeaf> {
        let leaf = parse_head(data).map(Self::Head).or_else(|| parse_key(data).map(Box::new).map(Self::Key));
        leaf.ok_or(BadLeaf)
    }
}

impl HeadLeaf {
    /// Whether a log has all that this leaf covers, given the bytes of its events from the first on. What comes after is
    /// not looked at, and neither is any hash that is stored beside them.
    #[must_use]
    pub fn covers<'a>(&self, events: impl IntoIterator<Item = &'a [u8]>) -> bool {
        let covered = events.into_iter().take(self.revision as usize);
        let start = (initial_hash(&self.uid), 0);
        let end = covered.fold(start, |(hash, revision), bytes| (next_hash(&hash, bytes), revision + 1));
        end == (self.hash, self.revision)
    }
}

fn parse_head(data: &[u8]) -> Option<HeadLeaf> {
    let (uid, rest) = data.strip_prefix(HEAD)?.split_first_chunk::<16>()?;
    let (revision, hash) = rest.split_first_chunk::<4>()?;
    Some(HeadLeaf {
        uid: Uuid::from_bytes(*uid),
        revision: u32::from_be_bytes(*revision),
        hash: Hash::try_from(hash).ok()?,
    })
}

fn parse_key(data: &[u8]) -> Option<KeyLeaf> {
    let (key, signature) = data.strip_prefix(KEY)?.split_last_chunk::<64>()?;
    Some(KeyLeaf { key: std::str::from_utf8(key).ok()?.parse().ok()?, signature: *signature })
}

/// What the key that signed before says of the one that follows it.
fn told(next: &VerifierKey) -> Vec<u8> {
    [KEY, next.to_string().as_bytes()].concat()
}

impl KeyLeaf {
    /// That `next` signs from now on, in the words of the key that has signed so far.
    #[must_use]
    pub fn new(next: VerifierKey, before: &LogKey) -> Self {
        let signature = before.sign(&told(&next));
        Self { key: next, signature }
    }

    /// The key that signs from now on, if it was this one that said so.
    #[must_use]
    pub fn signed_by(&self, before: &VerifierKey) -> Option<&VerifierKey> {
        before.has_signed(&told(&self.key), &self.signature).then_some(&self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UID: Uuid = Uuid::from_u128(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);

    #[test]
    fn a_head_has_its_bytes() {
        let leaf = Leaf::Head(HeadLeaf { uid: UID, revision: 0x0102_0304, hash: Hash::from_bytes([9; 32]) });
        let data = leaf.data();
        let expected = [b"bglog/1 leaf\0".as_slice(), &(0..16).collect::<Vec<u8>>(), &[1, 2, 3, 4], &[9; 32]];
        assert_eq!(data, expected.concat());
        assert_eq!(Leaf::parse(&data), Ok(leaf));
        for wrong in [&data[1..], &data[..data.len() - 1], &[&*data, &[0]].concat(), &[]] {
            assert_eq!(Leaf::parse(wrong), Err(BadLeaf));
        }
    }

    /// Computed with Python's hashlib, and shown in `docs/log-format.md`.
    #[test]
    fn a_leaf_hashes_to_what_the_documents_say() {
        let hash = "00f883b9cfc07541b22cd7cb332216ce830a74371b3d55f0f29412319a27759a".parse().unwrap();
        let leaf = Leaf::Head(HeadLeaf { uid: UID, revision: 1, hash });
        assert_eq!(
            crate::hex::encode(&leaf.hash()),
            "ae8b9613f512950f9217917d9aa4d27520b36e7a7784d8123b3f0822bfa2ba87"
        );
    }

    #[test]
    fn a_key_is_followed_only_if_the_one_before_says_so() {
        let [before, next, other] = [1, 2, 3].map(|seed| LogKey::new("example.com/log", [seed; 32]).unwrap());
        let change = KeyLeaf::new(next.verifier(), &before);
        let leaf = Leaf::Key(Box::new(change.clone()));
        assert_eq!(Leaf::parse(&leaf.data()), Ok(leaf.clone()));
        let tag = b"bglog/1 key\0example.com/log+";
        assert_eq!(&leaf.data()[..tag.len()], tag);
        assert_eq!(change.signed_by(&before.verifier()), Some(&next.verifier()));
        assert_eq!(change.signed_by(&other.verifier()), None);
        assert_eq!(change.signed_by(&next.verifier()), None);
        let forged = KeyLeaf { key: other.verifier(), ..change };
        assert_eq!(forged.signed_by(&before.verifier()), None);
    }
}
