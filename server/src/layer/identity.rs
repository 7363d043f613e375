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

use super::{
    Answer,
    limits::{Fairness, Place},
};
use crate::{
    access::{Authority, Caller, Peer, Shown, Unknown},
    config::Limits,
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
    fairness: Arc<Fairness>,
}

/// Somebody who was let in.
struct Admitted {
    caller: Arc<Caller>,
    place: Place,
}

impl Gate {
    /// The gate to these methods, with these limits.
    #[must_use]
    pub fn new(authority: Authority, access: AccessTable, limits: Limits) -> Self {
        Self { authority, access: Arc::new(access), fairness: Arc::new(Fairness::new(limits)) }
    }

    /// Who has sent a request, if that one may call this method, and not too much.
    async fn admit(
        &self,
        method: &Method,
        credentials: &Credentials,
        peer: Option<&Peer>,
    ) -> Result<Admitted, Error> {
        // Before anything is looked up.
        if !self.authority.has_seen(credentials.shown()) {
            self.fairness.stranger(peer)?;
        }
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
        let place = self.fairness.admit(&caller, method)?;
        Ok(Admitted { caller, place })
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
                Ok(credentials) => {
                    let admitted = gate.admit(method, &credentials, request.extensions().get()).await;
                    admitted.map(|admitted| (credentials, admitted))
                }
                Err(error) => Err(error),
            };
            let (credentials, Admitted { caller, place }) = match admitted {
                Ok(admitted) => admitted,
                Err(error) => return Ok(Status::from(error).into_http()),
            };
            request.extensions_mut().insert(caller);
            let answer = inner.call(request).await?;
            Ok(match method.streaming {
                // Whoever was called has answered, or is about to: the place is free.
                Streaming::Unary => answer,
                _ => {
                    let known =
                        (!credentials.is_nothing()).then(|| Recheck::start(gate.clone(), credentials));
                    answer.map(|body| Body::new(Open { body, known, _place: place }))
                }
            })
        })
    }
}

/// A stream that is open, which ends when its caller's credentials do not count any more.
struct Open {
    body: Body,
    /// `None`: nothing was shown, or it has ended so.
    known: Option<Recheck>,
    _place: Place,
}

/// Looks again and again whether somebody is still known.
struct Recheck {
    refused: Pin<Box<WaitForCancellationFutureOwned>>,
    _until_dropped: DropGuard,
}

impl Recheck {
    fn start(gate: Gate, credentials: Credentials) -> Self {
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
        Self { refused: told, _until_dropped: gone.drop_guard() }
    }
}

impl HttpBody for Open {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let is_refused = |known: &mut Recheck| known.refused.as_mut().poll(cx).is_ready();
        if !self.known.as_mut().is_some_and(is_refused) {
            return Pin::new(&mut self.body).poll_frame(cx);
        }
        // Whoever fills the stream learns that nobody listens any more.
        (self.body, self.known) = (Body::empty(), None);
        Poll::Ready(Some(Ok(Frame::trailers(super::trailers(&Error::InvalidCredentials.into())))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream() && self.known.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
