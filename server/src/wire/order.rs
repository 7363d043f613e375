//! What backends and operators order in a match: to pause it, to end it, to decide it; [to label it](super::notes).

use chaquete_proto::v1;
use chaquete_rules::{Command, Win};
use prost::Message;

use super::{
    command::digest,
    scalar,
    violations::{BadRequest, Path, Violations},
    words,
};
use crate::{
    access::Caller,
    execute::{Call, NotesChange},
    log::Request,
};

const MAX_REASON: usize = 500;

/// A request that orders something which is no action of a seat.
pub trait Order: Message + Clone {
    /// The name of the method.
    const METHOD: &'static str;

    /// What is answered.
    type Response;

    /// The match.
    fn name(&self) -> &str;

    /// Where it is named.
    #[must_use]
    fn name_path() -> Path<'static> {
        Path::root("name")
    }

    /// The revision the caller acts on; 0: whatever it is.
    fn expected_revision(&self) -> i32;

    /// The caller's id of the call.
    fn request_id(&self) -> &str;

    /// The same request without its `request_id`.
    #[must_use]
    fn anonymous(&self) -> Self;

    /// What is to happen. Notes what is wrong with the fields that only this order has.
    fn command(&self, violations: &mut Violations) -> Option<Command>;

    /// What is to become of labels and annotations. Notes what is wrong with it.
    fn notes(&self, _: &mut Violations) -> Option<Option<NotesChange>> {
        Some(None)
    }

    /// The answer: the match after it.
    fn response(done: v1::Match) -> Self::Response;
}

/// The parts of an order that are the same in all of them. `expected_revision` is named where there is one.
macro_rules! same_parts {
    ($method:literal, $response:ident $(, $revision:ident)?) => {
        const METHOD: &'static str = $method;

        type Response = v1::$response;

        fn name(&self) -> &str {
            &self.name
        }

        fn expected_revision(&self) -> i32 {
            same_parts!(@revision self $($revision)?)
        }

        fn request_id(&self) -> &str {
            &self.request_id
        }

        fn anonymous(&self) -> Self {
            Self { request_id: String::new(), ..self.clone() }
        }

        fn response(done: v1::Match) -> Self::Response {
            v1::$response { r#match: Some(done) }
        }
    };
    (@revision $request:ident $revision:ident) => { $request.$revision };
    (@revision $request:ident) => { 0 };
}

impl Order for v1::CancelMatchRequest {
    same_parts!("CancelMatch", CancelMatchResponse, expected_revision);

    fn command(&self, violations: &mut Violations) -> Option<Command> {
        Some(Command::Cancel { reason: read_reason(violations, &self.reason)? })
    }
}

impl Order for v1::PauseMatchRequest {
    same_parts!("PauseMatch", PauseMatchResponse);

    fn command(&self, violations: &mut Violations) -> Option<Command> {
        Some(Command::Pause { reason: read_reason(violations, &self.reason)? })
    }
}

impl Order for v1::ResumeMatchRequest {
    same_parts!("ResumeMatch", ResumeMatchResponse);

    fn command(&self, _: &mut Violations) -> Option<Command> {
        Some(Command::Resume)
    }
}

impl Order for v1::CloseSessionRequest {
    same_parts!("CloseSession", CloseSessionResponse, expected_revision);

    fn command(&self, _: &mut Violations) -> Option<Command> {
        Some(Command::CloseSession)
    }
}

impl Order for v1::AdjudicateGameRequest {
    same_parts!("AdjudicateGame", AdjudicateGameResponse, expected_revision);

    fn command(&self, violations: &mut Violations) -> Option<Command> {
        let winner = scalar::known(violations, Path::root("winner"), self.winner).map(words::read_seat);
        let path = Path::root("kind");
        let kind = scalar::known(violations, path, self.kind).map(words::read_win_kind);
        let reason = read_reason(violations, &self.reason);
        let win = match (winner?, kind?) {
            (None, None) => None,
            (Some(seat), Some(kind)) => Some(Win { seat, kind }),
            (Some(_), None) => {
                violations.add(path, "is required with a winner: by how much it wins");
                return None;
            }
            (None, Some(_)) => {
                violations.add(path, "must be left out without a winner: a void game is won by nobody");
                return None;
            }
        };
        Some(Command::AdjudicateGame { win, reason: reason? })
    }
}

impl Order for v1::AdjudicateMatchRequest {
    same_parts!("AdjudicateMatch", AdjudicateMatchResponse, expected_revision);

    fn command(&self, violations: &mut Violations) -> Option<Command> {
        let winner = scalar::acting_seat(violations, Path::root("winner"), self.winner);
        let reason = read_reason(violations, &self.reason);
        Some(Command::AdjudicateMatch { winner: winner?, reason: reason? })
    }
}

/// Why something is ordered, for the log.
fn read_reason(violations: &mut Violations, reason: &str) -> Option<String> {
    scalar::text(violations, Path::root("reason"), reason, MAX_REASON)
}

/// The call that an order asks for.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_order<O: Order>(request: &O, by: &Caller) -> Result<Call, BadRequest> {
    let mut violations = Violations::default();
    let name = scalar::match_name(&mut violations, O::name_path(), request.name());
    let command = request.command(&mut violations);
    let notes = request.notes(&mut violations);
    let path = Path::root("expected_revision");
    let expected = scalar::expected_revision(&mut violations, path, request.expected_revision());
    let request_id = scalar::request_id(&mut violations, Path::root("request_id"), request.request_id());
    let call = || {
        Some(Call {
            name: name?,
            request: request_id?.map(|id| Request { id, digest: digest(O::METHOD, &request.anonymous()) }),
            expected_revision: expected?,
            actor: by.actor(None),
            command: command?,
            notes: notes?,
        })
    };
    violations.finish(call())
}

