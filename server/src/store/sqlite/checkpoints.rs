//! The tree over all logs in a file.

use chaquete_proof::tree::{TileId, Tiles};
use sqlx::{QueryBuilder, SqliteConnection, sqlite::SqliteRow};

use super::{
    Reader, SqliteStore,
    engine::execute,
    error::{damaged, store_error},
    row::{array, column, covered, hash, key},
};
use crate::store::{
    Checkpoints, Covered, Growth, MatchKey, PlacedLeaf, Seen, StoreError, StoredCheckpoint,
    checkpoints::{read_hashes, stored_hashes},
    words::Read,
};

/// How many leaves one statement takes.
const ROWS: usize = 256;

#[async_trait::async_trait]
impl Checkpoints for SqliteStore {
    async fn checkpoint(&self) -> Result<StoredCheckpoint, StoreError> {
        self.read(|mut reader| async move { checkpoint(reader.connection()?).await }).await
    }

    async fn tiles(&self, ids: Vec<TileId>) -> Result<Tiles, StoreError> {
        self.read(|mut reader| async move { tiles(reader.connection()?, ids).await }).await
    }

    async fn grow(&self, growth: Growth) -> Result<(), StoreError> {
        self.write(move |connection| Box::pin(async move { grow(connection, &growth).await })).await
    }

    async fn last_leaves(&self, keys: Vec<MatchKey>) -> Result<Vec<PlacedLeaf>, StoreError> {
        let read = |mut reader: Reader| async move { last_leaves(reader.connection()?, &keys).await };
        self.read(read).await
    }

    async fn leaf_covering(&self, key: MatchKey, revision: u32) -> Result<Option<PlacedLeaf>, StoreError> {
        self.read(move |mut reader| async move { leaf_covering(reader.connection()?, key, revision).await })
            .await
    }

    async fn leaves(&self, from: u64, limit: u32) -> Result<Vec<PlacedLeaf>, StoreError> {
        self.read(move |mut reader| async move { leaves(reader.connection()?, from, limit).await }).await
    }

    async fn key_leaves(&self) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        self.read(|mut reader| async move { key_leaves(reader.connection()?).await }).await
    }

    async fn covered(&self, after: Option<MatchKey>, limit: u32) -> Result<Vec<Covered>, StoreError> {
        self.read(move |mut reader| async move { all_covered(reader.connection()?, after, limit).await })
            .await
    }
}

/// Looks whether the tree could be read.
pub(super) async fn probe(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    for sql in [
        "SELECT size, root, note, time FROM checkpoint LIMIT 0",
        "SELECT level, place, hashes FROM tiles LIMIT 0",
        "SELECT bucket, uid, revision, hash, place FROM leaves ORDER BY place LIMIT 0",
        "SELECT place, data FROM key_leaves LIMIT 0",
    ] {
        execute(connection, sql).await.map_err(store_error)?;
    }
    Ok(())
}

