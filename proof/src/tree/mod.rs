//! The Merkle tree over the logs of all matches (RFC 6962 with SHA-256), its proofs, and its signed checkpoints (C2SP
//! `tlog-checkpoint`, `signed-note`, and tiles in the manner of `tlog-tiles`).
//!
//! Whoever keeps a checkpoint elsewhere can tell later whether anything that it covers was changed, even by somebody who
//! could write to the database and recompute every hash in it.

mod checkpoint;
mod edge;
mod frontier;
mod leaf;
mod note;
mod path;
#[cfg(test)]
mod tests;
mod tile;

use sha2::{Digest, Sha256};

pub use checkpoint::{BadCheckpoint, Checkpoint};
pub use edge::Edge;
pub use frontier::Frontier;
pub use leaf::{BadLeaf, HeadLeaf, KeyLeaf, Leaf};
pub use note::{BadKey, BadNote, LogKey, Note, NoteSignature, Unsigned, VerifierKey};
pub use path::{
    NodeId, consistency_path, inclusion_path, is_consistent, perfect, prove, root_of, root_through,
};
pub use tile::{TILE_WIDTH, TileId, Tiles};

/// A hash in the tree: of a leaf, or of the two below it.
pub type NodeHash = [u8; 32];

/// The hash of a leaf with these data.
#[must_use]
pub fn leaf_hash(data: &[u8]) -> NodeHash {
    Sha256::new().chain_update([0]).chain_update(data).finalize().into()
}

/// The hash over two others.
#[must_use]
pub fn node_hash(left: &NodeHash, right: &NodeHash) -> NodeHash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The root of a tree without leaves.
#[must_use]
pub fn empty_root() -> NodeHash {
    Sha256::digest([]).into()
}
