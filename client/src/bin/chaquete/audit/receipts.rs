//! Checkpoints that were kept elsewhere: the tree of the server must go on from them, and every log must be in it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use chaquete_client::Client;
use chaquete_client::proto::{
    Checkpoint as Told, ErrorReason, GetCheckpointRequest, GetCheckpointResponse, GetInclusionProofRequest,
    GetInclusionProofResponse,
};
use chaquete_proof::tree::{Checkpoint, Leaf, NodeHash, Note, VerifierKey, is_consistent, root_through};

use super::verdict::Verdict;
use crate::failure::Failure;
use crate::file;
use crate::logs;

/// How often the tree may grow while two of its states are compared with a third.
const ATTEMPTS: u32 = 20;

/// Receipts of a server, for whoever trusts nothing but the key that signs its checkpoints.
pub(super) struct Receipts {
    client: Client,
    keys: Vec<VerifierKey>,
    /// The newest checkpoint that goes on from the one that was kept, with its note.
    trusted: Trusted,
    /// How many logs are covered to their end.
    pub(super) covered: u64,
}

struct Trusted {
    checkpoint: Checkpoint,
    note: String,
}

/// Why a server's tree, or what it says of a log, is not what it should be.
type Wrong = String;

impl Receipts {
    /// Begins with the checkpoint that was kept in a file; without one, with what the server says now.
    pub(super) async fn begin(client: Client, key: &str, kept: Option<&Path>) -> Result<Self, Failure> {
        let unfit = |because: &dyn std::fmt::Display| Failure::Tree { because: because.to_string() };
        let keys: Vec<VerifierKey> = vec![key.parse().map_err(|error| unfit(&error))?];
        let kept = kept.map(read).transpose()?.flatten();
        let newest = newest(&client, 0).await?.checkpoint.unwrap_or_default();
        let now = signed(&newest.signed_note, &keys).map_err(|because| unfit(&because))?;
        let note = kept.unwrap_or_else(|| newest.signed_note.clone());
        let checkpoint = signed(&note, &keys).map_err(|because| unfit(&because))?;
        if now.size < checkpoint.size {
            return Err(unfit(&"it is smaller than it was: something was left out"));
        }
        let mut receipts = Self { client, keys, trusted: Trusted { checkpoint, note }, covered: 0 };
        receipts.go_on(&newest).await?.map_err(|because| unfit(&because))?;
        Ok(receipts)
    }

    /// Keeps the newest checkpoint in a file, for the next audit.
    pub(super) fn keep(&self, path: &Path) -> Result<(), Failure> {
        file::write(path, self.trusted.note.as_bytes())
    }

    /// Says so if a log is not what the tree has.
    pub(super) async fn compare(&mut self, verdict: &mut Verdict) -> Result<(), Failure> {
        let Some(uid) = verdict.uid else { return Ok(()) };
        let revision = verdict.report.revision.try_into().unwrap_or(i32::MAX);
        let request = GetInclusionProofRequest { name: verdict.match_name().to_owned(), revision };
        let receipt = match self.client.get_inclusion_proof(request).await {
            Ok(receipt) => receipt,
            // It was written a moment ago: the next audit sees it.
            Err(error) if error.reason() == Some(ErrorReason::NotCheckpointed) => return Ok(()),
            Err(error) => return Err(Failure::of_match(verdict.match_name(), error)),
        };
        let told = receipt.checkpoint.clone().unwrap_or_default();
        let root = match self.go_on(&told).await? {
            Ok(root) => root,
            Err(because) => {
                verdict.contradict(because);
                return Ok(());
            }
        };
        let (revision, hash) = match covered(&receipt, root, uid) {
            Ok(covered) => covered,
            Err(because) => {
                verdict.contradict(because);
                return Ok(());
            }
        };
        if revision > verdict.report.revision {
            // It may have moved on since it was read: then it has the event now.
            let content = logs::of_match(&self.client, verdict.match_name()).await?;
            *verdict = Verdict::of(verdict.name.clone(), &content);
        }
        match verdict.hash_at(revision) {
            Some(own) if own == hash => self.covered += 1,
            Some(_) => verdict.contradict(format!("a checkpoint covers another event {revision}")),
            None => verdict.contradict(format!("a checkpoint covers event {revision}, and there is none")),
        }
        Ok(())
    }

