//! Group commit: callers hand in what they want written, one writer takes all that waits and writes it in one
//! transaction. Nothing lingers: while one transaction is made durable, the next batch gathers.
//!
//! A writer owns the engine's connection, and no caller's future ever touches it: a caller may be dropped at
//! any moment, and what it handed in is still written, or not, as a whole.

mod shares;

use std::{num::NonZeroUsize, ops::Range, time::Duration};

use fail::fail_point;
use tokio::{
    sync::{mpsc, oneshot},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{Append, MatchKey, Seen, StoreError, StoredEvent, StoredMatch, bucket};
use crate::{
    clock::{Millis, Patience, Stopwatch},
    telemetry::metrics::{Access, StoreMeters},
};

pub(super) use shares::Shares;
pub use shares::Writing;

/// How many writes may wait for a writer. Callers beyond that wait to hand theirs in, which slows them down.
const QUEUE: usize = 2 * Writing::MAX_BATCH.get();

/// How long they wait before they hear that the store cannot keep up.
const HAND_IN: Duration = Duration::from_millis(900);

/// How often a batch is tried again that failed for a reason that passes, and the pause before the first time; each
/// further pause is twice as long, 630 ms in all.
const AGAIN: (u32, Duration) = (6, Duration::from_millis(10));

/// After this time nothing is tried again: callers wait, and more of them behind these.
const LONG: Duration = Duration::from_secs(2);

/// Something to be written, as a whole or not at all.
#[derive(Clone, Debug)]
pub(super) enum Write {
    /// A new match with its first events.
    Create(Box<StoredMatch>, Vec<StoredEvent>),
    /// Events that follow those of a match.
    Append(Append),
    /// A row as the log says that it should be, if it still says what was seen.
    Mend(Box<StoredMatch>, Seen),
    /// That nothing of a match is left, if it has ended and its row still says what was seen.
    Drop(MatchKey, Seen),
    /// That a server serves at this moment.
    Beat(Millis),
}

/// What became of a write in a transaction that was committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It was written.
    Written,
    /// Nothing was written: the name or uid is taken.
    Exists,
    /// Nothing was written: the match does not have the expected revision, or is not as it was seen.
    Conflict,
}

/// Why a batch was not committed.
#[derive(Debug)]
pub(super) enum Failure {
    /// No transaction could be begun. No write is to blame, so trying a part of them would not help.
    Unreachable(StoreError),
    /// A statement failed and everything was rolled back. One write may be to blame: if the batch was only
    /// one, this is its answer.
    RolledBack(StoreError),
    /// Nothing was written, for a reason that passes: the same can be written as it is in a moment.
    Passing(StoreError),
    /// COMMIT failed, or the connection was lost: what was to be written may be there. It can be written again as it
    /// is, since what is there already overtakes it.
    Unknown(StoreError),
}

/// A database that can write a batch in one transaction.
pub(super) trait Engine: Send + 'static {
    /// Writes all of a batch, in order, in one transaction. Writes that are overtaken ([`Outcome`]) are left
    /// out; they never fail the others. After an `Err` the engine can be called again.
    fn write(&mut self, batch: &[Write]) -> impl Future<Output = Result<Vec<Outcome>, Failure>> + Send;

    /// Which writes of a batch are there.
    fn find_written(&mut self, batch: &[Write])
    -> impl Future<Output = Result<Vec<bool>, StoreError>> + Send;

    /// Closes the database properly. An engine that is dropped instead must lose nothing either.
    fn close(self) -> impl Future<Output = ()> + Send;
}

/// Where writes are handed in. When it is dropped, the writers finish what waits and close their engines.
#[derive(Debug)]
pub(super) struct GroupCommit {
    /// One a writer.
    queues: Vec<mpsc::Sender<Waiting>>,
    shares: Shares,
    stop: CancellationToken,
    writers: TaskTracker,
    meters: StoreMeters,
}

#[derive(Debug)]
struct Waiting {
    write: Write,
    answer: oneshot::Sender<Result<(), StoreError>>,
}

impl GroupCommit {
    /// Starts a writer on each of these engines, as many as there are shares, that writes so much at once. Must be
    /// called in a tokio runtime.
    pub(super) fn start<E: Engine>(
        engines: impl IntoIterator<Item = E>,
        shares: Shares,
        batch: NonZeroUsize,
    ) -> Self {
        let stop = CancellationToken::new();
        let writers = TaskTracker::new();
        let meters = StoreMeters::default();
        let start = |engine| {
            let (queue, waiting) = mpsc::channel(QUEUE);
            let (batch, stop, meters) = (batch.get(), stop.clone(), meters.clone());
            writers.spawn(Writer { engine, batch, waiting, stop, meters }.run());
            queue
        };
        let queues: Vec<_> = engines.into_iter().map(start).collect();
        debug_assert_eq!(queues.len(), shares.writers(), "every share has its writer");
        writers.close();
        Self { queues, shares, stop, writers, meters }
    }

