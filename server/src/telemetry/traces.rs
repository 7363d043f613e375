//! Traces: the span of each call, sent to a collector (OTLP over gRPC), as part of the trace that its caller has begun.

use std::time::Duration;

use http::HeaderMap;
use opentelemetry::{
    propagation::{Extractor, TextMapPropagator},
    trace::{TraceContextExt, TracerProvider},
};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig};
use opentelemetry_sdk::{Resource, propagation::TraceContextPropagator, trace::SdkTracerProvider};
use tracing::{Level, Span, Subscriber, field::display};
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt};
use tracing_subscriber::{Layer, filter::Targets, registry::LookupSpan};
use uuid::Uuid;

/// Where the trace that a call belongs to is told (W3C Trace Context).
const TRACEPARENT: &str = "traceparent";

/// How long the last spans may take to be sent.
const LAST: Duration = Duration::from_secs(5);

/// The traces cannot be sent anywhere.
#[derive(Debug, thiserror::Error)]
#[error("traces cannot be sent: {0}")]
pub struct NoTraces(#[from] ExporterBuildError);

/// Sends spans to a collector, in batches. One that is not there costs nothing but the spans.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Sends them to this collector (`http://HOST:4317`), which is reached once there is something to send. Must be called
    /// in a tokio runtime.
    ///
    /// # Errors
    /// It is no URL.
    pub fn to(endpoint: &str) -> Result<Self, NoTraces> {
        let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint).build()?;
        let resource = Resource::builder().with_service_name("chaquete-server").build();
        let provider = SdkTracerProvider::builder().with_resource(resource).with_batch_exporter(exporter);
        Ok(Self(provider.build()))
    }

    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        // What sends the spans has spans of its own, which would be sent, and so on.
        let ours = Targets::new().with_target("chaquete", Level::INFO);
        OpenTelemetryLayer::new(self.0.tracer("chaquete-server")).with_filter(ours)
    }

    /// Sends what was not sent yet.
    pub async fn end(self) {
        // It waits for tasks of this very runtime, so it must not hold up the thread that runs them.
        let ending = tokio::task::spawn_blocking(move || self.0.shutdown_with_timeout(LAST));
        if let Ok(Err(error)) = ending.await {
            tracing::warn!("the last traces were not sent: {error}");
        }
    }
}

/// Makes the span of a call part of the trace that its headers tell of, if they do.
pub(crate) fn go_on(span: &Span, headers: &HeaderMap) {
    if !headers.contains_key(TRACEPARENT) {
        return;
    }
    let context = TraceContextPropagator::new().extract(&Told(headers));
    let caller = context.span().span_context().clone();
    if caller.is_valid() {
        span.record("trace_id", display(caller.trace_id()));
        // Without a collector nobody has to know.
        let _not_traced = span.set_parent(context);
    }
}

/// Says in the span of a call which id its caller gave to what it asks for.
pub(crate) fn tell_request_id(id: Uuid) {
    Span::current().record("request_id", display(id));
}

/// Headers as the propagator reads them.
struct Told<'a>(&'a HeaderMap);

impl Extractor for Told<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}
