//! What is kept of a match beside its log, brought in line with it.

use chaquete_rules::BySeat;
use sqlx::{PgConnection, postgres::PgRow};

use super::{
    columns::text,
    error::{damaged, store_error},
    row::column,
};
use crate::{
    log::Word,
    store::{Seen, StoreError, StoredMatch, words::seat_number},
};

/// Mends a row that still says what was seen, and its players, of whom none is removed: lists look at the match
/// itself as well. Whether its events are packed is found out anew.
const MEND: &str = "\
WITH mended AS (
    UPDATE matches SET subject_one = $5, subject_two = $6, points = $7, variant = $8, revision = $9, hash = $10,
        state = $11, create_time = $12, update_time = $13, end_time = $14, deadline = $15, waiting = $16,
        seat_to_act = $17, winner = $18, reason = $19, snapshot = coalesce($20, snapshot), archived = false
    WHERE bucket = $1 AND uid = $2 AND revision = $3 AND hash = $4
    RETURNING bucket, uid, tenant, match_id, subject_one, subject_two, create_time, end_time
), players AS (
    INSERT INTO match_players (bucket, uid, subject, tenant, match_id, create_time, end_time)
    SELECT bucket, uid, subject_one, tenant, match_id, create_time, end_time FROM mended
    UNION
    SELECT bucket, uid, subject_two, tenant, match_id, create_time, end_time FROM mended
    ON CONFLICT (bucket, uid, subject) DO UPDATE SET tenant = excluded.tenant, match_id = excluded.match_id,
        create_time = excluded.create_time, end_time = excluded.end_time
)
SELECT bucket, uid FROM mended";

/// Mends a match; a row with its key if it still is as it was seen.
pub(super) async fn mend(
    connection: &mut PgConnection,
    right: &StoredMatch,
    seen: Seen,
) -> Result<Option<PgRow>, sqlx::Error> {
    let StoredMatch { key, agreed, head, standing, snapshot, .. } = right;
    let query = sqlx::query(MEND)
        .bind(i16::from(key.bucket))
        .bind(key.uid)
        .bind(i64::from(seen.revision))
        .bind(seen.hash.as_bytes().as_slice())
        .bind(&*agreed.subjects.one)
        .bind(&*agreed.subjects.two)
        .bind(agreed.points.map(i64::from))
        .bind(agreed.variant.word())
        .bind(i64::from(head.revision))
        .bind(head.hash.as_bytes().as_slice())
        .bind(head.state.word())
        .bind(head.create_time)
        .bind(head.update_time)
        .bind(head.end_time)
        .bind(head.deadline)
        .bind(standing.waiting.map(Word::word))
        .bind(standing.seat_to_act.map(|seat| i16::from(seat_number(seat))))
        .bind(standing.winner.map(|seat| i16::from(seat_number(seat))))
        .bind(standing.reason.map(Word::word))
        .bind(snapshot.as_deref().map(text).transpose()?);
    query.fetch_optional(connection).await
}

/// The players in whose lists the match is not found as its row says.
pub(super) async fn missing_from(
    connection: &mut PgConnection,
    row: StoredMatch,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT subject FROM match_players WHERE bucket = $1 AND uid = $2 AND tenant = $3 AND match_id = $4 \
               AND create_time = $5 AND end_time IS NOT DISTINCT FROM $6";
    let query = sqlx::query(sql)
        .bind(i16::from(row.key.bucket))
        .bind(row.key.uid)
        .bind(row.name.tenant)
        .bind(row.name.id)
        .bind(row.head.create_time)
        .bind(row.head.end_time);
    let rows = query.fetch_all(connection).await.map_err(store_error)?;
    let found = rows.iter().map(|row| column(row, "subject")).collect::<Result<Vec<String>, _>>();
    let found = found.map_err(damaged)?;
    let BySeat { one, two } = row.agreed.subjects;
    let mut missing: Vec<_> = [one, two].into_iter().filter(|player| !found.contains(player)).collect();
    // Of a match against oneself.
    missing.dedup();
    Ok(missing)
}