    /// What is measured here, and what readers measure as well.
    pub(super) const fn meters(&self) -> &StoreMeters {
        &self.meters
    }

    /// How many writes wait for the next batch.
    pub(super) fn waiting(&self) -> usize {
        self.queues.iter().map(|queue| queue.max_capacity() - queue.capacity()).sum()
    }

    /// Hands a write in and waits until it is durable or refused.
    pub(super) async fn write(&self, write: Write) -> Result<(), StoreError> {
        self.hand_in(write).await.inspect_err(|error| error.note(&self.meters, Access::Write))
    }

    async fn hand_in(&self, write: Write) -> Result<(), StoreError> {
        write.check()?;
        let (answer, answered) = oneshot::channel();
        // What belongs to no match, the first writer writes as well as any other.
        let writer = write.key().map_or(0, |key| self.shares.writer_of(key.bucket));
        let handed_in = timeout(HAND_IN, self.queues[writer].send(Waiting { write, answer })).await;
        let handed_in =
            handed_in.map_err(|_| StoreError::Unavailable("too much waits to be written".to_owned()))?;
        handed_in.map_err(|_| self.ended())?;
        answered.await.map_err(|_| self.ended())?
    }

    /// Why there is no writer any more.
    fn ended(&self) -> StoreError {
        if self.stop.is_cancelled() {
            closed()
        } else {
            StoreError::Unavailable("its writer has died; only a restart helps".to_owned())
        }
    }

    /// Finishes what waits, refuses what comes, closes the engine. May be called more than once.
    pub(super) async fn close(&self) {
        self.stop.cancel();
        self.writers.wait().await;
    }
}

/// What callers hear after closing.
pub(super) fn closed() -> StoreError {
    StoreError::Unavailable("it is closed".to_owned())
}

impl Write {
    /// The match it belongs to, if it does to one.
    pub(super) fn key(&self) -> Option<MatchKey> {
        match self {
            Self::Create(new, _) => Some(new.key),
            Self::Append(append) => Some(append.key),
            Self::Drop(key, _) => Some(*key),
            Self::Mend(right, _) => Some(right.key),
            Self::Beat(_) => None,
        }
    }

    /// Its events.
    pub(super) fn events(&self) -> &[StoredEvent] {
        match self {
            Self::Create(_, events) => events,
            Self::Append(append) => &append.events,
            Self::Mend(..) | Self::Drop(..) | Self::Beat(_) => &[],
        }
    }

    /// What has become of it, once it is known whether what it says of its match was written.
    pub(super) fn outcome(&self, is_written: bool) -> Outcome {
        match self {
            Self::Create(..) | Self::Append(_) | Self::Mend(..) | Self::Drop(..) if is_written => {
                Outcome::Written
            }
            Self::Create(..) => Outcome::Exists,
            Self::Append(_) | Self::Mend(..) | Self::Drop(..) => Outcome::Conflict,
            // It belongs to no match: nobody gets in before it.
            Self::Beat(_) => Outcome::Written,
        }
    }

    /// Refuses what would leave a gap in a log, a head that is not its end, or a match where nobody looks for its
    /// name: no engine would notice.
    fn check(&self) -> Result<(), StoreError> {
        if let Self::Create(new, _) = self
            && new.key.bucket != bucket(&new.name)
        {
            return Err(StoreError::Unfit(format!("{} does not lie in bucket {}", new.name, new.key.bucket)));
        }
        let (before, head) = match self {
            Self::Create(new, _) => (0, &new.head),
            Self::Append(append) => (append.expected_revision, &append.head),
            Self::Mend(..) | Self::Drop(..) | Self::Beat(_) => return Ok(()),
        };
        let events = self.events();
        let in_order = events
            .iter()
            .zip(1..)
            .all(|(event, n)| before.checked_add(n).is_some_and(|r| r == event.revision));
        let ends_at_head =
            events.last().is_some_and(|last| (last.revision, last.hash) == (head.revision, head.hash));
        if in_order && ends_at_head {
            return Ok(());
        }
        Err(StoreError::Unfit(format!(
            "the events to be written do not lead from revision {before} to their head"
        )))
    }
}

/// The task that writes.
struct Writer<E> {
    engine: E,
    /// The most writes in one transaction.
    batch: usize,
    waiting: mpsc::Receiver<Waiting>,
    stop: CancellationToken,
    meters: StoreMeters,
}

impl<E: Engine> Writer<E> {
    async fn run(mut self) {
        let mut batch = Vec::with_capacity(self.batch);
        while self.gather(&mut batch).await {
            self.write(&mut batch).await;
        }
        self.engine.close().await;
    }

    /// Takes all that waits, at most a batch; waits if nothing does. False: nothing will come any more.
    async fn gather(&mut self, batch: &mut Vec<Waiting>) -> bool {
        tokio::select! {
            biased;
            () = self.stop.cancelled(), if !self.waiting.is_closed() => self.waiting.close(),
            taken = self.waiting.recv_many(batch, self.batch) => return taken > 0,
        }
        // Closed to new writes; those that were handed in before are still there.
        self.waiting.recv_many(batch, self.batch).await > 0
    }

