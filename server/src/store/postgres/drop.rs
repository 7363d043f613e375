//! The statements that drop a match. They need one transaction, and the rights of who owns the tables.

use sqlx::{PgConnection, postgres::PgRow};

use crate::store::{MatchKey, Seen};

/// How many statements there are to a match.
pub(super) const STATEMENTS: usize = 1 + REST.len();

/// First: whoever packs the match waits for its row, so what they have packed is seen by the others.
const MATCH: &str = "DELETE FROM matches WHERE bucket = $1 AND uid = $2 AND revision = $3 AND hash = $4 \
                     AND end_time IS NOT NULL RETURNING bucket, uid";

const REST: [&str; 3] = [
    "DELETE FROM match_players WHERE bucket = $1 AND uid = $2",
    "DELETE FROM archive WHERE bucket = $1 AND uid = $2",
    "DELETE FROM events WHERE bucket = $1 AND uid = $2",
];

/// Drops a match that has ended and still is as it was seen; a row with its key if there is such a one.
pub(super) async fn drop_ended(
    connection: &mut PgConnection,
    key: MatchKey,
    seen: Seen,
) -> Result<Option<PgRow>, sqlx::Error> {
    let query = sqlx::query(MATCH)
        .bind(i16::from(key.bucket))
        .bind(key.uid)
        .bind(i64::from(seen.revision))
        .bind(seen.hash.as_bytes().as_slice());
    let dropped = query.fetch_optional(&mut *connection).await?;
    if dropped.is_some() {
        for statement in REST {
            sqlx::query(statement)
                .bind(i16::from(key.bucket))
                .bind(key.uid)
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok(dropped)
}
