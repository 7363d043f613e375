//! A tree as the roots of the perfect trees that it is made of: all that appending needs.

use super::{NodeHash, empty_root, node_hash};

/// The roots of the perfect trees that a tree is made of, from left to right: one for each bit of its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    roots: Vec<NodeHash>,
}

impl Frontier {
    /// How many leaves the tree has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Adds a leaf with this hash.
    pub fn append(&mut self, leaf: NodeHash) {
        // Each perfect tree of the right size has the new one for its right half.
        let whole = self.roots.len() - self.size.trailing_ones() as usize;
        let node = self.roots.drain(whole..).rev().fold(leaf, |right, left| node_hash(&left, &right));
        self.roots.push(node);
        self.size += 1;
    }

    /// The root of the tree.
    #[must_use]
    pub fn root(&self) -> NodeHash {
        let joined = self.roots.iter().rev().copied().reduce(|right, left| node_hash(&left, &right));
        joined.unwrap_or_else(empty_root)
    }
}
