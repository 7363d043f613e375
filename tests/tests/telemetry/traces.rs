//! Traces go to a collector, as parts of those that callers have begun.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use chaquete_client::new_request_id;
use chaquete_proto::v1::GetMatchRequest;
use chaquete_tests::{Raw, framed, new_match, rules_to};
use opentelemetry_proto::tonic::{
    collector::trace::v1::{
        ExportTraceServiceRequest, ExportTraceServiceResponse,
        trace_service_server::{TraceService, TraceServiceServer},
    },
    common::v1::any_value::Value,
    trace::v1::{Span, span::SpanKind, status::StatusCode},
};
use prost::Message;
use tokio::{net::TcpListener, time::timeout};
use tonic::{
    Request, Response, Status,
    transport::{Server, server::TcpIncoming},
};

use crate::program::Program;

const SOON: Duration = Duration::from_secs(30);

/// A trace that a caller has begun, and the span in it that the call belongs to.
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// A collector that keeps what it is sent.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Span>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let resources = request.into_inner().resource_spans.into_iter();
        let spans = resources.flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans);
        self.0.lock().unwrap().extend(spans);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    async fn start() -> (Self, String) {
        let collector = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let server = Server::builder().add_service(TraceServiceServer::new(collector.clone()));
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        (collector, endpoint)
    }

    fn spans(&self) -> Vec<Span> {
        self.0.lock().unwrap().clone()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a span says under a key.
fn said<'a>(span: &'a Span, key: &str) -> Option<&'a str> {
    let value = span.attributes.iter().find(|attribute| attribute.key == key)?.value.as_ref()?;
    match value.value.as_ref()? {
        Value::StringValue(text) => Some(text),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_trace_of_a_caller_goes_on() {
    let (collector, endpoint) = Collector::start().await;
    let arguments = ["--store", "memory:", "--log-format", "json", "--otlp-endpoint", &endpoint];
    let program = Program::start(&arguments, &[("RUST_LOG", "chaquete_server=debug")]);
    let raw = Raw::connect(&program.endpoint()).await;
    let traceparent = format!("00-{TRACE}-{PARENT}-01");
    let request_id = new_request_id();
    let mut new = new_match(rules_to(1));
    new.request_id.clone_from(&request_id);
    let headers = [("traceparent", traceparent.as_str())];
    let create = "/backgammon.v1.MatchService/CreateMatch";
    raw.call(create, &headers, &framed(&new.encode_to_vec())).await;
    let get = "/backgammon.v1.MatchService/GetMatch";
    let bad = framed(&GetMatchRequest::default().encode_to_vec());
    raw.call(get, &headers, &bad).await;
    // Of nobody's trace, and of one that cannot be read.
    raw.call(get, &[], &bad).await;
    raw.call(get, &[("traceparent", "00-nonsense")], &bad).await;
    let lines = program.stop();
    assert!(lines.contains(&format!(r#""trace_id":"{TRACE}""#)), "{lines}");

    let spans = collector.spans();
    let methods: Vec<_> = spans.iter().map(|span| span.name.as_str()).collect();
    assert_eq!(methods, ["CreateMatch", "GetMatch", "GetMatch", "GetMatch"], "all were sent at the end");
    for span in &spans[..2] {
        assert_eq!((hex(&span.trace_id), hex(&span.parent_span_id)), (TRACE.to_owned(), PARENT.to_owned()));
    }
    for span in &spans[2..] {
        assert!(hex(&span.trace_id) != TRACE && span.parent_span_id.is_empty());
    }
    assert!(spans.iter().all(|span| span.kind() == SpanKind::Server));
    assert_eq!(said(&spans[0], "request_id"), Some(request_id.as_str()));
    assert_eq!(said(&spans[1], "reason"), Some("INVALID_FIELD"));
    let is_error =
        |span: &Span| span.status.as_ref().is_some_and(|status| status.code() == StatusCode::Error);
    assert!(!spans.iter().any(is_error), "mistakes of callers are no errors");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_serves_without_its_collector() {
    let arguments = ["--store", "memory:", "--otlp-endpoint", "http://127.0.0.1:1"];
    let program = Program::start(&arguments, &[("RUST_LOG", "info")]);
    let raw = Raw::connect(&program.endpoint()).await;
    let new = framed(&new_match(rules_to(1)).encode_to_vec());
    for _ in 0..100 {
        let answer = raw.call("/backgammon.v1.MatchService/CreateMatch", &[], &new).await;
        assert_eq!(answer.status.unwrap().code(), tonic::Code::Ok);
    }
    let stopping = tokio::task::spawn_blocking(|| program.stop());
    timeout(SOON, stopping).await.expect("it stops").unwrap();
}
