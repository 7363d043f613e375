//! What callers want a seat to do in a match.

use chaquete_proto::{
    access::Role,
    v1::{self, act_response::Outcome},
};
use chaquete_rules::{Command, Seat};
use prost::Message;
use sha2::{Digest, Sha256};

use super::{
    legal::LegalMovesView,
    scalar, turn,
    violations::{BadRequest, Path, Violations},
    words,
};
use crate::{access::Caller, execute::Call, log::Request};

/// The fields that all actions have.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The match.
    pub name: &'a str,
    /// The seat that acts.
    pub seat: i32,
    /// The revision the caller acts on; 0: whatever it is.
    pub expected_revision: i32,
    /// The caller's id of the call.
    pub request_id: &'a str,
}

/// A request of an action: something that a seat does.
pub trait TurnAction: Message + Clone {
    /// The name of the method.
    const METHOD: &'static str;

    /// Whether the caller must say which call or which revision it is, so that a late duplicate of the call
    /// never acts in the next turn.
    const IS_GUARDED: bool = true;

    /// Whether only seats can do it.
    const NEEDS_SEAT: bool = true;

    /// What is answered.
    type Response;

    /// The fields that all of them have.
    fn head(&self) -> Head<'_>;

    /// The same request without its `request_id`.
    #[must_use]
    fn anonymous(&self) -> Self;

    /// What the seat does. Notes what is wrong with the fields that only this action has.
    fn command(&self, violations: &mut Violations, seat: Option<Seat>) -> Option<Command>;

    /// Whether it is only to be checked.
    fn is_only_checked(&self) -> bool {
        false
    }

    /// How much of the legal moves is to be told along, if anything.
    fn wanted_legal_moves(&self) -> Option<LegalMovesView> {
        None
    }

    /// The answer.
    fn response(told: Told) -> Self::Response;

    /// The answer on an `Act` stream.
    fn outcome(told: Told) -> Outcome {
        Outcome::Result(Box::new(told.into()))
    }
}

/// What is told after an action.
#[derive(Clone, Debug)]
pub struct Told {
    /// The match after it.
    pub done: v1::Match,
    /// The events that it caused.
    pub events: Vec<v1::MatchEvent>,
    /// The legal moves, if they are wanted and a roll is to be played.
    pub legal_moves: Option<v1::LegalMoves>,
}

impl From<Told> for v1::ActionResult {
    fn from(told: Told) -> Self {
        Self { r#match: Some(told.done), events: told.events }
    }
}

/// The parts of a turn action that are the same in all of them.
macro_rules! same_parts {
    ($method:literal, $response:ident { $($field:ident),* }) => {
        const METHOD: &'static str = $method;

        type Response = v1::$response;

        fn head(&self) -> Head<'_> {
            Head {
                name: &self.name,
                seat: self.seat,
                expected_revision: self.expected_revision,
                request_id: &self.request_id,
            }
        }

        fn anonymous(&self) -> Self {
            Self { request_id: String::new(), ..self.clone() }
        }

        fn response(told: Told) -> Self::Response {
            v1::$response { r#match: Some(told.done), events: told.events, $($field: told.$field),* }
        }
    };
}

pub(super) use same_parts;

/// A turn action that says nothing but which seat acts.
macro_rules! bare_action {
    ($method:literal: $request:ident => $response:ident, $command:ident) => {
        impl TurnAction for v1::$request {
            same_parts!($method, $response {});

            fn command(&self, _: &mut Violations, seat: Option<Seat>) -> Option<Command> {
                Some(Command::$command { seat: seat? })
            }
        }
    };
}

bare_action!("OfferDouble": OfferDoubleRequest => OfferDoubleResponse, Double);
bare_action!("AcceptDouble": AcceptDoubleRequest => AcceptDoubleResponse, AcceptDouble);
bare_action!("DeclineDouble": DeclineDoubleRequest => DeclineDoubleResponse, DeclineDouble);
bare_action!("BeaverDouble": BeaverDoubleRequest => BeaverDoubleResponse, Beaver);
bare_action!("AcceptResignation": AcceptResignationRequest => AcceptResignationResponse, AcceptResignation);
bare_action!("DeclineResignation": DeclineResignationRequest => DeclineResignationResponse, DeclineResignation);
bare_action!("ClaimTimeout": ClaimTimeoutRequest => ClaimTimeoutResponse, ClaimTimeout);

impl TurnAction for v1::MarkReadyRequest {
    same_parts!("MarkReady", MarkReadyResponse {});

    /// It gives nothing away, so the contract asks for no guard.
    const IS_GUARDED: bool = false;

    fn command(&self, _: &mut Violations, seat: Option<Seat>) -> Option<Command> {
        Some(Command::MarkReady { seat: seat? })
    }
}

impl TurnAction for v1::RollDiceRequest {
    same_parts!("RollDice", RollDiceResponse { legal_moves });

