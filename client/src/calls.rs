//! The calls, one method each.

use std::time::Duration;

use chaquete_proto::v1::match_service_client::MatchServiceClient;
use chaquete_proto::v1::operator_service_client::OperatorServiceClient;
use chaquete_proto::v1::play_service_client::PlayServiceClient;
use chaquete_proto::v1::rules_service_client::RulesServiceClient;
use chaquete_proto::v1::{
    AcceptDoubleRequest, AcceptDoubleResponse, AcceptResignationRequest, AcceptResignationResponse,
    AdjudicateGameRequest, AdjudicateGameResponse, AdjudicateMatchRequest, AdjudicateMatchResponse,
    ApplyMoveRequest, ApplyMoveResponse, BeaverDoubleRequest, BeaverDoubleResponse, CancelMatchRequest,
    CancelMatchResponse, ClaimTimeoutRequest, ClaimTimeoutResponse, CloseSessionRequest,
    CloseSessionResponse, ComputeLegalMovesRequest, ComputeLegalMovesResponse, ContributeEntropyRequest,
    ContributeEntropyResponse, ConvertPositionRequest, ConvertPositionResponse, CreateMatchRequest,
    CreateMatchResponse, DeclineDoubleRequest, DeclineDoubleResponse, DeclineResignationRequest,
    DeclineResignationResponse, ExportMatchRequest, ExportMatchResponse, GetCheckpointRequest,
    GetCheckpointResponse, GetInclusionProofRequest, GetInclusionProofResponse, GetLegalMovesRequest,
    GetLegalMovesResponse, GetMatchRequest, GetMatchResponse, GetMatchResultRequest, GetMatchResultResponse,
    GetServerInfoRequest, GetServerInfoResponse, ImportMatchRequest, ImportMatchResponse, IssueTokenRequest,
    IssueTokenResponse, ListMatchEventsRequest, ListMatchEventsResponse, ListMatchesRequest,
    ListMatchesResponse, MarkReadyRequest, MarkReadyResponse, OfferDoubleRequest, OfferDoubleResponse,
    OfferResignationRequest, OfferResignationResponse, PauseMatchRequest, PauseMatchResponse,
    ResumeMatchRequest, ResumeMatchResponse, RevokeTokensRequest, RevokeTokensResponse, RollDiceRequest,
    RollDiceResponse, SubmitMoveRequest, SubmitMoveResponse, UpdateMatchRequest, UpdateMatchResponse,
};

use crate::{Client, Error};

