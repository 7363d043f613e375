//! The embedded store: one SQLite file, or memory.
//!
//! Nothing here runs in a caller's own future: writes belong to the writer of [`GroupCommit`], reads run in
//! tasks of their own. A caller that is dropped therefore never leaves a connection half-way through
//! something.

mod checkpoints;
mod connect;
mod credentials;
mod drop;
mod engine;
mod error;
mod file;
mod lists;
mod mend;
mod migrations;
mod read;
mod round;
mod row;
#[cfg(test)]
mod tests;

use std::{pin::Pin, sync::Arc};

use sqlx::{Sqlite, SqliteConnection, SqlitePool, pool::PoolConnection};
use tokio::sync::{Mutex, OwnedMutexGuard};
use uuid::Uuid;

use self::{
    engine::{SqliteEngine, rolled_back},
    error::store_error,
};
use super::{
    Append, ListQuery, Listed, MatchKey, Occupancy, Row, Seen, Store, StoreError, StoredEvent, StoredMatch,
    Timed,
    commit::{GroupCommit, Shares, Write, Writing, closed},
};
use crate::{
    clock::Millis,
    name::MatchName,
    telemetry::metrics::{Access, StoreMeters},
};

pub(super) use connect::{open_file, open_memory};

/// A connection used by one at a time; `None` while a write has it, after a failure and after closing.
type Shared = Arc<Mutex<Option<SqliteConnection>>>;

/// The embedded store.
struct SqliteStore {
    commits: GroupCommit,
    readers: Readers,
    /// The writer's connection, for what is written between its batches.
    writer: Shared,
}

/// A write between batches that is under way.
type Aside<'c, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'c>>;

/// Where reads get their connection.
#[derive(Clone)]
enum Readers {
    /// A file: from a pool, beside the writer's connection. WAL lets them read while it writes.
    Pool(SqlitePool),
    /// Memory: it is the one connection that there is, the writer's.
    Shared(Shared),
}

/// A connection for one read.
enum Reader {
    Pooled(PoolConnection<Sqlite>),
    Shared(OwnedMutexGuard<Option<SqliteConnection>>),
}

impl Readers {
    async fn acquire(self) -> Result<Reader, StoreError> {
        match self {
            Self::Pool(pool) => pool.acquire().await.map(Reader::Pooled).map_err(store_error),
            Self::Shared(connection) => Ok(Reader::Shared(connection.lock_owned().await)),
        }
    }

    fn occupancy(&self) -> Occupancy {
        let (idle, all, limit) = match self {
            Self::Pool(pool) => (pool.num_idle(), pool.size(), pool.options().get_max_connections()),
            Self::Shared(connection) => (usize::from(connection.try_lock().is_ok()), 1, 1),
        };
        Occupancy { waiting: 0, idle, used: (all as usize).saturating_sub(idle), limit: limit as usize }
    }
}

impl Reader {
    fn connection(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        match self {
            Self::Pooled(connection) => Ok(&mut *connection),
            Self::Shared(connection) => connection.as_mut().ok_or_else(closed),
        }
    }
}

impl SqliteStore {
    fn start(engine: SqliteEngine, readers: Readers) -> Self {
        let writer = engine.shared();
        Self { commits: GroupCommit::start([engine], Shares::ONE, Writing::MAX_BATCH), readers, writer }
    }

    /// Reads in a task of its own, which ends properly even if the caller is dropped.
    async fn read<T, F>(&self, read: impl FnOnce(Reader) -> F + Send + 'static) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send,
    {
        let (readers, meters) = (self.readers.clone(), self.commits.meters().clone());
        let task = tokio::spawn(async move {
            let read = async { read(readers.acquire().await?).await };
            read.await.inspect_err(|error| error.note(&meters, Access::Read))
        });
        task.await.map_err(|error| StoreError::Unavailable(format!("a read did not end: {error}")))?
    }

    /// Writes between two batches of the writer, in a task of its own.
    async fn write<T, F>(&self, write: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> Aside<'c, T> + Send + 'static,
    {
        let writer = Shared::clone(&self.writer);
        let task = tokio::spawn(async move {
            // Taken out while it is used, as by the writer.
            let mut place = writer.lock().await;
            let mut connection = place.take().ok_or_else(closed)?;
            let written = write(&mut connection).await;
            if written.is_ok() || rolled_back(&mut connection).await {
                *place = Some(connection);
            }
            written
        });
        task.await.map_err(|error| StoreError::Unavailable(format!("a write did not end: {error}")))?
    }
}

#[async_trait::async_trait]
impl Store for SqliteStore {
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

    async fn find_row(&self, name: &MatchName) -> Result<Option<Row>, StoreError> {
        let name = name.clone();
        self.read(|mut reader| async move { read::find_row(reader.connection()?, name).await }).await
    }

    async fn find_key(&self, key: MatchKey) -> Result<Option<StoredMatch>, StoreError> {
        self.read(move |mut reader| async move { read::find_key(reader.connection()?, key).await }).await
    }

    async fn events(&self, key: MatchKey, after: u32, limit: u32) -> Result<Vec<StoredEvent>, StoreError> {
        self.read(
            move |mut reader| async move { read::events(reader.connection()?, key, after, limit).await },
        )
        .await
    }

    async fn find_request(&self, key: MatchKey, request_id: Uuid) -> Result<Option<StoredEvent>, StoreError> {
        self.read(
            move |mut reader| async move { read::find_request(reader.connection()?, key, request_id).await },
        )
        .await
    }

    async fn list(&self, query: &ListQuery) -> Result<Vec<Listed>, StoreError> {
        let query = query.clone();
        self.read(|mut reader| async move { lists::list(reader.connection()?, query).await }).await
    }

    async fn overdue(
        &self,
        now: Millis,
        after: Option<(Millis, Uuid)>,
        limit: u32,
    ) -> Result<Vec<Timed>, StoreError> {
        self.read(
            move |mut reader| async move { lists::overdue(reader.connection()?, now, after, limit).await },
        )
        .await
    }

    async fn running(&self, after: Option<Uuid>, limit: u32) -> Result<Vec<Timed>, StoreError> {
        self.read(move |mut reader| async move { lists::running(reader.connection()?, after, limit).await })
            .await
    }

    async fn count_running(&self, tenant: &str, most: u32) -> Result<u32, StoreError> {
        let tenant = tenant.to_owned();
        self.read(
            move |mut reader| async move { lists::count_running(reader.connection()?, &tenant, most).await },
        )
        .await
    }

    async fn beat(&self, now: Millis) -> Result<(), StoreError> {
        self.commits.write(Write::Beat(now)).await
    }

    async fn last_beat(&self) -> Result<Option<Millis>, StoreError> {
        self.read(|mut reader| async move { read::last_beat(reader.connection()?).await }).await
    }

    fn meters(&self) -> &StoreMeters {
        self.commits.meters()
    }

    fn occupancy(&self) -> Occupancy {
        Occupancy { waiting: self.commits.waiting(), ..self.readers.occupancy() }
    }

    async fn close(&self) {
        // The readers are closed by the engine, after the last write.
        self.commits.close().await;
    }
}
