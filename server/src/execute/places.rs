//! Where commands and reads are worked on: at so many places, in tasks that end before the server does.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use super::Failure;

/// How long a call may wait for its place before it hears that there is too much to do.
const TURN: Duration = Duration::from_millis(900);

/// One place of so many is left to calls by streams. Streams may ask for much at once and wait for long, since they
/// hold their callers back; calls must find a place meanwhile.
const LEFT_TO_CALLS: usize = 8;

/// The places. Clones are the same. Who comes first is served first.
#[derive(Clone)]
pub(super) struct Places {
    free: Arc<Semaphore>,
    /// Those of them that streams may have.
    for_streams: Arc<Semaphore>,
    tasks: TaskTracker,
    asked_by: Asker,
}

/// Who asks for a place.
#[derive(Clone, Copy)]
enum Asker {
    /// A call. It may be dropped, so what it asks is done in a task of its own.
    Call,
    /// A task that has been started for a stream, and is never dropped: it does itself what it asks.
    Stream,
}

impl Places {
    /// So many places, for calls.
    pub(super) fn new(count: usize) -> Self {
        let for_streams = count - count / LEFT_TO_CALLS;
        Self {
            free: Arc::new(Semaphore::new(count)),
            for_streams: Arc::new(Semaphore::new(for_streams)),
            tasks: TaskTracker::new(),
            asked_by: Asker::Call,
        }
    }

    /// The same places, for a task that was started for a stream.
    pub(super) fn of_a_stream(&self) -> Self {
        Self { asked_by: Asker::Stream, ..self.clone() }
    }

    /// Starts a task. It takes no place.
    pub(super) fn start(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }

    /// Waits for a place and works there.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<T, Failure> {
        match self.asked_by {
            Asker::Stream => {
                let _of_streams = acquire(&self.for_streams).await?;
                let _place = acquire(&self.free).await?;
                work.await
            }
            Asker::Call => {
                let place = timeout(TURN, acquire(&self.free)).await;
                let place = place.map_err(|_| Failure::Unavailable("too much is under way".to_owned()))??;
                let task = async move {
                    let done = work.await;
                    drop(place);
                    done
                };
                // What it logs is said of the call.
                let task = self.tasks.spawn(task.in_current_span());
                task.await.map_err(|panicked| Failure::Internal(panicked.to_string()))?
            }
        }
    }

    /// Waits until all tasks have ended.
    pub(super) async fn drain(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

async fn acquire(places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Failure> {
    let place = Arc::clone(places).acquire_owned().await;
    place.map_err(|closed| Failure::Unavailable(closed.to_string()))
}
