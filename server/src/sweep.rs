//! Overdue clocks: matches end on time whether or not anyone looks, and time in which nobody served is given
//! back.
//!
//! Any number of servers may sweep the same store: a match that was swept has moved on, so whoever comes second
//! finds nothing overdue any more.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use chaquete_rules::Command;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::{
    clock::{Clock, Millis},
    execute::{Call, Executor, Failure},
    log::Actor,
    name::MatchName,
    store::{Store, StoredMatch, Timed},
    table::Table,
};

/// How often overdue matches are looked for.
const INTERVAL: Duration = Duration::from_secs(1);

/// A silence of all servers that is longer than this was none of the players' doing. In milliseconds.
const SILENCE: Millis = 3_000;

/// How many matches are read from the store at once.
const PAGE: u32 = 200;

/// Ends overdue matches. Cheap to clone.
#[derive(Clone)]
pub struct Sweep {
    store: Arc<dyn Store>,
    executor: Executor,
    clock: Arc<dyn Clock>,
    /// When the last round began that did all it had to.
    last: Arc<AtomicI64>,
}

impl Sweep {
    /// A sweep of this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, executor: Executor, clock: Arc<dyn Clock>) -> Self {
        let last = Arc::new(AtomicI64::new(clock.now()));
        Self { store, executor, clock, last }
    }

    /// How long ago overdue matches were last looked for, or the sweep was made.
    #[must_use]
    pub fn lag(&self) -> Millis {
        self.clock.now() - self.last.load(Ordering::Relaxed)
    }

    /// Sweeps until the server goes down.
    pub async fn run(self, shutdown: CancellationToken) {
        let mut ticks = interval(INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
            if let Err(failure) = self.once().await {
                tracing::warn!("overdue matches were not swept: {failure}");
            }
        }
    }

    /// Gives back time in which nobody served, ends what is overdue, and says that a server is here.
    ///
    /// # Errors
    /// The store fails, or time could not be given back: then nothing is ended, and all of it is done the next
    /// time.
    pub async fn once(&self) -> Result<(), Failure> {
        let now = self.clock.now();
        // Also right at the start, and after a machine has slept: first the credits, then the flags.
        match self.store.last_beat().await? {
            Some(last) if now - last > SILENCE => self.credit_all(last, now).await?,
            Some(last) if last - now > SILENCE => {
                tracing::warn!(milliseconds = last - now, "the clock was ahead, and is not any more");
            }
            _ => {}
        }
        self.end_overdue(now).await?;
        self.store.beat(now).await?;
        self.last.store(now, Ordering::Relaxed);
        Ok(())
    }

    async fn end_overdue(&self, now: Millis) -> Result<(), Failure> {
        let mut after = None;
        loop {
            let page = self.store.overdue(now, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some((last.deadline, last.uid));
            for stored in page.into_iter().filter_map(readable) {
                // One that cannot be ended now is tried again the next time, and holds no other up.
                if let Err(failure) = self.act(&stored.name, stored.head.revision, Command::Expire).await {
                    tracing::warn!(name = %stored.name, "an overdue match could not be ended: {failure}");
                }
            }
        }
    }

    /// Gives the time from `from` to `until` back in every match whose time ran then.
    async fn credit_all(&self, from: Millis, until: Millis) -> Result<(), Failure> {
        tracing::info!(milliseconds = until - from, "giving back time in which nobody served");
        let mut after = None;
        loop {
            let page = self.store.running(after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.uid);
            for stored in page.into_iter().filter_map(readable) {
                match self.credit(&stored.name, from, until).await {
                    Err(failure @ (Failure::Damaged(_) | Failure::NotFound(_))) => {
                        tracing::error!(name = %stored.name, "time cannot be given back: {failure}");
                    }
                    credited => credited?,
                }
            }
        }
    }

    /// Gives time back in one match, as it is then: somebody may act in it meanwhile.
    async fn credit(&self, name: &MatchName, from: Millis, until: Millis) -> Result<(), Failure> {
        loop {
            let table = self.executor.load(name).await?;
            let Some(duration) = lost(&table, from, until) else { return Ok(()) };
            let reason = "no server was running".to_owned();
            if self.act(name, table.head.revision, Command::CreditTime { duration, reason }).await? {
                return Ok(());
            }
        }
    }

    /// Lets the server act in a match at this revision; whether it did, or others were faster.
    async fn act(&self, name: &MatchName, revision: u32, command: Command) -> Result<bool, Failure> {
        let call = Call {
            name: name.clone(),
            request: None,
            expected_revision: Some(revision),
            actor: Actor::server(),
            command,
            notes: None,
        };
        match self.executor.act(call).await {
            Ok(_) => Ok(true),
            Err(Failure::RevisionMismatch { .. } | Failure::Refused { .. }) => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

/// Nothing can be done for a match that cannot be read; the others must not wait for it.
fn readable(timed: Timed) -> Option<StoredMatch> {
    timed.row.inspect_err(|bad| tracing::error!(uid = %timed.uid, "{bad}")).ok()
}

/// How much of a silence fell into the time of the seat to act, and was not given back yet.
fn lost(table: &Table, from: Millis, until: Millis) -> Option<Millis> {
    let since = table.state.time_runs_since()?;
    let credited = table.state.credited().unwrap_or(Millis::MIN);
    let duration = until - from.max(since).max(credited);
    (duration > 0 && !table.state.is_paused()).then_some(duration)
}
