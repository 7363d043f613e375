//! `backgammon.v1.MatchService`.

use std::sync::Arc;

use chaquete_proto::v1::{self, match_service_server::MatchService};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response};

use super::{Answer, action, answer, follow, visit::Visit, watch};
use crate::{
    access::Authority,
    clock::{Clock, Millis},
    execute::Executor,
    feed::Feed,
    status::Error,
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
    /// Issues and revokes tokens.
    pub authority: Authority,
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

    /// The matches as whoever has sent a request sees them.
    pub(super) fn visit<T>(&self, request: &Request<T>) -> Visit {
        Visit::new(&self.parts.executor, request)
    }

    async fn create(
        &self,
        request: Request<v1::CreateMatchRequest>,
    ) -> Result<v1::CreateMatchResponse, Error> {
        let visit = self.visit(&request);
        let done = action::create(&visit, request.get_ref(), self.parts.allow_seeded_dice).await?;
        Ok(v1::CreateMatchResponse { r#match: Some(state::match_then(&done.table, View::Full)) })
    }

    async fn get(&self, request: Request<v1::GetMatchRequest>) -> Result<v1::GetMatchResponse, Error> {
        let (name, view) = query::read_get(request.get_ref())?;
        let table = self.visit(&request).load(&name).await?;
        Ok(v1::GetMatchResponse { r#match: Some(state::match_at(&table, view, self.now(&table))) })
    }

    /// The time at which a match is read: as in its log, time never goes backward.
    pub(super) fn now(&self, table: &Table) -> Millis {
        self.parts.clock.now().max(table.head.update_time)
    }

    async fn result(
        &self,
        request: Request<v1::GetMatchResultRequest>,
    ) -> Result<v1::GetMatchResultResponse, Error> {
        let name = query::read_name(&request.get_ref().name)?;
        let table = self.visit(&request).load(&name).await?;
        let result = state::match_result(&table, View::Full);
        let revision = scalar::number(table.head.revision);
        Ok(v1::GetMatchResultResponse { result: Some(result), revision })
    }

    /// Any order: parse, execute, answer.
    async fn order<O: Order>(&self, request: Request<O>) -> Answer<O::Response> {
        Ok(Response::new(answer::order(&self.visit(&request), request.get_ref()).await?))
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
        Ok(Response::new(self.create(request).await?))
    }

    async fn get_match(&self, request: Request<v1::GetMatchRequest>) -> Answer<v1::GetMatchResponse> {
        Ok(Response::new(self.get(request).await?))
    }

    async fn list_matches(
        &self,
        request: Request<v1::ListMatchesRequest>,
    ) -> Answer<v1::ListMatchesResponse> {
        Ok(Response::new(self.list(request).await?))
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
        Ok(Response::new(self.result(request).await?))
    }

    async fn list_match_events(
        &self,
        request: Request<v1::ListMatchEventsRequest>,
    ) -> Answer<v1::ListMatchEventsResponse> {
        Ok(Response::new(self.list_events(request).await?))
    }

    async fn watch_match(&self, request: Request<v1::WatchMatchRequest>) -> Answer<Self::WatchMatchStream> {
        Ok(Response::new(self.watch(request).await?))
    }

    async fn watch_matches(
        &self,
        request: Request<v1::WatchMatchesRequest>,
    ) -> Answer<Self::WatchMatchesStream> {
        Ok(Response::new(self.follow(&request)?))
    }

    async fn export_match(
        &self,
        request: Request<v1::ExportMatchRequest>,
    ) -> Answer<v1::ExportMatchResponse> {
        Ok(Response::new(self.export(request).await?))
    }

    async fn import_match(
        &self,
        request: Request<v1::ImportMatchRequest>,
    ) -> Answer<v1::ImportMatchResponse> {
        Ok(Response::new(self.import(request).await?))
    }

    async fn issue_token(&self, request: Request<v1::IssueTokenRequest>) -> Answer<v1::IssueTokenResponse> {
        Ok(Response::new(self.issue(request).await?))
    }

    async fn revoke_tokens(
        &self,
        request: Request<v1::RevokeTokensRequest>,
    ) -> Answer<v1::RevokeTokensResponse> {
        Ok(Response::new(self.revoke(request).await?))
    }
}
