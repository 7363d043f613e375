//! Actions on an `Act` stream, and what is answered there.

use std::borrow::Cow;

use chaquete_proto::v1::{self, act_request::Action, act_response::Outcome};
use prost::Message;
use tonic::Status;

use super::{
    command::{Told, TurnAction},
    creation, scalar,
    violations::{BadRequest, Path, Violations},
    words,
};
use crate::table::Table;

/// How much is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The match, its events, legal moves as asked for.
    Full,
    /// Where the match stands, in three numbers.
    Revision,
}

/// Does the same with the request of any action of a seat.
macro_rules! with_turn_action {
    ($action:expr, $request:ident => $same:expr, $($other:pat => $different:expr),* $(,)?) => {
        match $action {
            Action::MarkReady($request) => $same,
            Action::RollDice($request) => $same,
            Action::SubmitMove($request) => $same,
            Action::OfferDouble($request) => $same,
            Action::AcceptDouble($request) => $same,
            Action::DeclineDouble($request) => $same,
            Action::BeaverDouble($request) => $same,
            Action::OfferResignation($request) => $same,
            Action::AcceptResignation($request) => $same,
            Action::DeclineResignation($request) => $same,
            Action::ClaimTimeout($request) => $same,
            Action::ContributeEntropy($request) => $same,
            $($other => $different),*
        }
    };
}
pub(crate) use with_turn_action;

/// The action that is asked for, and how much is to be answered.
///
/// # Errors
/// There is none, or the detail is unknown. What is wrong with the action itself is told as by its own call.
pub fn read_request(request: v1::ActRequest) -> Result<(Action, Detail), BadRequest> {
    let mut violations = Violations::default();
    violations.check(
        request.action.is_some(),
        Path::root("action"),
        "is required: one of those that this server knows",
    );
    let detail = scalar::known(&mut violations, Path::root("detail"), request.detail).map(|it| match it {
        v1::ResponseDetail::Unspecified | v1::ResponseDetail::Full => Detail::Full,
        v1::ResponseDetail::Revision => Detail::Revision,
    });
    violations.finish(request.action.zip(detail))
}

/// The name of the match that an action is for, whether there can be such a match or not. `None`: that of a
/// match whose name is still to be made.
#[must_use]
pub fn match_name(action: &Action) -> Option<Cow<'_, str>> {
    with_turn_action!(action, request => Some(request.head().name.into()),
        Action::CreateMatch(request) => creation::name_to_be(request).map(Into::into),
    )
}

/// The methods that actions can be called with as well.
pub const METHODS: [&str; 13] = [
    CREATE_MATCH,
    v1::MarkReadyRequest::METHOD,
    v1::RollDiceRequest::METHOD,
    v1::SubmitMoveRequest::METHOD,
    v1::OfferDoubleRequest::METHOD,
    v1::AcceptDoubleRequest::METHOD,
    v1::DeclineDoubleRequest::METHOD,
    v1::BeaverDoubleRequest::METHOD,
    v1::OfferResignationRequest::METHOD,
    v1::AcceptResignationRequest::METHOD,
    v1::DeclineResignationRequest::METHOD,
    v1::ClaimTimeoutRequest::METHOD,
    v1::ContributeEntropyRequest::METHOD,
];

const CREATE_MATCH: &str = "CreateMatch";

/// The method that an action would be called with; `None` if there is no action.
#[must_use]
pub fn method(request: &v1::ActRequest) -> Option<&'static str> {
    fn name<A: TurnAction>(_: &A) -> &'static str {
        A::METHOD
    }
    let action = request.action.as_ref()?;
    Some(with_turn_action!(action, request => name(request), Action::CreateMatch(_) => CREATE_MATCH))
}

/// Where a match stands: the answer without an outcome.
#[must_use]
pub fn standing(table: &Table) -> v1::ActResponse {
    v1::ActResponse {
        tag: 0,
        revision: scalar::number(table.head.revision),
        phase: table.state.phase_kind().map_or(v1::GamePhase::Unspecified, words::phase).into(),
        seat_to_act: words::seat_or_none(table.state.seat_to_act()),
        outcome: None,
    }
}

/// The answer to an action that failed: what its own call would have said.
#[must_use]
pub fn failed(status: &Status) -> v1::ActResponse {
    // They are of our own making, so they can be read.
    let details = tonic_types::Status::decode(status.details()).unwrap_or_default().details;
    let error = v1::ActionError { code: status.code().into(), message: status.message().to_owned(), details };
    v1::ActResponse { outcome: Some(Outcome::Error(error)), ..v1::ActResponse::default() }
}

/// What came of the creation of a match.
#[must_use]
pub fn created(told: Told) -> Outcome {
    Outcome::Result(Box::new(told.into()))
}
