//! Pages of browsers: gRPC-Web as it goes over the wire, without a library for it; and who may not.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use chaquete_proto::v1::{
    CreateMatchRequest, CreateMatchResponse, GetMatchRequest, ListMatchesRequest, WatchMatchRequest,
    WatchMatchResponse, watch_match_response::Message as Watched,
};
use chaquete_server::config::{AccessConfig, Config};
use chaquete_tests::{Service, new_match, rules_to};
use http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode, header};
use prost::Message;
use tokio::task::spawn_blocking;
use tonic::{Code, Status};
use tonic_types::StatusExt;
use ureq::{Agent, Body};

const ORIGIN: &str = "https://play.example.com";

/// A server that pages from there may call.
async fn service() -> Service {
    let access = AccessConfig { web_origins: vec![ORIGIN.parse().unwrap()], ..AccessConfig::default() };
    Service::start_with(Config { store: "memory:".to_owned(), access, ..Config::default() }).await
}

/// A page in a browser.
#[derive(Clone)]
struct Page {
    agent: Agent,
    /// Host and port.
    server: String,
    origin: &'static str,
}

/// What came of a call.
struct Answer {
    http: StatusCode,
    headers: HeaderMap,
    /// The frames of the body: what they are, and what is in them.
    frames: Vec<(u8, Vec<u8>)>,
}

impl Page {
    fn new(service: &Service, origin: &'static str) -> Self {
        let agent = Agent::config_builder().http_status_as_error(false).build().into();
        Self { agent, server: service.endpoint().trim_start_matches("http://").to_owned(), origin }
    }

    fn request(&self, verb: &str, method: &str) -> http::request::Builder {
        let url = format!("http://{}/backgammon.v1.{method}", self.server);
        Request::builder().method(verb).uri(url).header(header::ORIGIN, self.origin)
    }

    /// The answer to a message, as soon as it begins.
    fn post(&self, method: &str, kind: &str, message: &impl Message) -> http::Response<Body> {
        let request =
            self.request("POST", method).header(header::CONTENT_TYPE, kind).header("x-grpc-web", "1");
        self.agent.run(request.body(framed(message)).unwrap()).unwrap()
    }

    async fn call(&self, method: &'static str, message: impl Message + 'static) -> Answer {
        let this = self.clone();
        spawn_blocking(move || {
            let answer = this.post(method, "application/grpc-web+proto", &message);
            let (head, mut body) = answer.into_parts();
            let frames = frames(&body.read_to_vec().unwrap());
            Answer { http: head.status, headers: head.headers, frames }
        })
        .await
        .unwrap()
    }

    /// What a browser asks before it lets the page call.
    async fn ask(&self) -> http::Response<Body> {
        let request = self
            .request("OPTIONS", "MatchService/CreateMatch")
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST")
            .header(header::ACCESS_CONTROL_REQUEST_HEADERS, "authorization,content-type,x-grpc-web");
        let (agent, request) = (self.agent.clone(), request.body(()).unwrap());
        spawn_blocking(move || agent.run(request).unwrap()).await.unwrap()
    }
}

impl Answer {
    fn message<M: Message + Default>(&self) -> M {
        let (kind, bytes) = &self.frames[0];
        assert_eq!(*kind, 0, "a message comes first");
        M::decode(&**bytes).unwrap()
    }

    /// How the call has ended: as headers say, or the last frame.
    fn status(&self) -> Status {
        let in_headers = Status::from_header_map(&self.headers);
        in_headers.or_else(|| Status::from_header_map(&trailers(&self.frames.last()?.1))).unwrap()
    }
}

fn framed(message: &impl Message) -> Vec<u8> {
    let bytes = message.encode_to_vec();
    [&[0][..], &(bytes.len() as u32).to_be_bytes(), &bytes].concat()
}

fn frames(mut bytes: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut frames = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<5>() {
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        frames.push((head[0], rest[..length].to_vec()));
        bytes = &rest[length..];
    }
    assert!(bytes.is_empty(), "half a frame");
    frames
}

fn trailers(text: &[u8]) -> HeaderMap {
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.parse::<HeaderName>().ok()?, value.trim().parse::<HeaderValue>().ok()?))
    };
    str::from_utf8(text).unwrap().split("\r\n").filter_map(header).collect()
}

/// What a server says to a plain request of HTTP/1.
async fn raw(server: &str) -> String {
    let server = server.to_owned();
    spawn_blocking(move || {
        let mut connection = TcpStream::connect(&server).unwrap();
        let request = format!(
            "GET /backgammon.v1.MatchService/GetMatch HTTP/1.1\r\nhost: {server}\r\nconnection: close\r\n\r\n"
        );
        connection.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // A reset is an answer, too.
        let _cut_off = connection.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    })
    .await
    .unwrap()
}