#[cfg(test)]
mod tests {
    use chaquete_rules::{Seat, WinKind};

    use super::*;

    const NAME: &str = "tenants/default/matches/m1234";
    const ID: &str = "0190f3b2-7c4e-7a1b-8f00-0123456789ab";

    fn bad_fields<O: Order>(request: &O) -> Vec<String> {
        let bad = read_order(request, &Caller::Local).expect_err("a bad request");
        bad.violations.into_iter().map(|violation| violation.field).collect()
    }

    fn command<O: Order>(request: &O) -> Command {
        let call = read_order(request, &Caller::Local).unwrap();
        assert_eq!((call.name.to_string().as_str(), call.actor), (NAME, Caller::Local.actor(None)));
        call.command
    }

    fn game(winner: v1::Seat, kind: v1::WinKind) -> v1::AdjudicateGameRequest {
        v1::AdjudicateGameRequest {
            name: NAME.to_owned(),
            winner: winner.into(),
            kind: kind.into(),
            reason: "seen".to_owned(),
            ..v1::AdjudicateGameRequest::default()
        }
    }

    #[test]
    fn orders_are_read() {
        let (name, reason) = (NAME.to_owned(), "rain".to_owned());
        let pause =
            v1::PauseMatchRequest { name: name.clone(), reason: reason.clone(), request_id: ID.to_owned() };
        assert_eq!(command(&pause), Command::Pause { reason: reason.clone() });
        let resume = v1::ResumeMatchRequest { name: name.clone(), request_id: String::new() };
        assert_eq!(command(&resume), Command::Resume);
        assert_eq!(read_order(&resume, &Caller::Local).unwrap().request, None);
        let close = v1::CloseSessionRequest {
            name: name.clone(),
            expected_revision: 7,
            ..v1::CloseSessionRequest::default()
        };
        assert_eq!(command(&close), Command::CloseSession);
        assert_eq!(read_order(&close, &Caller::Local).unwrap().expected_revision, Some(7));
        let decide = v1::AdjudicateMatchRequest {
            name,
            winner: 2,
            reason: reason.clone(),
            ..v1::AdjudicateMatchRequest::default()
        };
        assert_eq!(command(&decide), Command::AdjudicateMatch { winner: Seat::Two, reason });
    }

    #[test]
    fn a_game_is_won_by_somebody_by_so_much_or_void() {
        let won = game(v1::Seat::One, v1::WinKind::Gammon);
        let win = Some(Win { seat: Seat::One, kind: WinKind::Gammon });
        assert_eq!(command(&won), Command::AdjudicateGame { win, reason: "seen".to_owned() });
        let void = game(v1::Seat::Unspecified, v1::WinKind::Unspecified);
        assert_eq!(command(&void), Command::AdjudicateGame { win: None, reason: "seen".to_owned() });
        assert_eq!(bad_fields(&game(v1::Seat::One, v1::WinKind::Unspecified)), ["kind"]);
        assert_eq!(bad_fields(&game(v1::Seat::Unspecified, v1::WinKind::Single)), ["kind"]);
    }

    #[test]
    fn every_bad_field_of_an_order_is_told() {
        assert_eq!(bad_fields(&v1::CancelMatchRequest::default()), ["name", "reason"]);
        let long = v1::CancelMatchRequest {
            name: NAME.to_owned(),
            reason: "é".repeat(501),
            expected_revision: -1,
            request_id: "x".to_owned(),
        };
        assert_eq!(bad_fields(&long), ["reason", "expected_revision", "request_id"]);
        let zero = v1::PauseMatchRequest {
            name: "m1234".to_owned(),
            reason: "a\0b".to_owned(),
            request_id: "x".to_owned(),
        };
        assert_eq!(bad_fields(&zero), ["name", "reason", "request_id"]);
        assert_eq!(bad_fields(&v1::ResumeMatchRequest::default()), ["name"]);
        let close = v1::CloseSessionRequest { expected_revision: -1, ..v1::CloseSessionRequest::default() };
        assert_eq!(bad_fields(&close), ["name", "expected_revision"]);
        let decide = v1::AdjudicateGameRequest {
            winner: 3,
            kind: 4,
            reason: String::new(),
            expected_revision: -1,
            ..v1::AdjudicateGameRequest::default()
        };
        assert_eq!(bad_fields(&decide), ["name", "winner", "kind", "reason", "expected_revision"]);
        assert_eq!(bad_fields(&v1::AdjudicateMatchRequest::default()), ["name", "winner", "reason"]);
    }

    #[test]
    fn the_digest_tells_orders_apart_but_not_their_ids() {
        let digest_of = |request: &v1::PauseMatchRequest| {
            read_order(request, &Caller::Local).unwrap().request.unwrap().digest
        };
        let pause = v1::PauseMatchRequest {
            name: NAME.to_owned(),
            reason: "rain".to_owned(),
            request_id: ID.to_owned(),
        };
        let request_id = ID.replace("01", "02");
        assert_eq!(digest_of(&pause), digest_of(&v1::PauseMatchRequest { request_id, ..pause.clone() }));
        let reason = "snow".to_owned();
        assert_ne!(digest_of(&pause), digest_of(&v1::PauseMatchRequest { reason, ..pause.clone() }));
        let cancel = v1::CancelMatchRequest {
            name: pause.name.clone(),
            reason: pause.reason.clone(),
            request_id: ID.to_owned(),
            ..v1::CancelMatchRequest::default()
        };
        assert_ne!(digest_of(&pause), read_order(&cancel, &Caller::Local).unwrap().request.unwrap().digest);
    }
}
