//! The statements that drop a match.

use sqlx::SqliteConnection;

use super::error::store_error;
use crate::store::{MatchKey, Seen, StoreError};

/// First, since every event belongs to a match.
const EVENTS: &str = "\
DELETE FROM events WHERE bucket = ?1 AND uid = ?2 AND EXISTS (
    SELECT 1 FROM matches
    WHERE bucket = ?1 AND uid = ?2 AND revision = ?3 AND hash = ?4 AND end_time IS NOT NULL)";

const MATCH: &str = "\
DELETE FROM matches WHERE bucket = ?1 AND uid = ?2 AND revision = ?3 AND hash = ?4 AND end_time IS NOT NULL";

/// Drops a match that has ended and still is as it was seen; whether there is such a one.
pub(super) async fn drop_ended(
    connection: &mut SqliteConnection,
    key: MatchKey,
    seen: Seen,
) -> Result<bool, StoreError> {
    let mut dropped = 0;
    for statement in [EVENTS, MATCH] {
        let query = sqlx::query(statement)
            .bind(key.bucket)
            .bind(key.uid.as_bytes().as_slice())
            .bind(seen.revision)
            .bind(seen.hash.as_bytes().as_slice());
        dropped = query.execute(&mut *connection).await.map_err(store_error)?.rows_affected();
    }
    Ok(dropped == 1)
}
