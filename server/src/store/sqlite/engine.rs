//! Writes batches.

use fail::fail_point;
use sqlx::{Connection, SqliteConnection};

use super::{
    Shared,
    connect::Served,
    error::store_error,
    read,
    round::{round_length, write_round},
};
use crate::store::{
    MatchKey, StoreError, StoredEvent,
    commit::{Engine, Failure, Outcome, Write, closed},
};

/// The writer's side of the embedded store.
pub(super) struct SqliteEngine {
    connection: Shared,
    /// Of a file: what it takes to open it again, and what must be closed with it. `None`: memory.
    file: Option<Served>,
}

impl SqliteEngine {
    pub(super) fn new(connection: Shared, file: Option<Served>) -> Self {
        Self { connection, file }
    }

    /// Its connection, for whoever writes between batches.
    pub(super) fn shared(&self) -> Shared {
        Shared::clone(&self.connection)
    }

    /// A new connection after one that failed. Memory is gone with its connection.
    async fn reconnect(&self) -> Result<SqliteConnection, StoreError> {
        match &self.file {
            Some(file) => file.connect().await.map_err(store_error),
            None => Err(closed()),
        }
    }
}

impl Engine for SqliteEngine {
    async fn write(&mut self, batch: &[Write]) -> Result<Vec<Outcome>, Failure> {
        // Taken out while it is used: should this panic, nobody finds a connection with half a transaction.
        let mut place = self.connection.lock().await;
        let mut connection = match place.take() {
            Some(connection) => connection,
            None => self.reconnect().await.map_err(Failure::Unreachable)?,
        };
        let result = transaction(&mut connection, batch).await;
        if result.is_ok() || rolled_back(&mut connection).await {
            *place = Some(connection);
        }
        result
    }

    async fn find_written(&mut self, batch: &[Write]) -> Result<Vec<bool>, StoreError> {
        let mut place = self.connection.lock().await;
        let connection = match place.take() {
            Some(connection) => connection,
            None => self.reconnect().await?,
        };
        let connection = place.insert(connection);
        let mut written = Vec::with_capacity(batch.len());
        for write in batch {
            written.push(is_written(connection, write).await?);
        }
        Ok(written)
    }

    async fn close(self) {
        // Readers first: a checkpoint cannot go past what they are reading.
        if let Some(file) = &self.file {
            file.readers.close().await;
        }
        let Some(mut connection) = self.connection.lock().await.take() else { return };
        // A file that was closed is complete without its -wal. If that fails, the next open catches up.
        if let Err(error) = execute(&mut connection, "PRAGMA wal_checkpoint(TRUNCATE)").await {
            tracing::warn!(%error, "the write-ahead log could not be emptied");
        }
        if let Err(error) = connection.close().await {
            tracing::warn!(%error, "the database could not be closed");
        }
        // Only now is `self.file` dropped, and with it the lock.
    }
}

async fn transaction(connection: &mut SqliteConnection, batch: &[Write]) -> Result<Vec<Outcome>, Failure> {
    // IMMEDIATE: to wait for another program's write now, not in the middle.
    let begun = execute(connection, "BEGIN IMMEDIATE").await;
    begun.map_err(|error| Failure::Unreachable(store_error(error)))?;
    let mut outcomes = Vec::with_capacity(batch.len());
    let mut rest = batch;
    while !rest.is_empty() {
        let (round, later) = rest.split_at(round_length(rest));
        outcomes.extend(write_round(connection, round).await.map_err(Failure::RolledBack)?);
        rest = later;
    }
    fail_point!("executed");
    let committed = execute(connection, "COMMIT").await;
    committed.map_err(|error| Failure::Unknown(store_error(error)))?;
    Ok(outcomes)
}

/// Whether the connection is in no transaction, after making sure of it.
pub(super) async fn rolled_back(connection: &mut SqliteConnection) -> bool {
    // Some errors roll back of themselves, and ROLLBACK then fails; but so it may for other reasons. Only in
    // no transaction can one be begun.
    execute(connection, "ROLLBACK").await.is_ok()
        || execute(connection, "BEGIN").await.is_ok() && execute(connection, "ROLLBACK").await.is_ok()
}

pub(super) async fn execute(connection: &mut SqliteConnection, sql: &'static str) -> Result<(), sqlx::Error> {
    sqlx::query(sql).execute(connection).await.map(drop)
}

async fn is_written(connection: &mut SqliteConnection, write: &Write) -> Result<bool, StoreError> {
    match write {
        Write::Create(new, events) => is_last(connection, new.key, events).await,
        Write::Append(append) => is_last(connection, append.key, &append.events).await,
        // Whoever asks for these looks at the match again if it is a conflict.
        Write::Mend(..) | Write::Drop(..) => Ok(false),
        // A later one says the same.
        Write::Beat(moment) => Ok(read::last_beat(connection).await? >= Some(*moment)),
    }
}

/// Events are there if the last one is: its hash covers all that came before.
async fn is_last(
    connection: &mut SqliteConnection,
    key: MatchKey,
    events: &[StoredEvent],
) -> Result<bool, StoreError> {
    let Some(last) = events.last() else { return Ok(false) };
    let sql = "SELECT hash FROM events WHERE bucket = ? AND uid = ? AND revision = ?";
    let query = sqlx::query_scalar::<_, Vec<u8>>(sql)
        .bind(key.bucket)
        .bind(key.uid.as_bytes().to_vec())
        .bind(last.revision);
    let found = query.fetch_optional(connection).await.map_err(store_error)?;
    Ok(found.is_some_and(|hash| hash == last.hash.as_bytes()))
}
