//! The writer's side of the store: a connection of its own.

use std::time::Duration;

use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};
use tokio::time::timeout;

use super::{batch, citus::Layout, connect::connect, error::store_error, news::Origin};
use crate::store::{
    MatchKey, StoreError, StoredEvent,
    commit::{Engine, Failure, Outcome, Write},
};

/// How long a transaction may take before its connection is given up. Longer than the database itself gives any
/// statement, so this is for a database that does not answer at all.
const PATIENCE: Duration = Duration::from_secs(20);

/// Writes batches.
pub(super) struct PostgresEngine {
    options: PgConnectOptions,
    /// `None` at first and after a failure: the next write connects.
    connection: Option<PgConnection>,
    /// In whose name other servers are told.
    origin: Origin,
    layout: Layout,
}

impl PostgresEngine {
    /// It connects when it is needed.
    pub(super) const fn new(options: PgConnectOptions, origin: Origin, layout: Layout) -> Self {
        Self { options, connection: None, origin, layout }
    }

    async fn connection(&mut self) -> Result<PgConnection, StoreError> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => connect(&self.options).await.map_err(store_error),
        }
    }
}

impl Engine for PostgresEngine {
    async fn write(&mut self, batch: &[Write]) -> Result<Vec<Outcome>, Failure> {
        // Taken out while it is used: whatever happens, nobody finds a connection with half a transaction.
        let mut connection = self.connection().await.map_err(Failure::Unreachable)?;
        let Ok(result) =
            timeout(PATIENCE, batch::write(&mut connection, batch, &self.origin, self.layout)).await
        else {
            let because = "the database does not answer".to_owned();
            return Err(Failure::Unknown(StoreError::Unavailable(because)));
        };
        match &result {
            Ok(_) => self.connection = Some(connection),
            // In no transaction, ROLLBACK only warns.
            Err(Failure::RolledBack(_)) if batch::execute(&mut connection, "ROLLBACK").await.is_ok() => {
                self.connection = Some(connection);
            }
            Err(_) => drop(connection),
        }
        result
    }

    async fn find_written(&mut self, batch: &[Write]) -> Result<Vec<bool>, StoreError> {
        let mut connection = self.connection().await?;
        let mut written = Vec::with_capacity(batch.len());
        for write in batch {
            written.push(is_written(&mut connection, write).await.map_err(store_error)?);
        }
        self.connection = Some(connection);
        Ok(written)
    }

    async fn close(self) {
        if let Some(connection) = self.connection
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "the connection was not closed in order");
        }
    }
}

async fn is_written(connection: &mut PgConnection, write: &Write) -> Result<bool, sqlx::Error> {
    match write {
        Write::Create(new, events) => is_last(connection, new.key, events).await,
        Write::Append(append) => is_last(connection, append.key, &append.events).await,
        // Whoever asks for these looks at the match again if it is a conflict.
        Write::Mend(..) | Write::Drop(..) => Ok(false),
        Write::Beat(moment) => {
            let query = sqlx::query_scalar::<_, i64>("SELECT last_beat FROM service WHERE id = 1");
            // A later one says the same.
            Ok(query.fetch_optional(connection).await? >= Some(*moment))
        }
    }
}

/// Events are there if the last one is: its hash covers all that came before.
async fn is_last(
    connection: &mut PgConnection,
    key: MatchKey,
    events: &[StoredEvent],
) -> Result<bool, sqlx::Error> {
    let Some(last) = events.last() else { return Ok(false) };
    let sql = "SELECT hash FROM events WHERE bucket = $1 AND uid = $2 AND revision = $3";
    let query = sqlx::query_scalar::<_, Vec<u8>>(sql)
        .bind(i16::from(key.bucket))
        .bind(key.uid)
        .bind(i64::from(last.revision));
    Ok(query.fetch_optional(connection).await?.is_some_and(|hash| hash == last.hash.as_bytes()))
}
