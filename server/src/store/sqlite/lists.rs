//! Lists of matches, each along an index.
//!
//! A row that is damaged is a row of the list all the same. An index that is damaged is no loss either, since
//! all of it is in the table: then that is walked, and sorted. To find such damage, what the index says of a
//! match is compared with what the table says.

use sqlx::{QueryBuilder, Sqlite, SqliteConnection, sqlite::SqliteRow};
use uuid::Uuid;

use super::{
    error::{damaged, store_error},
    row::{array, column, match_columns, stored_match},
};
use crate::{
    clock::Millis,
    store::{Filter, ListQuery, Listed, OrderBy, Place, StoreError, Timed, filter::sql::push_filter},
};

/// What a statement walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walk {
    /// The index made for it: a page is found in it alone, and only then the matches of the page.
    Index,
    /// The table, with all that sorting costs.
    Table,
}

/// The table itself, by the name that SQLite has for it. (`NOT INDEXED` says something else: of a table
/// without rowid it forbids nothing.)
const TABLE: &str = "INDEXED BY sqlite_autoindex_matches_1 ";

/// What follows a page of an index: its matches, and nothing for an entry that has none.
const JOIN: &str = ") LEFT JOIN matches ON bucket = place_bucket AND uid = place_uid ORDER BY ";

/// Which way a list goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// Matches of a list.
pub(super) async fn list(
    connection: &mut SqliteConnection,
    query: ListQuery,
) -> Result<Vec<Listed>, StoreError> {
    let place = |row: &SqliteRow| {
        let bytes = |name| column::<&[u8]>(row, name).ok().map(<[u8]>::to_vec);
        Some(Place {
            time: column(row, "place_time").ok()?,
            tenant: bytes("place_tenant")?,
            id: bytes("place_id")?,
        })
    };
    let direction = if query.order.descending { Direction::Down } else { Direction::Up };
    let rows = walk(connection, direction, &query.after, |walk| list_statement(&query, walk), place).await?;
    Ok(rows.into_iter().map(|(place, row)| Listed { place, row: stored_match(&row) }).collect())
}

/// There are 16 of these statements, not counting those for damaged indexes; each is put together of constant
/// parts.
pub(super) fn list_statement(query: &ListQuery, walk: Walk) -> QueryBuilder<Sqlite> {
    let time = match query.order.by {
        OrderBy::CreateTime => "create_time",
        OrderBy::EndTime => "end_time",
    };
    let mut sql = QueryBuilder::new(concat!("SELECT ", match_columns!(), ", "));
    if walk == Walk::Index {
        sql.push("place_time, place_tenant, place_id, place_time IS ").push(time);
        sql.push(" AND place_tenant IS tenant AND place_id IS match_id AS agrees FROM (");
        sql.push("SELECT bucket AS place_bucket, uid AS place_uid, ");
    }
    sql.push(time).push(" AS place_time, tenant AS place_tenant, match_id AS place_id FROM matches ");
    match walk {
        // The condition of the partial indexes by end_time, and always true of the others.
        Walk::Index => sql.push("WHERE ").push(time).push(" IS NOT NULL"),
        Walk::Table => sql.push(TABLE).push("WHERE typeof(").push(time).push(") = 'integer'"),
    };
    if query.filter != Filter::EVERY {
        push_filter(sql.push(" AND "), &query.filter);
    }
    push_page(&mut sql, query, time);
    if walk == Walk::Index {
        push_order(sql.push(JOIN), query, ["place_time", "place_tenant", "place_id"]);
    }
    sql
}

