//! `backgammon.v1.PlayService`.

use chaquete_proto::v1::{self, play_service_server::PlayService};
use chaquete_rules::{Action, LegalMoves, Refusal};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use super::{Answer, answer};
use crate::{
    execute::{Executor, Failure},
    status::{self, Error},
    table::Table,
    wire::{
        command::{self, Told, TurnAction},
        game,
        legal::{self, LegalMovesView},
        query, scalar,
        state::{self, View},
    },
};

/// Plays matches.
#[derive(Clone)]
pub struct PlayRpc {
    executor: Executor,
}

impl PlayRpc {
    /// The service on this executor.
    #[must_use]
    pub const fn new(executor: Executor) -> Self {
        Self { executor }
    }

    /// Any action: parse, execute, answer.
    async fn play<A: TurnAction>(&self, request: Request<A>) -> Answer<A::Response> {
        Ok(Response::new(self.done(request.get_ref()).await?))
    }

    async fn done<A: TurnAction>(&self, request: &A) -> Result<A::Response, Error> {
        let call = command::read_action(request)?;
        let done = self.executor.act(call).await?;
        let events = answer::events(&done)?;
        let legal_moves = request.wanted_legal_moves().and_then(|view| legal_moves(&done.table, view));
        Ok(A::response(Told { done: state::match_then(&done.table, View::Full), events, legal_moves }))
    }

    async fn check_move(&self, request: &v1::SubmitMoveRequest) -> Result<v1::SubmitMoveResponse, Error> {
        let call = command::read_action(request)?;
        let table = self.executor.consider(call).await?;
        // What is only checked is told as the action itself would tell it.
        let unchanged = state::match_then(&table, View::Full);
        Ok(v1::SubmitMoveResponse { r#match: Some(unchanged), events: Vec::new() })
    }

    async fn legal_moves(
        &self,
        request: &v1::GetLegalMovesRequest,
    ) -> Result<v1::GetLegalMovesResponse, Error> {
        let (name, view) = query::read_legal_moves(request)?;
        let table = self.executor.load(&name).await?;
        let Some(legal_moves) = legal_moves(&table, view) else {
            let refusal = nothing_to_move(&table);
            return Err(Failure::Refused { refusal, table }.into());
        };
        let revision = scalar::number(table.head.revision);
        Ok(v1::GetLegalMovesResponse { revision, legal_moves: Some(legal_moves) })
    }
}

/// The legal moves of the roll on the board, if there is one to be played.
fn legal_moves(table: &Table, view: LegalMovesView) -> Option<v1::LegalMoves> {
    let (seat, dice, board) = game::roll_to_play(&table.state)?;
    Some(legal::legal_moves(seat, &LegalMoves::new(board.position(seat), dice), view))
}

fn nothing_to_move(table: &Table) -> Refusal {
    match (table.state.result(), table.state.game()) {
        (None, Some(game)) => Refusal::WrongPhase { action: Action::SubmitMove, phase: game.phase_kind() },
        _ => Refusal::MatchNotActive,
    }
}

#[tonic::async_trait]
impl PlayService for PlayRpc {
    type ActStream = ReceiverStream<Result<v1::ActResponse, Status>>;

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
        Ok(Response::new(self.legal_moves(request.get_ref()).await?))
    }

    async fn submit_move(&self, request: Request<v1::SubmitMoveRequest>) -> Answer<v1::SubmitMoveResponse> {
        if request.get_ref().validate_only {
            return Ok(Response::new(self.check_move(request.get_ref()).await?));
        }
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
        _: Request<v1::ContributeEntropyRequest>,
    ) -> Answer<v1::ContributeEntropyResponse> {
        Err(status::unimplemented("PlayService.ContributeEntropy"))
    }

    async fn act(&self, _: Request<Streaming<v1::ActRequest>>) -> Answer<Self::ActStream> {
        Err(status::unimplemented("PlayService.Act"))
    }
}
