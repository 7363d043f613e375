//! The hashes of a tree in portions of 256, as they are stored: a proof of any leaf needs a handful of them.

use std::collections::BTreeMap;

use super::{Frontier, NodeHash, NodeId};

/// How many levels of the tree a tile stands for. Those above its own hashes follow from them.
pub(super) const TILE_HEIGHT: u8 = 8;

/// How many hashes a full tile has.
pub const TILE_WIDTH: u64 = 1 << TILE_HEIGHT;

/// The place of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileId {
    /// Its hashes are `8 * level` above the leaves.
    pub level: u8,
    /// Its place among those of its level: its first hash is the one at `256 * index`.
    pub index: u64,
}

impl NodeId {
    /// The tile that this hash is in, or follows from.
    #[must_use]
    pub const fn tile(self) -> TileId {
        let above = self.level % TILE_HEIGHT;
        TileId { level: self.level / TILE_HEIGHT, index: self.index >> (TILE_HEIGHT - above) }
    }
}

/// Some tiles of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tiles(BTreeMap<TileId, Vec<NodeHash>>);

impl Tiles {
    /// The hashes of a tile, as far as they are known.
    #[must_use]
    pub fn tile(&self, id: TileId) -> &[NodeHash] {
        self.0.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Every tile.
    pub fn iter(&self) -> impl Iterator<Item = (TileId, &[NodeHash])> {
        self.0.iter().map(|(id, hashes)| (*id, hashes.as_slice()))
    }

    /// The hash of a perfect tree, if it follows from these tiles.
    #[must_use]
    pub fn node(&self, node: NodeId) -> Option<NodeHash> {
        let width = 1 << (node.level % TILE_HEIGHT);
        let first = (node.index * width % TILE_WIDTH) as usize;
        let hashes = self.tile(node.tile()).get(first..first + width as usize)?;
        Some(root(hashes))
    }

    pub(super) fn tile_mut(&mut self, id: TileId) -> &mut Vec<NodeHash> {
        self.0.entry(id).or_default()
    }
}

impl FromIterator<(TileId, Vec<NodeHash>)> for Tiles {
    fn from_iter<I: IntoIterator<Item = (TileId, Vec<NodeHash>)>>(tiles: I) -> Self {
        Self(tiles.into_iter().collect())
    }
}

/// The root over hashes of one level.
pub(super) fn root(hashes: &[NodeHash]) -> NodeHash {
    let mut frontier = Frontier::default();
    for hash in hashes {
        frontier.append(*hash);
    }
    frontier.root()
}
