//! Checkpoints: every second in which something was written, how far matches have come becomes leaves of the tree over
//! all logs, whose root is signed.
//!
//! Nobody waits for it: an action is done when its match is durable. What a server had written and not covered when it
//! died is caught up with by whoever finds it.

mod catch_up;
mod file;
mod keys;
mod pending;
mod proofs;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::Duration,
};

use chaquete_proof::tree::{Checkpoint, Edge, HeadLeaf, KeyLeaf, Leaf, LogKey, Note, TILE_WIDTH, Unsigned};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

pub use file::BadFile;
pub use keys::{BadLogKeys, LogKeyFileError, LogKeys};
pub use pending::Pending;
pub use proofs::{Proofs, Receipt};

use crate::{
    clock::{Clock, Millis},
    store::{Growth, MatchKey, PlacedLeaf, Seen, Store, StoreError, StoredCheckpoint},
};

/// How many leaves one checkpoint adds at most; the rest follows at once.
const PORTION: usize = 4 * TILE_WIDTH as usize;

/// How often a checkpoint is tried while others get in first.
const ATTEMPTS: u32 = 16;

/// How long the last checkpoint of a server may take.
const LAST: Duration = Duration::from_secs(5);

/// Why there is no new checkpoint, or a store is not to be served.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The store fails, or others kept getting in first.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is stored of the tree cannot be what was signed.
    #[error("the stored tree is damaged: {0}")]
    Damaged(&'static str),
    /// Nobody here may go on in the name of the log.
    #[error(
        "the newest checkpoint was signed by a key that is not among the log keys: add its line to the file \
         (below the first, if the first is to take its place)"
    )]
    UnknownSigner,
    /// The checkpoint that was kept outside the store contradicts it.
    #[error(transparent)]
    File(#[from] BadFile),
}

impl CheckpointError {
    /// Whether something in the store is not what was written.
    const fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged(_) | Self::Store(StoreError::Damaged { .. }))
    }
}

/// Makes checkpoints. Cheap to clone.
#[derive(Clone)]
pub struct Checkpointer {
    store: Arc<dyn Store>,
    pending: Pending,
    keys: Arc<LogKeys>,
    clock: Arc<dyn Clock>,
    /// Where the newest checkpoint is kept as well.
    file: Option<Arc<PathBuf>>,
    /// Whether the first key still has to take the place of the one that has signed so far.
    rotates: Arc<AtomicBool>,
    /// When the newest one was made that is known here; 0 before there is any.
    newest: Arc<AtomicI64>,
}

/// The tree as it is stored, right before it grows.
struct Now<'a> {
    edge: Edge,
    /// Whose signature the newest checkpoint has; `None` before the first.
    signer: Option<&'a LogKey>,
}

impl Checkpointer {
    /// Looks whether the tree of a store is the one that was signed, by a key that is here, and whether it is not older
    /// than the checkpoint in the file.
    ///
    /// # Errors
    /// It is not, or cannot be read.
    pub async fn start(
        store: Arc<dyn Store>,
        pending: Pending,
        keys: LogKeys,
        clock: Arc<dyn Clock>,
        file: Option<PathBuf>,
    ) -> Result<Self, CheckpointError> {
        let (keys, file) = (Arc::new(keys), file.map(Arc::new));
        let (rotates, newest) = (Arc::default(), Arc::default());
        let this = Self { store, pending, keys, clock, file, rotates, newest };
        match this.now().await {
            Ok(now) => {
                let signer = now.signer.map(LogKey::verifier);
                let rotates = signer.is_some_and(|signer| signer != this.keys.current().verifier());
                this.rotates.store(rotates, Ordering::Relaxed);
            }
            // Matches are none the worse for it.
            Err(error) if error.is_damage() && this.file.is_none() => {
                tracing::error!("checkpoints cannot be made: {error}");
            }
            Err(error) => return Err(error),
        }
        if let Some(path) = &this.file {
            file::check(path, &this.keys, &this.proofs()).await?;
        }
        Ok(this)
    }

