//! How a store is opened.

use std::{path::Path, sync::Arc, time::Duration};

use sqlx::{
    ConnectOptions, SqliteConnection, SqlitePool,
    migrate::MigrateError,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::Mutex;
use uuid::Uuid;

use super::{
    Readers, SqliteStore, checkpoints, credentials, engine::SqliteEngine, error::is_not_a_database,
    file::OwnFile, lists, migrations, read,
};
use crate::store::{Filter, ListQuery, OpenError, Order, OrderBy, Store, StoreError};

/// How many reads run at once; more wait. Each has a thread, and they wait for the disk, not for each other.
const READERS: u32 = 4;

/// How long a read may wait for its turn.
const READ_TURN: Duration = Duration::from_secs(5);

/// How long a write waits for another program, say an operator's `sqlite3`, to end its own.
const BUSY: Duration = Duration::from_secs(5);

/// What migrations/sqlite/0001_matches.sql marks a file with.
const APPLICATION_ID: i64 = 0x4348_5154;

/// What the writer of a file needs beside its connection.
pub(super) struct Served {
    options: SqliteConnectOptions,
    /// Closed by the writer after its last write.
    pub(super) readers: SqlitePool,
    _file: OwnFile,
}

impl Served {
    /// Another connection for the writer.
    pub(super) async fn connect(&self) -> Result<SqliteConnection, sqlx::Error> {
        self.options.connect().await
    }
}

/// Opens a file, creating it if there is none.
pub(in crate::store) async fn open_file(path: &Path) -> Result<Arc<dyn Store>, OpenError> {
    open_file_with(path, options()).await.map(|store| Arc::new(store) as Arc<dyn Store>)
}

/// Opens a new store in memory.
pub(in crate::store) async fn open_memory() -> Result<Arc<dyn Store>, OpenError> {
    let mut connection = options().filename(":memory:").connect().await.map_err(engine_error)?;
    migrations::migrator().run(&mut connection).await.map_err(migration_error)?;
    let connection = Arc::new(Mutex::new(Some(connection)));
    let engine = SqliteEngine::new(Arc::clone(&connection), None);
    Ok(Arc::new(SqliteStore::start(engine, Readers::Shared(connection))))
}

/// Opens a file with options that a test has changed.
pub(super) async fn open_file_with(
    path: &Path,
    options: SqliteConnectOptions,
) -> Result<SqliteStore, OpenError> {
    let file = OwnFile::take(path)?;
    let options = options.filename(&file.path);
    let prepared = prepare(&options).await;
    let connection = prepared.map_err(|error| match error {
        Unprepared::Foreign => OpenError::Foreign { path: file.path.clone() },
        Unprepared::Engine(error) if is_not_a_database(&error) => {
            OpenError::NotADatabase { path: file.path.clone() }
        }
        Unprepared::Engine(error) => engine_error(error),
        Unprepared::Unreadable(error) => {
            tracing::error!(%error, "the store was opened, but cannot be read");
            OpenError::NotADatabase { path: file.path.clone() }
        }
        Unprepared::Migration(error) => migration_error(error),
    })?;

    let readers = reader_pool(&options);
    let engine = SqliteEngine::new(
        Arc::new(Mutex::new(Some(connection))),
        Some(Served { options, readers: readers.clone(), _file: file }),
    );
    Ok(SqliteStore::start(engine, Readers::Pool(readers)))
}

pub(super) fn options() -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        // A commit is on the disk when it is acknowledged. NORMAL would lose the last ones with the power.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY)
        // Pages that many batches change are copied into the file once, not once a batch: at the usual 1000 pages
        // a full batch would wait for a copy every time. 8192 pages are 32 MiB.
        .pragma("wal_autocheckpoint", "8192")
        // After a burst or a long read the log may be large; it is cut when it begins anew.
        .pragma("journal_size_limit", "67108864")
        // Statements hold names of people; slow ones are found by the spans round them.
        .disable_statement_logging()
}

/// Connections that can only read: a mistake in a read cannot write, and the writer has no rival.
pub(super) fn reader_pool(options: &SqliteConnectOptions) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(READ_TURN)
        // A file does not hang up. A ping would cost as much as a read.
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_lazy_with(options.clone().read_only(true))
}

/// Why a file is not what the store needs.
enum Unprepared {
    Foreign,
    Engine(sqlx::Error),
    Migration(MigrateError),
    Unreadable(StoreError),
}

impl From<sqlx::Error> for Unprepared {
    fn from(error: sqlx::Error) -> Self {
        Self::Engine(error)
    }
}

impl From<MigrateError> for Unprepared {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => Self::Engine(error),
            error => Self::Migration(error),
        }
    }
}

/// The writer's connection to a file that has today's tables. Nothing is written to what is not ours.
async fn prepare(options: &SqliteConnectOptions) -> Result<SqliteConnection, Unprepared> {
    let mut connection = options.connect().await?;
    if is_foreign(&mut connection).await? {
        return Err(Unprepared::Foreign);
    }
    // With a write-ahead log, readers and the writer do not wait for each other, and a commit is one sync.
    // The mode stays with the file, so only this connection sets it.
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode = WAL").fetch_one(&mut connection).await?;
    if mode != "wal" {
        return Err(sqlx::Error::Configuration(format!("no write-ahead log, but {mode:?}").into()).into());
    }
    migrations::migrator().run(&mut connection).await?;
    probe(&mut connection).await.map_err(Unprepared::Unreadable)?;
    Ok(connection)
}

/// Looks whether everything can be read, though there may be nothing. A bit of the tables' own description that
/// is damaged would otherwise show only when somebody asks, and then every time.
async fn probe(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    for by in [OrderBy::CreateTime, OrderBy::EndTime] {
        for tenant in [Some(String::new()), None] {
            let order = Order { by, descending: true };
            lists::list(
                &mut *connection,
                ListQuery { tenant, filter: Filter::EVERY, order, after: None, limit: 0 },
            )
            .await?;
        }
    }
    lists::overdue(&mut *connection, 0, None, 0).await?;
    lists::running(&mut *connection, None, 0).await?;
    read::events(&mut *connection, crate::store::MatchKey { bucket: 0, uid: Uuid::nil() }, 0, 0).await?;
    checkpoints::probe(&mut *connection).await?;
    credentials::probe(&mut *connection).await?;
    read::last_beat(connection).await.map(drop)
}

/// Whether the file is the database of another program. One that has no tables yet is ours to take.
async fn is_foreign(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let id: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    // The table of migrations is made before the first of them: a crash in between leaves it alone.
    let tables: i64 =
        sqlx::query_scalar("SELECT count(name) FROM sqlite_schema WHERE tbl_name <> '_sqlx_migrations'")
            .fetch_one(connection)
            .await?;
    Ok(id != APPLICATION_ID && (id != 0 || tables > 0))
}

#[expect(clippy::needless_pass_by_value, reason = "this is how `map_err` hands it over")]
fn engine_error(error: sqlx::Error) -> OpenError {
    OpenError::Engine(error.to_string())
}

fn migration_error(error: MigrateError) -> OpenError {
    match error {
        MigrateError::VersionMissing(version) => OpenError::TooNew { version },
        error => OpenError::Engine(error.to_string()),
    }
}
