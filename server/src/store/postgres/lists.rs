//! Lists of matches, each along an index.

use sqlx::{PgConnection, Postgres, QueryBuilder, postgres::PgRow};
use uuid::Uuid;

use super::{
    error::{damaged, store_error},
    row::{column, key, match_columns, stored_match},
};
use crate::{
    clock::Millis,
    store::{
        Filter, ListQuery, Listed, OrderBy, Place, Stage, State, StoreError, Timed, filter::sql::push_filter,
    },
};

/// Matches of a list. Which plan is best depends on what is looked for, so no plan is kept.
pub(super) async fn list(connection: &mut PgConnection, query: ListQuery) -> Result<Vec<Listed>, StoreError> {
    let mut statement = list_statement(&query);
    let rows = statement.build().persistent(false).fetch_all(connection).await.map_err(store_error)?;
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

/// A list goes along an index of its order: that of a player's matches, if all are of one, or else that of the
/// tenant's, or of all.
pub(super) fn list_statement(query: &ListQuery) -> QueryBuilder<Postgres> {
    match (&query.tenant, query.filter.required_player()) {
        (Some(tenant), Some(subject)) => players_statement(query, tenant, subject),
        _ => matches_statement(query),
    }
}

fn matches_statement(query: &ListQuery) -> QueryBuilder<Postgres> {
    let time = time_column(query.order.by);
    let mut sql = QueryBuilder::new(concat!("SELECT ", match_columns!(), " FROM matches WHERE "));
    // The condition of the partial indexes by end_time, and always true of the others.
    sql.push(time).push(" IS NOT NULL");
    if let Some(tenant) = &query.tenant {
        sql.push(" AND tenant = ").push_bind(tenant.clone());
    }
    if query.filter != Filter::EVERY {
        push_filter(sql.push(" AND "), &query.filter);
    }
    push_page(&mut sql, query, time);
    sql
}

fn players_statement(query: &ListQuery, tenant: &str, subject: &str) -> QueryBuilder<Postgres> {
    let time = time_column(query.order.by);
    let mut sql = QueryBuilder::new(concat!(
        "SELECT ",
        match_columns!(),
        " FROM (SELECT bucket AS of_bucket, uid AS of_uid, "
    ));
    sql.push(time).push(" AS of_time, match_id AS of_id FROM match_players WHERE tenant = ");
    sql.push_bind(tenant.to_owned()).push(" AND subject = ").push_bind(subject.to_owned());
    sql.push(" AND ").push(time).push(" IS NOT NULL");
    let is_running = |stage: Stage| stage.stored().0 == State::Active;
    if query.filter.required_stage().is_some_and(is_running) {
        sql.push(" AND end_time IS NULL");
    }
    sql.push(") AS played JOIN matches ON bucket = of_bucket AND uid = of_uid WHERE ");
    push_filter(&mut sql, &query.filter);
    push_page(&mut sql, query, "of_time");
    sql
}

/// Which page of all that were selected.
fn push_page(sql: &mut QueryBuilder<Postgres>, query: &ListQuery, time: &str) {
    // Of one tenant its name need not be compared.
    let id = if time == "of_time" { "of_id" } else { "match_id" };
    let keys = if query.tenant.is_none() { vec![time, "tenant", id] } else { vec![time, id] };
    if let Some(Place { time: moment, tenant, id }) = &query.after {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        sql.push(" AND (").push(keys.join(", "));
        sql.push(if query.order.descending { ") < (" } else { ") > (" }).push_bind(*moment);
        if query.tenant.is_none() {
            sql.push(", ").push_bind(text(tenant));
        }
        sql.push(", ").push_bind(text(id)).push(")");
    }
    let direction = if query.order.descending { " DESC" } else { " ASC" };
    let order: Vec<_> = keys.iter().map(|key| format!("{key}{direction}")).collect();
    sql.push(" ORDER BY ").push(order.join(", ")).push(" LIMIT ").push_bind(i64::from(query.limit));
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

/// How many matches of a tenant run, counted up to a number.
pub(super) async fn count_running(
    connection: &mut PgConnection,
    tenant: String,
    most: u32,
) -> Result<u32, StoreError> {
    let sql = "SELECT count(*) FROM (SELECT FROM matches WHERE tenant = $1 AND state = 'active' LIMIT $2) AS running";
    let query = sqlx::query_scalar::<_, i64>(sql).bind(tenant).bind(i64::from(most));
    let counted = query.fetch_one(connection).await.map_err(store_error)?;
    u32::try_from(counted).map_err(|_| damaged(format!("{counted} running matches")))
}

fn timed(rows: &[PgRow]) -> Result<Vec<Timed>, StoreError> {
    let timed = |row: &PgRow| {
        Ok(Timed { deadline: column(row, "deadline")?, uid: key(row)?.uid, row: stored_match(row) })
    };
    rows.iter().map(timed).collect::<Result<_, _>>().map_err(damaged)
}
