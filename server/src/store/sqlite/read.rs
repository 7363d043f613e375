//! Reads, and how rows become what they stand for.

use std::collections::BTreeMap;

use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection, sqlite::SqliteRow};
use uuid::Uuid;

use super::error::store_error;
use crate::{
    clock::Millis,
    log::Hash,
    name::MatchName,
    store::{About, Head, ListQuery, OrderBy, State, StoreError, StoredEvent, StoredMatch, bucket},
};

/// All columns of a match, in the order in which [`stored_match`] reads them.
macro_rules! match_columns {
    () => {
        "tenant, match_id, uid, display_name_one, display_name_two, labels, annotations, seed, \
         revision, hash, state, create_time, update_time, end_time, deadline"
    };
}

/// The match of a name.
pub(super) async fn find(
    connection: &mut SqliteConnection,
    name: MatchName,
) -> Result<Option<StoredMatch>, StoreError> {
    let sql = concat!("SELECT ", match_columns!(), " FROM matches WHERE tenant = ? AND match_id = ?");
    let row = sqlx::query(sql).bind(name.tenant).bind(name.id).fetch_optional(connection).await;
    row.map_err(store_error)?.as_ref().map(stored_match).transpose()
}

/// Events of a match after a revision.
pub(super) async fn events(
    connection: &mut SqliteConnection,
    uid: Uuid,
    after: u32,
    limit: u32,
) -> Result<Vec<StoredEvent>, StoreError> {
    let sql = "SELECT revision, hash, request_id, event FROM events \
               WHERE bucket = ? AND uid = ? AND revision > ? ORDER BY revision LIMIT ?";
    let query = sqlx::query(sql).bind(bucket(uid)).bind(uid.as_bytes().as_slice()).bind(after).bind(limit);
    query.fetch_all(connection).await.map_err(store_error)?.iter().map(stored_event).collect()
}

/// Matches of a list.
pub(super) async fn list(
    connection: &mut SqliteConnection,
    query: ListQuery,
) -> Result<Vec<StoredMatch>, StoreError> {
    let rows = list_statement(query).build().fetch_all(connection).await.map_err(store_error)?;
    rows.iter().map(stored_match).collect()
}

/// There are 16 of these statements; each is put together of constant parts and walks one index.
pub(super) fn list_statement(query: ListQuery) -> QueryBuilder<Sqlite> {
    let time = match query.order.by {
        OrderBy::CreateTime => "create_time",
        OrderBy::EndTime => "end_time",
    };
    let (beyond, direction) = if query.order.descending { ("<", "DESC") } else { (">", "ASC") };
    let mut sql = QueryBuilder::new(concat!("SELECT ", match_columns!(), " FROM matches WHERE "));
    // The condition of the partial indexes by end_time, and always true of the others.
    sql.push(time).push(" IS NOT NULL");
    if let Some(tenant) = query.tenant {
        sql.push(" AND tenant = ").push_bind(tenant);
    }
    if let Some((moment, uid)) = query.after {
        sql.push(" AND (").push(time).push(", uid) ").push(beyond).push(" (").push_bind(moment).push(", ");
        sql.push_bind(uid.as_bytes().to_vec()).push(")");
    }
    sql.push(" ORDER BY ").push(time).push(" ").push(direction).push(", uid ").push(direction);
    sql.push(" LIMIT ").push_bind(query.limit);
    sql
}

/// Matches that are lost on time.
pub(super) async fn overdue(
    connection: &mut SqliteConnection,
    now: Millis,
    after: Option<(Millis, Uuid)>,
    limit: u32,
) -> Result<Vec<StoredMatch>, StoreError> {
    let rows =
        overdue_statement(now, after, limit).build().fetch_all(connection).await.map_err(store_error)?;
    rows.iter().map(stored_match).collect()
}

pub(super) fn overdue_statement(
    now: Millis,
    after: Option<(Millis, Uuid)>,
    limit: u32,
) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new(concat!("SELECT ", match_columns!(), " FROM matches WHERE deadline <= "));
    sql.push_bind(now);
    if let Some((deadline, uid)) = after {
        sql.push(" AND (deadline, uid) > (").push_bind(deadline).push(", ");
        sql.push_bind(uid.as_bytes().to_vec()).push(")");
    }
    sql.push(" ORDER BY deadline, uid LIMIT ").push_bind(limit);
    sql
}

