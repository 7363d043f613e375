//! Browsers: gRPC-Web, for the pages of origins that are named.
//!
//! A browser asks before its page calls another origin (CORS), and lets the page read only what the answer allows. That
//! protects nobody from a page that has made this server its own origin by a name that leads here, so whoever says that
//! it comes from an origin that was not named is refused as well.

use std::{
    convert::Infallible,
    future::Ready,
    str::FromStr,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::future::Either;
use http::{
    HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri,
    header::{ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, ORIGIN},
};
use tonic::body::Body;
use tonic_web::{GrpcWebLayer, GrpcWebService};
use tower::{Layer, Service};
use tower_http::cors::{Cors, CorsLayer};

/// How long a browser may keep in mind what is allowed; some keep nothing longer.
const REMEMBERED: Duration = Duration::from_secs(2 * 60 * 60);

/// The headers that pages send with a call, besides those that need no leave.
const SENT: [HeaderName; 7] = [
    AUTHORIZATION,
    CONTENT_TYPE,
    ACCEPT_LANGUAGE,
    HeaderName::from_static("grpc-timeout"),
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("x-grpc-web"),
    HeaderName::from_static("x-user-agent"),
];

/// What pages may read of an answer: how the call has ended, where nothing else was answered.
const READ: [HeaderName; 3] = [
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status-details-bin"),
];

/// Where a page comes from, as browsers write it: scheme, host, and a port that is not the usual one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(HeaderValue);

impl Origin {
    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let no_origin = || {
            format!(
                "{text:?} is no origin: write what a browser does, like https://play.example.com or http://127.0.0.1:8000"
            )
        };
        let uri: Uri = text.parse().map_err(|_| no_origin())?;
        let (Some(scheme), Some(host)) = (uri.scheme_str(), uri.host()) else { return Err(no_origin()) };
        let usual = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(no_origin()),
        };
        let port = uri.port_u16().filter(|port| *port != usual).map(|port| format!(":{port}"));
        let origin = format!("{scheme}://{}{}", host.to_ascii_lowercase(), port.unwrap_or_default());
        // Nothing else may be there: no user, path or query; but what a browser would leave out may.
        let whole = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        if whole != origin && whole != format!("{origin}:{usual}") {
            return Err(no_origin());
        }
        Ok(Self(HeaderValue::from_str(&origin).map_err(|_| no_origin())?))
    }
}

/// Lets pages of these origins call, and no others.
#[derive(Clone)]
pub struct Web {
    origins: Arc<[HeaderValue]>,
}

impl Web {
    /// For these origins; `None` if there are none: nothing is translated then.
    #[must_use]
    pub fn new(origins: &[Origin]) -> Option<Self> {
        let origins: Arc<[_]> = origins.iter().map(|origin| origin.0.clone()).collect();
        (!origins.is_empty()).then_some(Self { origins })
    }

    fn cors(&self) -> CorsLayer {
        CorsLayer::new()
            .allow_origin(self.origins.to_vec())
            .allow_methods([Method::POST])
            .allow_headers(SENT)
            .expose_headers(READ)
            .max_age(REMEMBERED)
    }
}

impl<S> Layer<S> for Web {
    type Service = Known<Cors<GrpcWebService<S>>>;

    fn layer(&self, inner: S) -> Self::Service {
        let inner = self.cors().layer(GrpcWebLayer::new().layer(inner));
        Known { origins: Arc::clone(&self.origins), inner }
    }
}

/// A service that only pages of some origins reach, and whoever is no page.
#[derive(Clone)]
pub struct Known<S> {
    origins: Arc<[HeaderValue]>,
    inner: S,
}

impl<S> Service<Request<Body>> for Known<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<S::Future, Ready<Result<Response<Body>, Infallible>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let is_known = |origin| self.origins.contains(origin);
        if request.headers().get_all(ORIGIN).iter().all(is_known) {
            return Either::Left(self.inner.call(request));
        }
        let mut refused = Response::new(Body::empty());
        *refused.status_mut() = StatusCode::FORBIDDEN;
        Either::Right(std::future::ready(Ok(refused)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_what_a_browser_writes() {
        for (text, origin) in [
            ("https://play.example.com", "https://play.example.com"),
            ("https://Play.Example.com/", "https://play.example.com"),
            ("https://play.example.com:443", "https://play.example.com"),
            ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("http://[::1]:8000", "http://[::1]:8000"),
            ("http://localhost:80", "http://localhost"),
            ("https://localhost:80", "https://localhost:80"),
        ] {
            assert_eq!(text.parse::<Origin>().unwrap().as_str(), origin);
        }
        for text in [
            "",
            "*",
            "null",
            "play.example.com",
            "//play.example.com",
            "ftp://play.example.com",
            "https://",
            "https://a@play.example.com",
            "https://play.example.com/app",
            "https://play.example.com?",
            "https://*.example.com/x",
            "https://a.example.com,https://b.example.com",
            "https://a.example.com:",
            "https://a.example.com:0443",
        ] {
            assert!(text.parse::<Origin>().unwrap_err().contains("is no origin"), "{text}");
        }
    }
}
