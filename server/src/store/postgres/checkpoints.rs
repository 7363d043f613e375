//! The tree over all logs, on which servers take turns.

use chaquete_proof::tree::{TileId, Tiles};
use sqlx::{Connection as _, PgConnection, postgres::PgRow};

use super::{
    PostgresStore,
    error::{damaged, store_error},
    row::{array, column, covered, fit, hash, key, number},
};
use crate::store::{
    Checkpoints, Covered, Growth, MatchKey, PlacedLeaf, Seen, StoreError, StoredCheckpoint,
    checkpoints::{read_hashes, stored_hashes},
    words::Read,
};

#[async_trait::async_trait]
impl Checkpoints for PostgresStore {
    async fn checkpoint(&self) -> Result<StoredCheckpoint, StoreError> {
        self.read(|connection| Box::pin(checkpoint(connection))).await
    }

    async fn tiles(&self, ids: Vec<TileId>) -> Result<Tiles, StoreError> {
        self.read(move |connection| Box::pin(tiles(connection, ids.clone()))).await
    }

    async fn grow(&self, growth: Growth) -> Result<(), StoreError> {
        self.write_aside(move |connection| Box::pin(async move { grow(connection, &growth).await })).await
    }

    async fn last_leaves(&self, keys: Vec<MatchKey>) -> Result<Vec<PlacedLeaf>, StoreError> {
        self.read(move |connection| Box::pin(last_leaves(connection, keys.clone()))).await
    }

    async fn leaf_covering(&self, key: MatchKey, revision: u32) -> Result<Option<PlacedLeaf>, StoreError> {
        self.read(move |connection| Box::pin(leaf_covering(connection, key, revision))).await
    }

    async fn leaves(&self, from: u64, limit: u32) -> Result<Vec<PlacedLeaf>, StoreError> {
        self.read(move |connection| Box::pin(leaves(connection, from, limit))).await
    }

    async fn key_leaves(&self) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        self.read(|connection| Box::pin(key_leaves(connection))).await
    }

    async fn covered(&self, after: Option<MatchKey>, limit: u32) -> Result<Vec<Covered>, StoreError> {
        self.read(move |connection| Box::pin(all_covered(connection, after, limit))).await
    }
}

async fn checkpoint(connection: &mut PgConnection) -> Result<StoredCheckpoint, StoreError> {
    let query = sqlx::query("SELECT size, root, note, time FROM checkpoint WHERE id = 1");
    let row = query.fetch_optional(connection).await.map_err(store_error)?;
    let row = row.ok_or_else(|| damaged("there is no checkpoint, not even the first".to_owned()))?;
    let read = || {
        let root = array(column(&row, "root")?, "root")?;
        let (note, time) = (column(&row, "note")?, column(&row, "time")?);
        Ok(StoredCheckpoint { size: place(&row, "size")?, root, note, time })
    };
    read().map_err(damaged)
}

async fn tiles(connection: &mut PgConnection, ids: Vec<TileId>) -> Result<Tiles, StoreError> {
    let sql = "SELECT level, place, hashes FROM unnest($1::smallint[], $2::bigint[]) AS wanted (level, place) \
               JOIN tiles USING (level, place)";
    let (levels, places): (Vec<i16>, Vec<i64>) =
        ids.iter().map(|id| (i16::from(id.level), id.index as i64)).unzip();
    let query = sqlx::query(sql).bind(levels).bind(places);
    let rows = query.fetch_all(connection).await.map_err(store_error)?;
    let tile = |row: &PgRow| {
        let id = TileId { level: number(row, "level")?, index: place(row, "place")? };
        Ok((id, read_hashes(column(row, "hashes")?).ok_or_else(|| format!("{id:?} is cut off"))?))
    };
    rows.iter().map(tile).collect::<Read<_>>().map_err(damaged)
}

async fn grow(connection: &mut PgConnection, growth: &Growth) -> Result<(), StoreError> {
    let mut transaction = connection.begin().await.map_err(store_error)?;
    // Whoever comes second waits here for the first, and then does not find what it has seen.
    let sql = "UPDATE checkpoint SET size = $1, root = $2, note = $3, time = $4 WHERE id = 1 AND size = $5";
    let moved = sqlx::query(sql)
        .bind(growth.checkpoint.size as i64)
        .bind(growth.checkpoint.root.as_slice())
        .bind(&*growth.checkpoint.note)
        .bind(growth.checkpoint.time)
        .bind(growth.before as i64);
    if moved.execute(&mut *transaction).await.map_err(store_error)?.rows_affected() != 1 {
        transaction.rollback().await.map_err(store_error)?;
        return Err(StoreError::Conflict);
    }
    put_tiles(&mut transaction, &growth.tiles).await.map_err(store_error)?;
    insert_leaves(&mut transaction, &growth.leaves).await.map_err(store_error)?;
    for (place, data) in &growth.keys {
        let leaf = sqlx::query("INSERT INTO key_leaves (place, data) VALUES ($1, $2)");
        leaf.bind(*place as i64).bind(&**data).execute(&mut *transaction).await.map_err(store_error)?;
    }
    transaction.commit().await.map_err(store_error)
}

async fn put_tiles(connection: &mut PgConnection, tiles: &Tiles) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO tiles (level, place, hashes) \
               SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bytea[]) \
               ON CONFLICT (level, place) DO UPDATE SET hashes = excluded.hashes";
    let levels: Vec<_> = tiles.iter().map(|(id, _)| i16::from(id.level)).collect();
    let places: Vec<_> = tiles.iter().map(|(id, _)| id.index as i64).collect();
    let hashes: Vec<_> = tiles.iter().map(|(_, hashes)| stored_hashes(hashes)).collect();
    sqlx::query(sql).bind(levels).bind(places).bind(hashes).execute(connection).await.map(drop)
}