    /// Writes a batch and answers every caller. A batch that fails is halved until the one to blame is alone:
    /// about 2 log n transactions for n writes, and every other write is still written.
    async fn write(&mut self, batch: &mut Vec<Waiting>) {
        let (writes, answers): (Vec<_>, Vec<_>) = batch.drain(..).map(|one| (one.write, one.answer)).unzip();
        // Parts are tried in order, so that answers can be, too; the next one is the last of this list.
        let mut parts = vec![Range { start: 0, end: writes.len() }];
        let mut answers = answers.into_iter();
        let (patience, mut again) = (Patience::of(LONG), 0);
        // Whether an attempt may have written what seems not to be written.
        let mut in_doubt = false;
        while let Some(part) = parts.pop() {
            fail_point!("gathered");
            let writing = Stopwatch::start();
            let written = self.engine.write(&writes[part.clone()]).await;
            if written.is_ok() {
                fail_point!("committed");
                self.meters.committed(part.len(), writing.elapsed());
            }
            let results = match written {
                Ok(outcomes) if in_doubt => self.resolve(&writes[part], outcomes).await,
                Ok(outcomes) => outcomes.into_iter().map(answer_to).collect(),
                Err(Failure::RolledBack(error)) if part.len() > 1 => {
                    tracing::debug!(%error, writes = part.len(), "a batch failed and is halved");
                    let middle = part.start + part.len() / 2;
                    parts.extend([middle..part.end, part.start..middle]);
                    continue;
                }
                Err(failure @ (Failure::Passing(_) | Failure::Unknown(_)))
                    if again < AGAIN.0 && !patience.is_over() =>
                {
                    tracing::debug!(?failure, writes = part.len(), "a batch is written again");
                    in_doubt |= matches!(failure, Failure::Unknown(_));
                    sleep(AGAIN.1 * 2_u32.pow(again)).await;
                    again += 1;
                    parts.push(part);
                    continue;
                }
                Err(Failure::RolledBack(error)) => {
                    // A repeated request id is the caller's affair and shows up only here.
                    if !matches!(error, StoreError::Conflict) {
                        let uid = writes[part.start].key().map(|key| tracing::field::display(key.uid));
                        tracing::error!(%error, uid, "a write failed");
                    }
                    vec![Err(error)]
                }
                Err(Failure::Unreachable(error) | Failure::Passing(error)) => {
                    tracing::error!(%error, "nothing can be written");
                    parts.clear();
                    (part.start..writes.len()).map(|_| Err(unavailable(&error))).collect()
                }
                Err(Failure::Unknown(error)) => self.read_back(&writes[part], &error).await,
            };
            for (result, answer) in results.into_iter().zip(answers.by_ref()) {
                // A caller that does not wait any more is none of our business.
                let _ = answer.send(result);
            }
        }
    }

    /// What became of writes that an earlier attempt may have written: then they were overtaken by themselves.
    async fn resolve(&mut self, writes: &[Write], outcomes: Vec<Outcome>) -> Vec<Result<(), StoreError>> {
        if outcomes.iter().all(|outcome| *outcome == Outcome::Written) {
            return outcomes.into_iter().map(answer_to).collect();
        }
        let there = self.engine.find_written(writes).await;
        let answer = |(n, outcome)| match &there {
            Ok(there) if there[n] => Ok(()),
            Err(error) if outcome != Outcome::Written => Err(unavailable(error)),
            _ => answer_to(outcome),
        };
        outcomes.into_iter().enumerate().map(answer).collect()
    }

    /// Looks what a transaction has left of which nobody knows whether it was committed.
    async fn read_back(&mut self, writes: &[Write], error: &StoreError) -> Vec<Result<(), StoreError>> {
        tracing::error!(%error, "a COMMIT failed; reading back what it left");
        match self.engine.find_written(writes).await {
            Ok(written) => written
                .into_iter()
                .map(|there| if there { Ok(()) } else { Err(unavailable(error)) })
                .collect(),
            Err(second) => {
                tracing::error!(error = %second, "cannot read back");
                writes.iter().map(|_| Err(unavailable(error))).collect()
            }
        }
    }
}

fn answer_to(outcome: Outcome) -> Result<(), StoreError> {
    match outcome {
        Outcome::Written => Ok(()),
        Outcome::Exists => Err(StoreError::Exists),
        Outcome::Conflict => Err(StoreError::Conflict),
    }
}

/// The same trouble for one of many callers.
fn unavailable(error: &StoreError) -> StoreError {
    match error {
        StoreError::Unavailable(reason) => StoreError::Unavailable(reason.clone()),
        other => StoreError::Unavailable(other.to_string()),
    }
}

#[cfg(test)]
mod tests;