/// Matches that have a deadline.
pub(super) async fn running(
    connection: &mut SqliteConnection,
    after: Option<Uuid>,
    limit: u32,
) -> Result<Vec<StoredMatch>, StoreError> {
    let rows = running_statement(after, limit).build().fetch_all(connection).await.map_err(store_error)?;
    rows.iter().map(stored_match).collect()
}

/// Finds a page in the index alone, and only then the matches of it. The index is in another order, since
/// one in this order would cost every append, and nobody reads these pages but a server that begins.
pub(super) fn running_statement(after: Option<Uuid>, limit: u32) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new(concat!("SELECT ", match_columns!(), " FROM matches "));
    sql.push("WHERE (bucket, uid) IN (SELECT bucket, uid FROM matches INDEXED BY matches_by_deadline ");
    sql.push("WHERE deadline IS NOT NULL");
    if let Some(uid) = after {
        sql.push(" AND uid > ").push_bind(uid.as_bytes().to_vec());
    }
    sql.push(" ORDER BY uid LIMIT ").push_bind(limit).push(") ORDER BY uid");
    sql
}

/// The last moment at which a server was seen.
pub(super) async fn last_beat(connection: &mut SqliteConnection) -> Result<Option<Millis>, StoreError> {
    let query = sqlx::query_scalar("SELECT last_beat FROM service WHERE id = 1");
    query.fetch_optional(connection).await.map_err(store_error)
}

fn stored_match(row: &SqliteRow) -> Result<StoredMatch, StoreError> {
    let name = MatchName { tenant: column(row, "tenant")?, id: column(row, "match_id")? };
    let about = About {
        display_names: chaquete_rules::BySeat::new(
            column(row, "display_name_one")?,
            column(row, "display_name_two")?,
        ),
        labels: json(row, "labels")?,
        annotations: json(row, "annotations")?,
        seed: column::<Option<&[u8]>>(row, "seed")?.map(|seed| array(seed, "seed")).transpose()?,
    };
    let head = Head {
        revision: column(row, "revision")?,
        hash: hash(row)?,
        state: state(column(row, "state")?)?,
        create_time: column(row, "create_time")?,
        update_time: column(row, "update_time")?,
        end_time: column(row, "end_time")?,
        deadline: column(row, "deadline")?,
    };
    let uid = Uuid::from_bytes(array(column(row, "uid")?, "uid")?);
    Ok(StoredMatch { name, uid, about, head })
}

fn stored_event(row: &SqliteRow) -> Result<StoredEvent, StoreError> {
    let request_id = column::<Option<&[u8]>>(row, "request_id")?;
    Ok(StoredEvent {
        revision: column(row, "revision")?,
        hash: hash(row)?,
        request_id: request_id.map(|id| array(id, "request_id").map(Uuid::from_bytes)).transpose()?,
        bytes: column::<String>(row, "event")?.into_bytes(),
    })
}

fn column<'r, T>(row: &'r SqliteRow, name: &str) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, Sqlite> + sqlx::Type<Sqlite>,
{
    row.try_get(name).map_err(store_error)
}

fn hash(row: &SqliteRow) -> Result<Hash, StoreError> {
    Ok(Hash::from(array::<32>(column(row, "hash")?, "hash")?))
}

fn array<const N: usize>(bytes: &[u8], name: &str) -> Result<[u8; N], StoreError> {
    bytes.try_into().map_err(|_| StoreError::Corrupt(format!("a {name} of {} bytes", bytes.len())))
}

fn json(row: &SqliteRow, name: &str) -> Result<BTreeMap<String, String>, StoreError> {
    serde_json::from_str(column(row, name)?).map_err(|error| StoreError::Corrupt(format!("{name}: {error}")))
}

/// How a state is written.
pub(super) const fn state_name(state: State) -> &'static str {
    match state {
        State::Active => "active",
        State::Completed => "completed",
        State::Cancelled => "cancelled",
    }
}

fn state(name: &str) -> Result<State, StoreError> {
    [State::Active, State::Completed, State::Cancelled]
        .into_iter()
        .find(|state| state_name(*state) == name)
        .ok_or_else(|| StoreError::Corrupt(format!("a state {name:?}")))
}
