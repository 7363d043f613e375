//! `backgammon.v1.OperatorService`: part of the contract, but not built yet.

use chaquete_proto::v1::{self, operator_service_server::OperatorService};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Status};

use super::Answer;
use crate::status;

/// Audits stored matches and decides disputes.
#[derive(Clone, Copy, Debug, Default)]
pub struct OperatorRpc;

impl OperatorRpc {
    /// The service.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

#[tonic::async_trait]
impl OperatorService for OperatorRpc {
    type VerifyMatchesStream = ReceiverStream<Result<v1::VerifyMatchesResponse, Status>>;

    type ExportMatchesStream = ReceiverStream<Result<v1::ExportMatchesResponse, Status>>;

    async fn verify_match(&self, _: Request<v1::VerifyMatchRequest>) -> Answer<v1::VerifyMatchResponse> {
        Err(status::unimplemented("OperatorService.VerifyMatch"))
    }

    async fn verify_matches(
        &self,
        _: Request<v1::VerifyMatchesRequest>,
    ) -> Answer<Self::VerifyMatchesStream> {
        Err(status::unimplemented("OperatorService.VerifyMatches"))
    }

    async fn adjudicate_game(
        &self,
        _: Request<v1::AdjudicateGameRequest>,
    ) -> Answer<v1::AdjudicateGameResponse> {
        Err(status::unimplemented("OperatorService.AdjudicateGame"))
    }

    async fn adjudicate_match(
        &self,
        _: Request<v1::AdjudicateMatchRequest>,
    ) -> Answer<v1::AdjudicateMatchResponse> {
        Err(status::unimplemented("OperatorService.AdjudicateMatch"))
    }

    async fn compute_dice_statistics(
        &self,
        _: Request<v1::ComputeDiceStatisticsRequest>,
    ) -> Answer<v1::ComputeDiceStatisticsResponse> {
        Err(status::unimplemented("OperatorService.ComputeDiceStatistics"))
    }

    async fn export_matches(
        &self,
        _: Request<v1::ExportMatchesRequest>,
    ) -> Answer<Self::ExportMatchesStream> {
        Err(status::unimplemented("OperatorService.ExportMatches"))
    }
}
