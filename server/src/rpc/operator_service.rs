//! `backgammon.v1.OperatorService`.

use chaquete_proto::v1::{self, operator_service_server::OperatorService};
use tonic::{Request, Response};

use super::{Answer, CheckpointParts, MatchRpc, answer, record::Records, verify::Reports};
use crate::{audit::Auditor, wire::order::Order};

/// Audits stored matches and decides disputes.
#[derive(Clone)]
pub struct OperatorRpc {
    pub(super) matches: MatchRpc,
    pub(super) auditor: Auditor,
    pub(super) checkpoints: CheckpointParts,
}

impl OperatorRpc {
    /// The service on the matches that this other one serves.
    #[must_use]
    pub const fn new(matches: MatchRpc, auditor: Auditor, checkpoints: CheckpointParts) -> Self {
        Self { matches, auditor, checkpoints }
    }

    /// Any order: parse, execute, answer.
    async fn order<O: Order>(&self, request: Request<O>) -> Answer<O::Response> {
        Ok(Response::new(answer::order(&self.matches.visit(&request), request.get_ref()).await?))
    }
}

#[tonic::async_trait]
impl OperatorService for OperatorRpc {
    type VerifyMatchesStream = Reports;

    type ExportMatchesStream = Records;

    async fn verify_match(
        &self,
        request: Request<v1::VerifyMatchRequest>,
    ) -> Answer<v1::VerifyMatchResponse> {
        Ok(Response::new(self.verify(request).await?))
    }

    async fn verify_matches(
        &self,
        request: Request<v1::VerifyMatchesRequest>,
    ) -> Answer<Self::VerifyMatchesStream> {
        Ok(Response::new(self.verify_all(&request)?))
    }

    async fn adjudicate_game(
        &self,
        request: Request<v1::AdjudicateGameRequest>,
    ) -> Answer<v1::AdjudicateGameResponse> {
        self.order(request).await
    }

    async fn adjudicate_match(
        &self,
        request: Request<v1::AdjudicateMatchRequest>,
    ) -> Answer<v1::AdjudicateMatchResponse> {
        self.order(request).await
    }

    async fn compute_dice_statistics(
        &self,
        request: Request<v1::ComputeDiceStatisticsRequest>,
    ) -> Answer<v1::ComputeDiceStatisticsResponse> {
        Ok(Response::new(self.dice_statistics(request).await?))
    }

    async fn export_matches(
        &self,
        request: Request<v1::ExportMatchesRequest>,
    ) -> Answer<Self::ExportMatchesStream> {
        Ok(Response::new(self.matches.export_all(&request)?))
    }

    async fn get_checkpoint(
        &self,
        request: Request<v1::GetCheckpointRequest>,
    ) -> Answer<v1::GetCheckpointResponse> {
        Ok(Response::new(self.newest_checkpoint(request.get_ref()).await?))
    }

    async fn get_inclusion_proof(
        &self,
        request: Request<v1::GetInclusionProofRequest>,
    ) -> Answer<v1::GetInclusionProofResponse> {
        Ok(Response::new(self.receipt(request).await?))
    }
}
