//! Citus: Postgres that spreads tables over machines by a column, here `bucket`.
//!
//! A match lies in one shard, with all that belongs to it. A statement that names buckets of one shard goes to one
//! machine and is committed there; so each group of buckets that lie together has a writer of its own, and what
//! `append` writes says which buckets it is about. Notifications are heard only on the machine that sends them, which
//! need not be the one that a server is connected to, so it is looked for news as well.

use sqlx::PgConnection;

use crate::store::{OpenError, commit::Shares};

/// How the tables lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// In one place.
    Whole,
    /// Spread by `bucket`.
    Spread,
}

/// Tables whose keys begin with `bucket`; the others lie with the first.
const DISTRIBUTED: [&str; 5] = ["matches", "match_players", "events", "archive", "leaves"];

/// Tables that belong to no match, which every machine has. Of these only `tiles` has many rows, and changes few.
const REFERENCE: [&str; 7] =
    ["service", "_sqlx_migrations", "checkpoint", "tiles", "key_leaves", "service_keys", "token_revocations"];

/// What packs a match: every machine can be asked to.
const FUNCTION: &str = "archive_match(smallint, uuid, integer, bytea)";

/// Spreads the tables over the machines of the cluster. What is spread already stays as it is.
pub(super) async fn distribute(connection: &mut PgConnection) -> Result<(), OpenError> {
    if !is_there(connection).await.map_err(engine)? {
        return Err(OpenError::NoCitus);
    }
    let [first, others @ ..] = DISTRIBUTED;
    let spread = "SELECT create_distributed_table($1::regclass, 'bucket', colocate_with => $2)";
    for (table, with) in [(first, "none")].into_iter().chain(others.map(|table| (table, first))) {
        if !is_spread(connection, table).await.map_err(engine)? {
            sqlx::query(spread).bind(table).bind(with).execute(&mut *connection).await.map_err(engine)?;
        }
    }
    for table in REFERENCE {
        if !is_spread(connection, table).await.map_err(engine)? {
            let copy = "SELECT create_reference_table($1::regclass)";
            sqlx::query(copy).bind(table).execute(&mut *connection).await.map_err(engine)?;
        }
    }
    let copy = "SELECT create_distributed_function($1::regprocedure)";
    sqlx::query(copy).bind(FUNCTION).execute(connection).await.map_err(engine)?;
    Ok(())
}

/// A writer for each group of buckets that lie together; `None` if the tables are not spread.
pub(super) async fn shares(connection: &mut PgConnection) -> Result<Option<Shares>, OpenError> {
    if !is_there(connection).await.map_err(engine)?
        || !is_spread(connection, DISTRIBUTED[0]).await.map_err(engine)?
    {
        return Ok(None);
    }
    let sql = "SELECT get_shard_id_for_distribution_column('matches', bucket::smallint) \
               FROM generate_series(0, 255) AS bucket ORDER BY bucket";
    let shards: Vec<i64> = sqlx::query_scalar(sql).fetch_all(connection).await.map_err(engine)?;
    let shards = shards.try_into();
    let shards = shards.map_err(|_| OpenError::Engine("not every bucket lies in a shard".to_owned()))?;
    Ok(Some(Shares::by_place::<i64>(shards)))
}

async fn is_there(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let sql = "SELECT to_regclass('pg_dist_partition') IS NOT NULL";
    sqlx::query_scalar(sql).fetch_one(connection).await
}

async fn is_spread(connection: &mut PgConnection, table: &str) -> Result<bool, sqlx::Error> {
    let sql = "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = $1::regclass)";
    sqlx::query_scalar(sql).bind(table).fetch_one(connection).await
}

#[expect(clippy::needless_pass_by_value, reason = "this is how `map_err` hands it over")]
fn engine(error: sqlx::Error) -> OpenError {
    OpenError::Engine(error.to_string())
}