    /// Proves what the checkpoints cover.
    #[must_use]
    pub fn proofs(&self) -> Proofs {
        Proofs::new(Arc::clone(&self.store))
    }

    /// How old the newest checkpoint is that is known here; `None` before there is any.
    #[must_use]
    pub fn age(&self) -> Option<Millis> {
        let newest = self.newest.load(Ordering::Relaxed);
        (newest > 0).then(|| self.clock.now() - newest)
    }

    /// The keys that sign.
    #[must_use]
    pub fn keys(&self) -> Arc<LogKeys> {
        Arc::clone(&self.keys)
    }

    /// Makes checkpoints until the server goes down. What is written after that, [`Checkpointer::once`] covers.
    pub async fn run(self, every: Duration, shutdown: CancellationToken) {
        let mut ticks = interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut rounds = self.rounds();
        while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
            if let Err(error) = self.once().await {
                tracing::error!("no checkpoint was made: {error}");
            } else if let Err(error) = rounds.go_on(&shutdown).await {
                tracing::warn!("what is not in a checkpoint could not be looked for: {error}");
            }
        }
    }

    /// Covers what was written last, before the store is closed. One that does not take it is not waited for: the next
    /// server catches up.
    pub async fn finish(&self) {
        let because = match timeout(LAST, self.once()).await {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the store takes too long".to_owned(),
        };
        tracing::warn!("what was written last is not in a checkpoint yet: {because}");
    }

    /// Covers what was written here and is not covered yet.
    ///
    /// # Errors
    /// See [`CheckpointError`]; it can be covered the next time.
    pub async fn once(&self) -> Result<(), CheckpointError> {
        // What is written meanwhile waits for the next time: under load there would be no end of it.
        let mut left = self.pending.count();
        loop {
            let heads = self.pending.take(PORTION.min(left));
            left -= heads.len();
            if heads.is_empty() && !self.rotates.load(Ordering::Relaxed) {
                return Ok(());
            }
            if let Err(error) = self.cover(&heads).await {
                self.pending.give_back(heads);
                return Err(error);
            }
            self.pending.covered();
        }
    }

    /// Adds leaves for matches that have come so far, unless they have them.
    async fn cover(&self, heads: &[(MatchKey, Seen)]) -> Result<(), CheckpointError> {
        for _ in 1..ATTEMPTS {
            match self.try_to_cover(heads).await {
                // Another server had its turn.
                Err(CheckpointError::Store(StoreError::Conflict)) => {}
                covered => return covered,
            }
        }
        self.try_to_cover(heads).await
    }

    async fn try_to_cover(&self, heads: &[(MatchKey, Seen)]) -> Result<(), CheckpointError> {
        // In this order: what is covered by a larger tree than this one, the store refuses.
        let Now { edge, signer } = self.now().await?;
        let uncovered = self.uncovered(heads).await?;
        let signer = signer.unwrap_or_else(|| self.keys.current());
        let successor = self.keys.current();
        let rotates = self.rotates.load(Ordering::Relaxed) && signer.verifier() != successor.verifier();
        if !uncovered.is_empty() || rotates {
            let growth = self.growth(edge, &uncovered, signer, rotates.then_some(successor));
            let (note, time) = (growth.checkpoint.note.clone(), growth.checkpoint.time);
            self.store.grow(growth).await?;
            self.newest.store(time, Ordering::Relaxed);
            self.keep(note).await;
        }
        self.rotates.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// The tree as it is stored now, and whose it is.
    async fn now(&self) -> Result<Now<'_>, CheckpointError> {
        let checkpoint = self.store.checkpoint().await?;
        self.newest.store(checkpoint.time, Ordering::Relaxed);
        let tiles = self.store.tiles(Edge::tiles_of(checkpoint.size)).await?;
        let edge = Edge::new(checkpoint.size, tiles)
            .ok_or(CheckpointError::Damaged("hashes at its edge are gone"))?;
        if edge.root() != checkpoint.root {
            return Err(CheckpointError::Damaged("its hashes do not lead to the root that was signed"));
        }
        Ok(Now { edge, signer: self.signer(&checkpoint)? })
    }

    /// Whose the newest checkpoint is, which must say what is stored beside it.
    fn signer(&self, stored: &StoredCheckpoint) -> Result<Option<&LogKey>, CheckpointError> {
        if stored.size == 0 {
            return Ok(None);
        }
        let damaged = CheckpointError::Damaged("the note is not that of the checkpoint");
        let Ok(note) = stored.note.parse::<Note>() else { return Err(damaged) };
        let signer = match note.led_by(self.keys.verifiers()) {
            Err(Unsigned::Forged(_)) => return Err(damaged),
            Err(Unsigned::Unknown) => return Err(CheckpointError::UnknownSigner),
            Ok(signer) => signer,
        };
        let said = Checkpoint { origin: self.keys.name().to_owned(), size: stored.size, root: stored.root };
        if note.text() != said.to_string() {
            return Err(damaged);
        }
        Ok(self.keys.find(signer))
    }

    /// Those of these heads that go beyond what is covered.
    async fn uncovered(&self, heads: &[(MatchKey, Seen)]) -> Result<Vec<(MatchKey, Seen)>, StoreError> {
        let keys = heads.iter().map(|(key, _)| *key).collect();
        let leaves = self.store.last_leaves(keys).await?;
        let covered: HashMap<_, _> = leaves.into_iter().map(|leaf| (leaf.key, leaf.seen)).collect();
        let goes_beyond = |(key, head): &&(MatchKey, Seen)| match covered.get(key) {
            Some(leaf) if leaf.revision == head.revision && leaf.hash != head.hash => {
                tracing::error!(uid = %key.uid, "a match was written that a checkpoint contradicts");
                false
            }
            Some(leaf) => leaf.revision < head.revision,
            None => true,
        };
        Ok(heads.iter().filter(goes_beyond).copied().collect())
    }

    /// The tree with these leaves, signed; and with another key in the place of the one that has signed so far, if there
    /// is to be one.
    fn growth(
        &self,
        mut edge: Edge,
        heads: &[(MatchKey, Seen)],
        signer: &LogKey,
        successor: Option<&LogKey>,
    ) -> Growth {
        let before = edge.size();
        let mut keys = Vec::new();
        if let Some(successor) = successor {
            let leaf = Leaf::Key(Box::new(KeyLeaf::new(successor.verifier(), signer)));
            keys.push((edge.size(), leaf.data()));
            edge.append(leaf.hash());
        }
        let mut leaves = Vec::with_capacity(heads.len());
        for &(key, seen) in heads {
            leaves.push(PlacedLeaf { place: edge.size(), key, seen });
            edge.append(leaf(key, seen).hash());
        }
        // The new key first: it goes on from here.
        let signers: Vec<_> = successor.into_iter().chain([signer]).collect();
        let checkpoint = self.sign(&edge, &signers);
        Growth { before, leaves, keys, tiles: edge.changed(), checkpoint }
    }

    fn sign(&self, edge: &Edge, signers: &[&LogKey]) -> StoredCheckpoint {
        let (origin, size, root) = (self.keys.name().to_owned(), edge.size(), edge.root());
        let said = Checkpoint { origin, size, root };
        let note = Note::sign(said.to_string(), signers).to_string();
        StoredCheckpoint { size, root, note, time: self.clock.now() }
    }

    /// Keeps the newest checkpoint outside the store. The store has it already, so it is no failure if that fails.
    async fn keep(&self, note: String) {
        let Some(path) = self.file.clone() else { return };
        if let Err(error) = file::write(&path, note).await {
            tracing::error!(file = %path.display(), "the newest checkpoint could not be kept: {error}");
        }
    }
}

/// The leaf that says how far a match had come.
#[must_use]
pub const fn leaf(key: MatchKey, seen: Seen) -> Leaf {
    Leaf::Head(HeadLeaf { uid: key.uid, revision: seen.revision, hash: seen.hash })
}