    /// The size and root of a checkpoint, if it is of the tree that was trusted. Both must be what a third one goes on from,
    /// which is trusted from then on.
    async fn go_on(&mut self, told: &Told) -> Result<Result<(u64, NodeHash), Wrong>, Failure> {
        let checkpoint = match signed(&told.signed_note, &self.keys) {
            Ok(checkpoint) => checkpoint,
            Err(because) => return Ok(Err(because)),
        };
        let (size, root) = (checkpoint.size, checkpoint.root);
        let trusted = (self.trusted.checkpoint.size, self.trusted.checkpoint.root);
        if trusted == (size, root) {
            return Ok(Ok((size, root)));
        }
        for _ in 0..ATTEMPTS {
            let (from_trusted, from_told) =
                (newest(&self.client, trusted.0).await?, newest(&self.client, size).await?);
            let (one, other) =
                match (self.follow(trusted, &from_trusted), self.follow((size, root), &from_told)) {
                    (Ok(one), Ok(other)) => (one, other),
                    (Err(because), _) | (_, Err(because)) => return Ok(Err(because)),
                };
            if one.checkpoint == other.checkpoint {
                self.trusted = one;
                return Ok(Ok((size, root)));
            }
        }
        Err(Failure::Tree { because: "the tree grows faster than it can be followed".to_owned() })
    }

    /// The newest checkpoint, if it goes on from an old state of the tree.
    fn follow(&self, old: (u64, NodeHash), answer: &GetCheckpointResponse) -> Result<Trusted, Wrong> {
        let note = answer.checkpoint.clone().unwrap_or_default().signed_note;
        let checkpoint = signed(&note, &self.keys)?;
        let (size, root) = (checkpoint.size, checkpoint.root);
        let is_same = old == (size, root);
        if is_same || is_consistent(old, (size, root), &hashes(&answer.consistency_hashes)?) {
            return Ok(Trusted { checkpoint, note });
        }
        Err(format!(
            "the tree of {size} leaves does not go on from that of {}: something was rewritten",
            old.0
        ))
    }
}

async fn newest(client: &Client, old: u64) -> Result<GetCheckpointResponse, Failure> {
    let old_tree_size = old.try_into().unwrap_or(i64::MAX);
    Ok(client.get_checkpoint(GetCheckpointRequest { old_tree_size }).await?)
}

fn read(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(note) => Ok(Some(note)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::File { path: path.to_owned(), error }),
    }
}

/// What a note says that one of these keys has signed.
fn signed(note: &str, keys: &[VerifierKey]) -> Result<Checkpoint, Wrong> {
    let note: Note = note.parse().map_err(|error| format!("checkpoint: {error}"))?;
    note.signed_by(keys).map_err(|error| format!("checkpoint: {error}"))?;
    note.text().parse().map_err(|error| format!("checkpoint: {error}"))
}

/// The event that a receipt covers, if it leads to this root and is of this match.
fn covered(
    receipt: &GetInclusionProofResponse,
    (size, root): (u64, NodeHash),
    uid: uuid::Uuid,
) -> Result<(u32, chaquete_proof::log::Hash), Wrong> {
    let leaf = Leaf::parse(&receipt.leaf_data).map_err(|error| format!("receipt: {error}"))?;
    let index = receipt.leaf_index.try_into().unwrap_or(u64::MAX);
    if root_through(index, size, leaf.hash(), &hashes(&receipt.inclusion_hashes)?) != Some(root) {
        return Err("the receipt does not lead to the checkpoint".to_owned());
    }
    match leaf {
        Leaf::Head(head) if head.uid == uid => Ok((head.revision, head.hash)),
        Leaf::Head(_) | Leaf::Key(_) => Err("the receipt is of something else".to_owned()),
    }
}

fn hashes(told: &[Vec<u8>]) -> Result<Vec<NodeHash>, Wrong> {
    let hash = |bytes: &Vec<u8>| NodeHash::try_from(bytes.as_slice()).ok();
    told.iter().map(hash).collect::<Option<_>>().ok_or_else(|| "a hash has 32 bytes".to_owned())
}
