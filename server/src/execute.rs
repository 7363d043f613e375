//! One command through the house: load, decide, seal, append, publish.

mod call;
mod import;
mod load;
mod missing;
mod notes;
mod openings;
mod places;
mod repeat;

use std::{num::NonZeroU32, sync::Arc};

use chaquete_rules::{Decision, DiceCup};
use fail::fail_point;

use self::{missing::MissingCup, openings::Openings, places::Places, repeat::Search};
use crate::{
    checkpoint::Pending,
    clock::{Clock, Millis},
    dice::Cups,
    feed::Feed,
    log::{self, RULES_VERSION, Request, Seam, Stamp},
    name::MatchName,
    store::{About, Append, MatchKey, Store, StoreError, StoredEvent, StoredMatch},
    table::{Table, Tables},
    telemetry::traces,
    uid::Uids,
};

pub use call::{Call, Creation, Done, Failure};
pub use import::Import;
pub use notes::{FactsChange, MAX_ANNOTATIONS, MAX_LABELS, NotesChange, TooMuch, size};

/// How often a command is decided again when others keep getting in first.
const MAX_ATTEMPTS: u32 = 16;

/// How much an executor takes on.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Commands at once; more wait.
    pub concurrency: usize,
    /// Running matches of one tenant; `None`: as many as it wants.
    pub running_matches: Option<NonZeroU32>,
}

/// Carries commands out. Cheap to clone.
#[derive(Clone)]
pub struct Executor {
    store: Arc<dyn Store>,
    tables: Tables,
    feed: Feed,
    cups: Cups,
    clock: Arc<dyn Clock>,
    uids: Arc<dyn Uids>,
    places: Places,
    openings: Openings,
    /// What the next checkpoint is to cover.
    pending: Pending,
}

impl Executor {
    /// An executor that works on this store, and takes on so much.
    pub fn new(
        store: Arc<dyn Store>,
        tables: Tables,
        feed: Feed,
        cups: Cups,
        clock: Arc<dyn Clock>,
        uids: Arc<dyn Uids>,
        capacity: Capacity,
    ) -> Self {
        Self {
            store,
            tables,
            feed,
            cups,
            clock,
            uids,
            places: Places::new(capacity.concurrency),
            openings: Openings::new(capacity.running_matches),
            pending: Pending::default(),
        }
    }

    /// What was written here and is not covered by a checkpoint yet, for whoever makes them.
    #[must_use]
    pub fn pending(&self) -> Pending {
        self.pending.clone()
    }

