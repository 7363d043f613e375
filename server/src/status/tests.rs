use std::sync::Arc;

use chaquete_proto::access::Role;
use chaquete_rules::{
    Action, BySeat, CubeViolation, MatchPoints, MatchRules, MoveViolation, PhaseKind, Terms,
};
use uuid::Uuid;

use super::*;
use crate::{
    access::Caller,
    log::{self, RULES_VERSION, Seam, Stamp},
    store::{About, MatchKey},
    table::Damaged,
    wire::{filter::BadFilter, page::BadPageToken, violations::Path},
};

const NAME: &str = "tenants/default/matches/m1234";

fn name() -> MatchName {
    MatchName::parse(NAME).unwrap()
}

fn table() -> Arc<Table> {
    let players = BySeat::new("ann".to_owned(), "bob".to_owned());
    let rules = MatchRules::points(MatchPoints::new(5).unwrap());
    let terms = Terms::new(players, rules, DiceSource::External);
    let uid = Uuid::from_u128(1);
    let seam = Seam { revision: 0, hash: log::initial_hash(&uid), game: 0, rules: RULES_VERSION };
    let stamp = Stamp { actor: Caller::Local.actor(None), request: None, time: 0 };
    let events = log::seal(&seam, &stamp, &chaquete_rules::create(terms, None, 0));
    Arc::new(Table::fold(name(), MatchKey::new(&name(), uid), Arc::new(About::default()), &events).unwrap())
}

fn refused(refusal: Refusal) -> Error {
    Error::Failure(Failure::Refused { refusal, table: table() })
}

/// Code, reason and metadata of an answer, the metadata as `key=value` in order.
fn told(error: Error) -> (Code, String, Vec<String>) {
    let status = Status::from(error);
    let info = status.get_details_error_info().expect("every answer says its reason");
    assert_eq!(info.domain, "backgammon.v1");
    assert!(!status.message().is_empty());
    let mut metadata: Vec<_> = info.metadata.iter().map(|(key, value)| format!("{key}={value}")).collect();
    metadata.sort();
    (status.code(), info.reason, metadata)
}

#[test]
fn every_refusal_has_its_reason_and_metadata() {
    let precondition = |refusal, reason: &str, metadata: &[&str]| {
        assert_eq!(
            told(refused(refusal)),
            (Code::FailedPrecondition, reason.to_owned(), metadata.iter().map(ToString::to_string).collect())
        );
    };
    precondition(Refusal::MatchNotActive, "MATCH_NOT_ACTIVE", &["state=ACTIVE"]);
    precondition(
        Refusal::WrongPhase { action: Action::SubmitMove, phase: PhaseKind::OpeningRoll },
        "WRONG_PHASE",
        &["action=SUBMIT_MOVE", "current_revision=2", "phase=OPENING_ROLL"],
    );
    precondition(
        Refusal::NotYourTurn { seat: Seat::One, seat_to_act: Seat::Two },
        "NOT_YOUR_TURN",
        &["current_revision=2", "seat=ONE", "seat_to_act=TWO"],
    );
    precondition(
        Refusal::IllegalMove(IllegalMove { violation: MoveViolation::BarFirst, step: 1 }),
        "ILLEGAL_MOVE",
        &["rule=BAR_FIRST", "step=1"],
    );
    precondition(
        Refusal::CubeNotAvailable(CubeViolation::DeadCube),
        "CUBE_NOT_AVAILABLE",
        &["rule=DEAD_CUBE"],
    );
    precondition(
        Refusal::ResignationNotAvailable { kind: WinKind::Single, declined: WinKind::Gammon },
        "RESIGNATION_NOT_AVAILABLE",
        &["declined_kind=GAMMON", "kind=SINGLE"],
    );
    precondition(Refusal::MatchPaused, "MATCH_PAUSED", &[]);
    precondition(Refusal::MatchNotPaused, "MATCH_NOT_PAUSED", &[]);
    precondition(Refusal::TimeExpired { seat: Seat::One }, "TIME_EXPIRED", &[]);
    precondition(
        Refusal::TimeNotExpired { flag: Some(1_234_567_890_123) },
        "TIME_NOT_EXPIRED",
        &["flag_time=2009-02-13T23:31:30.123Z"],
    );
    precondition(Refusal::TimeNotExpired { flag: None }, "TIME_NOT_EXPIRED", &[]);
    precondition(Refusal::SessionNotClosable, "SESSION_NOT_CLOSABLE", &[]);
    let not_awaited = |awaited| Refusal::NotAwaited { by: Contributor::Creator, awaited };
    precondition(not_awaited(None), "ENTROPY_NOT_AWAITED", &["awaited=NOTHING", "contributor=CREATOR"]);
    precondition(
        not_awaited(Some(Awaited::Opening)),
        "ENTROPY_NOT_AWAITED",
        &["awaited=OPENING", "contributor=CREATOR"],
    );
    precondition(Refusal::WrongOpening { by: Contributor::SeatTwo }, "WRONG_OPENING", &["contributor=TWO"]);
    precondition(Refusal::ContributionsLate, "TIME_EXPIRED", &[]);
    precondition(Refusal::DiceNotAccepted, "DICE_NOT_ACCEPTED", &["dice_source=EXTERNAL"]);
}

