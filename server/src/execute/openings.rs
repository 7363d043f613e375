//! How many matches of one tenant run at once.

use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::{
    clock::Stopwatch,
    store::{Store, StoreError},
};

/// For how long a count is good. What ends meanwhile, or is created by other servers, shows after that.
const GOOD_FOR: Duration = Duration::from_secs(5);

/// The same where there is no room: it may be there soon.
const FULL_FOR: Duration = Duration::from_secs(1);

/// Room for so many running matches of each tenant. They are counted in the store now and then, and those that begin here
/// in between, so that servers on one database are together over the limit by what they begin in [`GOOD_FOR`] at most.
#[derive(Clone, Debug)]
pub(super) struct Openings {
    limit: Option<NonZeroU32>,
    counts: Arc<Mutex<HashMap<String, Count>>>,
}

#[derive(Debug)]
struct Count {
    /// How many run, as far as is known here.
    running: u32,
    /// Those of them for which room was taken here since the store was last asked.
    taken: u32,
    /// Since the store was last asked.
    age: Stopwatch,
}

impl Count {
    fn is_good(&self, limit: u32) -> bool {
        self.age.elapsed() < if self.running < limit { GOOD_FOR } else { FULL_FOR }
    }

    /// Takes room for one more, if there is some.
    fn take(&mut self, limit: u32) -> bool {
        let there_is_room = self.running < limit;
        self.running += u32::from(there_is_room);
        self.taken += u32::from(there_is_room);
        there_is_room
    }
}

impl Openings {
    pub(super) fn new(limit: Option<NonZeroU32>) -> Self {
        Self { limit, counts: Arc::default() }
    }

    /// Takes room for one more match, if there is some.
    pub(super) async fn take(&self, store: &dyn Store, tenant: &str) -> Result<bool, StoreError> {
        let Some(limit) = self.limit.map(NonZeroU32::get) else { return Ok(true) };
        if let Some(taken) = self.take_of_known(tenant, limit) {
            return Ok(taken);
        }
        let counted = store.count_running(tenant, limit).await?;
        Ok(self.take_of_counted(tenant, counted, limit))
    }

    /// Goes by the last count. `None`: it is too old, and this caller is the one to count again, while others still go by
    /// it.
    fn take_of_known(&self, tenant: &str, limit: u32) -> Option<bool> {
        let mut counts = self.lock();
        match counts.get_mut(tenant) {
            Some(known) if known.is_good(limit) => return Some(known.take(limit)),
            Some(known) => (known.taken, known.age) = (0, Stopwatch::start()),
            None => {
                let nothing_known = Count { running: 0, taken: 0, age: Stopwatch::start() };
                counts.insert(tenant.to_owned(), nothing_known);
            }
        }
        None
    }

    /// Goes by what was counted, and by what was taken meanwhile: that may or may not have been counted.
    fn take_of_counted(&self, tenant: &str, counted: u32, limit: u32) -> bool {
        let mut counts = self.lock();
        let taken = counts.get(tenant).map_or(0, |known| known.taken);
        let age = Stopwatch::start();
        let mut known = Count { running: counted.saturating_add(taken), taken, age };
        let there_is_room = known.take(limit);
        counts.insert(tenant.to_owned(), known);
        there_is_room
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Count>> {
        // Nothing here is ever half done.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
