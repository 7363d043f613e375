//! `backgammon.v1.MatchService`.

use std::sync::Arc;

use chaquete_proto::v1::{self, match_service_server::MatchService};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response};

use super::{Answer, action, answer, follow, watch};
use crate::{
    clock::{Clock, Millis},
    execute::Executor,
    feed::Feed,
    status::{self, Error},
    store::Store,
    table::Table,
    wire::{
        order::Order,
        query, scalar,
        state::{self, View},
    },
};

/// What the match service works with.
#[derive(Clone)]
pub struct MatchParts {
    /// Carries commands out.
    pub executor: Executor,
    /// Tells when matches move on.
    pub feed: Feed,
    /// Lists matches.
    pub store: Arc<dyn Store>,
    /// Tells the time in heartbeats and to readers.
    pub clock: Arc<dyn Clock>,
    /// Ends streams when the server goes down.
    pub shutdown: CancellationToken,
    /// Whether seeded dice may be chosen.
    pub allow_seeded_dice: bool,
}

/// Creates, reads and watches matches.
#[derive(Clone)]
pub struct MatchRpc {
    pub(super) parts: MatchParts,
}

impl MatchRpc {
    /// The service on these parts.
    #[must_use]
    pub const fn new(parts: MatchParts) -> Self {
        Self { parts }
    }

    async fn create(&self, request: &v1::CreateMatchRequest) -> Result<v1::CreateMatchResponse, Error> {
        let MatchParts { executor, allow_seeded_dice, .. } = &self.parts;
        let done = action::create(executor, request, *allow_seeded_dice).await?;
        Ok(v1::CreateMatchResponse { r#match: Some(state::match_then(&done.table, View::Full)) })
    }

    async fn get(&self, request: &v1::GetMatchRequest) -> Result<v1::GetMatchResponse, Error> {
        let (name, view) = query::read_get(request)?;
        let table = self.parts.executor.load(&name).await?;
        Ok(v1::GetMatchResponse { r#match: Some(state::match_at(&table, view, self.now(&table))) })
    }

    /// The time at which a match is read: as in its log, time never goes backward.
    pub(super) fn now(&self, table: &Table) -> Millis {
        self.parts.clock.now().max(table.head.update_time)
    }

    async fn result(&self, request: &v1::GetMatchResultRequest) -> Result<v1::GetMatchResultResponse, Error> {
        let name = query::read_name(&request.name)?;
        let table = self.parts.executor.load(&name).await?;
        let result = state::match_result(&table, View::Full);
        let revision = scalar::number(table.head.revision);
        Ok(v1::GetMatchResultResponse { result: Some(result), revision })
    }

    /// Any order: parse, execute, answer.
    async fn order<O: Order>(&self, request: Request<O>) -> Answer<O::Response> {
        Ok(Response::new(answer::order(&self.parts.executor, request.get_ref()).await?))
    }
}

#[tonic::async_trait]
impl MatchService for MatchRpc {
    type WatchMatchStream = watch::Messages;

    type WatchMatchesStream = follow::Messages;

    async fn create_match(
        &self,
        request: Request<v1::CreateMatchRequest>,
    ) -> Answer<v1::CreateMatchResponse> {
        Ok(Response::new(self.create(request.get_ref()).await?))
    }

    async fn get_match(&self, request: Request<v1::GetMatchRequest>) -> Answer<v1::GetMatchResponse> {
        Ok(Response::new(self.get(request.get_ref()).await?))
    }

    async fn list_matches(
        &self,
        request: Request<v1::ListMatchesRequest>,
    ) -> Answer<v1::ListMatchesResponse> {
        Ok(Response::new(self.list(request.get_ref()).await?))
    }

    async fn update_match(
        &self,
        request: Request<v1::UpdateMatchRequest>,
    ) -> Answer<v1::UpdateMatchResponse> {
        self.order(request).await
    }

    async fn cancel_match(
        &self,
        request: Request<v1::CancelMatchRequest>,
    ) -> Answer<v1::CancelMatchResponse> {
        self.order(request).await
    }

    async fn pause_match(&self, request: Request<v1::PauseMatchRequest>) -> Answer<v1::PauseMatchResponse> {
        self.order(request).await
    }

    async fn resume_match(
        &self,
        request: Request<v1::ResumeMatchRequest>,
    ) -> Answer<v1::ResumeMatchResponse> {
        self.order(request).await
    }

    async fn close_session(
        &self,
        request: Request<v1::CloseSessionRequest>,
    ) -> Answer<v1::CloseSessionResponse> {
        self.order(request).await
    }

    async fn get_match_result(
        &self,
        request: Request<v1::GetMatchResultRequest>,
    ) -> Answer<v1::GetMatchResultResponse> {
        Ok(Response::new(self.result(request.get_ref()).await?))
    }

    async fn list_match_events(
        &self,
        request: Request<v1::ListMatchEventsRequest>,
    ) -> Answer<v1::ListMatchEventsResponse> {
        Ok(Response::new(self.list_events(request.get_ref()).await?))
    }

    async fn watch_match(&self, request: Request<v1::WatchMatchRequest>) -> Answer<Self::WatchMatchStream> {
        Ok(Response::new(self.watch(request.get_ref()).await?))
    }

    async fn watch_matches(
        &self,
        request: Request<v1::WatchMatchesRequest>,
    ) -> Answer<Self::WatchMatchesStream> {
        Ok(Response::new(self.follow(request.get_ref())?))
    }

    async fn export_match(
        &self,
        request: Request<v1::ExportMatchRequest>,
    ) -> Answer<v1::ExportMatchResponse> {
        Ok(Response::new(self.export(request.get_ref()).await?))
    }

    async fn import_match(
        &self,
        request: Request<v1::ImportMatchRequest>,
    ) -> Answer<v1::ImportMatchResponse> {
        Ok(Response::new(self.import(request.get_ref()).await?))
    }

    async fn issue_token(&self, _: Request<v1::IssueTokenRequest>) -> Answer<v1::IssueTokenResponse> {
        Err(status::unimplemented("MatchService.IssueToken"))
    }

    async fn revoke_tokens(&self, _: Request<v1::RevokeTokensRequest>) -> Answer<v1::RevokeTokensResponse> {
        Err(status::unimplemented("MatchService.RevokeTokens"))
    }
}
