//! The tree against vectors of others, against a second implementation, and against tampering.

use std::ops::Range;

use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;
use crate::hex;

/// The leaves of the reference tests of Certificate Transparency.
const LEAVES: [&str; 8] =
    ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];

/// Their roots, from no leaf on.
const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/// Places, sizes and proofs that the leaves are there.
const INCLUSIONS: [(u64, u64, &[&str]); 4] = [
    (
        0,
        8,
        &[
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        5,
        8,
        &[
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (2, 3, &["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (
        1,
        5,
        &[
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
];

/// Sizes and proofs that one tree is the beginning of the other.
const CONSISTENCIES: [(u64, u64, &[&str]); 3] = [
    (
        1,
        8,
        &[
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        6,
        8,
        &[
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (
        2,
        5,
        &[
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
];

/// A tree with all of its tiles, as a store has them after appending leaf by leaf.
struct Grown {
    leaves: Vec<NodeHash>,
    tiles: Tiles,
}

impl Grown {
    fn of(leaves: Vec<NodeHash>) -> Self {
        let mut grown = Self { leaves: Vec::new(), tiles: Tiles::default() };
        for leaf in leaves {
            let size = grown.leaves.len() as u64;
            let edge =
                Edge::tiles_of(size).into_iter().map(|id| (id, grown.tiles.tile(id).to_vec())).collect();
            let mut edge = Edge::new(size, edge).unwrap();
            edge.append(leaf);
            for (id, hashes) in edge.changed().iter() {
                *grown.tiles.tile_mut(id) = hashes.to_vec();
            }
            grown.leaves.push(leaf);
        }
        grown
    }

    /// The leaves are numbers of four bytes.
    fn counted(size: u32) -> Self {
        Self::of((0..size).map(|n| leaf_hash(&n.to_be_bytes())).collect())
    }

    fn root(&self, size: u64) -> NodeHash {
        root_of(0..size, |node| self.tiles.node(node)).unwrap()
    }

    fn inclusion(&self, index: u64, size: u64) -> Vec<NodeHash> {
        self.prove(inclusion_path(index, size).unwrap())
    }

    fn consistency(&self, old: u64, size: u64) -> Vec<NodeHash> {
        self.prove(consistency_path(old, size).unwrap())
    }

    fn prove(&self, path: Vec<Range<u64>>) -> Vec<NodeHash> {
        prove(path, |node| self.tiles.node(node)).unwrap()
    }
}

fn ct() -> Grown {
    Grown::of(LEAVES.iter().map(|leaf| leaf_hash(&hex::decode_all(leaf).unwrap())).collect())
}

fn texts(hashes: &[NodeHash]) -> Vec<String> {
    hashes.iter().map(|hash| hex::encode(hash)).collect()
}

#[test]
fn the_reference_vectors_are_met() {
    let tree = ct();
    let mut frontier = Frontier::default();
    for (size, root) in ROOTS.iter().enumerate() {
        assert_eq!(hex::encode(&frontier.root()), *root);
        assert_eq!(hex::encode(&tree.root(size as u64)), *root);
        if let Some(leaf) = tree.leaves.get(size) {
            frontier.append(*leaf);
        }
    }
    assert_eq!(frontier.size(), 8);
    for (index, size, proof) in INCLUSIONS {
        assert_eq!(texts(&tree.inclusion(index, size)), proof);
    }
    for (old, size, proof) in CONSISTENCIES {
        assert_eq!(texts(&tree.consistency(old, size)), proof);
    }
}

fn digest(hashes: impl IntoIterator<Item = NodeHash>) -> String {
    hex::encode(&hashes.into_iter().fold(Sha256::new(), |all, hash| all.chain_update(hash)).finalize())
}

/// The digests are of a second implementation: the recursive definitions of RFC 6962 in a dozen lines of Python.
#[test]
fn a_second_implementation_says_the_same() {
    let tree = Grown::counted(600);
    let inclusions = (1..=130).flat_map(|size| (0..size).map(move |index| (index, size)));
    let inclusions = inclusions.flat_map(|(index, size)| tree.inclusion(index, size));
    let consistencies = (1..=130).flat_map(|size| (1..=size).map(move |old| (old, size)));
    let consistencies = consistencies.flat_map(|(old, size)| tree.consistency(old, size));
    let wide = [0, 255, 256, 511, 512, 599].into_iter().flat_map(|index| tree.inclusion(index, 600));
    let wide =
        wide.chain([1, 255, 256, 257, 512, 599].into_iter().flat_map(|old| tree.consistency(old, 600)));
    for (made, second) in [
        (
            digest((1..=600).map(|size| tree.root(size))),
            "fc617a745f794e882207bb0b85631fd6a33d646fdc9bb0b4132b2a6289f54f80",
        ),
        (digest(inclusions), "f530126d76ce8ed44184d30c442cf997fff7ec193c40a122959d53a906042457"),
        (digest(consistencies), "8d71c50dcd8bbd9b430c83d00abc58ed47a9807f4318a9a203628521f12d7db7"),
        (digest(wide), "120c18a7705700db354c8da3cbf5d47318c2fa64d80cf22b2e1a66229a19a20a"),
    ] {
        assert_eq!(made, second);
    }
}

/// Beyond two levels of tiles, where a test that appends leaf by leaf would take too long.
#[test]
fn a_full_tile_is_one_hash_of_the_tile_above() {
    let tree = Grown::counted(66_000);
    let top = TileId { level: 2, index: 0 };
    assert_eq!(tree.tiles.tile(top), [tree.root(65_536)]);
    assert_eq!(tree.tiles.tile(TileId { level: 1, index: 1 }).len(), 1);
    let (index, size) = (65_000, 66_000);
    let proof = tree.inclusion(index, size);
    let leaf = tree.leaves[index as usize];
    assert_eq!(root_through(index, size, leaf, &proof), Some(tree.root(size)));
    let needed = inclusion_path(index, size).unwrap().into_iter().flat_map(perfect).map(NodeId::tile);
    let needed: std::collections::BTreeSet<_> = needed.collect();
    assert!(needed.len() <= 5, "{needed:?}");
}

#[test]
fn there_are_no_proofs_of_what_is_not_there() {
    assert_eq!(inclusion_path(8, 8), None);
    assert_eq!(inclusion_path(0, 0), None);
    assert_eq!(consistency_path(9, 8), None);
    let tree = ct();
    assert!(is_consistent((0, empty_root()), (8, tree.root(8)), &[]));
    assert!(!is_consistent((0, tree.root(1)), (8, tree.root(8)), &[]));
    assert!(is_consistent((8, tree.root(8)), (8, tree.root(8)), &[]));
    assert!(!is_consistent((8, tree.root(7)), (8, tree.root(8)), &[]));
    assert!(!is_consistent((9, tree.root(8)), (8, tree.root(8)), &[]));
    assert!(Edge::new(3, Tiles::default()).is_none());
    let short = [(TileId { level: 0, index: 0 }, tree.leaves[..2].to_vec())].into_iter().collect();
    assert!(Edge::new(3, short).is_none());
}

/// A change of one hash, or of how many there are.
fn tampered(proof: &[NodeHash], at: usize, bit: usize) -> Vec<Vec<NodeHash>> {
    let mut all = Vec::new();
    if !proof.is_empty() {
        let mut flipped = proof.to_vec();
        flipped[at % proof.len()][bit / 8 % 32] ^= 1 << (bit % 8);
        let mut shorter = proof.to_vec();
        shorter.remove(at % proof.len());
        all.extend([flipped, shorter]);
    }
    let mut longer = proof.to_vec();
    longer.insert(at % (proof.len() + 1), [bit as u8; 32]);
    all.push(longer);
    all
}

proptest! {
    #[test]
    fn every_inclusion_is_proved_and_nothing_else(
        size in 1..700_u32, index: prop::sample::Index, other: prop::sample::Index, at: usize, bit: usize,
    ) {
        let tree = Grown::counted(size);
        let (index, other, size) = (index.index(size as usize) as u64, other.index(size as usize), u64::from(size));
        let (leaf, root) = (tree.leaves[index as usize], tree.root(size));
        let proof = tree.inclusion(index, size);
        prop_assert_eq!(root_through(index, size, leaf, &proof), Some(root));
        for wrong in tampered(&proof, at, bit) {
            prop_assert_ne!(root_through(index, size, leaf, &wrong), Some(root));
        }
        if other as u64 != index {
            prop_assert_ne!(root_through(other as u64, size, leaf, &proof), Some(root));
            prop_assert_ne!(root_through(index, size, tree.leaves[other], &proof), Some(root));
        }
        // A hash of two is not taken for a leaf's data.
        if let Some(sibling) = proof.first() {
            prop_assert_ne!(leaf_hash(&[leaf, *sibling].concat()), node_hash(&leaf, sibling));
        }
    }

    #[test]
    fn every_beginning_is_proved_and_nothing_else(
        size in 1..700_u32, old: prop::sample::Index, other: prop::sample::Index, at: usize, bit: usize,
    ) {
        let tree = Grown::counted(size);
        let (old, other) = (1 + old.index(size as usize) as u64, 1 + other.index(size as usize) as u64);
        let size = u64::from(size);
        let new = (size, tree.root(size));
        let proof = tree.consistency(old, size);
        prop_assert!(is_consistent((old, tree.root(old)), new, &proof));
        for wrong in tampered(&proof, at, bit) {
            prop_assert!(!is_consistent((old, tree.root(old)), new, &wrong));
        }
        if other != old {
            prop_assert!(!is_consistent((old, tree.root(other)), new, &proof));
            prop_assert!(!is_consistent((other, tree.root(old)), new, &proof));
        }
        // A tree that is the same but for one leaf of the beginning.
        let mut changed = tree.leaves.clone();
        changed[(other % old) as usize][0] ^= 1;
        let changed = Grown::of(changed);
        let forged = changed.consistency(old, size);
        prop_assert!(!is_consistent((old, tree.root(old)), (size, changed.root(size)), &forged));
    }
}