    fn command(&self, violations: &mut Violations, seat: Option<Seat>) -> Option<Command> {
        if let Some(view) = self.legal_moves_view {
            LegalMovesView::read(violations, Path::root("legal_moves_view"), view);
        }
        let dice = turn::read_dice(violations, Path::root("dice"), self.dice);
        Some(Command::Roll { seat: seat?, dice: dice? })
    }

    fn wanted_legal_moves(&self) -> Option<LegalMovesView> {
        self.legal_moves_view.map(|_| self.legal_moves_view().into())
    }

    fn outcome(told: Told) -> Outcome {
        Outcome::RollDice(Box::new(Self::response(told)))
    }
}

impl TurnAction for v1::SubmitMoveRequest {
    same_parts!("SubmitMove", SubmitMoveResponse {});

    fn command(&self, violations: &mut Violations, seat: Option<Seat>) -> Option<Command> {
        let written = turn::read_move(violations, Path::root("move"), self.r#move.as_ref());
        Some(Command::Move { seat: seat?, written: written? })
    }

    fn is_only_checked(&self) -> bool {
        self.validate_only
    }

    fn outcome(told: Told) -> Outcome {
        Outcome::SubmitMove(Box::new(Self::response(told)))
    }
}

impl TurnAction for v1::OfferResignationRequest {
    same_parts!("OfferResignation", OfferResignationResponse {});

    fn command(&self, violations: &mut Violations, seat: Option<Seat>) -> Option<Command> {
        let path = Path::root("kind");
        let kind = words::read_win_kind(scalar::known(violations, path, self.kind)?);
        violations.check(kind.is_some(), path, "is required: what is given up");
        Some(Command::OfferResignation { seat: seat?, kind: kind? })
    }
}

/// Who asks for an action.
#[derive(Clone, Copy, Debug)]
pub struct By<'a> {
    /// The caller.
    pub caller: &'a Caller,
    /// The seat that is meant if none is named: the only one for which the caller may act.
    pub seat: Option<Seat>,
}

/// The call that a turn action asks for.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_action<A: TurnAction>(request: &A, by: By<'_>) -> Result<Call, BadRequest> {
    let mut violations = Violations::default();
    let head = request.head();
    let name = scalar::match_name(&mut violations, Path::root("name"), head.name);
    let path = Path::root("seat");
    let seat = match by.seat {
        Some(seat) if head.seat == 0 => Some(seat),
        // A player is nobody but a seat.
        _ if A::NEEDS_SEAT || by.caller.role() == Role::Player => {
            scalar::acting_seat(&mut violations, path, head.seat)
        }
        _ => scalar::known(&mut violations, path, head.seat).and_then(words::read_seat),
    };
    let expected =
        scalar::expected_revision(&mut violations, Path::root("expected_revision"), head.expected_revision);
    let request_id = scalar::request_id(&mut violations, Path::root("request_id"), head.request_id);
    violations.check(
        !A::IS_GUARDED || expected != Some(None) || request_id != Some(None),
        Path::root("request_id"),
        "is required without an `expected_revision`: a late duplicate of the call must not act again",
    );
    let command = request.command(&mut violations, seat);
    let call = || {
        Some(Call {
            name: name?,
            request: request_id?.map(|id| Request { id, digest: digest(A::METHOD, &request.anonymous()) }),
            expected_revision: expected?,
            actor: by.caller.actor(seat),
            command: command?,
            notes: None,
        })
    };
    violations.finish(call())
}

