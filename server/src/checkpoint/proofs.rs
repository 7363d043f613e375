//! What a caller can have proved: that a match is in the tree, and that the tree only grew.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use chaquete_proof::tree::{
    NodeHash, TileId, Tiles, consistency_path, inclusion_path, perfect, prove, root_of,
};

use crate::{
    name::MatchName,
    store::{MatchKey, PlacedLeaf, Store, StoreError, StoredCheckpoint},
};

/// Proves what the tree of a store covers. Cheap to clone.
#[derive(Clone)]
pub struct Proofs {
    store: Arc<dyn Store>,
}

/// That a match had come so far, proved by a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The leaf that says so.
    pub leaf: PlacedLeaf,
    /// The hashes that lead from it to the root.
    pub proof: Vec<NodeHash>,
    /// The checkpoint with that root.
    pub checkpoint: StoredCheckpoint,
}

impl Proofs {
    /// Proofs from the tree of this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store }
    }

    /// The newest checkpoint, if there is any yet.
    ///
    /// # Errors
    /// The store fails.
    pub async fn newest(&self) -> Result<Option<StoredCheckpoint>, StoreError> {
        Ok(Some(self.store.checkpoint().await?).filter(|checkpoint| checkpoint.size > 0))
    }

    /// A proof that the tree of a checkpoint begins with that of its first `old` leaves, which must be no more than it has.
    ///
    /// # Errors
    /// The store fails, or hashes are gone from it.
    pub async fn consistency(
        &self,
        old: u64,
        checkpoint: &StoredCheckpoint,
    ) -> Result<Vec<NodeHash>, StoreError> {
        self.prove(consistency_path(old, checkpoint.size)).await
    }

    /// The first leaf that covers a revision of a match, proved by the newest checkpoint; `None` if none does yet.
    ///
    /// # Errors
    /// The store fails, or hashes are gone from it.
    pub async fn receipt(&self, key: MatchKey, revision: u32) -> Result<Option<Receipt>, StoreError> {
        let Some(leaf) = self.store.leaf_covering(key, revision).await? else { return Ok(None) };
        // Read after the leaf, so it covers it.
        let checkpoint = self.store.checkpoint().await?;
        let proof = self.prove(inclusion_path(leaf.place, checkpoint.size)).await?;
        Ok(Some(Receipt { leaf, proof, checkpoint }))
    }

    /// The key of the match of this name.
    ///
    /// # Errors
    /// The store fails.
    pub async fn key_of(&self, name: &MatchName) -> Result<Option<MatchKey>, StoreError> {
        Ok(self.store.find(name).await?.map(|stored| stored.key))
    }

    /// How many leaves the tree has.
    pub(super) async fn size(&self) -> Result<u64, StoreError> {
        Ok(self.store.checkpoint().await?.size)
    }

    /// The root over the first leaves of the tree; `None` if hashes are gone.
    pub(super) async fn root(&self, size: u64) -> Result<Option<NodeHash>, StoreError> {
        let whole = 0..size;
        let tiles = self.tiles(std::slice::from_ref(&whole)).await?;
        Ok(root_of(whole, |node| tiles.node(node)))
    }

    async fn prove(&self, path: Option<Vec<Range<u64>>>) -> Result<Vec<NodeHash>, StoreError> {
        let path = path.ok_or_else(|| damaged("a leaf is beyond the tree"))?;
        let tiles = self.tiles(&path).await?;
        prove(path, |node| tiles.node(node)).ok_or_else(|| damaged("hashes of the tree are gone"))
    }

    /// The tiles from which the hashes of parts of the tree follow.
    async fn tiles(&self, parts: &[Range<u64>]) -> Result<Tiles, StoreError> {
        let nodes = parts.iter().cloned().flat_map(perfect);
        let ids: BTreeSet<TileId> = nodes.map(|node| node.tile()).collect();
        self.store.tiles(ids.into_iter().collect()).await
    }
}

fn damaged(because: &str) -> StoreError {
    StoreError::Damaged { revision: 0, because: because.to_owned() }
}
