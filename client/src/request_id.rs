//! Ids that make calls safe to repeat.

use chaquete_proto::v1::{
    AcceptDoubleRequest, AcceptResignationRequest, AdjudicateGameRequest, AdjudicateMatchRequest,
    BeaverDoubleRequest, CancelMatchRequest, ClaimTimeoutRequest, CloseSessionRequest,
    ContributeEntropyRequest, CreateMatchRequest, DeclineDoubleRequest, DeclineResignationRequest,
    ImportMatchRequest, MarkReadyRequest, OfferDoubleRequest, OfferResignationRequest, PauseMatchRequest,
    ResumeMatchRequest, RollDiceRequest, SubmitMoveRequest, UpdateMatchRequest,
};

/// A new `request_id`: a random UUID of the operating system's generator.
///
/// The library makes one for each call that changes a match and brings none. Make and keep one
/// yourself where a call may have to be repeated after the program was restarted.
#[must_use]
pub fn new_request_id() -> String {
    uuid::Builder::from_random_bytes(rand::random()).into_uuid().to_string()
}

/// A request that changes something, and so must be safe to repeat.
pub(crate) trait Mutating {
    fn request_id_mut(&mut self) -> &mut String;

    fn ensure_request_id(&mut self) {
        let id = self.request_id_mut();
        if id.is_empty() {
            *id = new_request_id();
        }
    }
}

macro_rules! mutating {
    ($($request:ty),* $(,)?) => {$(
        impl Mutating for $request {
            fn request_id_mut(&mut self) -> &mut String {
                &mut self.request_id
            }
        }
    )*};
}

mutating!(
    AcceptDoubleRequest,
    AcceptResignationRequest,
    AdjudicateGameRequest,
    AdjudicateMatchRequest,
    BeaverDoubleRequest,
    CancelMatchRequest,
    ClaimTimeoutRequest,
    ContributeEntropyRequest,
    CloseSessionRequest,
    CreateMatchRequest,
    DeclineDoubleRequest,
    DeclineResignationRequest,
    ImportMatchRequest,
    MarkReadyRequest,
    OfferDoubleRequest,
    OfferResignationRequest,
    PauseMatchRequest,
    ResumeMatchRequest,
    RollDiceRequest,
    SubmitMoveRequest,
    UpdateMatchRequest,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_made_where_the_caller_gave_none() {
        let mut request = RollDiceRequest::default();
        request.ensure_request_id();
        let made = uuid::Uuid::parse_str(&request.request_id).expect("a UUID");
        assert_eq!(made.get_version_num(), 4);
    }

    #[test]
    fn the_id_of_the_caller_stays() {
        let mut request = RollDiceRequest { request_id: "mine".to_owned(), ..Default::default() };
        request.ensure_request_id();
        assert_eq!(request.request_id, "mine");
    }
}