    /// Starts a task for a stream. What it asks of the executor that it is given is done in that very task, when
    /// there is a place, however long that takes. It ends before the server does, and must not panic.
    pub fn start<F: Future<Output = ()> + Send + 'static>(&self, task: impl FnOnce(Self) -> F) {
        let here = Self { places: self.places.of_a_stream(), ..self.clone() };
        self.places.start(task(here));
    }

    /// Carries a command out. A caller that hangs up changes nothing: the command runs in a task of its own.
    ///
    /// # Errors
    /// See [`Failure`].
    pub async fn act(&self, call: Call) -> Result<Done, Failure> {
        tell_request_id(call.request);
        let this = self.clone();
        self.places.run(async move { this.act_now(&call).await }).await
    }

    /// Decides on a command without carrying it out: the match as it is, if the command would be accepted.
    ///
    /// # Errors
    /// See [`Failure`].
    pub async fn consider(&self, call: Call) -> Result<Arc<Table>, Failure> {
        let this = self.clone();
        self.places
            .run(async move {
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
        tell_request_id(creation.request);
        let this = self.clone();
        self.places.run(async move { this.create_now(creation).await }).await
    }

    /// The match as it would be created; nothing is stored.
    ///
    /// # Errors
    /// The name is taken, or the store fails.
    pub async fn consider_creation(&self, creation: Creation) -> Result<Arc<Table>, Failure> {
        let this = self.clone();
        self.places
            .run(async move {
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
        self.places.run(async move { this.load_now(&name).await }).await
    }

    /// The match whose row in a list was just read, as it was then or is now.
    ///
    /// # Errors
    /// Its log is damaged, or the store fails.
    pub async fn load_listed(&self, stored: StoredMatch) -> Result<Arc<Table>, Failure> {
        let this = self.clone();
        self.places.run(async move { this.load_stored(stored).await }).await
    }

    /// The match as it was last seen here, or as it is told of if that is newer.
    #[must_use]
    pub fn newest(&self, told: &Arc<Table>) -> Arc<Table> {
        let kept = self.tables.get(&told.name);
        let kept = kept.filter(|kept| kept.key == told.key && kept.head.revision > told.head.revision);
        kept.unwrap_or_else(|| Arc::clone(told))
    }

    /// Events of a match after a revision, as they are stored.
    ///
    /// # Errors
    /// One of them cannot be read, or the store fails.
    pub async fn events(&self, table: &Table, after: u32, limit: u32) -> Result<Vec<StoredEvent>, Failure> {
        let (store, key) = (Arc::clone(&self.store), table.key);
        let read = self.places.run(async move { Ok(store.events(key, after, limit).await?) }).await;
        read.map_err(|failure| self.found(table, failure))
    }

    /// The log of a match up to a revision, as it is stored.
    ///
    /// # Errors
    /// One of its events cannot be read, or the store fails.
    pub async fn log(&self, table: &Table, last: u32) -> Result<Vec<StoredEvent>, Failure> {
        let (this, key) = (self.clone(), table.key);
        let read = self.places.run(async move { this.read_events(key, 0, last).await }).await;
        read.map_err(|failure| self.found(table, failure))
    }

    /// What a reader of a log has found. Damage freezes the match: those who act on it, or load it from a snapshot,
    /// would not see it.
    #[must_use]
    pub fn found(&self, table: &Table, failure: impl Into<Failure>) -> Failure {
        let failure = failure.into();
        if let Failure::Damaged(damaged) = &failure {
            self.tables.freeze(&table.name, damaged.clone());
        }
        failure
    }

    /// Finishes what is being done; nothing new is accepted meanwhile.
    pub async fn drain(&self) {
        self.places.drain().await;
    }

    async fn act_now(&self, call: &Call) -> Result<Done, Failure> {
        // A kept table may be behind the store: whatever fails with it is tried again with the newest one.
        if let Some(kept) = self.tables.get(&call.name)
            && let Ok(Some(done)) = self.attempt(call, &kept, Search::Kept).await
        {
            self.tables.count_hit();
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
        fail_point!("loaded");
        let time = self.now(table);
        let decision = self.decide(call, table, time)?;
        fail_point!("decided");
        let notes = call.notes.as_ref().map(|change| change.apply(&table.about.notes)).transpose()?;
        let stamp = Stamp { actor: call.actor.clone(), request: call.request, time };
        let events = log::seal(&table.seam(), &stamp, &decision);
        let mut next = Table::clone(table);
        next.extend(&events)?;
        if let Some(notes) = &notes {
            next.about = Arc::new(About { notes: notes.clone(), ..About::clone(&table.about) });
        }
        let append = Append {
            key: table.key,
            expected_revision: table.head.revision,
            events: events.clone(),
            head: next.head,
            standing: next.standing(),
            notes,
            snapshot: is_due(table, &next).then(|| next.snapshot()),
        };
        fail_point!("sealed");
        match self.store.append(append).await {
            Ok(()) => {
                fail_point!("stored");
                let done = self.publish(next, Some(table.head.hash), events);
                fail_point!("published");
                Ok(Some(done))
            }
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

    async fn create_now(&self, creation: Creation) -> Result<Done, Failure> {
        let name = creation.name.clone();
        let request = creation.request;
        if !self.openings.take(&*self.store, &name.tenant).await? {
            // What is done already needs no room.
            return match self.store.find(&name).await? {
                Some(_) => self.created_before(request, name).await,
                None => Err(Failure::TooManyMatches(name.tenant)),
            };
        }
        let (table, events) = self.prepare(creation)?;
        match self.store.create(table.stored(), events.clone()).await {
            Ok(()) => Ok(self.publish(table, None, events)),
            Err(StoreError::Exists) => self.created_before(request, name).await,
            Err(error) => Err(error.into()),
        }
    }

    /// The answer where the name is taken: by the same call, if it came before.
    async fn created_before(&self, request: Option<Request>, name: MatchName) -> Result<Done, Failure> {
        let existing = self.load_now(&name).await?;
        self.answered(request, &existing, Search::Log).await?.ok_or(Failure::Exists(name))
    }

    /// A new match with its first events; nothing is stored.
    fn prepare(&self, creation: Creation) -> Result<(Table, Vec<StoredEvent>), Failure> {
        let Creation { name, request, actor, terms, about } = creation;
        let time = self.clock.now();
        let key = MatchKey::new(&name, self.uids.uid(&name, time));
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
        self.pending.note(table.key, table.head.seen());
        self.tables.keep(&table);
        self.feed.publish(&table);
        Done { table, before, events }
    }
}

/// Says it in the span of the call: what is retried has the same one in every log.
fn tell_request_id(request: Option<Request>) {
    if let Some(Request { id, .. }) = request {
        traces::tell_request_id(id);
    }
}

/// How many events may follow a snapshot: so many are read when the match is read again.
const SNAPSHOT_EVERY: u32 = 64;

/// Whether a match that moves on is to be kept folded: once in a while, and as it ends.
fn is_due(before: &Table, after: &Table) -> bool {
    before.head.revision / SNAPSHOT_EVERY < after.head.revision / SNAPSHOT_EVERY
        || after.head.end_time.is_some()
}
