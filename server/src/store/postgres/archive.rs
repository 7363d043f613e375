//! Matches that have ended are packed, in the background.
//!
//! Any number of servers may do so at once, and any of them may die in the middle: a match is packed by one statement
//! or not at all.

use std::time::Duration;

use sqlx::{PgConnection, PgPool};
use tokio::{
    task::spawn_blocking,
    time::{MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;

use super::{
    error::{damaged, store_error},
    pack::{pack, unpack},
    read::event_rows,
    row::key,
};
use crate::store::{MatchKey, StoreError, StoredEvent};

/// How often it is looked for matches that have ended.
const INTERVAL: Duration = Duration::from_secs(1);

/// How many are packed before it is looked again whether the server goes down.
const PORTION: i64 = 32;

/// Packs what has ended until the store is closed.
pub(super) async fn run(pool: PgPool, stop: CancellationToken) {
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        // As long as there is much to do, without a pause.
        while !stop.is_cancelled() {
            match pack_some(&pool).await {
                Ok(packed) if packed == PORTION as usize => {}
                Ok(_) => break,
                Err(error) => {
                    tracing::warn!(%error, "matches that have ended could not be packed");
                    break;
                }
            }
        }
    }
}

/// Packs some of the matches that have ended; how many of them it could.
async fn pack_some(pool: &PgPool) -> Result<usize, StoreError> {
    let mut connection = pool.acquire().await.map_err(store_error)?;
    let sql = "SELECT bucket, uid, revision FROM matches WHERE end_time IS NOT NULL AND NOT archived \
               ORDER BY end_time LIMIT $1";
    let ended = sqlx::query(sql).bind(PORTION).fetch_all(&mut *connection).await.map_err(store_error)?;
    let mut packed = 0;
    for row in &ended {
        let key = key(row).map_err(damaged)?;
        packed += usize::from(pack_one(&mut connection, key).await?);
    }
    Ok(packed)
}

/// Packs a match; whether it could.
pub(super) async fn pack_one(connection: &mut PgConnection, key: MatchKey) -> Result<bool, StoreError> {
    let events = whole_log(connection, key).await?;
    let Some(revision) = events.last().map(|last| last.revision) else { return Ok(false) };
    // So long that other tasks of a thread would wait for it.
    let packing = spawn_blocking(move || pack(key.uid, &events));
    let Some(packed) = packing.await.map_err(|panicked| damaged(panicked.to_string()))? else {
        tracing::error!(uid = %key.uid, "a log fails its hash chain and is left as it is");
        return Ok(false);
    };
    let query = sqlx::query_scalar::<_, bool>("SELECT archive_match($1, $2, $3::integer, $4)")
        .bind(i16::from(key.bucket))
        .bind(key.uid)
        .bind(i64::from(revision))
        .bind(packed);
    query.fetch_one(connection).await.map_err(store_error)
}

/// All events of a match, wherever they are.
async fn whole_log(connection: &mut PgConnection, key: MatchKey) -> Result<Vec<StoredEvent>, StoreError> {
    let mut events = packed_events(connection, key, 0, u32::MAX).await?.unwrap_or_default();
    let after = events.last().map_or(0, |last| last.revision);
    events.extend(event_rows(connection, key, after, u32::MAX).await?);
    Ok(events)
}

/// The events of a match that are packed and come after this revision, at most `limit` of them, if there are any.
/// Otherwise there is no need to unpack them.
pub(super) async fn packed_events(
    connection: &mut PgConnection,
    key: MatchKey,
    after: u32,
    limit: u32,
) -> Result<Option<Vec<StoredEvent>>, StoreError> {
    let sql = "SELECT log FROM archive WHERE bucket = $1 AND uid = $2 AND revision > $3";
    let query = sqlx::query_scalar::<_, Vec<u8>>(sql)
        .bind(i16::from(key.bucket))
        .bind(key.uid)
        .bind(i64::from(after));
    let packed = query.fetch_optional(connection).await.map_err(store_error)?;
    let Some(packed) = packed else { return Ok(None) };
    // So long that other tasks of a thread would wait for it.
    let unpacking = spawn_blocking(move || unpack(key.uid, &packed, after, limit));
    unpacking.await.map_err(|panicked| damaged(panicked.to_string()))?.map(Some).map_err(damaged)
}
