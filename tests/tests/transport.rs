//! What no client of ours would send, over a real connection: every failure says its reason, and none repeats what
//! it was sent.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use chaquete_proto::{
    access::AccessTable,
    v1::{self, match_service_client::MatchServiceClient},
};
use chaquete_server::{
    access::{Authority, Caller},
    clock::SystemClock,
    config::Limits,
    layer::{Layers, MAX_REQUEST, calls::Calls, identity::Gate},
    store,
    telemetry::metrics::CallMeters,
};
use chaquete_tests::{Raw, RawAnswer, Service, framed, new_match, rules_to};
use prost::Message;
use tokio::{
    net::TcpListener,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;
use tonic::{
    Code, Status,
    body::Body,
    server::NamedService,
    transport::{Server, server::TcpIncoming},
};
use tonic_types::StatusExt;

/// Nothing here takes longer, whatever the machine does besides.
const SOON: Duration = Duration::from_secs(20);

/// A method of each service, and each kind of method.
const METHODS: [&str; 6] = [
    "/backgammon.v1.MatchService/GetMatch",
    "/backgammon.v1.MatchService/WatchMatch",
    "/backgammon.v1.PlayService/SubmitMove",
    "/backgammon.v1.RulesService/ApplyMove",
    "/backgammon.v1.OperatorService/VerifyMatch",
    "/backgammon.v1.OperatorService/ExportMatches",
];

const GET: &str = METHODS[0];
const WATCH: &str = METHODS[1];
const LIST_EVENTS: &str = "/backgammon.v1.MatchService/ListMatchEvents";

/// What stands in requests and must not stand in answers.
const SECRET: &str = "hunter2";

/// Code, reason and metadata of an answer, which repeats nothing and is in the domain.
fn told(answer: &RawAnswer) -> (Code, String, Vec<(String, String)>) {
    let status = answer.status.as_ref().expect("an answer has a status");
    let info = status.get_details_error_info().unwrap_or_else(|| panic!("no reason: {status:?}"));
    assert_eq!(info.domain, "backgammon.v1");
    assert!(!status.message().is_empty());
    assert!(!format!("{answer:?}").contains(SECRET), "{answer:?}");
    assert!(!status.message().contains("name"), "names no fields: {status:?}");
    (status.code(), info.reason, info.metadata.into_iter().collect())
}

async fn call(raw: &Raw, path: &str, headers: &[(&str, &str)], body: &[u8]) -> RawAnswer {
    timeout(SOON, raw.call(path, headers, body)).await.expect("an answer in time")
}

fn invalid_field() -> (Code, String, Vec<(String, String)>) {
    (Code::InvalidArgument, "INVALID_FIELD".to_owned(), Vec::new())
}

fn unimplemented(feature: &str) -> (Code, String, Vec<(String, String)>) {
    let metadata = vec![("feature".to_owned(), feature.to_owned())];
    (Code::Unimplemented, "UNIMPLEMENTED".to_owned(), metadata)
}

fn deadline_exceeded() -> (Code, String, Vec<(String, String)>) {
    (Code::DeadlineExceeded, "DEADLINE_EXCEEDED".to_owned(), Vec::new())
}

/// Bodies that are not one message of any method of ours.
fn unreadable() -> Vec<(&'static str, Vec<u8>)> {
    let text = |bytes: &[u8]| [&[0x0a, u8::try_from(bytes.len()).unwrap()], bytes].concat();
    let nested = [0xa3_u8, 0x06].repeat(200);
    vec![
        ("a number where text belongs", framed(&[0x08, 0x01])),
        ("a field that ends early", framed(&[&[0x0a, 0x7f], SECRET.as_bytes()].concat())),
        ("no UTF-8", framed(&text(&[SECRET.as_bytes(), &[0xff]].concat()))),
        ("nested too deep", framed(&nested)),
        ("no message", Vec::new()),
        ("a cut header", vec![0, 0, 0]),
        ("a cut message", framed(SECRET.as_bytes())[..8].to_vec()),
        ("a compression flag that does not exist", vec![7, 0, 0, 0, 0]),
        ("compressed by nothing", vec![1, 0, 0, 0, 0]),
    ]
}

#[tokio::test]
async fn requests_that_cannot_be_read_are_the_callers_fault() {
    let service = Service::start().await;
    let raw = Raw::connect(&service.endpoint()).await;
    for path in METHODS {
        for (what, body) in unreadable() {
            let answer = call(&raw, path, &[], &body).await;
            assert_eq!(told(&answer), invalid_field(), "{path}: {what}");
            let details = answer.status.unwrap().get_error_details();
            assert_eq!(details.bad_request().unwrap().field_violations.len(), 1, "{path}: {what}");
        }
    }
}

#[tokio::test]
async fn a_request_that_is_too_large_is_told_the_limit() {
    let service = Service::start().await;
    let raw = Raw::connect(&service.endpoint()).await;
    for path in METHODS {
        let answer = call(&raw, path, &[], &framed(&vec![b'x'; MAX_REQUEST + 1])).await;
        assert_eq!(told(&answer), invalid_field(), "{path}");
        assert!(answer.status.unwrap().message().contains("65536"), "{path}");
    }
}

#[tokio::test]
async fn compressed_requests_are_not_implemented() {
    let service = Service::start().await;
    let raw = Raw::connect(&service.endpoint()).await;
    for path in METHODS {
        for encoding in ["gzip", "zstd", SECRET] {
            let answer = call(&raw, path, &[("grpc-encoding", encoding)], &framed(&[])).await;
            assert_eq!(told(&answer), unimplemented("grpc-encoding"), "{path}");
            assert_eq!(answer.headers["grpc-accept-encoding"], "identity");
        }
    }
}

#[tokio::test]
async fn what_is_not_in_the_contract_is_not_implemented() {
    let service = Service::start().await;
    let raw = Raw::connect(&service.endpoint()).await;
    let play = "/backgammon.v1.PlayService";
    for path in [format!("{play}/Cheat"), format!("{play}/"), play.to_owned(), "/chess.v1.A/B".to_owned()] {
        let answer = call(&raw, &path, &[], &framed(&[])).await;
        assert_eq!(told(&answer), unimplemented(&path));
        assert!(answer.status.unwrap().message().contains(&path));
    }
    let long = format!("{play}/{}", "x".repeat(5_000));
    assert_eq!(told(&call(&raw, &long, &[], &framed(&[])).await), unimplemented(&long[..256]));
}

/// A new match.
async fn a_match(service: &Service) -> v1::Match {
    let mut matches = MatchServiceClient::connect(service.endpoint()).await.unwrap();
    matches.create_match(new_match(rules_to(3))).await.unwrap().into_inner().r#match.unwrap()
}

/// A long poll on a match where nothing happens any more.
fn poll(seen: &v1::Match) -> Vec<u8> {
    let request = v1::ListMatchEventsRequest {
        parent: seen.name.clone(),
        after_revision: seen.revision,
        wait_for: Some(prost_types::Duration { seconds: 60, nanos: 0 }),
        ..Default::default()
    };
    framed(&request.encode_to_vec())
}

/// A stream of such a match.
fn watch(seen: &v1::Match) -> Vec<u8> {
    let (name, after_revision) = (seen.name.clone(), seen.revision);
    framed(&v1::WatchMatchRequest { name, after_revision, ..Default::default() }.encode_to_vec())
}

#[tokio::test]
async fn calls_end_when_their_callers_stop_waiting() {
    let service = Service::start().await;
    let seen = a_match(&service).await;
    let raw = Raw::connect(&service.endpoint()).await;
    let bodies = [(LIST_EVENTS, poll(&seen)), (WATCH, watch(&seen))];
    for (path, body) in bodies {
        for milliseconds in [50, 300] {
            let began = Instant::now();
            let timeout = format!("{milliseconds}m");
            let answer = call(&raw, path, &[("grpc-timeout", &timeout)], &body).await;
            let took = began.elapsed();
            assert_eq!(told(&answer), deadline_exceeded(), "{path}");
            let asked = Duration::from_millis(milliseconds);
            assert!(took > asked / 2 && took < asked + Duration::from_secs(2), "{path}: {took:?}");
        }
    }
}

#[tokio::test]
async fn the_shortest_deadlines_are_told_like_all_others() {
    let service = Service::start().await;
    let poll = poll(&a_match(&service).await);
    let raw = Raw::connect(&service.endpoint()).await;
    for shortest in ["0n", "0S", "1n", "999u", "1m", "2m", "3m", "4m", "5m"] {
        for _ in 0..10 {
            let answer = call(&raw, LIST_EVENTS, &[("grpc-timeout", shortest)], &poll).await;
            assert_eq!(told(&answer), deadline_exceeded(), "{shortest}");
        }
    }
}

#[tokio::test]
async fn a_deadline_that_cannot_be_read_is_refused() {
    let service = Service::start().await;
    let raw = Raw::connect(&service.endpoint()).await;
    for malformed in ["", "5", "S", "+5S", "5s", "1.5S", "123456789S", SECRET] {
        let answer = call(&raw, GET, &[("grpc-timeout", malformed)], &framed(&[])).await;
        assert_eq!(
            told_of_timeout(&answer),
            (Code::InvalidArgument, "INVALID_FIELD".to_owned()),
            "{malformed:?}"
        );
    }
    let far = call(&raw, GET, &[("grpc-timeout", "99999999H")], &framed(&[])).await;
    assert_eq!(told_of_timeout(&far).0, Code::InvalidArgument, "the name is missing, nothing else is wrong");
}

fn told_of_timeout(answer: &RawAnswer) -> (Code, String) {
    let status = answer.status.as_ref().unwrap();
    assert!(!format!("{answer:?}").contains(SECRET));
    (status.code(), status.get_details_error_info().unwrap().reason)
}

#[tokio::test]
async fn a_request_that_never_comes_ends_after_half_a_minute() {
    let service = Service::start().await;
    let raw = Raw::connect(&service.endpoint()).await;
    let began = Instant::now();
    let answer = timeout(Duration::from_secs(50), raw.begin(GET, &[]).await.answer()).await.unwrap();
    assert_eq!(told(&answer), deadline_exceeded());
    assert!(began.elapsed() >= Duration::from_secs(29), "{:?}", began.elapsed());
}

#[tokio::test]
async fn health_and_reflection_answer_in_their_own_words() {
    let service = Service::start().await;
    let raw = Raw::connect(&service.endpoint()).await;
    let check = "/grpc.health.v1.Health/Check";
    let answer = call(&raw, check, &[], &framed(&[])).await;
    assert_eq!((answer.status.unwrap().code(), answer.data), (Code::Ok, framed(&[0x08, 0x01])));
    let unknown = call(&raw, check, &[], &framed(b"\x0a\x01x")).await.status.unwrap();
    assert_eq!((unknown.code(), unknown.details()), (Code::NotFound, &[] as &[u8]));
}

/// A service of ours that breaks in many ways.
#[derive(Clone)]
struct Faulty;

impl NamedService for Faulty {
    const NAME: &str = "backgammon.v1.PlayService";
}

impl tower::Service<http::Request<Body>> for Faulty {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let path = request.uri().path().to_owned();
        assert!(!path.ends_with("/AtOnce"), "{SECRET}");
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(!path.ends_with("/Later"), "{SECRET}");
            tokio::time::sleep(Duration::from_millis(500)).await;
            Ok(Status::permission_denied(SECRET).into_http())
        })
    }
}

