//! How large requests may be. One method takes more than the others: it brings a record.

use std::{
    convert::Infallible,
    task::{Context, Poll, ready},
};

use http::{Request, Response};
use tonic::{body::Body, server::NamedService};
use tower::Service;

use crate::wire::record::MAX_RECORD;

/// The largest request, in bytes.
pub const MAX_REQUEST: usize = 64 * 1024;

/// The largest request that brings a record, in bytes.
pub const MAX_IMPORT: usize = MAX_RECORD + MAX_REQUEST;

/// The largest request of a method, in bytes.
pub(super) fn limit(path: &str) -> usize {
    if is_import(path) { MAX_IMPORT } else { MAX_REQUEST }
}

fn is_import(path: &str) -> bool {
    path == "/backgammon.v1.MatchService/ImportMatch"
}

/// A service twice, since its limit is one for all of its methods: as it takes requests that bring a record, and as it
/// takes all others.
#[derive(Clone, Debug)]
pub struct BySize<S> {
    imports: S,
    others: S,
}

impl<S> BySize<S> {
    /// The service with the limit for imports, and with that for all else.
    pub const fn new(imports: S, others: S) -> Self {
        Self { imports, others }
    }
}

impl<S: NamedService> NamedService for BySize<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<Request<Body>> for BySize<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        ready!(self.imports.poll_ready(cx))?;
        self.others.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> S::Future {
        let service = if is_import(request.uri().path()) { &mut self.imports } else { &mut self.others };
        service.call(request)
    }
}
