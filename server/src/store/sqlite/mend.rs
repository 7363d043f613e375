//! The statement that brings the row of a match in line with its log.

use sqlx::SqliteConnection;

use super::error::store_error;
use crate::{
    log::Word,
    store::{Seen, StoreError, StoredMatch, words::seat_number},
};

const MEND: &str = "\
UPDATE matches SET subject_one = ?, subject_two = ?, points = ?, variant = ?, revision = ?, hash = ?, state = ?,
    create_time = ?, update_time = ?, end_time = ?, deadline = ?, waiting = ?, seat_to_act = ?, winner = ?, reason = ?
WHERE bucket = ? AND uid = ? AND revision = ? AND hash = ?";

/// Mends a row that still says what was seen; whether there is such a one.
pub(super) async fn mend(
    connection: &mut SqliteConnection,
    right: &StoredMatch,
    seen: Seen,
) -> Result<bool, StoreError> {
    let StoredMatch { key, agreed, head, standing, .. } = right;
    let query = sqlx::query(MEND)
        .bind(&*agreed.subjects.one)
        .bind(&*agreed.subjects.two)
        .bind(agreed.points)
        .bind(agreed.variant.word())
        .bind(head.revision)
        .bind(head.hash.as_bytes().as_slice())
        .bind(head.state.word())
        .bind(head.create_time)
        .bind(head.update_time)
        .bind(head.end_time)
        .bind(head.deadline)
        .bind(standing.waiting.map(Word::word))
        .bind(standing.seat_to_act.map(seat_number))
        .bind(standing.winner.map(seat_number))
        .bind(standing.reason.map(Word::word))
        .bind(key.bucket)
        .bind(key.uid.as_bytes().as_slice())
        .bind(seen.revision)
        .bind(seen.hash.as_bytes().as_slice());
    Ok(query.execute(connection).await.map_err(store_error)?.rows_affected() == 1)
}