/// Which page of all that were selected.
fn push_page(sql: &mut QueryBuilder<Sqlite>, query: &ListQuery, time: &str) {
    if let Some(tenant) = &query.tenant {
        sql.push(" AND tenant = ").push_bind(tenant.clone());
    }
    if let Some(Place { time: moment, tenant, id }) = &query.after {
        sql.push(" AND (").push(time).push(", ");
        sql.push(if query.tenant.is_none() { "tenant, match_id" } else { "match_id" });
        sql.push(if query.order.descending { ") < (" } else { ") > (" }).push_bind(*moment);
        // Texts sort before blobs, so what is compared with a text must be one, even if it is damaged.
        if query.tenant.is_none() {
            sql.push(", CAST(").push_bind(tenant.clone()).push(" AS TEXT)");
        }
        sql.push(", CAST(").push_bind(id.clone()).push(" AS TEXT))");
    }
    push_order(sql.push(" ORDER BY "), query, [time, "tenant", "match_id"]);
    sql.push(" LIMIT ").push_bind(query.limit);
}

fn push_order(sql: &mut QueryBuilder<Sqlite>, query: &ListQuery, [time, tenant, id]: [&str; 3]) {
    let direction = if query.order.descending { " DESC" } else { " ASC" };
    sql.push(time).push(direction);
    // Within a tenant its name is always the same, and not in the index a second time.
    if query.tenant.is_none() {
        sql.push(", ").push(tenant).push(direction);
    }
    sql.push(", ").push(id).push(direction);
}

/// Matches that are lost on time.
pub(super) async fn overdue(
    connection: &mut SqliteConnection,
    now: Millis,
    after: Option<(Millis, Uuid)>,
    limit: u32,
) -> Result<Vec<Timed>, StoreError> {
    let place = |row: &SqliteRow| timed(row);
    let statement = |walk| overdue_statement(now, after, limit, walk);
    let rows = walk(connection, Direction::Up, &after, statement, place).await?;
    let whole = |((deadline, uid), row)| Timed { deadline, uid, row: stored_match(&row) };
    Ok(rows.into_iter().map(whole).collect())
}

pub(super) fn overdue_statement(
    now: Millis,
    after: Option<(Millis, Uuid)>,
    limit: u32,
    walk: Walk,
) -> QueryBuilder<Sqlite> {
    let mut sql = timed_statement(walk);
    sql.push("deadline <= ").push_bind(now);
    if let Some((deadline, uid)) = after {
        sql.push(" AND (deadline, uid) > (").push_bind(deadline).push(", ");
        sql.push_bind(uid.as_bytes().to_vec()).push(")");
    }
    sql.push(" ORDER BY deadline, uid LIMIT ").push_bind(limit);
    if walk == Walk::Index {
        sql.push(JOIN).push("place_time, place_uid");
    }
    sql
}

/// Matches that have a deadline.
pub(super) async fn running(
    connection: &mut SqliteConnection,
    after: Option<Uuid>,
    limit: u32,
) -> Result<Vec<Timed>, StoreError> {
    let place = |row: &SqliteRow| timed(row).map(|(deadline, uid)| (uid, deadline));
    let statement = |walk| running_statement(after, limit, walk);
    // Any deadline: the uid alone decides.
    let after = after.map(|uid| (uid, Millis::MAX));
    let rows = walk(connection, Direction::Up, &after, statement, place).await?;
    let whole = |((uid, deadline), row)| Timed { deadline, uid, row: stored_match(&row) };
    Ok(rows.into_iter().map(whole).collect())
}

/// How many matches of a tenant run, counted up to a number.
pub(super) async fn count_running(
    connection: &mut SqliteConnection,
    tenant: &str,
    most: u32,
) -> Result<u32, StoreError> {
    let mut sql = count_running_statement(tenant, most);
    sql.build_query_scalar().fetch_one(connection).await.map_err(store_error)
}

pub(super) fn count_running_statement(tenant: &str, most: u32) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new("SELECT count(*) FROM (SELECT 1 FROM matches WHERE tenant = ");
    sql.push_bind(tenant.to_owned()).push(" AND state = 'active' LIMIT ").push_bind(most).push(")");
    sql
}