fn new() -> CreateMatchRequest {
    new_match(rules_to(3))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_may_ask_and_call_and_read_why_not() {
    let service = service().await;
    let page = Page::new(&service, ORIGIN);
    let asked = page.ask().await;
    let said = |name: &str| asked.headers()[name].to_str().unwrap().to_ascii_lowercase();
    assert_eq!((asked.status(), &*said("access-control-allow-origin")), (StatusCode::OK, ORIGIN));
    assert_eq!(said("access-control-allow-methods"), "post");
    for header in ["authorization", "content-type", "x-grpc-web", "grpc-timeout"] {
        assert!(said("access-control-allow-headers").contains(header), "{header}");
    }

    let made = page.call("MatchService/CreateMatch", new()).await;
    assert_eq!((made.http, made.status().code()), (StatusCode::OK, Code::Ok));
    assert_eq!(made.headers["access-control-allow-origin"], ORIGIN);
    assert_eq!(made.headers["content-type"], "application/grpc-web+proto");
    let name = made.message::<CreateMatchResponse>().r#match.unwrap().name;

    // It is the same match for whoever calls over HTTP/2.
    let client = service.client().await;
    let seen = client.get_match(GetMatchRequest { name: name.clone(), ..GetMatchRequest::default() });
    assert_eq!(seen.await.unwrap().r#match.unwrap().name, name);

    let missing =
        GetMatchRequest { name: "tenants/default/matches/missing".to_owned(), ..GetMatchRequest::default() };
    let refused = page.call("MatchService/GetMatch", missing).await;
    let readable = refused.headers["access-control-expose-headers"].to_str().unwrap().to_owned();
    for header in ["grpc-status", "grpc-message", "grpc-status-details-bin"] {
        assert!(readable.contains(header), "{header}");
    }
    let reason = refused.status().get_details_error_info().unwrap().reason;
    assert_eq!((refused.status().code(), &*reason), (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_from_elsewhere_changes_nothing() {
    let service = service().await;
    // The second has made the server's address its own: its browser asks nobody.
    for origin in ["https://evil.example.com", "http://play.example.com", "null"] {
        let page = Page::new(&service, origin);
        let asked = page.ask().await;
        assert_eq!(asked.status(), StatusCode::FORBIDDEN);
        assert!(!asked.headers().contains_key("access-control-allow-origin"), "{origin}");
        let refused = page.call("MatchService/CreateMatch", new()).await;
        assert_eq!((refused.http, refused.frames.len()), (StatusCode::FORBIDDEN, 0));
    }
    let list = ListMatchesRequest { parent: "tenants/default".to_owned(), ..ListMatchesRequest::default() };
    assert_eq!(service.client().await.list_matches(list).await.unwrap().matches, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_call_of_a_page_is_refused() {
    let service = service().await;
    let page = Page::new(&service, ORIGIN);
    // What forms can send without asking first.
    let posted = {
        let page = page.clone();
        spawn_blocking(move || page.post("MatchService/CreateMatch", "text/plain", &new()))
    };
    assert_eq!(posted.await.unwrap().status(), StatusCode::BAD_REQUEST);
    let got = raw(&page.server).await;
    assert!(got.starts_with("HTTP/1.1 400 "), "{got}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_watches() {
    let service = service().await;
    let page = Page::new(&service, ORIGIN);
    let made = page.call("MatchService/CreateMatch", new()).await;
    let name = made.message::<CreateMatchResponse>().r#match.unwrap().name;
    let watched = spawn_blocking(move || {
        let watch = WatchMatchRequest { name, snapshot: true, ..WatchMatchRequest::default() };
        let answer = page.post("MatchService/WatchMatch", "application/grpc-web+proto", &watch);
        // Only the first frame: the stream goes on.
        let mut body = answer.into_body().into_reader();
        let mut head = [0; 5];
        body.read_exact(&mut head).unwrap();
        let mut message = vec![0; u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize];
        body.read_exact(&mut message).unwrap();
        WatchMatchResponse::decode(&*message).unwrap()
    });
    let first =
        tokio::time::timeout(Duration::from_secs(10), watched).await.expect("it comes at once").unwrap();
    assert!(matches!(first.message, Some(Watched::Snapshot(_))));
}

#[tokio::test]
async fn where_no_page_may_call_only_http2_is_spoken() {
    let service = Service::start().await;
    let answer = raw(service.endpoint().trim_start_matches("http://")).await;
    assert!(!answer.starts_with("HTTP/1"), "{answer}");
}
