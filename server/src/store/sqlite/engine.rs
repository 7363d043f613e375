//! Writes batches.

use sqlx::{Connection, SqliteConnection};

use super::{Shared, connect::Served, error::store_error, read::state_name};
use crate::store::{
    Append, StoreError, StoredEvent, StoredMatch, bucket,
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
            written.push(is_written(connection, write).await.map_err(store_error)?);
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
    for write in batch {
        outcomes.push(write_one(connection, write).await.map_err(Failure::RolledBack)?);
    }
    let committed = execute(connection, "COMMIT").await;
    committed.map_err(|error| Failure::Unknown(store_error(error)))?;
    Ok(outcomes)
}

/// Whether the connection is in no transaction, after making sure of it.
async fn rolled_back(connection: &mut SqliteConnection) -> bool {
    // Some errors roll back of themselves, and ROLLBACK then fails; but so it may for other reasons. Only in
    // no transaction can one be begun.
    execute(connection, "ROLLBACK").await.is_ok()
        || execute(connection, "BEGIN").await.is_ok() && execute(connection, "ROLLBACK").await.is_ok()
}

async fn execute(connection: &mut SqliteConnection, sql: &'static str) -> Result<(), sqlx::Error> {
    sqlx::query(sql).execute(connection).await.map(drop)
}

async fn write_one(connection: &mut SqliteConnection, write: &Write) -> Result<Outcome, StoreError> {
    let (done, overtaken) = match write {
        Write::Create(new, _) => (insert_match(connection, new).await?, Outcome::Exists),
        Write::Append(append) => (move_head(connection, append).await?, Outcome::Conflict),
    };
    if !done {
        return Ok(overtaken);
    }
    for event in write.events() {
        insert_event(connection, write, event).await?;
    }
    Ok(Outcome::Written)
}

/// False: its name or uid is taken.
async fn insert_match(connection: &mut SqliteConnection, new: &StoredMatch) -> Result<bool, StoreError> {
    let sql = "INSERT INTO matches (bucket, uid, tenant, match_id, display_name_one, display_name_two, labels, \
               annotations, seed, revision, hash, state, create_time, update_time, end_time) \
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
    let (about, head) = (&new.about, &new.head);
    let query = sqlx::query(sql)
        .bind(bucket(new.uid))
        .bind(new.uid.as_bytes().as_slice())
        .bind(&*new.name.tenant)
        .bind(&*new.name.id)
        .bind(&*about.display_names.one)
        .bind(&*about.display_names.two)
        .bind(json(&about.labels)?)
        .bind(json(&about.annotations)?)
        .bind(about.seed.as_ref().map(<[u8; 32]>::as_slice))
        .bind(head.revision)
        .bind(head.hash.as_bytes().as_slice())
        .bind(state_name(head.state))
        .bind(head.create_time)
        .bind(head.update_time)
        .bind(head.end_time);
    Ok(query.execute(connection).await.map_err(store_error)?.rows_affected() == 1)
}

/// False: the match is not at the expected revision, or there is no such match.
async fn move_head(connection: &mut SqliteConnection, append: &Append) -> Result<bool, StoreError> {
    let sql = "UPDATE matches SET revision = ?, hash = ?, state = ?, update_time = ?, end_time = ? \
               WHERE bucket = ? AND uid = ? AND revision = ?";
    let head = &append.head;
    let query = sqlx::query(sql)
        .bind(head.revision)
        .bind(head.hash.as_bytes().as_slice())
        .bind(state_name(head.state))
        .bind(head.update_time)
        .bind(head.end_time)
        .bind(bucket(append.uid))
        .bind(append.uid.as_bytes().as_slice())
        .bind(append.expected_revision);
    Ok(query.execute(connection).await.map_err(store_error)?.rows_affected() == 1)
}

async fn insert_event(
    connection: &mut SqliteConnection,
    write: &Write,
    event: &StoredEvent,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO events (bucket, uid, revision, hash, request_id, event) VALUES (?, ?, ?, ?, ?, ?)";
    let text = std::str::from_utf8(&event.bytes)
        .map_err(|_| StoreError::Corrupt(format!("event {} is no text", event.revision)))?;
    let query = sqlx::query(sql)
        .bind(bucket(write.uid()))
        .bind(write.uid().as_bytes().to_vec())
        .bind(event.revision)
        .bind(event.hash.as_bytes().as_slice())
        .bind(event.request_id.as_ref().map(|id| id.as_bytes().as_slice()))
        .bind(text);
    query.execute(connection).await.map_err(store_error).map(drop)
}

/// A write is there if its last event is: its hash covers all that came before.
async fn is_written(connection: &mut SqliteConnection, write: &Write) -> Result<bool, sqlx::Error> {
    let Some(last) = write.events().last() else { return Ok(false) };
    let sql = "SELECT hash FROM events WHERE bucket = ? AND uid = ? AND revision = ?";
    let query = sqlx::query_scalar::<_, Vec<u8>>(sql)
        .bind(bucket(write.uid()))
        .bind(write.uid().as_bytes().to_vec())
        .bind(last.revision);
    let found = query.fetch_optional(connection).await?;
    Ok(found.is_some_and(|hash| hash == last.hash.as_bytes()))
}

fn json(facts: &std::collections::BTreeMap<String, String>) -> Result<String, StoreError> {
    serde_json::to_string(facts).map_err(|error| StoreError::Corrupt(error.to_string()))
}