#[tokio::test]
async fn a_panic_is_an_answer_and_hurts_nobody_else() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let store = store::open("memory:").await.unwrap();
    let authority = Authority::new(store, Arc::new(SystemClock), None, None, Caller::Local);
    let gate = Gate::new(authority, AccessTable::load().unwrap(), Limits::default());
    let layers = Layers::new(Calls::new(CancellationToken::new()), gate, CallMeters::new([], []));
    let server = Server::builder().layer(layers).add_service(Faulty);
    tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));

    let raw = Raw::connect(&endpoint).await;
    let path = |method: &str| format!("/{}/{method}", Faulty::NAME);
    let beside = tokio::spawn({
        let (raw, path) = (raw.clone(), path("Slow"));
        async move { call(&raw, &path, &[], &framed(&[])).await }
    });
    for method in ["AtOnce", "Later", "AtOnce", "Later"] {
        let answer = call(&raw, &path(method), &[], &framed(&[])).await;
        let (code, reason, metadata) = told(&answer);
        assert_eq!((code, reason.as_str()), (Code::Internal, "INTERNAL"));
        assert_eq!((metadata.len(), metadata[0].0.as_str(), metadata[0].1.len()), (1, "incident", 16));
    }
    // What is said without a reason before anybody was asked is about the request.
    assert_eq!(told(&beside.await.unwrap()), invalid_field());
}
