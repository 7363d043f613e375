//! Every failure says its reason, as `error.proto` promises.
//!
//! Our services say it themselves. What is answered before they are asked (a request that cannot be read, a method
//! that nobody has) comes with a bare code, sometimes the wrong one, and with a message that repeats what the
//! caller wrote. It is answered anew here.

use std::{
    convert::Infallible,
    task::{Context, Poll},
};

use http::{HeaderMap, Request, Response, header::HeaderName};
use http_body::{Body as HttpBody, Frame};
use http_body_util::BodyExt;
use tonic::{Code, Status, body::Body};
use tower::Service;

use super::Answer;
use crate::status;

const STATUS: HeaderName = HeaderName::from_static("grpc-status");
const DETAILS: HeaderName = HeaderName::from_static("grpc-status-details-bin");

/// Comes with the answer to a request whose compression is not understood.
const ACCEPTED: HeaderName = HeaderName::from_static("grpc-accept-encoding");

type Bytes = <Body as HttpBody>::Data;

/// A service whose failures all say their reason.
#[derive(Clone, Debug)]
pub struct Detailed<S> {
    inner: S,
}

impl<S> Detailed<S> {
    pub(super) const fn new(inner: S) -> Self {
        Self { inner }
    }
}

impl<S, B> Service<Request<Body>> for Detailed<S>
where
    S: Service<Request<Body>, Response = Response<B>, Error = Infallible>,
    S::Future: Send + 'static,
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Answer {
        let uri = request.uri().clone();
        let answer = self.inner.call(request);
        Box::pin(async move {
            let mut response = answer.await?.map(|body| Body::new(body.map_frame(detailed)));
            if let Some(bare) = bare(response.headers()) {
                tracing::debug!(path = uri.path(), "a request was not taken: {bare}");
                super::put(&never_asked(&bare, uri.path()), response.headers_mut());
            }
            Ok(response)
        })
    }
}

/// The failure that headers or trailers tell without its reason.
fn bare(headers: &HeaderMap) -> Option<Status> {
    if !headers.contains_key(STATUS) || headers.contains_key(DETAILS) {
        return None;
    }
    Status::from_header_map(headers).filter(|status| status.code() != Code::Ok)
}

/// The answer to a request that no service of ours was asked for: it is the request that is wrong.
fn never_asked(bare: &Status, path: &str) -> Status {
    match bare.code() {
        Code::Unimplemented if bare.metadata().contains_key(ACCEPTED.as_str()) => status::compressed(),
        Code::Unimplemented => status::unknown_method(path),
        Code::OutOfRange => status::too_large(super::sizes::limit(path)),
        _ => status::unreadable(),
    }
}

/// A frame of an answer. What fails without a reason after the answer has begun is our fault.
fn detailed(frame: Frame<Bytes>) -> Frame<Bytes> {
    match frame.into_trailers() {
        Ok(mut trailers) => {
            if let Some(bare) = bare(&trailers) {
                super::put(&status::internal(&bare.to_string()), &mut trailers);
            }
            Frame::trailers(trailers)
        }
        Err(frame) => frame,
    }
}

#[cfg(test)]
mod tests {
    use tonic_types::StatusExt;

    use super::*;

    #[test]
    fn what_succeeds_or_says_its_reason_is_left_alone() {
        assert!(bare(&HeaderMap::new()).is_none());
        assert!(bare(&super::super::trailers(&Status::ok(""))).is_none());
        assert!(bare(&super::super::trailers(&status::unreadable())).is_none());
        assert!(bare(&super::super::trailers(&Status::cancelled("enough"))).is_some());
    }

    #[test]
    fn a_stream_that_fails_without_a_reason_is_our_fault() {
        let frame = detailed(Frame::trailers(super::super::trailers(&Status::out_of_range("secret"))));
        let status = Status::from_header_map(frame.trailers_ref().unwrap()).unwrap();
        assert_eq!(status.code(), Code::Internal);
        assert!(!status.message().contains("secret"));
        assert_eq!(status.get_details_error_info().unwrap().reason, "INTERNAL");
    }
}
