//! How streams end.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::status::{self, Error};

/// How long the caller of a stream may leave unread what waits for it before it is cut off.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Why a stream ends.
pub(super) enum Leave {
    /// All was said.
    Ended,
    /// The caller is gone.
    Gone,
    /// Something went wrong.
    Because(Status),
}

impl<E: Into<Error>> From<E> for Leave {
    fn from(error: E) -> Self {
        Self::Because(error.into().into())
    }
}

/// Fills a stream until all is said, unless the server goes down or the caller does before.
pub(super) async fn fill<T>(
    shutdown: CancellationToken,
    sender: mpsc::Sender<T>,
    work: impl Future<Output = Result<(), Leave>>,
) -> Leave {
    tokio::select! {
        biased;
        () = shutdown.cancelled() => Error::Draining.into(),
        () = sender.closed() => Leave::Gone,
        done = work => done.err().unwrap_or(Leave::Ended),
    }
}

/// The last word of a stream. It is said even if the task that fills the stream panics: a stream that just ends
/// would look as if all had been said.
pub(super) struct Farewell<T> {
    place: Option<mpsc::OwnedPermit<Result<T, Status>>>,
}

impl<T> Farewell<T> {
    /// Keeps a place for it in the stream.
    pub(super) fn keep(sender: &mpsc::Sender<Result<T, Status>>) -> Self {
        Self { place: sender.clone().try_reserve_owned().ok() }
    }

    pub(super) fn say(mut self, leave: Leave) {
        let place = self.place.take();
        if let (Some(place), Leave::Because(status)) = (place, leave) {
            place.send(Err(status));
        }
    }
}

impl<T> Drop for Farewell<T> {
    fn drop(&mut self) {
        if let Some(place) = self.place.take() {
            place.send(Err(status::internal("a stream stopped without a word")));
        }
    }
}
