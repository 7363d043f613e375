//! Checkpoints and receipts as messages.

use chaquete_proof::tree::{NodeHash, VerifierKey};
use chaquete_proto::v1;

use super::{
    scalar,
    violations::{BadRequest, Path, Violations},
};
use crate::{
    checkpoint::{LogKeys, Receipt, leaf},
    name::MatchName,
    store::StoredCheckpoint,
};

/// The size of the tree from which a proof is asked for; 0: none is.
///
/// # Errors
/// It is negative.
pub fn read_old_size(request: &v1::GetCheckpointRequest) -> Result<u64, BadRequest> {
    let mut violations = Violations::default();
    let size = u64::try_from(request.old_tree_size).ok();
    violations.check(size.is_some(), Path::root("old_tree_size"), "must not be negative");
    violations.finish(size)
}

/// That a proof is asked for from a tree that there has not been.
#[must_use]
pub fn too_large(size: u64) -> BadRequest {
    let because = format!("must not be larger than the tree, which has {size} leaves");
    BadRequest::one(Path::root("old_tree_size"), because)
}

/// A match, and the revision that is to be covered.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_receipt(request: &v1::GetInclusionProofRequest) -> Result<(MatchName, u32), BadRequest> {
    let mut violations = Violations::default();
    let name = scalar::match_name(&mut violations, Path::root("name"), &request.name);
    let revision = u32::try_from(request.revision).ok().filter(|revision| *revision > 0);
    violations.check(revision.is_some(), Path::root("revision"), "must be at least 1");
    violations.finish(name.zip(revision))
}

/// A checkpoint, with the one of these keys that has signed it.
#[must_use]
pub fn checkpoint(stored: StoredCheckpoint, keys: &LogKeys) -> v1::Checkpoint {
    let key = keys.leader_of(&stored.note).map(VerifierKey::to_string);
    v1::Checkpoint {
        signed_note: stored.note,
        origin: keys.name().to_owned(),
        tree_size: place(stored.size),
        root_hash: stored.root.to_vec(),
        create_time: Some(scalar::timestamp(stored.time)),
        verifier_key: key.unwrap_or_default(),
    }
}

/// A receipt.
#[must_use]
pub fn receipt(receipt: Receipt, keys: &LogKeys) -> v1::GetInclusionProofResponse {
    let Receipt { leaf: placed, proof, checkpoint: stored } = receipt;
    v1::GetInclusionProofResponse {
        revision: scalar::number(placed.seen.revision),
        log_hash: placed.seen.hash.as_bytes().to_vec(),
        leaf_data: leaf(placed.key, placed.seen).data(),
        leaf_index: place(placed.place),
        inclusion_hashes: hashes(&proof),
        checkpoint: Some(checkpoint(stored, keys)),
    }
}

/// Hashes of a proof.
#[must_use]
pub fn hashes(proof: &[NodeHash]) -> Vec<Vec<u8>> {
    proof.iter().map(|hash| hash.to_vec()).collect()
}

/// A place in the tree, or how many there are.
fn place(place: u64) -> i64 {
    place.try_into().unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_wrong_is_said() {
        let request = v1::GetInclusionProofRequest { name: "m".to_owned(), revision: 0 };
        assert_eq!(read_receipt(&request).unwrap_err().violations.len(), 2);
        for (old_tree_size, read) in [(-1, None), (0, Some(0)), (7, Some(7))] {
            assert_eq!(read_old_size(&v1::GetCheckpointRequest { old_tree_size }).ok(), read);
        }
    }
}
