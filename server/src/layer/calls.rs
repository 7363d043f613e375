//! The calls under way: a server that stops waits for them, and for nothing else.
//!
//! Silent connections, and streams of health and reflection, never end by themselves; they are no reason to wait.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use http::{Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio_util::{
    sync::{CancellationToken, WaitForCancellationFutureOwned},
    task::{TaskTracker, task_tracker::TaskTrackerToken},
};
use tonic::{Status, body::Body};
use tower::Service;

use super::Answer;
use crate::status::Error;

/// How long no call must have been under way. What was answered last is still on its way to the wire then.
const LINGER: Duration = Duration::from_millis(250);

type Bytes = <Body as HttpBody>::Data;

/// The calls under way. Clones count the same calls.
#[derive(Clone, Debug)]
pub struct Calls {
    under_way: TaskTracker,
    shutdown: CancellationToken,
}

impl Calls {
    /// No calls. Requests that have not arrived when the server goes down are not waited for.
    #[must_use]
    pub fn new(shutdown: CancellationToken) -> Self {
        Self { under_way: TaskTracker::new(), shutdown }
    }

    /// Waits until no call is under way any more, and the last answers had time to leave.
    pub async fn ended(&self) {
        self.under_way.close();
        loop {
            self.under_way.wait().await;
            tokio::time::sleep(LINGER).await;
            if self.under_way.is_empty() {
                return;
            }
        }
    }
}

/// A service whose calls are counted, from the first header to the last byte of the answer.
#[derive(Clone, Debug)]
pub struct Counted<S> {
    calls: Calls,
    inner: S,
}

impl<S> Counted<S> {
    pub(super) const fn new(calls: Calls, inner: S) -> Self {
        Self { calls, inner }
    }
}

impl<S> Service<Request<Body>> for Counted<S>
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
        let under_way = self.calls.under_way.token();
        let shutdown = self.calls.shutdown.clone();
        let request = request.map(|body| Body::new(Arriving { body, shutdown, told: None }));
        let answer = self.inner.call(request);
        Box::pin(
            async move { Ok(answer.await?.map(|body| Body::new(Leaving { body, _under_way: under_way }))) },
        )
    }
}

/// A request that arrives. When the server goes down it stops waiting for the rest: nothing was done yet.
struct Arriving {
    body: Body,
    shutdown: CancellationToken,
    /// Made only if the request has to be waited for.
    told: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Self { body, shutdown, told } = &mut *self;
        if let Poll::Ready(frame) = Pin::new(body).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        let told = told.get_or_insert_with(|| Box::pin(shutdown.clone().cancelled_owned()));
        ready!(told.as_mut().poll(cx));
        Poll::Ready(Some(Err(Error::Draining.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// An answer that leaves: its call is under way until all of it is gone.
struct Leaving {
    body: Body,
    _under_way: TaskTrackerToken,
}

impl HttpBody for Leaving {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{sleep, timeout};

    use super::*;

    #[tokio::test]
    async fn calls_under_way_are_waited_for_also_those_that_come_late() {
        let calls = Calls::new(CancellationToken::new());
        let first = calls.under_way.token();
        let ended = tokio::spawn({
            let calls = calls.clone();
            async move { calls.ended().await }
        });
        sleep(2 * LINGER).await;
        assert!(!ended.is_finished(), "the first is under way");
        drop(first);
        sleep(LINGER / 2).await;
        let second = calls.under_way.token();
        sleep(2 * LINGER).await;
        assert!(!ended.is_finished(), "the second is under way");
        drop(second);
        timeout(20 * LINGER, ended).await.expect("none is under way").unwrap();
    }
}
