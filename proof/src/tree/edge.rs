//! The right edge of a tree, where it grows.

use std::collections::BTreeSet;

use super::{
    NodeHash, TILE_WIDTH, TileId, Tiles, empty_root, root_of,
    tile::{TILE_HEIGHT, root},
};

/// The tiles of a tree that are not full, and what was added to them.
#[derive(Clone, Debug)]
pub struct Edge {
    size: u64,
    tiles: Tiles,
    changed: BTreeSet<TileId>,
}

impl Edge {
    /// The tiles at the edge of a tree of this size: at most one a level, and none that is full.
    #[must_use]
    pub fn tiles_of(size: u64) -> Vec<TileId> {
        widths(size).map(|(id, _)| id).collect()
    }

    /// The edge of a tree of this size, if these are its tiles. What else is in them, a greater tree may have put there.
    #[must_use]
    pub fn new(size: u64, mut tiles: Tiles) -> Option<Self> {
        for (id, width) in widths(size) {
            let tile = tiles.tile_mut(id);
            if tile.len() < width {
                return None;
            }
            tile.truncate(width);
        }
        Some(Self { size, tiles, changed: BTreeSet::new() })
    }

    /// How many leaves the tree has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The root of the tree.
    #[must_use]
    pub fn root(&self) -> NodeHash {
        // What the tree is made of lies at its edge.
        root_of(0..self.size, |node| self.tiles.node(node)).unwrap_or_else(empty_root)
    }

    /// Adds a leaf with this hash.
    pub fn append(&mut self, leaf: NodeHash) {
        let (mut node, mut place, mut level) = (leaf, self.size, 0);
        loop {
            let id = TileId { level, index: place / TILE_WIDTH };
            let tile = self.tiles.tile_mut(id);
            tile.push(node);
            self.changed.insert(id);
            // A full tile is one hash of the level above.
            if tile.len() < TILE_WIDTH as usize {
                break;
            }
            (node, place, level) = (root(tile), place / TILE_WIDTH, level + 1);
        }
        self.size += 1;
    }

    /// The tiles to which something was added, as they are now.
    #[must_use]
    pub fn changed(&self) -> Tiles {
        self.changed.iter().map(|id| (*id, self.tiles.tile(*id).to_vec())).collect()
    }
}

/// The tiles at the edge of a tree, and how many hashes each has.
fn widths(size: u64) -> impl Iterator<Item = (TileId, usize)> {
    let levels = (0..u64::BITS as u8 / TILE_HEIGHT).map(move |level| (level, size >> (TILE_HEIGHT * level)));
    let parts =
        levels.map(|(level, nodes)| (TileId { level, index: nodes / TILE_WIDTH }, nodes % TILE_WIDTH));
    parts.filter(|(_, width)| *width > 0).map(|(id, width)| (id, width as usize))
}
