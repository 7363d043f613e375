//! `backgammon.v1.PlayService`.

use chaquete_proto::v1::{self, play_service_server::PlayService};
use chaquete_rules::{Action, Refusal};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Streaming};

use super::{Answer, act::Answers, action, visit::Visit};
use crate::{
    execute::{Executor, Failure},
    status::Error,
    table::Table,
    telemetry::metrics::CallMeters,
    wire::{command::TurnAction, query, scalar},
};

/// Plays matches.
#[derive(Clone)]
pub struct PlayRpc {
    pub(super) executor: Executor,
    /// Where actions on streams are counted.
    pub(super) calls: CallMeters,
    pub(super) shutdown: CancellationToken,
    pub(super) allow_seeded_dice: bool,
}

impl PlayRpc {
    /// The service on this executor. Its streams end at this token; matches that are created on them may have
    /// seeded dice if that is allowed.
    #[must_use]
    pub const fn new(
        executor: Executor,
        calls: CallMeters,
        shutdown: CancellationToken,
        allow_seeded_dice: bool,
    ) -> Self {
        Self { executor, calls, shutdown, allow_seeded_dice }
    }

    /// Any action: parse, execute, answer.
    async fn play<A: TurnAction>(&self, request: Request<A>) -> Answer<A::Response> {
        Ok(Response::new(self.done(&request).await?))
    }

    async fn done<A: TurnAction>(&self, request: &Request<A>) -> Result<A::Response, Error> {
        let (visit, request) = (Visit::new(&self.executor, request), request.get_ref());
        let done = action::play(&visit, request).await?;
        Ok(A::response(action::told(&done, request.wanted_legal_moves())?))
    }

    async fn legal_moves(
        &self,
        request: Request<v1::GetLegalMovesRequest>,
    ) -> Result<v1::GetLegalMovesResponse, Error> {
        let (name, view) = query::read_legal_moves(request.get_ref())?;
        let table = Visit::new(&self.executor, &request).load(&name).await?;
        let Some(legal_moves) = action::legal_moves(&table, view) else {
            let refusal = nothing_to_move(&table);
            return Err(Failure::Refused { refusal, table }.into());
        };
        let revision = scalar::number(table.head.revision);
        Ok(v1::GetLegalMovesResponse { revision, legal_moves: Some(legal_moves) })
    }
}

fn nothing_to_move(table: &Table) -> Refusal {
    match (table.state.result(), table.state.game()) {
        (None, Some(game)) => Refusal::WrongPhase { action: Action::SubmitMove, phase: game.phase_kind() },
        _ => Refusal::MatchNotActive,
    }
}

#[tonic::async_trait]
impl PlayService for PlayRpc {
    type ActStream = Answers;

    async fn mark_ready(&self, request: Request<v1::MarkReadyRequest>) -> Answer<v1::MarkReadyResponse> {
        self.play(request).await
    }

    async fn roll_dice(&self, request: Request<v1::RollDiceRequest>) -> Answer<v1::RollDiceResponse> {
        self.play(request).await
    }

    async fn get_legal_moves(
        &self,
        request: Request<v1::GetLegalMovesRequest>,
    ) -> Answer<v1::GetLegalMovesResponse> {
        Ok(Response::new(self.legal_moves(request).await?))
    }

    async fn submit_move(&self, request: Request<v1::SubmitMoveRequest>) -> Answer<v1::SubmitMoveResponse> {
        self.play(request).await
    }

    async fn offer_double(
        &self,
        request: Request<v1::OfferDoubleRequest>,
    ) -> Answer<v1::OfferDoubleResponse> {
        self.play(request).await
    }

    async fn accept_double(
        &self,
        request: Request<v1::AcceptDoubleRequest>,
    ) -> Answer<v1::AcceptDoubleResponse> {
        self.play(request).await
    }

    async fn decline_double(
        &self,
        request: Request<v1::DeclineDoubleRequest>,
    ) -> Answer<v1::DeclineDoubleResponse> {
        self.play(request).await
    }

    async fn beaver_double(
        &self,
        request: Request<v1::BeaverDoubleRequest>,
    ) -> Answer<v1::BeaverDoubleResponse> {
        self.play(request).await
    }

    async fn offer_resignation(
        &self,
        request: Request<v1::OfferResignationRequest>,
    ) -> Answer<v1::OfferResignationResponse> {
        self.play(request).await
    }

    async fn accept_resignation(
        &self,
        request: Request<v1::AcceptResignationRequest>,
    ) -> Answer<v1::AcceptResignationResponse> {
        self.play(request).await
    }

    async fn decline_resignation(
        &self,
        request: Request<v1::DeclineResignationRequest>,
    ) -> Answer<v1::DeclineResignationResponse> {
        self.play(request).await
    }

    async fn claim_timeout(
        &self,
        request: Request<v1::ClaimTimeoutRequest>,
    ) -> Answer<v1::ClaimTimeoutResponse> {
        self.play(request).await
    }

    async fn contribute_entropy(
        &self,
        request: Request<v1::ContributeEntropyRequest>,
    ) -> Answer<v1::ContributeEntropyResponse> {
        self.play(request).await
    }

    async fn act(&self, request: Request<Streaming<v1::ActRequest>>) -> Answer<Self::ActStream> {
        Ok(Response::new(self.act_on(request)))
    }
}
