//! Reads of single matches. Each names the bucket of its match.

use sqlx::{PgConnection, postgres::PgRow};
use uuid::Uuid;

use super::{
    archive::packed_events,
    error::{damaged, store_error},
    row::{column, match_columns, stored_event, stored_match},
};
use crate::{
    clock::Millis,
    name::MatchName,
    store::{MatchKey, Row, StoreError, StoredEvent, StoredMatch, bucket},
};

/// The match of a name, or what is left of it.
pub(super) async fn find_row(
    connection: &mut PgConnection,
    name: MatchName,
) -> Result<Option<Row>, StoreError> {
    let sql = concat!(
        "SELECT ",
        match_columns!(),
        " FROM matches WHERE bucket = $1 AND tenant = $2 AND match_id = $3"
    );
    let bucket = i16::from(bucket(&name));
    row_of(sqlx::query(sql).bind(bucket).bind(name.tenant).bind(name.id).fetch_optional(connection).await)
}

/// The match of a key.
pub(super) async fn find_key(
    connection: &mut PgConnection,
    key: MatchKey,
) -> Result<Option<StoredMatch>, StoreError> {
    let sql = concat!("SELECT ", match_columns!(), " FROM matches WHERE bucket = $1 AND uid = $2");
    let query = sqlx::query(sql).bind(i16::from(key.bucket)).bind(key.uid);
    let row = row_of(query.fetch_optional(connection).await)?.transpose();
    row.map_err(|bad| damaged(bad.because))
}

fn row_of(row: Result<Option<PgRow>, sqlx::Error>) -> Result<Option<Row>, StoreError> {
    Ok(row.map_err(store_error)?.map(|row| stored_match(&row)))
}

/// Events of a match after a revision, packed or not.
pub(super) async fn events(
    connection: &mut PgConnection,
    key: MatchKey,
    after: u32,
    limit: u32,
) -> Result<Vec<StoredEvent>, StoreError> {
    let rows = event_rows(connection, key, after, limit).await?;
    // Rows that begin with the next event are all there is. Anything else is packed, or is not.
    if limit == 0 || rows.first().is_some_and(|first| first.revision == after.saturating_add(1)) {
        return Ok(rows);
    }
    let Some(mut events) = packed_events(connection, key, after, limit).await? else { return Ok(rows) };
    // Read before the archive was, so events may be in both.
    let packed = events.last().map_or(after, |last| last.revision);
    events.extend(rows.into_iter().filter(|event| event.revision > packed));
    events.truncate(limit as usize);
    Ok(events)
}

/// Events of a match after a revision that are rows.
pub(super) async fn event_rows(
    connection: &mut PgConnection,
    key: MatchKey,
    after: u32,
    limit: u32,
) -> Result<Vec<StoredEvent>, StoreError> {
    let damaged = |revision, because| StoreError::Damaged { revision, because };
    let sql = "SELECT revision, hash, request_id, event FROM events \
               WHERE bucket = $1 AND uid = $2 AND revision > $3 ORDER BY revision LIMIT $4";
    let query = sqlx::query(sql).bind(i16::from(key.bucket)).bind(key.uid);
    let rows = query.bind(i64::from(after)).bind(i64::from(limit)).fetch_all(connection).await;
    let rows = rows.map_err(|error| match store_error(error) {
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
    connection: &mut PgConnection,
    key: MatchKey,
    request_id: Uuid,
) -> Result<Option<StoredEvent>, StoreError> {
    let sql = "SELECT revision, hash, request_id, event FROM events \
               WHERE bucket = $1 AND uid = $2 AND request_id = $3";
    let query = sqlx::query(sql).bind(i16::from(key.bucket)).bind(key.uid).bind(request_id);
    match query.fetch_optional(&mut *connection).await.map_err(store_error)? {
        Some(row) => stored_event(&row).map(Some).map_err(damaged),
        None => {
            let packed = packed_events(connection, key, 0, u32::MAX).await?.unwrap_or_default();
            Ok(packed.into_iter().find(|event| event.request_id == Some(request_id)))
        }
    }
}

/// The last moment at which a server was seen.
pub(super) async fn last_beat(connection: &mut PgConnection) -> Result<Option<Millis>, StoreError> {
    let query = sqlx::query("SELECT last_beat FROM service WHERE id = 1");
    let row = query.fetch_optional(connection).await.map_err(store_error)?;
    row.map(|row| column(&row, "last_beat")).transpose().map_err(damaged)
}
