//! Checkpoints and receipts, for whoever keeps them elsewhere.

use chaquete_proto::v1;
use tonic::Request;

use super::OperatorRpc;
use crate::{
    checkpoint::{LogKeys, Proofs},
    execute::Failure,
    status::Error,
    wire::checkpoint,
};

/// What checkpoints are answered from.
#[derive(Clone)]
pub struct CheckpointParts {
    /// Proves what the tree covers.
    pub proofs: Proofs,
    /// The keys that sign.
    pub keys: std::sync::Arc<LogKeys>,
}

impl OperatorRpc {
    /// The newest checkpoint, and a proof that it goes on from an older one.
    pub(super) async fn newest_checkpoint(
        &self,
        request: &v1::GetCheckpointRequest,
    ) -> Result<v1::GetCheckpointResponse, Error> {
        let old = checkpoint::read_old_size(request)?;
        let CheckpointParts { proofs, keys } = &self.checkpoints;
        let newest = proofs.newest().await.map_err(Failure::from)?;
        let newest = newest.ok_or(Error::NotCovered(None))?;
        if old > newest.size {
            return Err(checkpoint::too_large(newest.size).into());
        }
        let proof = proofs.consistency(old, &newest).await.map_err(Failure::from)?;
        Ok(v1::GetCheckpointResponse {
            checkpoint: Some(checkpoint::checkpoint(newest, keys)),
            consistency_hashes: checkpoint::hashes(&proof),
        })
    }

    /// A receipt for a revision of a match, whatever has become of its log.
    pub(super) async fn receipt(
        &self,
        request: Request<v1::GetInclusionProofRequest>,
    ) -> Result<v1::GetInclusionProofResponse, Error> {
        let (name, revision) = checkpoint::read_receipt(request.get_ref())?;
        self.matches.visit(&request).check_name(&name)?;
        let CheckpointParts { proofs, keys } = &self.checkpoints;
        let key = proofs.key_of(&name).await.map_err(Failure::from)?;
        let key = key.ok_or_else(|| Failure::NotFound(name.clone()))?;
        let receipt = proofs.receipt(key, revision).await.map_err(Failure::from)?;
        let receipt = receipt.ok_or(Error::NotCovered(Some(name)))?;
        Ok(checkpoint::receipt(receipt, keys))
    }
}