#[test]
fn every_failure_has_its_code_and_reason() {
    let id = Uuid::from_u128(7);
    let damaged = Damaged { revision: 3, because: "secret".to_owned() };
    let cases: [(Failure, Code, &str, &[&str]); 10] = [
        (Failure::NotFound(name()), Code::NotFound, "NOT_FOUND", &["name=tenants/default/matches/m1234"]),
        (
            Failure::Exists(name()),
            Code::AlreadyExists,
            "MATCH_EXISTS",
            &["name=tenants/default/matches/m1234"],
        ),
        (
            Failure::TooManyMatches("club".to_owned()),
            Code::ResourceExhausted,
            "TOO_MANY_MATCHES",
            &["tenant=club"],
        ),
        (
            Failure::RevisionMismatch { expected: 3, current: 5 },
            Code::Aborted,
            "REVISION_MISMATCH",
            &["current_revision=5", "expected_revision=3"],
        ),
        (Failure::Contended { current: 7 }, Code::Aborted, "REVISION_MISMATCH", &["current_revision=7"]),
        (
            Failure::NoDice(CupError::UnknownKey("k1".to_owned())),
            Code::Unavailable,
            "DICE_UNAVAILABLE",
            &["key_id=k1"],
        ),
        (
            Failure::RequestIdReused(id),
            Code::InvalidArgument,
            "REQUEST_ID_REUSED",
            &["request_id=00000000-0000-0000-0000-000000000007"],
        ),
        (Failure::Unavailable("secret".to_owned()), Code::Unavailable, "STORAGE_UNAVAILABLE", &[]),
        (Failure::Damaged(damaged), Code::DataLoss, "LOG_CORRUPT", &["first_bad_revision=3"]),
        (Failure::Internal("secret".to_owned()), Code::Internal, "INTERNAL", &["incident"]),
    ];
    for (failure, code, reason, expected) in cases {
        let status = Status::from(Error::Failure(failure));
        assert!(!status.message().contains("secret"), "{}", status.message());
        let info = status.get_details_error_info().expect("every answer says its reason");
        let mut metadata: Vec<_> =
            info.metadata.iter().map(|(key, value)| format!("{key}={value}")).collect();
        metadata.sort();
        // The number of an incident is random.
        metadata.iter_mut().filter(|it| it.starts_with("incident=")).for_each(|it| it.truncate(8));
        assert_eq!((status.code(), info.reason.as_str()), (code, reason));
        assert_eq!(metadata, expected);
    }
}

