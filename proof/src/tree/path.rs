//! Proofs: which parts of a tree they name, how they are made, and how they are checked. Making and checking follow the
//! same path.

use std::ops::Range;

use super::{NodeHash, empty_root, node_hash};

/// The root of a perfect tree within the tree: of the leaves from `index << level` on, `1 << level` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId {
    /// How far it is above the leaves.
    pub level: u8,
    /// Its place among those of its level.
    pub index: u64,
}

/// The parts of a tree of `size` leaves whose hashes prove that the leaf at `index` is in it, from the leaf upwards; `None`
/// if there is no such leaf.
#[must_use]
pub fn inclusion_path(index: u64, size: u64) -> Option<Vec<Range<u64>>> {
    if index >= size {
        return None;
    }
    let (mut part, mut path) = (0..size, Vec::new());
    while part.end - part.start > 1 {
        let middle = middle(&part);
        if index < middle {
            path.push(middle..part.end);
            part.end = middle;
        } else {
            path.push(part.start..middle);
            part.start = middle;
        }
    }
    path.reverse();
    Some(path)
}

/// The parts of a tree of `size` leaves whose hashes prove that the tree of its first `old` leaves is its beginning; `None`
/// if it has not so many. Every tree begins with the empty one, and with itself, without proof.
#[must_use]
pub fn consistency_path(old: u64, size: u64) -> Option<Vec<Range<u64>>> {
    if old > size {
        return None;
    }
    let (mut part, mut path) = (0..size, Vec::new());
    while old != part.end && old != 0 {
        let middle = middle(&part);
        if old <= middle {
            path.push(middle..part.end);
            part.end = middle;
        } else {
            path.push(part.start..middle);
            part.start = middle;
        }
    }
    // Whoever checks knows the whole of the old tree, but no part of it.
    if part.start != 0 {
        path.push(part);
    }
    path.reverse();
    Some(path)
}

/// Where a part of several leaves is cut in two: the left half is the greatest perfect tree that is not all of it.
const fn middle(part: &Range<u64>) -> u64 {
    part.start + (1 << (part.end - part.start - 1).ilog2())
}

/// The perfect trees that a part of a path is made of, from left to right.
#[must_use]
pub fn perfect(part: Range<u64>) -> Vec<NodeId> {
    let (mut nodes, mut start) = (Vec::new(), part.start);
    while start < part.end {
        // The first leaf of a part is aligned to the greatest perfect tree in it.
        let level = (part.end - start).ilog2();
        nodes.push(NodeId { level: level as u8, index: start >> level });
        start += 1 << level;
    }
    nodes
}

/// The hash of a part of a path, which is a tree of its own; `None` if a hash is not to be had.
pub fn root_of(part: Range<u64>, node: impl Fn(NodeId) -> Option<NodeHash>) -> Option<NodeHash> {
    let hashes = perfect(part).into_iter().map(node).collect::<Option<Vec<_>>>()?;
    Some(hashes.into_iter().rev().reduce(|right, left| node_hash(&left, &right)).unwrap_or_else(empty_root))
}

/// A proof: the hashes of the parts of its path.
pub fn prove(path: Vec<Range<u64>>, node: impl Fn(NodeId) -> Option<NodeHash>) -> Option<Vec<NodeHash>> {
    path.into_iter().map(|part| root_of(part, &node)).collect()
}

/// The root of the tree of `size` leaves that has, by this proof, a leaf with this hash at `index`; `None` if the proof is
/// none for such a leaf.
#[must_use]
pub fn root_through(index: u64, size: u64, leaf: NodeHash, proof: &[NodeHash]) -> Option<NodeHash> {
    let path = inclusion_path(index, size).filter(|path| path.len() == proof.len())?;
    let step = |node: NodeHash, (part, sibling): (Range<u64>, &NodeHash)| {
        if index < part.start { node_hash(&node, sibling) } else { node_hash(sibling, &node) }
    };
    Some(path.into_iter().zip(proof).fold(leaf, step))
}

/// Whether, by this proof, the tree with the size and root `new` begins with that of `old`.
#[must_use]
pub fn is_consistent(old: (u64, NodeHash), new: (u64, NodeHash), proof: &[NodeHash]) -> bool {
    let Some(path) = consistency_path(old.0, new.0).filter(|path| path.len() == proof.len()) else {
        return false;
    };
    if old.0 == 0 {
        return old.1 == empty_root();
    }
    let mut steps = path.into_iter().zip(proof).peekable();
    // The last part of the old tree; all of it, if it is perfect in the new one.
    let known = steps.next_if(|(part, _)| part.end == old.0).map_or(old.1, |(_, hash)| *hash);
    let roots = steps.fold((known, known), |(left, whole), (part, hash)| {
        if old.0 <= part.start {
            (left, node_hash(&whole, hash))
        } else {
            (node_hash(hash, &left), node_hash(hash, &whole))
        }
    });
    roots == (old.1, new.1)
}
