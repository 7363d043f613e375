//! The store for services: any number of servers on one Postgres.
//!
//! Nothing here runs in a caller's own future: writes belong to the writer of [`GroupCommit`], which owns its
//! connection; reads run in tasks of their own. A caller that is dropped leaves no session in a transaction.

mod append;
mod archive;
mod batch;
mod checkpoints;
mod citus;
mod columns;
mod connect;
mod create;
mod credentials;
mod drop;
mod engine;
mod error;
mod lists;
mod mend;
mod migrations;
mod news;
mod pack;
mod read;
mod row;
#[cfg(test)]
mod tests;

use std::{pin::Pin, time::Duration};

use sqlx::{Connection as _, PgConnection, PgPool};
use tokio::{sync::broadcast, time::timeout};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use self::{error::store_error, news::Listener};
use super::{
    Append, ListQuery, Listed, MatchKey, News, Occupancy, Row, Seen, Store, StoreError, StoredEvent,
    StoredMatch, Timed,
    commit::{GroupCommit, Write},
};
use crate::{
    clock::Millis,
    name::MatchName,
    telemetry::metrics::{Access, StoreMeters},
};

pub(super) use connect::{distribute, migrate, open};

/// How long a read may take before its connection is given up. Longer than the database itself gives any statement,
/// so this is for a database that does not answer at all.
const PATIENCE: Duration = Duration::from_secs(12);

/// How long a connection may take to say that it is still there.
const PING: Duration = Duration::from_secs(1);

/// How often a read is tried: its connection may have died while nobody used it, and so may others.
const TRIES: u32 = 3;

/// A read that is under way, or a write.
type Reading<'c, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'c>>;

/// The store on Postgres.
struct PostgresStore {
    commits: GroupCommit,
    readers: PgPool,
    /// Packs what has ended.
    archivist: Archivist,
    /// Where the tree over all logs grows, and what else is written that is no match.
    growers: PgPool,
    /// Hears what other servers write.
    listener: Listener,
}

/// The task that packs what has ended.
struct Archivist {
    pool: PgPool,
    stop: CancellationToken,
    task: TaskTracker,
}

impl Archivist {
    fn start(pool: PgPool) -> Self {
        let (stop, task) = (CancellationToken::new(), TaskTracker::new());
        task.spawn(archive::run(pool.clone(), stop.clone()));
        task.close();
        Self { pool, stop, task }
    }

    async fn end(&self) {
        self.stop.cancel();
        self.task.wait().await;
        self.pool.close().await;
    }
}

impl Drop for Archivist {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl PostgresStore {
    fn start(
        commits: GroupCommit,
        readers: PgPool,
        archivists: PgPool,
        growers: PgPool,
        listener: Listener,
    ) -> Self {
        Self { commits, readers, archivist: Archivist::start(archivists), growers, listener }
    }

    /// Reads in a task of its own, which ends properly even if the caller is dropped.
    async fn read<T: Send + 'static>(
        &self,
        read: impl Fn(&mut PgConnection) -> Reading<'_, T> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let (readers, meters) = (self.readers.clone(), self.commits.meters().clone());
        let task = tokio::spawn(async move {
            read_again(&readers, &read).await.inspect_err(|error| error.note(&meters, Access::Read))
        });
        task.await.map_err(|error| StoreError::Unavailable(format!("a read did not end: {error}")))?
    }

    /// Writes what is no match, in a task of its own, so that no session is left in a transaction.
    async fn write_aside<T, F>(&self, write: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut PgConnection) -> Reading<'c, T> + Send + 'static,
    {
        let growers = self.growers.clone();
        let task = tokio::spawn(async move {
            let mut connection = growers.acquire().await.map_err(store_error)?;
            write(&mut connection).await
        });
        task.await.map_err(|error| StoreError::Unavailable(format!("a write did not end: {error}")))?
    }
}

/// Why nothing was read.
enum Unread {
    /// The connection is lost; another one may do.
    Lost(StoreError),
    /// No other one would do better.
    Failed(StoreError),
}

