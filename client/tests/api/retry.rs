//! What is tried again, and how.

use std::collections::HashMap;
use std::time::Duration;

use crate::server::{Reply, Server, unavailable};
use chaquete_client::proto::{
    CreateMatchRequest, ErrorReason, GetMatchRequest, GetMatchResponse, Match, MoveViolation,
    RollDiceRequest, RollDiceResponse, SubmitMoveRequest,
};
use chaquete_client::{Client, FieldViolation, Origin, RetryPolicy};
use tokio::net::TcpListener;
use tokio::time::Instant;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

fn rolled(revision: i32) -> RollDiceResponse {
    RollDiceResponse { r#match: Some(Match { revision, ..Match::default() }), ..Default::default() }
}

/// Answers `fails` calls with a status and those after them with a roll.
fn failing(fails: usize, status: impl Fn() -> Status + Send + Sync + 'static) -> Server {
    Server::start(
        move |_, before| {
            if before < fails { Reply::status(status()) } else { Reply::message(&rolled(9)) }
        },
    )
}

fn ids(server: &Server) -> Vec<String> {
    server.calls().iter().map(|call| call.decode::<RollDiceRequest>().request_id).collect()
}

#[tokio::test]
async fn unavailable_is_tried_again_with_the_same_request_id() {
    let server = failing(3, || unavailable(None));
    let answer = server.client().await.roll_dice(RollDiceRequest::default()).await.expect("an answer");
    assert_eq!(answer, rolled(9));
    let ids = ids(&server);
    assert_eq!(ids.len(), 4);
    assert!(ids.iter().all(|id| *id == ids[0] && id.len() == 36), "{ids:?}");
    assert!(server.calls().iter().all(|call| call.has_deadline && call.method == "RollDice"));
}

#[tokio::test]
async fn the_request_id_of_the_caller_is_sent_every_time() {
    let server = failing(2, || unavailable(None));
    let request = RollDiceRequest { request_id: "of-the-caller".to_owned(), ..Default::default() };
    server.client().await.roll_dice(request).await.expect("an answer");
    assert_eq!(ids(&server), ["of-the-caller"; 3]);
}

#[tokio::test]
async fn no_two_calls_share_a_request_id() {
    let server = failing(0, || unavailable(None));
    let client = server.client().await;
    for _ in 0..2 {
        client.roll_dice(RollDiceRequest::default()).await.expect("an answer");
    }
    let ids = ids(&server);
    assert_ne!(ids[0], ids[1]);
}

#[tokio::test]
async fn no_other_code_is_tried_again() {
    let codes = [
        Code::Cancelled,
        Code::Unknown,
        Code::InvalidArgument,
        Code::DeadlineExceeded,
        Code::NotFound,
        Code::AlreadyExists,
        Code::PermissionDenied,
        Code::ResourceExhausted,
        Code::FailedPrecondition,
        Code::Aborted,
        Code::OutOfRange,
        Code::Unimplemented,
        Code::Internal,
        Code::DataLoss,
        Code::Unauthenticated,
    ];
    for code in codes {
        let server = failing(1, move || Status::new(code, "no"));
        let error = server.client().await.roll_dice(RollDiceRequest::default()).await.expect_err("no");
        assert_eq!((error.code(), error.origin(), error.attempts()), (code, Origin::Server, 1));
        assert_eq!(server.calls().len(), 1, "{code:?}");
    }
}

#[tokio::test]
async fn what_the_server_asks_to_wait_is_waited() {
    let server = failing(1, || unavailable(Some(Duration::from_millis(300))));
    let client = server.client().await;
    let begun = Instant::now();
    client.roll_dice(RollDiceRequest::default()).await.expect("an answer");
    assert!(begun.elapsed() >= Duration::from_millis(300));
}

#[tokio::test]
async fn patience_ends() {
    let server = failing(usize::MAX, || unavailable(None));
    let policy = RetryPolicy { patience: Duration::from_millis(200), ..RetryPolicy::default() };
    let client = Client::builder(&server.address).retry(policy).jitter(|| 0.0).connect().await.expect("up");
    let error = client.roll_dice(RollDiceRequest::default()).await.expect_err("never");
    assert_eq!(error.reason(), Some(ErrorReason::ServerDraining));
    // 25, 50 and 100 ms at best; another 200 ms would be too long.
    let attempts = server.calls().len();
    assert!((2..=4).contains(&attempts), "{attempts}");
    assert_eq!(usize::try_from(error.attempts()), Ok(attempts));
}

#[tokio::test]
async fn a_server_that_comes_back_is_found() {
    let server = failing(0, || unavailable(None));
    let client = server.client().await;
    client.roll_dice(RollDiceRequest::default()).await.expect("an answer");
    let address = server.address.trim_start_matches("http://").to_owned();
    drop(server);

    let call = tokio::spawn({
        let client = client.clone();
        async move { client.roll_dice(RollDiceRequest::default()).await }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let server = Server::on(&address, |_, _| Reply::message(&rolled(10)));
    assert_eq!(call.await.expect("no panic").expect("an answer"), rolled(10));
    assert_eq!(server.calls().len(), 1);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let error = Client::builder(&address).retry(RetryPolicy::NEVER).connect().await.expect_err("nobody");
    assert_eq!((error.code(), error.origin()), (Code::Unavailable, Origin::Transport));
    assert!(error.to_string().to_lowercase().contains("refused"), "{error}");

    let error = Client::connect("not an address").await.expect_err("no address");
    assert_eq!((error.code(), error.origin()), (Code::InvalidArgument, Origin::Client));
}

#[tokio::test]
async fn a_call_that_is_not_answered_ends_at_its_deadline() {
    let server = Server::start(|_, _| Reply::default().stays_open());
    let client = Client::builder(&server.address).call_deadline(Duration::from_millis(100));
    let client = client.connect().await.expect("connected");
    let error = client.get_match(GetMatchRequest::default()).await.expect_err("silence");
    assert_eq!((error.code(), error.origin()), (Code::DeadlineExceeded, Origin::Client));
    assert_eq!(server.calls().len(), 1);
}

#[tokio::test]
async fn calls_that_read_are_tried_again_too() {
    let answer = GetMatchResponse { r#match: Some(Match { revision: 3, ..Match::default() }) };
    let server = Server::start({
        let answer = answer.clone();
        move |_, before| {
            if before == 0 { Reply::status(unavailable(None)) } else { Reply::message(&answer) }
        }
    });
    assert_eq!(server.client().await.get_match(GetMatchRequest::default()).await.expect("it"), answer);
}

#[tokio::test]
async fn a_refusal_comes_with_its_reason_and_facts() {
    let server = Server::start(|_, _| {
        let mut details = ErrorDetails::with_error_info(
            "ILLEGAL_MOVE",
            "backgammon.v1",
            [("rule".to_owned(), "BAR_FIRST".to_owned()), ("step".to_owned(), "0".to_owned())],
        );
        details.add_precondition_failure_violation("BAR_FIRST", "match", "a checker is on the bar");
        Reply::status(Status::with_error_details(Code::FailedPrecondition, "enter first", details))
    });
    let error = server.client().await.submit_move(SubmitMoveRequest::default()).await.expect_err("no");
    assert_eq!(error.code(), Code::FailedPrecondition);
    assert_eq!(error.reason(), Some(ErrorReason::IllegalMove));
    assert_eq!(error.move_violation(), Some(MoveViolation::BarFirst));
    assert_eq!(error.cube_violation(), None);
    assert_eq!(error.metadata().get("step").map(String::as_str), Some("0"));
    assert_eq!(error.to_string(), "enter first (ILLEGAL_MOVE)");
}

#[tokio::test]
async fn all_bad_fields_are_named() {
    let server = Server::start(|_, _| {
        let mut details = ErrorDetails::with_error_info("INVALID_FIELD", "backgammon.v1", HashMap::new());
        details.add_bad_request_violation("parent", "is missing");
        details.add_bad_request_violation("match.rules", "is missing");
        Reply::status(Status::with_error_details(Code::InvalidArgument, "bad fields", details))
    });
    let error = server.client().await.create_match(CreateMatchRequest::default()).await.expect_err("no");
    let violation = |field: &str| FieldViolation { field: field.into(), description: "is missing".into() };
    assert_eq!(error.field_violations(), [violation("parent"), violation("match.rules")]);
    assert_eq!(error.to_string(), "bad fields; parent: is missing; match.rules: is missing (INVALID_FIELD)");
}

#[tokio::test]
async fn a_reason_that_came_later_leaves_the_code() {
    let server = Server::start(|_, _| {
        let details = ErrorDetails::with_error_info(
            "SOMETHING_NEW",
            "backgammon.v1",
            [("key".to_owned(), "value".to_owned())],
        );
        Reply::status(Status::with_error_details(Code::Aborted, "new", details))
    });
    let error = server.client().await.roll_dice(RollDiceRequest::default()).await.expect_err("no");
    assert_eq!((error.code(), error.reason()), (Code::Aborted, None));
    assert_eq!(error.metadata().get("key").map(String::as_str), Some("value"));
    assert_eq!(error.to_string(), "new (Aborted)");
}