/// The index is in another order, since one in this order would cost every append, and nobody reads these
/// pages but a server that begins.
pub(super) fn running_statement(after: Option<Uuid>, limit: u32, walk: Walk) -> QueryBuilder<Sqlite> {
    let mut sql = timed_statement(walk);
    sql.push("deadline IS NOT NULL");
    if let Some(uid) = after {
        sql.push(" AND uid > ").push_bind(uid.as_bytes().to_vec());
    }
    sql.push(" ORDER BY uid LIMIT ").push_bind(limit);
    if walk == Walk::Index {
        sql.push(JOIN).push("place_uid");
    }
    sql
}

/// Begins a statement for matches with deadlines. What has no place among them is left out, where no index
/// does it.
fn timed_statement(walk: Walk) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new(concat!("SELECT ", match_columns!(), ", "));
    match walk {
        Walk::Index => {
            sql.push("place_time, place_uid, place_time IS deadline AS agrees FROM (");
            sql.push("SELECT bucket AS place_bucket, uid AS place_uid, deadline AS place_time ");
            sql.push("FROM matches INDEXED BY matches_by_deadline WHERE ");
        }
        Walk::Table => {
            sql.push("uid AS place_uid, deadline AS place_time FROM matches ").push(TABLE);
            sql.push("WHERE typeof(deadline) = 'integer' AND typeof(uid) = 'blob' AND length(uid) = 16 AND ");
        }
    }
    sql
}

fn timed(row: &SqliteRow) -> Option<(Millis, Uuid)> {
    let uid = column(row, "place_uid").and_then(|uid| array(uid, "uid")).ok()?;
    Some((column(row, "place_time").ok()?, Uuid::from_bytes(uid)))
}

/// Rows with their places, along the index if it is whole.
async fn walk<P: Ord>(
    connection: &mut SqliteConnection,
    direction: Direction,
    after: &Option<P>,
    statement: impl Fn(Walk) -> QueryBuilder<Sqlite>,
    place: impl Fn(&SqliteRow) -> Option<P>,
) -> Result<Vec<(P, SqliteRow)>, StoreError> {
    let rows = statement(Walk::Index).build().fetch_all(&mut *connection).await.map_err(store_error);
    match rows.and_then(agreeing).and_then(|rows| in_place(rows, direction, after, &place)) {
        Err(StoreError::Damaged { because, .. }) => {
            tracing::error!(because, "lists are slow: stop the server, and let sqlite3 REINDEX the store");
        }
        walked => return walked,
    }
    let rows = statement(Walk::Table).build().fetch_all(connection).await.map_err(store_error)?;
    in_place(rows, direction, after, &place)
}

/// Finds rows of which the index does not say what the table says.
fn agreeing(rows: Vec<SqliteRow>) -> Result<Vec<SqliteRow>, StoreError> {
    if rows.iter().all(|row| column(row, "agrees").unwrap_or(false)) {
        return Ok(rows);
    }
    Err(damaged("an index and its table do not agree".to_owned()))
}

/// Finds rows out of place: a page that began after one of them might begin anywhere, again and again.
fn in_place<P: Ord>(
    rows: Vec<SqliteRow>,
    direction: Direction,
    after: &Option<P>,
    place: impl Fn(&SqliteRow) -> Option<P>,
) -> Result<Vec<(P, SqliteRow)>, StoreError> {
    let mut placed: Vec<(P, SqliteRow)> = Vec::with_capacity(rows.len());
    for row in rows {
        let here = place(&row).ok_or_else(|| damaged("a row has no place in its list".to_owned()))?;
        let before = placed.last().map(|(place, _)| place).or(after.as_ref());
        let follows = before.is_none_or(|before| match direction {
            Direction::Up => here > *before,
            Direction::Down => here < *before,
        });
        if !follows {
            return Err(damaged("a row is out of its place in its list".to_owned()));
        }
        placed.push((here, row));
    }
    Ok(placed)
}