/// `how service.method(Request) -> Response;` with `how` = `mutate` for calls that need a request id
/// and `read` for those that change nothing.
macro_rules! calls {
    ($($(#[$doc:meta])* $how:ident $service:ident.$method:ident($request:ty) -> $response:ty;)*) => {
        /// The calls, one to one: see the request messages for what they take. Each is made again under
        /// the client's [`RetryPolicy`](crate::RetryPolicy) while no server answers; those that change
        /// something get a `request_id` if they bring none.
        ///
        /// Each fails with what the server refused, or with what kept it from answering.
        impl Client {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// What the server refused, or what kept it from answering.
            pub async fn $method(&self, request: $request) -> Result<$response, Error> {
                calls!(@$how self, request, $service, $method)
            }
        )*}
    };
    (@mutate $client:ident, $message:ident, $service:ident, $method:ident) => {
        $client
            .mutate($message, async |channel, request| $service::new(channel).$method(request).await)
            .await
    };
    (@read $client:ident, $message:ident, $service:ident, $method:ident) => {
        $client
            .call($message, $client.call_deadline(), async |channel, request| {
                $service::new(channel).$method(request).await
            })
            .await
    };
}

calls! {
    /// Creates a match.
    mutate MatchServiceClient.create_match(CreateMatchRequest) -> CreateMatchResponse;

    /// Returns a match with its current game.
    read MatchServiceClient.get_match(GetMatchRequest) -> GetMatchResponse;

    /// Lists one page of matches; [`matches`](Self::matches) goes through all pages.
    read MatchServiceClient.list_matches(ListMatchesRequest) -> ListMatchesResponse;

    /// Returns the result of a match, or its standing while it is played.
    read MatchServiceClient.get_match_result(GetMatchResultRequest) -> GetMatchResultResponse;

    /// Changes labels and annotations.
    mutate MatchServiceClient.update_match(UpdateMatchRequest) -> UpdateMatchResponse;

    /// Issues a token for a player or a spectator.
    read MatchServiceClient.issue_token(IssueTokenRequest) -> IssueTokenResponse;

    /// Revokes all tokens of a subject that were issued until now.
    read MatchServiceClient.revoke_tokens(RevokeTokensRequest) -> RevokeTokensResponse;

    /// Ends a match without a result.
    mutate MatchServiceClient.cancel_match(CancelMatchRequest) -> CancelMatchResponse;

    /// Stops the clocks and refuses actions until [`resume_match`](Self::resume_match).
    mutate MatchServiceClient.pause_match(PauseMatchRequest) -> PauseMatchResponse;

    /// Lets a paused match go on.
    mutate MatchServiceClient.resume_match(ResumeMatchRequest) -> ResumeMatchResponse;

    /// Closes a money session between two games.
    mutate MatchServiceClient.close_session(CloseSessionRequest) -> CloseSessionResponse;

    /// Stores a match from a record, after replaying it under the rules. A record that cannot be read or played
    /// is refused with [`ErrorReason::UnparsableContent`](crate::proto::ErrorReason::UnparsableContent):
    /// [`Error::place_in_record`] says where.
    mutate MatchServiceClient.import_match(ImportMatchRequest) -> ImportMatchResponse;

    /// Ends the current game with a given result, or voids it.
    mutate OperatorServiceClient.adjudicate_game(AdjudicateGameRequest) -> AdjudicateGameResponse;

    /// Ends a match with a given winner.
    mutate OperatorServiceClient.adjudicate_match(AdjudicateMatchRequest) -> AdjudicateMatchResponse;

    /// Returns the newest checkpoint of all logs, and a proof that it goes on from an older one.
    read OperatorServiceClient.get_checkpoint(GetCheckpointRequest) -> GetCheckpointResponse;

    /// Returns a receipt: a proof that a checkpoint covers the log of a match.
    read OperatorServiceClient.get_inclusion_proof(GetInclusionProofRequest) -> GetInclusionProofResponse;

    /// Declares a seat ready for the next game.
    mutate PlayServiceClient.mark_ready(MarkReadyRequest) -> MarkReadyResponse;

    /// Rolls the dice. If there is no legal move, the turn passes at once.
    mutate PlayServiceClient.roll_dice(RollDiceRequest) -> RollDiceResponse;

    /// Returns all legal moves of the roll on the board.
    read PlayServiceClient.get_legal_moves(GetLegalMovesRequest) -> GetLegalMovesResponse;

    /// Plays the roll: the whole move at once.
    mutate PlayServiceClient.submit_move(SubmitMoveRequest) -> SubmitMoveResponse;

    /// Offers to double the stake before rolling.
    mutate PlayServiceClient.offer_double(OfferDoubleRequest) -> OfferDoubleResponse;

    /// Accepts a double or a beaver.
    mutate PlayServiceClient.accept_double(AcceptDoubleRequest) -> AcceptDoubleResponse;

    /// Declines a double or a beaver and loses the game.
    mutate PlayServiceClient.decline_double(DeclineDoubleRequest) -> DeclineDoubleResponse;

    /// Accepts a double, redoubles at once and keeps the cube.
    mutate PlayServiceClient.beaver_double(BeaverDoubleRequest) -> BeaverDoubleResponse;

    /// Offers to resign the game as a single loss, a gammon or a backgammon.
    mutate PlayServiceClient.offer_resignation(OfferResignationRequest) -> OfferResignationResponse;

    /// Accepts a resignation; the game ends.
    mutate PlayServiceClient.accept_resignation(AcceptResignationRequest) -> AcceptResignationResponse;

    /// Declines a resignation; the game goes on.
    mutate PlayServiceClient.decline_resignation(DeclineResignationRequest) -> DeclineResignationResponse;

    /// Claims the game or match when the opponent's time has run out.
    mutate PlayServiceClient.claim_timeout(ClaimTimeoutRequest) -> ClaimTimeoutResponse;

    /// Commits to a contribution to the dice, or opens it.
    mutate PlayServiceClient.contribute_entropy(ContributeEntropyRequest) -> ContributeEntropyResponse;

    /// Returns all legal moves of a roll in a position.
    read RulesServiceClient.compute_legal_moves(ComputeLegalMovesRequest) -> ComputeLegalMovesResponse;

    /// Applies a move to a position, or says which rule it breaks.
    read RulesServiceClient.apply_move(ApplyMoveRequest) -> ApplyMoveResponse;

    /// Converts a position between boards and identifiers.
    read RulesServiceClient.convert_position(ConvertPositionRequest) -> ConvertPositionResponse;

    /// Returns version, limits and supported options of the server.
    read RulesServiceClient.get_server_info(GetServerInfoRequest) -> GetServerInfoResponse;
}

/// The largest record that is received, in bytes: hundreds of times that of a long match.
pub(crate) const LARGEST_RECORD: usize = 64 << 20;

impl Client {
    /// Renders a match as a record that other programs read; [`export_matches`](Self::export_matches) does it
    /// with many.
    ///
    /// ```no_run
    /// use chaquete_client::proto::{ExportMatchRequest, RecordFormat};
    /// use chaquete_client::{Client, match_name};
    ///
    /// # async fn example(client: &Client) -> Result<(), Box<dyn std::error::Error>> {
    /// let request = ExportMatchRequest { name: match_name("final"), format: RecordFormat::Mat.into() };
    /// let record = client.export_match(request).await?;
    /// for remark in &record.remarks {
    ///     println!("the file does not say everything: {remark}");
    /// }
    /// std::fs::write("final.mat", record.content)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// What the server refused, or what kept it from answering.
    pub async fn export_match(&self, request: ExportMatchRequest) -> Result<ExportMatchResponse, Error> {
        self.call(request, self.call_deadline(), async |channel, request| {
            let mut matches = MatchServiceClient::new(channel).max_decoding_message_size(LARGEST_RECORD);
            matches.export_match(request).await
        })
        .await
    }

    /// Lists one page of the events of a match; [`events`](Self::events) goes through all pages. With
    /// `wait_for` it waits for one, and the deadline of the call is longer by that.
    ///
    /// # Errors
    /// What the server refused, or what kept it from answering.
    pub async fn list_match_events(
        &self,
        request: ListMatchEventsRequest,
    ) -> Result<ListMatchEventsResponse, Error> {
        let wait = request.wait_for.and_then(|wait| Duration::try_from(wait).ok()).unwrap_or_default();
        self.call(request, self.call_deadline() + wait, async |channel, request| {
            MatchServiceClient::new(channel).list_match_events(request).await
        })
        .await
    }
}