async fn insert_leaves(connection: &mut PgConnection, leaves: &[PlacedLeaf]) -> Result<(), sqlx::Error> {
    if leaves.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO leaves (bucket, uid, revision, hash, place) \
               SELECT * FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bytea[], $5::bigint[])";
    let query = sqlx::query(sql)
        .bind(leaves.iter().map(|leaf| i16::from(leaf.key.bucket)).collect::<Vec<_>>())
        .bind(leaves.iter().map(|leaf| leaf.key.uid).collect::<Vec<_>>())
        .bind(leaves.iter().map(|leaf| i64::from(leaf.seen.revision)).collect::<Vec<_>>())
        .bind(leaves.iter().map(|leaf| leaf.seen.hash.as_bytes().as_slice()).collect::<Vec<_>>())
        .bind(leaves.iter().map(|leaf| leaf.place as i64).collect::<Vec<_>>());
    query.execute(connection).await.map(drop)
}

async fn last_leaves(
    connection: &mut PgConnection,
    keys: Vec<MatchKey>,
) -> Result<Vec<PlacedLeaf>, StoreError> {
    let sql = "SELECT last.* FROM unnest($1::smallint[], $2::uuid[]) AS wanted (bucket, uid) CROSS JOIN LATERAL \
               (SELECT bucket, uid, revision, hash, place FROM leaves \
               WHERE leaves.bucket = wanted.bucket AND leaves.uid = wanted.uid \
               ORDER BY revision DESC LIMIT 1) AS last";
    let (buckets, uids): (Vec<_>, Vec<_>) = keys.iter().map(|key| (i16::from(key.bucket), key.uid)).unzip();
    let query = sqlx::query(sql).bind(buckets).bind(uids);
    placed(&query.fetch_all(connection).await.map_err(store_error)?)
}

async fn leaf_covering(
    connection: &mut PgConnection,
    key: MatchKey,
    revision: u32,
) -> Result<Option<PlacedLeaf>, StoreError> {
    let sql = "SELECT bucket, uid, revision, hash, place FROM leaves \
               WHERE bucket = $1 AND uid = $2 AND revision >= $3 ORDER BY revision LIMIT 1";
    let query = sqlx::query(sql).bind(i16::from(key.bucket)).bind(key.uid).bind(i64::from(revision));
    Ok(placed(&query.fetch_all(connection).await.map_err(store_error)?)?.pop())
}

async fn leaves(connection: &mut PgConnection, from: u64, limit: u32) -> Result<Vec<PlacedLeaf>, StoreError> {
    let sql =
        "SELECT bucket, uid, revision, hash, place FROM leaves WHERE place >= $1 ORDER BY place LIMIT $2";
    let query = sqlx::query(sql).bind(from as i64).bind(i64::from(limit));
    placed(&query.fetch_all(connection).await.map_err(store_error)?)
}

async fn key_leaves(connection: &mut PgConnection) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
    let query = sqlx::query("SELECT place, data FROM key_leaves ORDER BY place");
    let rows = query.fetch_all(connection).await.map_err(store_error)?;
    let leaf = |row| Ok((place(row, "place")?, column(row, "data")?));
    rows.iter().map(leaf).collect::<Read<_>>().map_err(damaged)
}

async fn all_covered(
    connection: &mut PgConnection,
    after: Option<MatchKey>,
    limit: u32,
) -> Result<Vec<Covered>, StoreError> {
    let sql = "SELECT slice.*, int4send(last.revision) || last.hash AS covered \
               FROM (SELECT bucket, uid, revision, hash FROM matches WHERE (bucket, uid) > ($1, $2) \
               ORDER BY bucket, uid LIMIT $3) AS slice LEFT JOIN LATERAL \
               (SELECT revision, hash FROM leaves WHERE leaves.bucket = slice.bucket AND leaves.uid = slice.uid \
               ORDER BY revision DESC LIMIT 1) AS last ON true ORDER BY slice.bucket, slice.uid";
    // From before the first of all, if there is no other place to begin after.
    let (bucket, uid) = after.map_or((-1, uuid::Uuid::nil()), |key| (key.bucket.into(), key.uid));
    let query = sqlx::query(sql).bind::<i16>(bucket).bind(uid).bind(i64::from(limit));
    let rows = query.fetch_all(connection).await.map_err(store_error)?;
    let read = |row| Ok(Covered { key: key(row)?, head: seen(row)?, leaf: covered(row)? });
    let unread = |because: &String| tracing::error!(because, "a match cannot be covered by a checkpoint");
    Ok(rows.iter().filter_map(|row| Read::inspect_err(read(row), unread).ok()).collect())
}

fn placed(rows: &[PgRow]) -> Result<Vec<PlacedLeaf>, StoreError> {
    let leaf = |row| Ok(PlacedLeaf { place: place(row, "place")?, key: key(row)?, seen: seen(row)? });
    rows.iter().map(leaf).collect::<Read<_>>().map_err(damaged)
}

fn seen(row: &PgRow) -> Read<Seen> {
    Ok(Seen { revision: number(row, "revision")?, hash: hash(row, "hash")? })
}

/// A place in the tree, or how many there are.
fn place(row: &PgRow, name: &str) -> Read<u64> {
    fit(column::<i64>(row, name)?, name)
}