async fn read_again<T>(
    readers: &PgPool,
    read: &(impl Fn(&mut PgConnection) -> Reading<'_, T> + Sync),
) -> Result<T, StoreError> {
    let mut last = None;
    for _ in 0..TRIES {
        match read_once(readers, read).await {
            Err(Unread::Lost(error)) => last = Some(error),
            Err(Unread::Failed(error)) => return Err(error),
            Ok(found) => return Ok(found),
        }
    }
    Err(last.unwrap_or_else(super::commit::closed))
}

async fn read_once<T>(
    readers: &PgPool,
    read: &(impl Fn(&mut PgConnection) -> Reading<'_, T> + Sync),
) -> Result<T, Unread> {
    let mut connection = readers.acquire().await.map_err(|error| Unread::Failed(store_error(error)))?;
    let Ok(found) = timeout(PATIENCE, read(&mut connection)).await else {
        // Given back, it would be waited for once more, and for ever.
        drop(connection.detach());
        return Err(Unread::Failed(StoreError::Unavailable("the database does not answer".to_owned())));
    };
    match found {
        Err(error @ StoreError::Unavailable(_)) if !still_answers(&mut connection).await => {
            drop(connection.detach());
            Err(Unread::Lost(error))
        }
        found => found.map_err(Unread::Failed),
    }
}

/// Whether a connection is of use after a statement has failed. If so it was not the connection's fault: a lock was not
/// to be had, say, and waiting for it as long once more would only hold up others.
async fn still_answers(connection: &mut PgConnection) -> bool {
    timeout(PING, connection.ping()).await.is_ok_and(|answered| answered.is_ok())
}

#[async_trait::async_trait]
impl Store for PostgresStore {
    async fn create(&self, new: StoredMatch, events: Vec<StoredEvent>) -> Result<(), StoreError> {
        self.commits.write(Write::Create(Box::new(new), events)).await
    }

    async fn append(&self, append: Append) -> Result<(), StoreError> {
        self.commits.write(Write::Append(append)).await
    }

    async fn mend(&self, right: StoredMatch, seen: Seen) -> Result<(), StoreError> {
        self.commits.write(Write::Mend(Box::new(right), seen)).await
    }

    async fn drop_ended(&self, key: MatchKey, seen: Seen) -> Result<(), StoreError> {
        self.commits.write(Write::Drop(key, seen)).await
    }

    async fn missing_from(&self, row: &StoredMatch) -> Result<Vec<String>, StoreError> {
        let row = row.clone();
        self.read(move |connection| Box::pin(mend::missing_from(connection, row.clone()))).await
    }

    async fn find_row(&self, name: &MatchName) -> Result<Option<Row>, StoreError> {
        let name = name.clone();
        self.read(move |connection| Box::pin(read::find_row(connection, name.clone()))).await
    }

    async fn find_key(&self, key: MatchKey) -> Result<Option<StoredMatch>, StoreError> {
        self.read(move |connection| Box::pin(read::find_key(connection, key))).await
    }

    async fn events(&self, key: MatchKey, after: u32, limit: u32) -> Result<Vec<StoredEvent>, StoreError> {
        self.read(move |connection| Box::pin(read::events(connection, key, after, limit))).await
    }

    async fn find_request(&self, key: MatchKey, request_id: Uuid) -> Result<Option<StoredEvent>, StoreError> {
        self.read(move |connection| Box::pin(read::find_request(connection, key, request_id))).await
    }

    async fn list(&self, query: &ListQuery) -> Result<Vec<Listed>, StoreError> {
        let query = query.clone();
        self.read(move |connection| Box::pin(lists::list(connection, query.clone()))).await
    }

    async fn overdue(
        &self,
        now: Millis,
        after: Option<(Millis, Uuid)>,
        limit: u32,
    ) -> Result<Vec<Timed>, StoreError> {
        self.read(move |connection| Box::pin(lists::overdue(connection, now, after, limit))).await
    }

    async fn running(&self, after: Option<Uuid>, limit: u32) -> Result<Vec<Timed>, StoreError> {
        self.read(move |connection| Box::pin(lists::running(connection, after, limit))).await
    }

    async fn count_running(&self, tenant: &str, most: u32) -> Result<u32, StoreError> {
        let tenant = tenant.to_owned();
        self.read(move |connection| Box::pin(lists::count_running(connection, tenant.clone(), most))).await
    }

    async fn beat(&self, now: Millis) -> Result<(), StoreError> {
        self.commits.write(Write::Beat(now)).await
    }

    async fn last_beat(&self) -> Result<Option<Millis>, StoreError> {
        self.read(|connection| Box::pin(read::last_beat(connection))).await
    }

    fn news(&self) -> Option<broadcast::Receiver<News>> {
        Some(self.listener.hear())
    }

    fn meters(&self) -> &StoreMeters {
        self.commits.meters()
    }

    fn occupancy(&self) -> Occupancy {
        let (idle, all) = (self.readers.num_idle(), self.readers.size() as usize);
        let limit = self.readers.options().get_max_connections() as usize;
        Occupancy { waiting: self.commits.waiting(), idle, used: all.saturating_sub(idle), limit }
    }

    async fn close(&self) {
        self.listener.end().await;
        self.archivist.end().await;
        self.growers.close().await;
        self.commits.close().await;
        self.readers.close().await;
    }
}
