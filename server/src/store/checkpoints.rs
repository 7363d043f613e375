//! The tree over all logs as it is stored, and its newest checkpoint.

use chaquete_proof::tree::{NodeHash, TileId, Tiles};

use super::{MatchKey, Seen, StoreError};
use crate::clock::Millis;

/// The newest checkpoint of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCheckpoint {
    /// How many leaves it covers.
    pub size: u64,
    /// The root over them.
    pub root: NodeHash,
    /// The signed note; empty as long as there are no leaves.
    pub note: String,
    /// When it was made.
    pub time: Millis,
}

/// A leaf that says how far a match had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedLeaf {
    /// Its place in the tree.
    pub place: u64,
    /// The match.
    pub key: MatchKey,
    /// The event up to which it covers the match.
    pub seen: Seen,
}

/// What is added to the tree, as a whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The size that the tree must have for this to fit.
    pub before: u64,
    /// Leaves of matches.
    pub leaves: Vec<PlacedLeaf>,
    /// Leaves that say which key signs from there on, with their places, as bytes.
    pub keys: Vec<(u64, Vec<u8>)>,
    /// The tiles that change, as they are then.
    pub tiles: Tiles,
    /// The checkpoint after them.
    pub checkpoint: StoredCheckpoint,
}

/// How far a match has come, and how far it is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covered {
    /// The match.
    pub key: MatchKey,
    /// The end of its log.
    pub head: Seen,
    /// Its last leaf.
    pub leaf: Option<Seen>,
}

/// Keeps the tree over all logs. It never stands in the way of the matches themselves.
#[async_trait::async_trait]
pub trait Checkpoints {
    /// The newest checkpoint; one of size 0 before there is any.
    async fn checkpoint(&self) -> Result<StoredCheckpoint, StoreError>;

    /// Those of these tiles that there are. Tiles at the edge may hold more than the checkpoint that was read before.
    async fn tiles(&self, ids: Vec<TileId>) -> Result<Tiles, StoreError>;

    /// Lets the tree grow. It is a conflict if it does not have the size any more that was seen: nothing is written then.
    async fn grow(&self, growth: Growth) -> Result<(), StoreError>;

    /// The last leaf of each of these matches that has one, in any order.
    async fn last_leaves(&self, keys: Vec<MatchKey>) -> Result<Vec<PlacedLeaf>, StoreError>;

    /// The first leaf that covers a revision of a match.
    async fn leaf_covering(&self, key: MatchKey, revision: u32) -> Result<Option<PlacedLeaf>, StoreError>;

    /// Leaves of matches in the order of their places, those from a place on, at most `limit` of them.
    async fn leaves(&self, from: u64, limit: u32) -> Result<Vec<PlacedLeaf>, StoreError>;

    /// The other leaves, with their places, in order.
    async fn key_leaves(&self) -> Result<Vec<(u64, Vec<u8>)>, StoreError>;

    /// How far matches are covered, in the order of their keys, those after `after`, at most `limit` of them. A row that
    /// cannot be read is left out.
    async fn covered(&self, after: Option<MatchKey>, limit: u32) -> Result<Vec<Covered>, StoreError>;
}

/// Hashes as they are stored: one after the other.
pub(super) fn stored_hashes(hashes: &[NodeHash]) -> &[u8] {
    hashes.as_flattened()
}

/// Hashes that were stored; `None` if they are cut off.
pub(super) fn read_hashes(bytes: &[u8]) -> Option<Vec<NodeHash>> {
    let (hashes, rest) = bytes.as_chunks();
    rest.is_empty().then(|| hashes.to_vec())
}
