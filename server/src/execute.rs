//! One command through the house: load, decide, seal, append, publish.

mod call;
mod missing;

use std::sync::Arc;

use chaquete_rules::{Decision, DiceCup};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use self::missing::MissingCup;
use crate::{
    clock::{Clock, Millis},
    dice::Cups,
    feed::Feed,
    log::{self, RULES_VERSION, Request, Seam, Stamp},
    name::MatchName,
    store::{Append, MatchKey, Store, StoreError, StoredEvent, StoredMatch},
    table::{Answered, Damaged, Table, Tables},
};

pub use call::{Call, Creation, Done, Failure};

/// How often a command is decided again when others keep getting in first.
const MAX_ATTEMPTS: u32 = 16;

/// How many events are read from the store at once.
const PAGE: u32 = 1_000;

/// Where a command that came before is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// Among the latest that are kept: enough for all but late repeats.
    Kept,
    /// In the whole log, if need be.
    Log,
}

/// Carries commands out. Cheap to clone.
#[derive(Clone)]
pub struct Executor {
    store: Arc<dyn Store>,
    tables: Tables,
    feed: Feed,
    cups: Cups,
    clock: Arc<dyn Clock>,
    tasks: TaskTracker,
    runs: Runs,
    places: Arc<Semaphore>,
}

/// Where work is done.
#[derive(Clone, Copy)]
enum Runs {
    /// In a task that is made for it: whoever asked may be dropped.
    InItsOwnTask,
    /// In the task of whoever asked, which is never dropped.
    InTheCallers,
}

impl Executor {
    /// An executor that works on this store, at most `concurrency` commands at once.
    pub fn new(
        store: Arc<dyn Store>,
        tables: Tables,
        feed: Feed,
        cups: Cups,
        clock: Arc<dyn Clock>,
        concurrency: usize,
    ) -> Self {
        let places = Arc::new(Semaphore::new(concurrency));
        Self { store, tables, feed, cups, clock, tasks: TaskTracker::new(), runs: Runs::InItsOwnTask, places }
    }

