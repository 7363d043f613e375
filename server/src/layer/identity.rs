//! Who calls is known before a service is asked, and who may not call does not get that far.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use chaquete_proto::access::{AccessTable, Method, Streaming};
use http::{HeaderMap, Request, header::AUTHORIZATION};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::sleep;
use tokio_util::sync::{CancellationToken, DropGuard, WaitForCancellationFutureOwned};
use tonic::{Status, body::Body};
use tower::Service;

use super::Answer;
use crate::{
    access::{Authority, Caller, Peer, Shown, Unknown},
    execute::Failure,
    status::Error,
    store::KeyHash,
};

/// How often it is looked whether the credentials of a stream still count.
const RECHECK: Duration = Duration::from_secs(5);

type Bytes = <Body as HttpBody>::Data;

/// Lets in whom the contract lets call.
#[derive(Clone)]
pub struct Gate {
    authority: Authority,
    access: Arc<AccessTable>,
}

impl Gate {
    /// The gate to these methods.
    #[must_use]
    pub fn new(authority: Authority, access: AccessTable) -> Self {
        Self { authority, access: Arc::new(access) }
    }

    /// Who has sent a request, if that one may call this method.
    async fn admit(&self, method: &Method, credentials: &Credentials) -> Result<Arc<Caller>, Error> {
        let caller = match self.authority.identify(credentials.shown()).await {
            Ok(known) => known.caller,
            Err(Unknown::Refused(why)) => {
                tracing::debug!(method = method.path, "credentials were refused: {why}");
                return Err(Error::InvalidCredentials);
            }
            Err(Unknown::NoTokenKey) => return Err(Error::InvalidCredentials),
            Err(Unknown::Unavailable(error)) => return Err(Failure::from(error).into()),
        };
        match &*caller {
            caller if caller.may_call(method) => {}
            Caller::Anonymous => return Err(Error::InvalidCredentials),
            caller => {
                let method = method.path.replace("/backgammon.v1.", "").replace('/', ".");
                return Err(Error::AccessDenied { method, role: caller.role() });
            }
        }
        Ok(caller)
    }
}

/// What came with a call.
#[derive(Clone, Debug)]
struct Credentials {
    bearer: Option<String>,
    certificate: Option<KeyHash>,
}

impl Credentials {
    /// What came with a request. Something that is no `Bearer` credential is nothing that we could take for one.
    fn of(request: &Request<Body>) -> Result<Self, Error> {
        let certificate = request.extensions().get::<Peer>().and_then(|peer| peer.certificate);
        Ok(Self { bearer: bearer(request.headers())?, certificate })
    }

    fn shown(&self) -> Shown<'_> {
        Shown { bearer: self.bearer.as_deref(), certificate: self.certificate }
    }

    fn is_nothing(&self) -> bool {
        self.bearer.is_none() && self.certificate.is_none()
    }
}

fn bearer(headers: &HeaderMap) -> Result<Option<String>, Error> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().map_err(|_| Error::InvalidCredentials)?;
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && values.next().is_none() => {
            Ok(Some(token.trim().to_owned()))
        }
        _ => Err(Error::InvalidCredentials),
    }
}

/// A service that only those ask who may.
#[derive(Clone)]
pub struct Identified<S> {
    gate: Gate,
    inner: S,
}

impl<S> Identified<S> {
    pub(super) const fn new(gate: Gate, inner: S) -> Self {
        Self { gate, inner }
    }
}

impl<S> Service<Request<Body>> for Identified<S>
where
    S: Service<Request<Body>, Response = http::Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Answer {
        // The one that is ready now is called later.
        let later = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, later);
        let gate = self.gate.clone();
        Box::pin(async move {
            // Nobody has such a method; whoever says so says it to all.
            let Some(method) = gate.access.get(request.uri().path()) else {
                return inner.call(request).await;
            };
            let admitted = match Credentials::of(&request) {
                Ok(credentials) => gate.admit(method, &credentials).await.map(|caller| (credentials, caller)),
                Err(error) => Err(error),
            };
            let (credentials, caller) = match admitted {
                Ok(admitted) => admitted,
                Err(error) => return Ok(Status::from(error).into_http()),
            };
            request.extensions_mut().insert(caller);
            let answer = inner.call(request).await?;
            Ok(match method.streaming {
                Streaming::Unary => answer,
                _ if credentials.is_nothing() => answer,
                _ => answer.map(|body| Body::new(WhileKnown::new(body, gate.clone(), credentials))),
            })
        })
    }
}

/// A stream that ends when its caller's credentials do not count any more.
struct WhileKnown {
    body: Body,
    refused: Pin<Box<WaitForCancellationFutureOwned>>,
    /// Whether it has ended so.
    has_ended: bool,
    _checks: DropGuard,
}

impl WhileKnown {
    fn new(body: Body, gate: Gate, credentials: Credentials) -> Self {
        let (refused, gone) = (CancellationToken::new(), CancellationToken::new());
        let told = Box::pin(refused.clone().cancelled_owned());
        let check = async move {
            loop {
                sleep(RECHECK).await;
                // Who cannot be looked up now is let go on.
                if let Err(Unknown::Refused(_)) = gate.authority.identify(credentials.shown()).await {
                    return refused.cancel();
                }
            }
        };
        tokio::spawn(gone.clone().run_until_cancelled_owned(check));
        Self { body, refused: told, has_ended: false, _checks: gone.drop_guard() }
    }
}

impl HttpBody for WhileKnown {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if self.has_ended {
            return Poll::Ready(None);
        }
        if self.refused.as_mut().poll(cx).is_pending() {
            return Pin::new(&mut self.body).poll_frame(cx);
        }
        // Whoever fills the stream learns that nobody listens any more.
        (self.body, self.has_ended) = (Body::empty(), true);
        Poll::Ready(Some(Ok(Frame::trailers(super::trailers(&Error::InvalidCredentials.into())))))
    }

    fn is_end_stream(&self) -> bool {
        self.has_ended || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
