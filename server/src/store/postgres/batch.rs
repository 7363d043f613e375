//! A batch of writes, in as few statements as there are kinds of writes in it; what only operators ask
//! for has statements of its own.
//!
//! Each statement takes its rows as arrays, one a column, so it is the same statement whatever their number. It
//! writes what belongs together by itself: one statement is one transaction, without BEGIN and COMMIT and the time
//! that they are under way.

use std::collections::{HashMap, HashSet};

use sqlx::{PgConnection, postgres::PgRow};

use super::{
    append,
    citus::Layout,
    create, drop,
    error::{damaged, ends_connection, is_passing, store_error},
    mend,
    news::Origin,
    row::key,
};
use crate::{
    clock::Millis,
    store::{
        Append, MatchKey, Seen, StoreError, StoredEvent, StoredMatch,
        commit::{Failure, Outcome, Write},
    },
};

/// The writes of a batch by kind.
#[derive(Default)]
struct Sorted<'a> {
    creates: Vec<(&'a StoredMatch, &'a [StoredEvent])>,
    appends: Vec<&'a Append>,
    mends: Vec<(&'a StoredMatch, Seen)>,
    drops: Vec<(MatchKey, Seen)>,
    last_beat: Option<Millis>,
    /// Where in the batch the write of a match is. A second one to the same match cannot have seen what becomes of
    /// the first, so it is overtaken.
    places: HashMap<MatchKey, usize>,
}

impl<'a> Sorted<'a> {
    fn new(batch: &'a [Write]) -> Self {
        let mut sorted = Self::default();
        for (place, write) in batch.iter().enumerate() {
            if let Some(key) = write.key() {
                if sorted.places.contains_key(&key) {
                    continue;
                }
                sorted.places.insert(key, place);
            }
            match write {
                Write::Create(new, events) => sorted.creates.push((new, events)),
                Write::Append(append) => sorted.appends.push(append),
                Write::Mend(right, seen) => sorted.mends.push((right, *seen)),
                Write::Drop(key, seen) => sorted.drops.push((*key, *seen)),
                Write::Beat(moment) => sorted.last_beat = sorted.last_beat.max(Some(*moment)),
            }
        }
        sorted
    }

    fn statements(&self) -> usize {
        usize::from(!self.creates.is_empty())
            + usize::from(!self.appends.is_empty())
            + self.mends.len()
            + self.drops.len() * drop::STATEMENTS
            + usize::from(self.last_beat.is_some())
    }
}

/// Writes a batch in one transaction, and tells other servers in the name of this one.
pub(super) async fn write(
    connection: &mut PgConnection,
    batch: &[Write],
    origin: &Origin,
    layout: Layout,
) -> Result<Vec<Outcome>, Failure> {
    let sorted = Sorted::new(batch);
    let written = if sorted.statements() > 1 {
        execute(connection, "BEGIN").await.map_err(|error| not_committed(error, unreachable))?;
        let written = statements(connection, &sorted, origin, layout).await;
        let written = written.map_err(|error| not_committed(error, Failure::RolledBack))?;
        execute(connection, "COMMIT").await.map_err(|error| Failure::Unknown(store_error(error)))?;
        written
    } else {
        statements(connection, &sorted, origin, layout).await.map_err(|error| {
            if ends_connection(&error) && !is_passing(&error) {
                Failure::Unknown(store_error(error))
            } else {
                not_committed(error, Failure::RolledBack)
            }
        })?
    };
    let written = written.iter().map(key).collect::<Result<HashSet<_>, _>>();
    // It is committed: what was written can still be found out by reading.
    let written = written.map_err(|because| Failure::Unknown(damaged(because)))?;
    let is_written = |key: MatchKey, place| written.contains(&key) && sorted.places.get(&key) == Some(&place);
    let outcome =
        |(place, write): (_, &Write)| write.outcome(write.key().is_some_and(|key| is_written(key, place)));
    Ok(batch.iter().enumerate().map(outcome).collect())
}

/// Why nothing was committed.
fn not_committed(error: sqlx::Error, otherwise: impl FnOnce(StoreError) -> Failure) -> Failure {
    if is_passing(&error) || ends_connection(&error) {
        Failure::Passing(store_error(error))
    } else {
        otherwise(store_error(error))
    }
}

fn unreachable(error: StoreError) -> Failure {
    Failure::Unreachable(error)
}

/// Runs the statements; the keys of the matches that were written.
async fn statements(
    connection: &mut PgConnection,
    sorted: &Sorted<'_>,
    origin: &Origin,
    layout: Layout,
) -> Result<Vec<PgRow>, sqlx::Error> {
    let mut written = Vec::with_capacity(sorted.places.len());
    if !sorted.creates.is_empty() {
        written.extend(create::insert(connection, &sorted.creates, origin).await?);
    }
    if !sorted.appends.is_empty() {
        written.extend(append::append(connection, &sorted.appends, origin, layout).await?);
    }
    // What only operators ask for: one by one.
    for (right, seen) in &sorted.mends {
        written.extend(mend::mend(connection, right, *seen).await?);
    }
    for (key, seen) in &sorted.drops {
        written.extend(drop::drop_ended(connection, *key, *seen).await?);
    }
    if let Some(moment) = sorted.last_beat {
        note_beat(connection, moment).await?;
    }
    Ok(written)
}

/// Notes when a server was last seen, which is never earlier than it was.
async fn note_beat(connection: &mut PgConnection, moment: Millis) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO service (id, last_beat) VALUES (1, $1) \
               ON CONFLICT (id) DO UPDATE SET last_beat = greatest(service.last_beat, excluded.last_beat)";
    sqlx::query(sql).bind(moment).execute(connection).await.map(drop)
}

pub(super) async fn execute(connection: &mut PgConnection, sql: &'static str) -> Result<(), sqlx::Error> {
    sqlx::query(sql).execute(connection).await.map(drop)
}
