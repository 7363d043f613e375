//! What lies between the port and our services. Where pages may call, [`web`] makes gRPC of what browsers send. Then, from
//! the outside in:
//!
//! 1. [`calls`] counts the calls under way, so that a server that stops knows when it may;
//! 2. [`observe`] counts and times all calls, and opens a span for each;
//! 3. [`details`] sees to it that every failure says its reason, also where no service of ours was asked;
//! 4. a panic becomes an answer, and stays the fault of one call;
//! 5. [`deadline`] ends calls that take longer than the caller waits;
//! 6. [`identity`] lets in whom the contract lets call, and nobody too often;
//! 7. [`BySize`] lets imports alone be large.
//!
//! Services that are not of our contract (health, reflection) are left alone.

pub mod calls;
pub mod deadline;
pub mod details;
pub mod identity;
mod limits;
pub mod observe;
mod sizes;
pub mod web;

use std::{
    any::Any,
    convert::Infallible,
    future::Ready,
    pin::Pin,
    task::{Context, Poll, ready},
};

use http::{HeaderMap, Request, Response};
use tonic::{Status, body::Body};
use tower::{Layer, Service};
use tower_http::catch_panic::CatchPanic;

use self::{
    calls::{Calls, Counted},
    deadline::Timed,
    details::Detailed,
    identity::{Gate, Identified},
    observe::Observed,
};
use crate::{status, telemetry::metrics::CallMeters};

pub use sizes::{BySize, MAX_IMPORT, MAX_REQUEST};

/// The answer of a layer, when it is there.
type Answer = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// What makes an answer of a panic.
type Apology = fn(Box<dyn Any + Send>) -> Response<Body>;

/// All layers, in their order.
type House<S> = Counted<Observed<Detailed<CatchPanic<Timed<Identified<S>>, Apology>>>>;

/// Puts all layers before our services, and none before others.
#[derive(Clone)]
pub struct Layers {
    calls: Calls,
    gate: Gate,
    meters: CallMeters,
}

impl Layers {
    /// Layers that count calls here, those under way and those that have ended, and let in whom this gate does.
    #[must_use]
    pub const fn new(calls: Calls, gate: Gate, meters: CallMeters) -> Self {
        Self { calls, gate, meters }
    }
}

impl<S: Clone> Layer<S> for Layers {
    type Service = Front<S>;

    fn layer(&self, inner: S) -> Front<S> {
        let timed = Timed::new(Identified::new(self.gate.clone(), inner.clone()));
        let caught = CatchPanic::custom(timed, apologise as Apology);
        let observed = Observed::new(self.meters.clone(), Detailed::new(caught));
        Front { ours: Counted::new(self.calls.clone(), observed), others: inner }
    }
}

/// Where calls come in.
#[derive(Clone)]
pub struct Front<S> {
    ours: House<S>,
    others: S,
}

impl<S> Service<Request<Body>> for Front<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        ready!(self.ours.poll_ready(cx))?;
        self.others.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Answer {
        if is_ours(request.uri().path()) {
            self.ours.call(request)
        } else {
            Box::pin(self.others.call(request))
        }
    }
}

/// Whether we answer for this path: also for those that nobody serves.
fn is_ours(path: &str) -> bool {
    !["/grpc.health.", "/grpc.reflection."].iter().any(|other| path.starts_with(other))
}

/// The answer to a call that made its handler panic.
fn apologise(said: Box<dyn Any + Send>) -> Response<Body> {
    status::panicked(said).into_http()
}

/// A status as the last frame of an answer that has begun.
fn trailers(status: &Status) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    put(status, &mut trailers);
    trailers
}

/// Writes a status into headers or trailers.
fn put(status: &Status, headers: &mut HeaderMap) {
    // tonic escapes what a header cannot hold; if it ever did not, the bare code goes out.
    if let Err(refused) = status.add_header(headers) {
        tracing::error!("a status does not fit into headers: {refused}");
    }
}

/// An answer that is there already.
fn at_once(status: Status) -> Ready<Result<Response<Body>, Infallible>> {
    std::future::ready(Ok(status.into_http()))
}