#[test]
fn details_are_as_the_contract_says() {
    let status = Status::from(refused(Refusal::IllegalMove(IllegalMove {
        violation: MoveViolation::NoChecker,
        step: 0,
    })));
    let failure = status.get_details_precondition_failure().unwrap();
    assert_eq!(failure.violations[0].subject, NAME);
    for error in [
        Error::Failure(Failure::Unavailable(String::new())),
        Error::Failure(Failure::TooManyMatches(String::new())),
        Error::SlowConsumer(Behind::Events { last: 3 }),
        Error::Draining,
        Error::NotCovered(None),
    ] {
        assert!(Status::from(error).get_details_retry_info().is_some());
    }
    let unparsable = Error::Unparsable { field: "xgid", because: "column 3".to_owned() };
    let status = Status::from(unparsable);
    assert_eq!(status.get_details_bad_request().unwrap().field_violations[0].field, "xgid");
    let bad_filter = BadFilter { position: 7, because: "a value is expected".to_owned() };
    let status = Status::from(Error::from(bad_filter));
    assert_eq!(status.message(), "filter: at character 7: a value is expected");
    let violation = &status.get_details_bad_request().unwrap().field_violations[0];
    assert_eq!(
        (violation.field.as_str(), violation.description.as_str()),
        ("filter", &status.message()[8..])
    );
}

#[test]
fn other_answers_have_their_code_and_reason() {
    let bad = BadRequest::one(Path::root("name"), "is required");
    let bad_filter = BadFilter { position: 0, because: "a value is expected".to_owned() };
    let cases: [(Error, Code, &str, &[&str]); 19] = [
        (Error::NotCovered(None), Code::NotFound, "NOT_CHECKPOINTED", &[]),
        (
            Error::NotCovered(Some(name())),
            Code::NotFound,
            "NOT_CHECKPOINTED",
            &["name=tenants/default/matches/m1234"],
        ),
        (bad.into(), Code::InvalidArgument, "INVALID_FIELD", &[]),
        (bad_filter.into(), Code::InvalidArgument, "INVALID_FILTER", &["position=0"]),
        (BadPageToken.into(), Code::InvalidArgument, "INVALID_PAGE_TOKEN", &[]),
        (Error::NotFound("tenants/x".to_owned()), Code::NotFound, "NOT_FOUND", &["name=tenants/x"]),
        (
            Error::AccessDenied { method: "MatchService.ListMatches".to_owned(), role: Role::Backend },
            Code::PermissionDenied,
            "ACCESS_DENIED",
            &["method=MatchService.ListMatches", "role=BACKEND"],
        ),
        (
            Error::RateLimited { exceeded: Quota::Key, retry_after: Duration::from_millis(20) },
            Code::ResourceExhausted,
            "RATE_LIMITED",
            &[],
        ),
        (Error::TooManyStreams, Code::ResourceExhausted, "TOO_MANY_WATCHES", &[]),
        (Error::Overloaded, Code::Unavailable, "OVERLOADED", &[]),
        (Error::InvalidCredentials, Code::Unauthenticated, "INVALID_CREDENTIALS", &[]),
        (Error::SeatNotHeld(Seat::Two), Code::PermissionDenied, "SEAT_NOT_HELD", &["seat=TWO"]),
        (
            Error::RevisionInFuture { current: 4 },
            Code::OutOfRange,
            "REVISION_IN_FUTURE",
            &["current_revision=4"],
        ),
        (
            Error::SlowConsumer(Behind::Events { last: 4 }),
            Code::Unavailable,
            "SLOW_CONSUMER",
            &["last_revision=4"],
        ),
        (Error::SlowConsumer(Behind::Matches), Code::Unavailable, "SLOW_CONSUMER", &[]),
        (Error::SlowConsumer(Behind::Answers), Code::Unavailable, "SLOW_CONSUMER", &[]),
        (Error::Draining, Code::Unavailable, "SERVER_DRAINING", &[]),
        (Error::NoTokenKey, Code::Unimplemented, "UNIMPLEMENTED", &["feature=MatchService.IssueToken"]),
        (Error::Unimplemented { feature: "x" }, Code::Unimplemented, "UNIMPLEMENTED", &["feature=x"]),
    ];
    for (error, code, reason, metadata) in cases {
        assert_eq!(
            told(error),
            (code, reason.to_owned(), metadata.iter().map(ToString::to_string).collect())
        );
    }
}