async fn checkpoint(connection: &mut SqliteConnection) -> Result<StoredCheckpoint, StoreError> {
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

async fn tiles(connection: &mut SqliteConnection, ids: Vec<TileId>) -> Result<Tiles, StoreError> {
    let mut tiles = Vec::with_capacity(ids.len());
    for id in ids {
        let query =
            sqlx::query_scalar::<_, Vec<u8>>("SELECT hashes FROM tiles WHERE level = ? AND place = ?");
        let query = query.bind(id.level).bind(id.index as i64);
        if let Some(bytes) = query.fetch_optional(&mut *connection).await.map_err(store_error)? {
            tiles.push((id, read_hashes(&bytes).ok_or_else(|| damaged(format!("{id:?} is cut off")))?));
        }
    }
    Ok(tiles.into_iter().collect())
}

async fn grow(connection: &mut SqliteConnection, growth: &Growth) -> Result<(), StoreError> {
    execute(connection, "BEGIN IMMEDIATE").await.map_err(store_error)?;
    let sql = "UPDATE checkpoint SET size = ?, root = ?, note = ?, time = ? WHERE id = 1 AND size = ?";
    let moved = sqlx::query(sql)
        .bind(growth.checkpoint.size as i64)
        .bind(growth.checkpoint.root.as_slice())
        .bind(&*growth.checkpoint.note)
        .bind(growth.checkpoint.time)
        .bind(growth.before as i64);
    if moved.execute(&mut *connection).await.map_err(store_error)?.rows_affected() != 1 {
        return Err(StoreError::Conflict);
    }
    for (id, hashes) in growth.tiles.iter() {
        let sql = "INSERT INTO tiles (level, place, hashes) VALUES (?, ?, ?) \
                   ON CONFLICT (level, place) DO UPDATE SET hashes = excluded.hashes";
        let tile = sqlx::query(sql).bind(id.level).bind(id.index as i64).bind(stored_hashes(hashes));
        tile.execute(&mut *connection).await.map_err(store_error)?;
    }
    for leaves in growth.leaves.chunks(ROWS) {
        let mut sql = QueryBuilder::new("INSERT INTO leaves (bucket, uid, revision, hash, place) ");
        sql.push_values(leaves, |mut row, leaf| {
            row.push_bind(leaf.key.bucket)
                .push_bind(leaf.key.uid.as_bytes().as_slice())
                .push_bind(leaf.seen.revision)
                .push_bind(leaf.seen.hash.as_bytes().as_slice())
                .push_bind(leaf.place as i64);
        });
        sql.build().persistent(leaves.len() == ROWS).execute(&mut *connection).await.map_err(store_error)?;
    }
    for (place, data) in &growth.keys {
        let leaf = sqlx::query("INSERT INTO key_leaves (place, data) VALUES (?, ?)");
        leaf.bind(*place as i64).bind(&**data).execute(&mut *connection).await.map_err(store_error)?;
    }
    execute(connection, "COMMIT").await.map_err(store_error)
}

async fn last_leaves(
    connection: &mut SqliteConnection,
    keys: &[MatchKey],
) -> Result<Vec<PlacedLeaf>, StoreError> {
    let mut found = Vec::with_capacity(keys.len());
    for keys in keys.chunks(ROWS) {
        let mut sql = QueryBuilder::new("WITH wanted (of_bucket, of_uid) AS (");
        sql.push_values(keys, |mut row, key| {
            row.push_bind(key.bucket).push_bind(key.uid.as_bytes().as_slice());
        });
        sql.push(
            ") SELECT bucket, uid, revision, hash, place FROM wanted JOIN leaves ON bucket = of_bucket AND uid = of_uid \
             AND revision = (SELECT max(revision) FROM leaves WHERE bucket = of_bucket AND uid = of_uid)",
        );
        let query = sql.build().persistent(keys.len() == ROWS);
        found.extend(placed(&query.fetch_all(&mut *connection).await.map_err(store_error)?)?);
    }
    Ok(found)
}

async fn leaf_covering(
    connection: &mut SqliteConnection,
    key: MatchKey,
    revision: u32,
) -> Result<Option<PlacedLeaf>, StoreError> {
    let sql = "SELECT bucket, uid, revision, hash, place FROM leaves \
               WHERE bucket = ? AND uid = ? AND revision >= ? ORDER BY revision LIMIT 1";
    let query = sqlx::query(sql).bind(key.bucket).bind(key.uid.as_bytes().as_slice()).bind(revision);
    Ok(placed(&query.fetch_all(connection).await.map_err(store_error)?)?.pop())
}

async fn leaves(
    connection: &mut SqliteConnection,
    from: u64,
    limit: u32,
) -> Result<Vec<PlacedLeaf>, StoreError> {
    let sql = "SELECT bucket, uid, revision, hash, place FROM leaves WHERE place >= ? ORDER BY place LIMIT ?";
    let query = sqlx::query(sql).bind(from as i64).bind(limit);
    placed(&query.fetch_all(connection).await.map_err(store_error)?)
}

async fn key_leaves(connection: &mut SqliteConnection) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
    let query = sqlx::query("SELECT place, data FROM key_leaves ORDER BY place");
    let rows = query.fetch_all(connection).await.map_err(store_error)?;
    let leaf = |row| Ok((place(row, "place")?, column(row, "data")?));
    rows.iter().map(leaf).collect::<Read<_>>().map_err(damaged)
}

async fn all_covered(
    connection: &mut SqliteConnection,
    after: Option<MatchKey>,
    limit: u32,
) -> Result<Vec<Covered>, StoreError> {
    let sql = "SELECT bucket, uid, revision, hash, \
               (SELECT max(leaves.revision) FROM leaves \
               WHERE leaves.bucket = matches.bucket AND leaves.uid = matches.uid) AS covered_revision, \
               (SELECT leaves.hash FROM leaves WHERE leaves.bucket = matches.bucket AND leaves.uid = matches.uid \
               ORDER BY leaves.revision DESC LIMIT 1) AS covered_hash \
               FROM matches WHERE (bucket, uid) > (?, ?) ORDER BY bucket, uid LIMIT ?";
    // From before the first of all, if there is no other place to begin after.
    let (bucket, uid) =
        after.map_or((-1, Vec::new()), |key| (key.bucket.into(), key.uid.as_bytes().to_vec()));
    let query = sqlx::query(sql).bind::<i16>(bucket).bind(uid).bind(limit);
    let rows = query.fetch_all(connection).await.map_err(store_error)?;
    let read = |row| Ok(Covered { key: key(row)?, head: seen(row)?, leaf: covered(row)? });
    let unread = |because: &String| tracing::error!(because, "a match cannot be covered by a checkpoint");
    Ok(rows.iter().filter_map(|row| Read::inspect_err(read(row), unread).ok()).collect())
}

fn placed(rows: &[SqliteRow]) -> Result<Vec<PlacedLeaf>, StoreError> {
    let leaf = |row| Ok(PlacedLeaf { place: place(row, "place")?, key: key(row)?, seen: seen(row)? });
    rows.iter().map(leaf).collect::<Read<_>>().map_err(damaged)
}

fn seen(row: &SqliteRow) -> Read<Seen> {
    Ok(Seen { revision: column(row, "revision")?, hash: hash(row, "hash")? })
}

/// A place in the tree, or how many there are.
fn place(row: &SqliteRow, name: &str) -> Read<u64> {
    let place: i64 = column(row, name)?;
    place.try_into().map_err(|_| format!("{name}: {place}"))
}
