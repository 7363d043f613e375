//! Lists of matches, each along an index.

use sqlx::{PgConnection, Postgres, QueryBuilder, postgres::PgRow};
use uuid::Uuid;

use super::{
    error::{damaged, store_error},
    row::{column, key, match_columns, stored_match},
};
use crate::{
    clock::Millis,
    store::{ListQuery, Listed, OrderBy, Place, StoreError, Timed},
};

/// Matches of a list.
pub(super) async fn list(connection: &mut PgConnection, query: ListQuery) -> Result<Vec<Listed>, StoreError> {
    let rows = list_statement(&query).build().fetch_all(connection).await.map_err(store_error)?;
    let time = time_column(query.order.by);
    let place = |row: &PgRow| {
        let text = |name| column::<String>(row, name).map(String::into_bytes);
        Ok::<_, String>(Place { time: column(row, time)?, tenant: text("tenant")?, id: text("match_id")? })
    };
    let listed = rows.iter().map(|row| Ok(Listed { place: place(row)?, row: stored_match(row) }));
    listed.collect::<Result<_, _>>().map_err(damaged)
}

const fn time_column(by: OrderBy) -> &'static str {
    match by {
        OrderBy::CreateTime => "create_time",
        OrderBy::EndTime => "end_time",
    }
}

pub(super) fn list_statement(query: &ListQuery) -> QueryBuilder<Postgres> {
    let time = time_column(query.order.by);
    let mut sql = QueryBuilder::new(concat!("SELECT ", match_columns!(), " FROM matches WHERE "));
    // The condition of the partial indexes by end_time, and always true of the others.
    sql.push(time).push(" IS NOT NULL");
    if let Some(tenant) = &query.tenant {
        sql.push(" AND tenant = ").push_bind(tenant.clone());
    }
    if let Some(Place { time: moment, tenant, id }) = &query.after {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        sql.push(" AND (").push(time).push(", ");
        sql.push(if query.tenant.is_none() { "tenant, match_id" } else { "match_id" });
        sql.push(if query.order.descending { ") < (" } else { ") > (" }).push_bind(*moment);
        if query.tenant.is_none() {
            sql.push(", ").push_bind(text(tenant));
        }
        sql.push(", ").push_bind(text(id)).push(")");
    }
    let direction = if query.order.descending { " DESC" } else { " ASC" };
    sql.push(" ORDER BY ").push(time).push(direction);
    if query.tenant.is_none() {
        sql.push(", tenant").push(direction);
    }
    sql.push(", match_id").push(direction).push(" LIMIT ").push_bind(i64::from(query.limit));
    sql
}

/// Matches that are lost on time.
pub(super) async fn overdue(
    connection: &mut PgConnection,
    now: Millis,
    after: Option<(Millis, Uuid)>,
    limit: u32,
) -> Result<Vec<Timed>, StoreError> {
    // From before the first of all, if there is no other place to begin after.
    let (deadline, uid) = after.unwrap_or((Millis::MIN, Uuid::nil()));
    let sql = concat!(
        "SELECT ",
        match_columns!(),
        " FROM matches WHERE deadline <= $1 AND (deadline, uid) > ($2, $3) ORDER BY deadline, uid LIMIT $4"
    );
    let query = sqlx::query(sql).bind(now).bind(deadline).bind(uid).bind(i64::from(limit));
    timed(&query.fetch_all(connection).await.map_err(store_error)?)
}

/// Matches that have a deadline. The index is in another order, since one in this order would cost every append,
/// and nobody reads these pages but a server that begins.
pub(super) async fn running(
    connection: &mut PgConnection,
    after: Option<Uuid>,
    limit: u32,
) -> Result<Vec<Timed>, StoreError> {
    let sql = concat!(
        "SELECT ",
        match_columns!(),
        " FROM matches WHERE deadline IS NOT NULL AND ($1 IS NULL OR uid > $1) ORDER BY uid LIMIT $2"
    );
    let query = sqlx::query(sql).bind(after).bind(i64::from(limit));
    timed(&query.fetch_all(connection).await.map_err(store_error)?)
}

fn timed(rows: &[PgRow]) -> Result<Vec<Timed>, StoreError> {
    let timed = |row: &PgRow| {
        Ok(Timed { deadline: column(row, "deadline")?, uid: key(row)?.uid, row: stored_match(row) })
    };
    rows.iter().map(timed).collect::<Result<_, _>>().map_err(damaged)
}
