//! Overdue clocks: matches end on time whether or not anyone looks, and time in which nobody served is given
//! back.
//!
//! Any number of servers may sweep the same store: a match that was swept has moved on, so whoever comes second
//! finds nothing overdue any more.

use std::{sync::Arc, time::Duration};

use chaquete_rules::{Command, Refusal};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::{
    clock::{Clock, Millis},
    execute::{Call, Executor, Failure},
    log::Actor,
    store::{Store, StoredMatch},
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
}

impl Sweep {
    /// A sweep of this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, executor: Executor, clock: Arc<dyn Clock>) -> Self {
        Self { store, executor, clock }
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
    /// The store fails; what was not done is done the next time.
    pub async fn once(&self) -> Result<(), Failure> {
        let now = self.clock.now();
        // Also right at the start, and after a machine has slept: first the credits, then the flags.
        match self.store.last_beat().await? {
            Some(last) if now - last > SILENCE => self.credit_all(last, now).await?,
            _ => {}
        }
        self.end_overdue(now).await?;
        Ok(self.store.beat(now).await?)
    }

    async fn end_overdue(&self, now: Millis) -> Result<(), Failure> {
        loop {
            let overdue = self.store.overdue(now, PAGE).await?;
            let count = overdue.len();
            let mut ended = 0;
            for stored in overdue {
                ended += usize::from(self.tell(stored, Command::Expire).await);
            }
            // A page of which nothing could be ended is left for the next time rather than tried for ever.
            if count < PAGE as usize || ended == 0 {
                return Ok(());
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
            for stored in page {
                let table = self.executor.load(&stored.name).await;
                if let Some(duration) = table.ok().and_then(|table| lost(&table, from, until)) {
                    let reason = "no server was running".to_owned();
                    self.tell(stored, Command::CreditTime { duration, reason }).await;
                }
            }
        }
    }

    /// Lets the server act in a match; whether it did.
    async fn tell(&self, stored: StoredMatch, command: Command) -> bool {
        let name = stored.name;
        let call = Call {
            name: name.clone(),
            request: None,
            // Whatever happened since has made it another case.
            expected_revision: Some(stored.head.revision),
            actor: Actor::server(),
            command,
        };
        match self.executor.act(call).await {
            Ok(_) => true,
            // Somebody acted in time, or another server was faster.
            Err(
                Failure::RevisionMismatch { .. }
                | Failure::Refused {
                    refusal: Refusal::TimeNotExpired { .. } | Refusal::MatchNotActive, ..
                },
            ) => false,
            Err(failure) => {
                tracing::warn!(%name, "the server could not act on the clock: {failure}");
                false
            }
        }
    }
}

/// How much of a silence fell into the time of the seat to act; nothing if it was given back already.
fn lost(table: &Table, from: Millis, until: Millis) -> Option<Millis> {
    let since = table.state.clocks()?.running_since()?;
    let given_back = table.state.credited().is_some_and(|credited| credited >= until);
    let duration = until - from.max(since);
    (duration > 0 && !given_back).then_some(duration)
}
