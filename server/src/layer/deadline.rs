//! Calls end when their callers stop waiting.
//!
//! tonic has a clock of its own for `grpc-timeout`, but it answers `CANCELLED`, says no reason, and lets streams
//! go on. So this one rings a little earlier. Commands run in tasks of their own: what is under way when the clock
//! rings is finished, and the caller repeats the call to learn how it went.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use http::{HeaderMap, Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::Sleep;
use tonic::{Status, body::Body};
use tower::Service;

use super::Answer;
use crate::status;

/// How long an answer may take to begin if the caller does not say how long it waits. Streams begin at once, so
/// it is no limit for them.
const DEFAULT: Duration = Duration::from_secs(30);

/// The same for the one method whose callers may want to wait, up to 60 seconds.
const LONG_POLL: (&str, Duration) = ("/backgammon.v1.MatchService/ListMatchEvents", Duration::from_secs(90));

/// How much earlier than the caller's clock ours rings, at least and at most: the answer has to travel, and the
/// outer clock must not be first.
const EARLIER: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(10));

type Bytes = <Body as HttpBody>::Data;

/// A service whose calls end in time.
#[derive(Clone, Debug)]
pub struct Timed<S> {
    inner: S,
}

impl<S> Timed<S> {
    pub(super) const fn new(inner: S) -> Self {
        Self { inner }
    }
}

impl<S> Service<Request<Body>> for Timed<S>
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
        let Ok(asked) = read(request.headers()) else {
            return Box::pin(super::at_once(status::malformed_timeout()));
        };
        let limit = asked.map_or_else(|| default(request.uri().path()), earlier);
        if limit.is_zero() {
            return Box::pin(super::at_once(status::deadline_exceeded()));
        }
        let mut clock = Box::pin(tokio::time::sleep(limit));
        let answer = self.inner.call(request);
        Box::pin(async move {
            let response = tokio::select! {
                biased;
                answer = answer => answer?,
                () = &mut clock => return Ok(status::deadline_exceeded().into_http()),
            };
            Ok(match asked {
                Some(_) => response.map(|body| Body::new(Bounded { body, clock: Some(clock) })),
                None => response,
            })
        })
    }
}

/// How long a call of this method may take if its caller does not say.
fn default(path: &str) -> Duration {
    if path == LONG_POLL.0 { LONG_POLL.1 } else { DEFAULT }
}

/// When our clock has to ring.
fn earlier(asked: Duration) -> Duration {
    asked.saturating_sub((asked / 10).clamp(EARLIER.0, EARLIER.1))
}

/// `grpc-timeout` does not say how long the caller waits.
#[derive(Debug, PartialEq, Eq)]
struct Malformed;

/// How long the caller waits, if it says so: up to eight digits and a unit. Zero is not in the specification, but
/// what some clients send when their time is up already.
fn read(headers: &HeaderMap) -> Result<Option<Duration>, Malformed> {
    let mut values = headers.get_all("grpc-timeout").iter();
    let Some(value) = values.next() else { return Ok(None) };
    let (unit, digits) = value.as_bytes().split_last().ok_or(Malformed)?;
    if values.next().is_some() || !(1..=8).contains(&digits.len()) {
        return Err(Malformed);
    }
    let number = digits.iter().try_fold(0, |number, digit| {
        if digit.is_ascii_digit() { Ok(number * 10 + u64::from(digit - b'0')) } else { Err(Malformed) }
    })?;
    Ok(Some(match unit {
        b'H' => Duration::from_secs(number * 3_600),
        b'M' => Duration::from_secs(number * 60),
        b'S' => Duration::from_secs(number),
        b'm' => Duration::from_millis(number),
        b'u' => Duration::from_micros(number),
        b'n' => Duration::from_nanos(number),
        _ => return Err(Malformed),
    }))
}

/// An answer that ends in time.
struct Bounded {
    body: Body,
    /// `None` once it has rung.
    clock: Option<Pin<Box<Sleep>>>,
}

impl HttpBody for Bounded {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Self { body, clock } = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut *body).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        let Some(ringing) = clock else { return Poll::Ready(None) };
        ready!(ringing.as_mut().poll(cx));
        // Whoever fills the stream learns that nobody listens any more.
        (*body, *clock) = (Body::empty(), None);
        Poll::Ready(Some(Ok(Frame::trailers(super::trailers(&status::deadline_exceeded())))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream() && self.clock.is_some()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&'static str]) -> Result<Option<Duration>, Malformed> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("grpc-timeout", http::HeaderValue::from_static(value));
        }
        read(&headers)
    }

    #[test]
    fn every_unit_is_read() {
        let expected = [
            ("2H", Duration::from_secs(7_200)),
            ("3M", Duration::from_secs(180)),
            ("99999999S", Duration::from_secs(99_999_999)),
            ("250m", Duration::from_millis(250)),
            ("00000007u", Duration::from_micros(7)),
            ("0n", Duration::ZERO),
            ("99999999H", Duration::from_secs(359_999_996_400)),
        ];
        for (text, duration) in expected {
            assert_eq!(of(&[text]), Ok(Some(duration)), "{text}");
        }
        assert_eq!(of(&[]), Ok(None));
    }

    #[test]
    fn nothing_else_is_read() {
        for text in ["", "S", "5", "+5S", "-1S", "1.5S", "5 S", " 5S", "123456789n", "5s", "5SS", "0x5S"] {
            assert_eq!(of(&[text]), Err(Malformed), "{text:?}");
        }
        assert_eq!(of(&["5S", "6S"]), Err(Malformed));
    }

    #[test]
    fn our_clock_is_ahead_of_the_callers_by_a_little() {
        let expected = [(0, 0), (2, 0), (3, 1), (20, 18), (50, 45), (100, 90), (60_000, 59_990)];
        for (asked, limit) in expected {
            assert_eq!(earlier(Duration::from_millis(asked)), Duration::from_millis(limit), "{asked}");
        }
    }
}
