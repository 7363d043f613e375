//! Stored matches looked at as a whole: what is beside their logs, whether they verify, how their dice fell.

mod compare;
mod moment;
mod rolls;
mod verify;

use std::{num::NonZeroUsize, sync::Arc};

use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::{execute::Failure, store::Store, table::Tables};

pub(crate) use compare::{Examined, Verdict, examine};
pub use rolls::Counted;
pub use verify::Verified;

/// Looks at matches for those who audit, without holding up those who play: on threads of its own, and at few places.
/// Clones share them.
#[derive(Clone)]
pub struct Auditor {
    store: Arc<dyn Store>,
    tables: Tables,
    places: Arc<Semaphore>,
    count: NonZeroUsize,
}

impl Auditor {
    /// An auditor of this store. Matches that it finds damaged are frozen among these tables.
    pub fn new(store: Arc<dyn Store>, tables: Tables, places: NonZeroUsize) -> Self {
        Self { store, tables, places: Arc::new(Semaphore::new(places.get())), count: places }
    }

    /// How many matches are looked at at once, by all who ask together.
    #[must_use]
    pub const fn places(&self) -> NonZeroUsize {
        self.count
    }

    /// Waits for a place and works there. It is done in a task of its own: a caller that hangs up drops no read half
    /// way.
    async fn run<T, F>(&self, work: impl FnOnce(Self) -> F) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|closed| Failure::Internal(closed.to_string()))?;
        let work = work(self.clone());
        let task = tokio::spawn(async move {
            let done = work.await;
            drop(place);
            done
        });
        task.await.map_err(|panicked| Failure::Internal(panicked.to_string()))?
    }
}

/// Computes on a thread on which nobody is served.
async fn compute<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    spawn_blocking(work).await.map_err(|panicked| Failure::Internal(panicked.to_string()))
}