    /// Starts a task that ends before the server does. What it asks of the executor that it is given is done in
    /// that very task, so that no more of them are needed. A panic there is for the task to catch.
    pub fn start<F: Future<Output = ()> + Send + 'static>(&self, work: impl FnOnce(Self) -> F) {
        self.tasks.spawn(work(Self { runs: Runs::InTheCallers, ..self.clone() }));
    }

    /// Carries a command out. A caller that hangs up changes nothing: the command runs in a task of its own.
    ///
    /// # Errors
    /// See [`Failure`].
    pub async fn act(&self, call: Call) -> Result<Done, Failure> {
        let this = self.clone();
        self.run(async move { this.act_now(&call).await }).await
    }

    /// Decides on a command without carrying it out: the match as it is, if the command would be accepted.
    ///
    /// # Errors
    /// See [`Failure`].
    pub async fn consider(&self, call: Call) -> Result<Arc<Table>, Failure> {
        let this = self.clone();
        self.run(async move {
            let table = this.load_now(&call.name).await?;
            this.decide(&call, &table, this.now(&table))?;
            Ok(table)
        })
        .await
    }

    /// Creates a match.
    ///
    /// # Errors
    /// See [`Failure`].
    pub async fn create(&self, creation: Creation) -> Result<Done, Failure> {
        let this = self.clone();
        self.run(async move { this.create_now(creation).await }).await
    }

    /// The match as it would be created; nothing is stored.
    ///
    /// # Errors
    /// The name is taken, or the store fails.
    pub async fn consider_creation(&self, creation: Creation) -> Result<Arc<Table>, Failure> {
        let this = self.clone();
        self.run(async move {
            if this.store.find(&creation.name).await?.is_some() {
                return Err(Failure::Exists(creation.name));
            }
            Ok(Arc::new(this.prepare(creation)?.0))
        })
        .await
    }

    /// The match as it is now.
    ///
    /// # Errors
    /// There is none, its log is damaged, or the store fails.
    pub async fn load(&self, name: &MatchName) -> Result<Arc<Table>, Failure> {
        let (this, name) = (self.clone(), name.clone());
        self.run(async move { this.load_now(&name).await }).await
    }

    /// Events of a match after a revision, as they are stored.
    ///
    /// # Errors
    /// The store fails.
    pub async fn events(&self, key: MatchKey, after: u32, limit: u32) -> Result<Vec<StoredEvent>, Failure> {
        let store = Arc::clone(&self.store);
        self.run(async move { Ok(store.events(key, after, limit).await?) }).await
    }

    /// Finishes what is being done; nothing new is accepted meanwhile.
    pub async fn drain(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<T, Failure> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|closed| Failure::Unavailable(closed.to_string()))?;
        let work = async move {
            let done = work.await;
            drop(place);
            done
        };
        match self.runs {
            Runs::InTheCallers => work.await,
            Runs::InItsOwnTask => {
                let task = self.tasks.spawn(work);
                task.await.map_err(|panicked| Failure::Internal(panicked.to_string()))?
            }
        }
    }

    async fn act_now(&self, call: &Call) -> Result<Done, Failure> {
        // A kept table may be behind the store: whatever fails with it is tried again with the newest one.
        if let Some(kept) = self.tables.get(&call.name)
            && let Ok(Some(done)) = self.attempt(call, &kept, Search::Kept).await
        {
            return Ok(done);
        }
        let mut current = 0;
        for _ in 0..MAX_ATTEMPTS {
            let newest = self.load_now(&call.name).await?;
            current = newest.head.revision;
            if let Some(done) = self.attempt(call, &newest, Search::Log).await? {
                return Ok(done);
            }
        }
        Err(Failure::Contended { current })
    }

    /// Tries a command on a state of the match; `None` if the match has moved on from that state.
    async fn attempt(
        &self,
        call: &Call,
        table: &Arc<Table>,
        search: Search,
    ) -> Result<Option<Done>, Failure> {
        if let Some(done) = self.answered(call.request, table, search).await? {
            return Ok(Some(done));
        }
        let time = self.now(table);
        let decision = self.decide(call, table, time)?;
        let stamp = Stamp { actor: call.actor.clone(), request: call.request, time };
        let events = log::seal(&table.seam(), &stamp, &decision);
        let mut next = Table::clone(table);
        next.extend(&events)?;
        let append = Append {
            key: table.key,
            expected_revision: table.head.revision,
            events: events.clone(),
            head: next.head,
            standing: next.standing(),
            notes: None,
            snapshot: None,
        };
        match self.store.append(append).await {
            Ok(()) => Ok(Some(self.publish(next, Some(table.head.hash), events))),
            Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The time of what happens now in a match. In a log it never runs back, whatever the clock does.
    fn now(&self, table: &Table) -> Millis {
        self.clock.now().max(table.head.update_time)
    }

    fn decide(&self, call: &Call, table: &Arc<Table>, now: Millis) -> Result<Decision, Failure> {
        let current = table.head.revision;
        match call.expected_revision {
            Some(expected) if expected != current => Err(Failure::RevisionMismatch { expected, current }),
            _ => self.decide_with_dice(table, |cup| {
                chaquete_rules::decide(&table.state, &call.command, cup, now)
                    .map_err(|refusal| Failure::Refused { refusal, table: Arc::clone(table) })
            }),
        }
    }

    /// Decides with the dice of a match. Without its key whatever needs no roll goes on.
    fn decide_with_dice<T>(
        &self,
        table: &Table,
        decide: impl FnOnce(Option<&dyn DiceCup>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let seed = table.about.seed.as_ref();
        match self.cups.cup(table.state.terms().dice, table.key.uid, seed, table.state.commitment()) {
            Ok(cup) => decide(cup.as_deref()),
            Err(error) => {
                let missing = MissingCup::default();
                let decided = decide(Some(&missing));
                if missing.asked.get() { Err(error.into()) } else { decided }
            }
        }
    }

    /// The answer to a call that came before, made again from the log.
    async fn answered(
        &self,
        request: Option<Request>,
        table: &Arc<Table>,
        search: Search,
    ) -> Result<Option<Done>, Failure> {
        let Some(request) = request else { return Ok(None) };
        let answered = match table.requests.get(request.id) {
            None if search == Search::Log && table.requests.has_forgotten() => {
                self.find_answered(table, request.id).await?
            }
            kept => kept,
        };
        let Some(answered) = answered else { return Ok(None) };
        if request.digest != answered.digest {
            return Err(Failure::RequestIdReused(request.id));
        }
        // A repeat mostly comes at once, before anything else has happened: then nothing is folded again.
        let then = if answered.last == table.head.revision {
            Arc::clone(table)
        } else {
            Arc::new(self.read(table.stored(), answered.last).await?.0)
        };
        // From the event before on: its hash is the one that the first of the answer is tied to.
        let before = answered.first.saturating_sub(1);
        let mut earlier = self.read_events(table.key, before.saturating_sub(1), answered.last).await?;
        let events = earlier.split_off(usize::from(before > 0).min(earlier.len()));
        let before = earlier.last().map(|event| event.hash);
        Ok(Some(Done { table: then, before, events }))
    }

    /// A command of long ago, as the log has it.
    async fn find_answered(&self, table: &Table, id: Uuid) -> Result<Option<Answered>, Failure> {
        let Some(event) = self.store.find_request(table.key, id).await? else { return Ok(None) };
        let answered = Answered::read(id, &event.bytes);
        let damaged = || Damaged { revision: event.revision, because: format!("it is not of request {id}") };
        Ok(Some(answered.ok_or_else(damaged)?))
    }

    async fn create_now(&self, creation: Creation) -> Result<Done, Failure> {
        let name = creation.name.clone();
        let request = creation.request;
        let (table, events) = self.prepare(creation)?;
        match self.store.create(table.stored(), events.clone()).await {
            Ok(()) => Ok(self.publish(table, None, events)),
            Err(StoreError::Exists) => {
                let existing = self.load_now(&name).await?;
                self.answered(request, &existing, Search::Log).await?.ok_or(Failure::Exists(name))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A new match with its first events; nothing is stored.
    fn prepare(&self, creation: Creation) -> Result<(Table, Vec<StoredEvent>), Failure> {
        let Creation { name, request, actor, terms, about } = creation;
        let time = self.clock.now();
        let key = MatchKey::new(&name, new_uid(time));
        let cup = self.cups.cup(terms.dice, key.uid, about.seed.as_ref(), None)?;
        let decision = chaquete_rules::create(terms, cup.as_deref(), time);
        let seam = Seam { revision: 0, hash: log::initial_hash(&key.uid), game: 0, rules: RULES_VERSION };
        let events = log::seal(&seam, &Stamp { actor, request, time }, &decision);
        let table = Table::fold(name, key, Arc::new(about), &events)?;
        Ok((table, events))
    }

    /// Keeps what is durable now, and wakes those who wait for it.
    fn publish(&self, table: Table, before: Option<log::Hash>, events: Vec<StoredEvent>) -> Done {
        let table = Arc::new(table);
        self.tables.keep(&table);
        self.feed.publish(table.key.uid, table.head.revision);
        Done { table, before, events }
    }

    /// The match as the store has it now.
    async fn load_now(&self, name: &MatchName) -> Result<Arc<Table>, Failure> {
        let table = match self.tables.get(name) {
            Some(kept) => match self.refresh(&kept).await {
                Ok(None) => return Ok(kept),
                Ok(Some(newer)) => newer,
                Err(failure) => {
                    // What is kept is not what is stored: it must not be acted on any more.
                    self.tables.forget(name);
                    return Err(failure);
                }
            },
            None => {
                let stored = self.store.find(name).await?.ok_or_else(|| Failure::NotFound(name.clone()))?;
                self.read(stored, u32::MAX).await?.0
            }
        };
        let table = Arc::new(table);
        self.tables.keep(&table);
        Ok(table)
    }

    /// The kept match with what has happened since; `None`: nothing has.
    async fn refresh(&self, kept: &Table) -> Result<Option<Table>, Failure> {
        // From the last known event on: it must still be there, and the same.
        let events = self.read_events(kept.key, kept.head.revision - 1, u32::MAX).await?;
        match events.split_first() {
            Some((last, [])) if last.hash == kept.head.hash => Ok(None),
            Some((last, news)) if last.hash == kept.head.hash => {
                let mut newer = Table::clone(kept);
                newer.extend(news)?;
                Ok(Some(newer))
            }
            _ => Err(Damaged {
                revision: kept.head.revision,
                because: "an acknowledged event is gone".to_owned(),
            }
            .into()),
        }
    }

    /// Folds a match from its log, up to a revision, with the events. What the store says of the log's end
    /// must be in the log: else it has lost its tail, or was put together from two.
    async fn read(&self, stored: StoredMatch, last: u32) -> Result<(Table, Vec<StoredEvent>), Failure> {
        let head = stored.head;
        let events = self.read_events(stored.key, 0, last).await?;
        let table = Table::fold(stored.name, stored.key, Arc::new(stored.about), &events)?;
        if last >= head.revision {
            table.agrees_with(&head, &events)?;
        }
        Ok((table, events))
    }

    /// All events after a revision, up to another.
    async fn read_events(&self, key: MatchKey, after: u32, last: u32) -> Result<Vec<StoredEvent>, Failure> {
        let mut events: Vec<StoredEvent> = Vec::new();
        loop {
            let seen = events.last().map_or(after, |event| event.revision);
            let limit = PAGE.min(last.saturating_sub(seen));
            let page = self.store.events(key, seen, limit).await?;
            let is_last = page.len() < PAGE as usize;
            events.extend(page);
            if is_last {
                return Ok(events);
            }
        }
    }
}

/// A UUIDv7 made from our clock and the operating system's generator.
fn new_uid(time: Millis) -> Uuid {
    let random: [u8; 10] = rand::random();
    uuid::Builder::from_unix_timestamp_millis(time.unsigned_abs(), &random).into_uuid()
}
