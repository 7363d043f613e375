//! Each call is counted, timed, and has a span, from the first header to the last byte of its answer.
//!
//! What a caller did wrong is no error of ours: it is counted, and logged for those who look for it. The causes of our own
//! faults are logged where they are known.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use http::{HeaderMap, Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tonic::{Status, body::Body};
use tower::Service;
use tracing::{Instrument, Span, field::Empty};

use super::Answer;
use crate::{
    status,
    telemetry::{
        metrics::{CallMeters, CallUnderWay, Ending},
        traces,
    },
};

type Bytes = <Body as HttpBody>::Data;

/// A service whose calls are observed.
#[derive(Clone, Debug)]
pub struct Observed<S> {
    meters: CallMeters,
    inner: S,
}

impl<S> Observed<S> {
    pub(super) const fn new(meters: CallMeters, inner: S) -> Self {
        Self { meters, inner }
    }
}

impl<S> Service<Request<Body>> for Observed<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Answer {
        let call = Call::begin(&self.meters, &request);
        let span = call.span.clone();
        let answer = span.in_scope(|| self.inner.call(request));
        let answer = async move {
            let response = answer.await?;
            Ok(match ending(response.headers()) {
                Some(told) => {
                    call.end(told);
                    response
                }
                None => response.map(|body| Body::new(Leaving { body, call: Some(call) })),
            })
        };
        Box::pin(answer.instrument(span))
    }
}

/// A call that is under way.
struct Call {
    metered: CallUnderWay,
    span: Span,
}

/// How a call ended.
struct Told {
    ending: Ending,
    is_fault: bool,
}

impl Call {
    fn begin(meters: &CallMeters, request: &Request<Body>) -> Self {
        let metered = meters.begin(request.uri().path());
        let span = tracing::info_span!(
            "call",
            otel.kind = "server",
            otel.name = metered.method(),
            otel.status_code = Empty,
            trace_id = Empty,
            request_id = Empty,
            code = Empty,
            reason = Empty,
            rule = Empty,
        );
        traces::go_on(&span, request.headers());
        Self { metered, span }
    }

    fn end(self, Told { ending, is_fault }: Told) {
        if let Some(refused) = &ending.refused {
            self.span.record("code", ending.code);
            self.span.record("reason", refused.reason.as_str());
            self.span.record("rule", refused.rule.as_deref());
            tracing::debug!(parent: &self.span, "the call failed");
        }
        if is_fault {
            self.span.record("otel.status_code", "ERROR");
        }
        self.metered.end(ending);
    }
}

/// How a call ended, if headers or trailers say it.
fn ending(headers: &HeaderMap) -> Option<Told> {
    if headers.get("grpc-status")?.as_bytes() == b"0" {
        return Some(Told { ending: Ending::ok(), is_fault: false });
    }
    let status = Status::from_header_map(headers)?;
    Some(Told { ending: status::ending(&status), is_fault: status::is_fault(status.code()) })
}

/// An answer that leaves.
struct Leaving {
    body: Body,
    /// `None` once it has ended.
    call: Option<Call>,
}

impl HttpBody for Leaving {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(told) = frame.trailers_ref().and_then(ending)
            && let Some(call) = self.call.take()
        {
            call.end(told);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