/// What a call asks for, in 32 bytes: SHA-256 over `chaquete/request/1`, the name of the method, and the
/// request without its `request_id`, as protobuf.
///
/// It is kept in the log, so it must be the same in every release. Protobuf itself promises no such thing;
/// what makes it hold here is that the bytes come from our own encoder and from known fields alone, which it
/// writes in the order of their numbers, without defaults, maps in the order of their keys; and that fields
/// are only ever added to the contract. A test holds a digest to its value.
#[must_use]
pub fn digest(method: &str, anonymous: &impl Message) -> [u8; 32] {
    let tagged = Sha256::new().chain_update(b"chaquete/request/1\0").chain_update(method);
    tagged.chain_update(b"\0").chain_update(anonymous.encode_to_vec()).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chaquete_proof::hex;

    const NAME: &str = "tenants/default/matches/m1234";
    const LOCAL: By<'_> = By { caller: &Caller::Local, seat: None };
    const ID: &str = "0190f3b2-7c4e-7a1b-8f00-0123456789ab";

    fn bad_fields<T: std::fmt::Debug>(read: Result<T, BadRequest>) -> Vec<String> {
        read.expect_err("a bad request").violations.into_iter().map(|violation| violation.field).collect()
    }

    fn offer() -> v1::OfferDoubleRequest {
        v1::OfferDoubleRequest {
            name: NAME.to_owned(),
            seat: 1,
            expected_revision: 0,
            request_id: ID.to_owned(),
        }
    }

    #[test]
    fn a_turn_action_is_read() {
        let call = read_action(&offer(), LOCAL).unwrap();
        assert_eq!(call.name.to_string(), NAME);
        assert_eq!(call.command, Command::Double { seat: Seat::One });
        assert_eq!(call.actor.seat, Some(Seat::One));
        assert_eq!(call.expected_revision, None);
        let by_revision =
            v1::OfferDoubleRequest { expected_revision: 3, request_id: String::new(), ..offer() };
        let call = read_action(&by_revision, LOCAL).unwrap();
        assert_eq!((call.request, call.expected_revision), (None, Some(3)));
    }

    #[test]
    fn only_readiness_needs_no_guard() {
        let ready =
            v1::MarkReadyRequest { name: NAME.to_owned(), seat: 2, ..v1::MarkReadyRequest::default() };
        let call = read_action(&ready, LOCAL).unwrap();
        assert_eq!((call.command, call.request), (Command::MarkReady { seat: Seat::Two }, None));
        let bad = v1::MarkReadyRequest { expected_revision: -1, request_id: "x".to_owned(), ..ready };
        assert_eq!(bad_fields(read_action(&bad, LOCAL)), ["expected_revision", "request_id"]);
        let claim =
            v1::ClaimTimeoutRequest { name: NAME.to_owned(), seat: 1, ..v1::ClaimTimeoutRequest::default() };
        assert_eq!(bad_fields(read_action(&claim, LOCAL)), ["request_id"]);
        let claim = v1::ClaimTimeoutRequest { expected_revision: 3, ..claim };
        assert_eq!(read_action(&claim, LOCAL).unwrap().command, Command::ClaimTimeout { seat: Seat::One });
    }

    #[test]
    fn every_bad_field_of_an_action_is_told() {
        assert_eq!(
            bad_fields(read_action(&v1::OfferDoubleRequest::default(), LOCAL)),
            ["name", "seat", "request_id"]
        );
        let roll = v1::RollDiceRequest {
            name: "m1234".to_owned(),
            seat: 3,
            expected_revision: -1,
            request_id: "x".to_owned(),
            dice: Some(v1::Dice { first: 0, second: 7 }),
            legal_moves_view: Some(9),
        };
        assert_eq!(
            bad_fields(read_action(&roll, LOCAL)),
            [
                "name",
                "seat",
                "expected_revision",
                "request_id",
                "legal_moves_view",
                "dice.first",
                "dice.second"
            ]
        );
        let resign = v1::OfferResignationRequest {
            name: NAME.to_owned(),
            seat: 2,
            request_id: ID.to_owned(),
            ..v1::OfferResignationRequest::default()
        };
        assert_eq!(bad_fields(read_action(&resign, LOCAL)), ["kind"]);
        let submit =
            v1::SubmitMoveRequest { seat: 2, expected_revision: 1, ..v1::SubmitMoveRequest::default() };
        assert_eq!(bad_fields(read_action(&submit, LOCAL)), ["name", "move"]);
    }

    #[test]
    fn the_digest_tells_requests_apart_but_not_their_ids() {
        let digest_of =
            |request: &v1::OfferDoubleRequest| read_action(request, LOCAL).unwrap().request.unwrap().digest;
        let other_id = ID.replace("01", "02");
        assert_eq!(
            digest_of(&offer()),
            digest_of(&v1::OfferDoubleRequest { request_id: other_id, ..offer() })
        );
        assert_ne!(digest_of(&offer()), digest_of(&v1::OfferDoubleRequest { seat: 2, ..offer() }));
        let accept = v1::AcceptDoubleRequest {
            name: NAME.to_owned(),
            seat: 1,
            expected_revision: 0,
            request_id: ID.to_owned(),
        };
        assert_ne!(digest_of(&offer()), read_action(&accept, LOCAL).unwrap().request.unwrap().digest);
    }

    /// The digest is in logs: it must never change. Made with `sha256sum` from the bytes written here.
    #[test]
    fn the_digest_is_what_it_always_was() {
        let labels = [("b", "2"), ("a", "1")].map(|(key, value)| (key.to_owned(), value.to_owned()));
        let create = v1::CreateMatchRequest {
            parent: "tenants/default".to_owned(),
            r#match: Some(v1::Match { labels: labels.into(), ..v1::Match::default() }),
            ..v1::CreateMatchRequest::default()
        };
        let bytes = b"\x0a\x0ftenants/default\x12\x10\x6a\x06\x0a\x01a\x12\x011\x6a\x06\x0a\x01b\x12\x012";
        assert_eq!(create.encode_to_vec(), bytes);
        assert_eq!(
            hex::encode(&digest("CreateMatch", &create)),
            "61b272ea094c6c7e7aaf42cfe7ea39bbfdbf01b2a30bd3cfa14b9dfa435d4b30"
        );
    }
}
