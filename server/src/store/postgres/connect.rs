//! How the store is opened, and how its tables are made.

use std::{sync::Arc, time::Duration};

use sqlx::{
    ConnectOptions, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::time::timeout;

use super::{
    PostgresStore,
    citus::{self, Layout},
    engine::PostgresEngine,
    migrations,
    news::{Listener, Origin},
};
use crate::store::{
    OpenError, Store, Writing,
    commit::{GroupCommit, Shares},
};

/// How many reads run at once unless the operator says so; more wait.
const READERS: u32 = 8;

/// How long a read may wait for its turn.
const TURN: Duration = Duration::from_secs(1);

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(5);

/// What every session of ours sets.
const SESSION: [(&str, &str); 6] = [
    ("search_path", migrations::SCHEMA),
    // The database itself ends what takes too long, so no statement is ever left half way.
    ("statement_timeout", "10s"),
    // Whoever waits behind a batch that waits for a lock must hear of it before giving up.
    ("lock_timeout", "3s"),
    // Nothing here leaves a transaction open; should it happen, it must not hold others up.
    ("idle_in_transaction_session_timeout", "1s"),
    // A batch must go to its rows by their keys, whatever the statistics of a young table say: a plan is kept.
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
];

/// What a session that writes sets as well. Planning its statements takes as long as writing a dozen rows, and for small
/// batches the database would do so every time, since it takes unknown ones to be larger.
const WRITER: [(&str, &str); 1] = [("plan_cache_mode", "force_generic_plan")];

/// Opens a database whose tables were made by [`migrate`].
pub(in crate::store) async fn open(url: &str, writing: Writing) -> Result<Arc<dyn Store>, OpenError> {
    open_with(url, READERS, writing).await.map(|store| Arc::new(store) as Arc<dyn Store>)
}

pub(super) async fn open_with(url: &str, readers: u32, writing: Writing) -> Result<PostgresStore, OpenError> {
    let options = options(url)?;
    let mut connection = connect(&options).await.map_err(engine_error)?;
    migrations::check(&mut connection).await?;
    let origin = Origin::new();
    let (shares, layout) = match citus::shares(&mut connection).await? {
        Some(shares) => (shares, Layout::Spread),
        None => (Shares::even(writing.writers), Layout::Whole),
    };
    let listener = Listener::start(&options, origin.clone(), layout);
    let of_writers = options.clone().options(WRITER);
    let engine = |_| PostgresEngine::new(of_writers.clone(), origin.clone(), layout);
    let commits = GroupCommit::start((0..shares.writers()).map(engine), shares, writing.batch);
    let (archivists, growers) = (pool(options.clone(), 1), pool(options.clone(), 1));
    let readers = pool(options.options([("default_transaction_read_only", "on")]), readers);
    Ok(PostgresStore::start(commits, readers, archivists, growers, listener))
}

/// Makes the tables of a database, or brings them up to date.
pub(in crate::store) async fn migrate(url: &str) -> Result<(), OpenError> {
    let mut connection = connect_to_migrate(url).await?;
    migrations::migrate(&mut connection).await
}

/// Spreads the tables over the machines of a cluster of Citus, after making them or bringing them up to date.
pub(in crate::store) async fn distribute(url: &str) -> Result<(), OpenError> {
    let mut connection = connect_to_migrate(url).await?;
    migrations::migrate(&mut connection).await?;
    citus::distribute(&mut connection).await
}

/// A step may take as long as it takes.
async fn connect_to_migrate(url: &str) -> Result<PgConnection, OpenError> {
    let endless = [("statement_timeout", "0"), ("idle_in_transaction_session_timeout", "0")];
    connect(&options(url)?.options(endless)).await.map_err(engine_error)
}

pub(super) fn options(url: &str) -> Result<PgConnectOptions, OpenError> {
    let options: PgConnectOptions = url.parse().map_err(engine_error)?;
    // Statements hold names of people; slow ones are found by the spans round them.
    Ok(options.application_name("chaquete-server").options(SESSION).disable_statement_logging())
}

/// A connection for one owner.
pub(super) async fn connect(options: &PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
    let connecting = timeout(CONNECT, options.connect()).await;
    connecting.unwrap_or_else(|_| Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())))
}

/// Connections that are made when they are needed.
pub(super) fn pool(options: PgConnectOptions, most: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(most)
        .acquire_timeout(TURN)
        // A read that finds its connection dead tries another one: asking each time would cost as much as a read.
        .test_before_acquire(false)
        .connect_lazy_with(options)
}

#[expect(clippy::needless_pass_by_value, reason = "this is how `map_err` hands it over")]
fn engine_error(error: sqlx::Error) -> OpenError {
    OpenError::Engine(error.to_string())
}
