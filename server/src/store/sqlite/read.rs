//! Reads of single matches.

use sqlx::{SqliteConnection, sqlite::SqliteRow};
use uuid::Uuid;

use super::{
    error::{damaged, store_error},
    row::{column, match_columns, stored_event, stored_match},
};
use crate::{
    clock::Millis,
    name::MatchName,
    store::{MatchKey, Row, StoreError, StoredEvent, StoredMatch},
};

/// The match of a name, or what is left of it.
pub(super) async fn find_row(
    connection: &mut SqliteConnection,
    name: MatchName,
) -> Result<Option<Row>, StoreError> {
    let sql = concat!("SELECT ", match_columns!(), " FROM matches WHERE tenant = ? AND match_id = ?");
    row_of(sqlx::query(sql).bind(name.tenant).bind(name.id).fetch_optional(connection).await)
}

/// The match of a key.
pub(super) async fn find_key(
    connection: &mut SqliteConnection,
    key: MatchKey,
) -> Result<Option<StoredMatch>, StoreError> {
    let sql = concat!("SELECT ", match_columns!(), " FROM matches WHERE bucket = ? AND uid = ?");
    let query = sqlx::query(sql).bind(key.bucket).bind(key.uid.as_bytes().as_slice());
    let row = row_of(query.fetch_optional(connection).await)?.transpose();
    row.map_err(|bad| damaged(bad.because))
}

fn row_of(row: Result<Option<SqliteRow>, sqlx::Error>) -> Result<Option<Row>, StoreError> {
    Ok(row.map_err(store_error)?.map(|row| stored_match(&row)))
}

/// Events of a match after a revision.
pub(super) async fn events(
    connection: &mut SqliteConnection,
    key: MatchKey,
    after: u32,
    limit: u32,
) -> Result<Vec<StoredEvent>, StoreError> {
    let damaged = |revision, because| StoreError::Damaged { revision, because };
    let sql = "SELECT revision, hash, request_id, event FROM events \
               WHERE bucket = ? AND uid = ? AND revision > ? ORDER BY revision LIMIT ?";
    let query = sqlx::query(sql).bind(key.bucket).bind(key.uid.as_bytes().as_slice()).bind(after).bind(limit);
    let rows = query.fetch_all(connection).await.map_err(|error| match store_error(error) {
        StoreError::Damaged { because, .. } => damaged(after.saturating_add(1), because),
        error => error,
    })?;
    // Those before one that cannot be read are in their places, so its own number is known.
    let numbered = (0..).zip(&rows);
    let read = |(n, row)| {
        stored_event(row).map_err(|because| damaged(after.saturating_add(1).saturating_add(n), because))
    };
    numbered.map(read).collect()
}

/// The event with this request id.
pub(super) async fn find_request(
    connection: &mut SqliteConnection,
    key: MatchKey,
    request_id: Uuid,
) -> Result<Option<StoredEvent>, StoreError> {
    let sql = "SELECT revision, hash, request_id, event FROM events \
               WHERE bucket = ? AND uid = ? AND request_id = ?";
    let query = sqlx::query(sql).bind(key.bucket).bind(key.uid.as_bytes().as_slice());
    let row = query.bind(request_id.as_bytes().as_slice()).fetch_optional(connection).await;
    let found = row.map_err(store_error)?.map(|row| stored_event(&row)).transpose();
    found.map_err(damaged)
}

/// The last moment at which a server was seen.
pub(super) async fn last_beat(connection: &mut SqliteConnection) -> Result<Option<Millis>, StoreError> {
    let query = sqlx::query("SELECT last_beat FROM service WHERE id = 1");
    let Some(row) = query.fetch_optional(connection).await.map_err(store_error)? else { return Ok(None) };
    // Clocks must go on: without it they do as if this was the first server.
    let beat = column(&row, "last_beat").inspect_err(|damage| tracing::error!(damage, "no beat can be read"));
    Ok(beat.ok())
}
