//! The statements that write.
//!
//! Each goes to SQLite's own thread and back, which costs more than what it does there; so rows go in many at
//! once. How many is one of a few numbers, so that there are few statements and all stay prepared.

use std::collections::{BTreeMap, HashSet};

use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection};
use uuid::Uuid;

use super::{
    drop::drop_ended,
    error::{damaged, store_error},
    mend::mend,
};
use crate::{
    clock::Millis,
    log::Word,
    store::{
        Append, MatchKey, StoreError, StoredEvent, StoredMatch,
        commit::{Outcome, Write},
        words::seat_number,
    },
};

/// How many rows one statement takes, the greatest first.
const ROWS: [usize; 5] = [256, 64, 16, 4, 1];

/// How many of the first writes of a batch are of different matches: those can be written side by side, while
/// a second write to a match must see what became of the first.
pub(super) fn round_length(batch: &[Write]) -> usize {
    let mut matches = HashSet::with_capacity(batch.len());
    batch.iter().take_while(|write| write.key().is_none_or(|key| matches.insert(key))).count()
}

/// Writes a round: heads first, which shows who is overtaken, then the events of the others.
pub(super) async fn write_round(
    connection: &mut SqliteConnection,
    round: &[Write],
) -> Result<Vec<Outcome>, StoreError> {
    let (mut creates, mut appends, mut last_beat) = (Vec::new(), Vec::new(), None);
    for write in round {
        match write {
            Write::Create(new, _) => creates.push(&**new),
            Write::Append(append) => appends.push(append),
            Write::Mend(..) | Write::Drop(..) => {}
            Write::Beat(moment) => last_beat = last_beat.max(Some(*moment)),
        }
    }
    let mut done = HashSet::with_capacity(round.len());
    for rows in portions(&creates) {
        run(connection, insert_matches(rows)?, &mut done).await?;
    }
    for rows in portions(&appends) {
        run(connection, move_heads(rows)?, &mut done).await.map_err(of_rest)?;
    }
    for write in round {
        done.extend(operate(connection, write).await.map_err(of_rest)?);
    }
    let written =
        round.iter().filter_map(|write| Some((write.key().filter(|key| done.contains(key))?, write)));
    let events: Vec<_> =
        written.flat_map(|(key, write)| write.events().iter().map(move |event| (key, event))).collect();
    for rows in portions(&events) {
        insert_events(rows)?.build().execute(&mut *connection).await.map_err(store_error)?;
    }
    if let Some(moment) = last_beat {
        note_beat(connection, moment).await.map_err(store_error)?;
    }
    let is_done = |write: &Write| write.key().is_some_and(|key| done.contains(&key));
    Ok(round.iter().map(|write| write.outcome(is_done(write))).collect())
}

/// Carries out what only operators ask for: one by one. The key of the match if it was done.
async fn operate(connection: &mut SqliteConnection, write: &Write) -> Result<Option<MatchKey>, StoreError> {
    let is_done = match write {
        Write::Mend(right, seen) => mend(connection, right, *seen).await?,
        Write::Drop(key, seen) => drop_ended(connection, *key, *seen).await?,
        Write::Create(..) | Write::Append(_) | Write::Beat(_) => false,
    };
    Ok(write.key().filter(|_| is_done))
}

/// The heads that are written are fit; if the tables refuse one, the rest of its row is not.
fn of_rest(error: StoreError) -> StoreError {
    match error {
        StoreError::Unfit(because) => damaged(because),
        error => error,
    }
}

/// Cuts rows into portions of the sizes for which there are statements.
fn portions<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = ROWS.into_iter().find(|size| *size <= rows.len())?;
        let (portion, rest) = rows.split_at(size);
        rows = rest;
        Some(portion)
    })
}

/// Runs a statement that returns the keys of the matches it has changed.
async fn run(
    connection: &mut SqliteConnection,
    mut statement: QueryBuilder<Sqlite>,
    done: &mut HashSet<MatchKey>,
) -> Result<(), StoreError> {
    for row in statement.build().fetch_all(connection).await.map_err(store_error)? {
        let uid = row.try_get("uid").map_err(store_error)?;
        let uid = Uuid::from_slice(uid).map_err(|error| damaged(error.to_string()))?;
        done.insert(MatchKey { bucket: row.try_get("bucket").map_err(store_error)?, uid });
    }
    Ok(())
}

/// New matches; those whose name or uid is taken are passed over.
fn insert_matches(rows: &[&StoredMatch]) -> Result<QueryBuilder<Sqlite>, StoreError> {
    let mut sql = QueryBuilder::new(
        "INSERT INTO matches (bucket, uid, tenant, match_id, subject_one, subject_two, points, variant, \
         display_name_one, display_name_two, labels, annotations, seed, imported, revision, hash, state, create_time, \
         update_time, end_time, deadline, waiting, seat_to_act, winner, reason) ",
    );
    let notes =
        |new: &&StoredMatch| Ok((json(&new.about.notes.labels)?, json(&new.about.notes.annotations)?));
    let notes = rows.iter().map(notes).collect::<Result<Vec<_>, StoreError>>()?;
    sql.push_values(rows.iter().zip(notes), |mut row, (new, (labels, annotations))| {
        let (agreed, about, head, standing) = (&new.agreed, &new.about, &new.head, &new.standing);
        row.push_bind(new.key.bucket)
            .push_bind(new.key.uid.as_bytes().to_vec())
            .push_bind(&*new.name.tenant)
            .push_bind(&*new.name.id)
            .push_bind(&*agreed.subjects.one)
            .push_bind(&*agreed.subjects.two)
            .push_bind(agreed.points)
            .push_bind(agreed.variant.word())
            .push_bind(&*about.display_names.one)
            .push_bind(&*about.display_names.two)
            .push_bind(labels)
            .push_bind(annotations)
            .push_bind(about.seed.as_ref().map(|seed| seed.as_slice()))
            .push_bind(about.provenance.is_imported())
            .push_bind(head.revision)
            .push_bind(head.hash.as_bytes().as_slice())
            .push_bind(head.state.word())
            .push_bind(head.create_time)
            .push_bind(head.update_time)
            .push_bind(head.end_time)
            .push_bind(head.deadline)
            .push_bind(standing.waiting.map(Word::word))
            .push_bind(standing.seat_to_act.map(seat_number))
            .push_bind(standing.winner.map(seat_number))
            .push_bind(standing.reason.map(Word::word));
    });
    sql.push(" ON CONFLICT DO NOTHING RETURNING bucket, uid");
    Ok(sql)
}

/// Moves the heads of the matches that are at the expected revision.
pub(super) fn move_heads(rows: &[&Append]) -> Result<QueryBuilder<Sqlite>, StoreError> {
    let mut sql = QueryBuilder::new(
        "WITH next (bucket, uid, expected, revision, hash, state, update_time, end_time, deadline, waiting, \
         seat_to_act, winner, reason, labels, annotations) AS (",
    );
    let notes = |append: &&Append| {
        let notes = append.notes.as_ref();
        notes.map(|notes| Ok((json(&notes.labels)?, json(&notes.annotations)?))).transpose()
    };
    let notes = rows.iter().map(notes).collect::<Result<Vec<_>, StoreError>>()?;
    sql.push_values(rows.iter().zip(notes), |mut row, (append, notes)| {
        let (head, standing) = (&append.head, &append.standing);
        let (labels, annotations) = notes.unzip();
        row.push_bind(append.key.bucket)
            .push_bind(append.key.uid.as_bytes().as_slice())
            .push_bind(append.expected_revision)
            .push_bind(head.revision)
            .push_bind(head.hash.as_bytes().as_slice())
            .push_bind(head.state.word())
            .push_bind(head.update_time)
            .push_bind(head.end_time)
            .push_bind(head.deadline)
            .push_bind(standing.waiting.map(Word::word))
            .push_bind(standing.seat_to_act.map(seat_number))
            .push_bind(standing.winner.map(seat_number))
            .push_bind(standing.reason.map(Word::word))
            .push_bind(labels)
            .push_bind(annotations);
    });
    sql.push(
        ") UPDATE matches SET revision = next.revision, hash = next.hash, state = next.state, \
         update_time = next.update_time, end_time = next.end_time, deadline = next.deadline, \
         waiting = next.waiting, seat_to_act = next.seat_to_act, winner = next.winner, reason = next.reason, \
         labels = coalesce(next.labels, matches.labels), \
         annotations = coalesce(next.annotations, matches.annotations) \
         FROM next WHERE matches.bucket = next.bucket AND matches.uid = next.uid AND \
         matches.revision = next.expected RETURNING matches.bucket, matches.uid",
    );
    Ok(sql)
}

fn insert_events(rows: &[(MatchKey, &StoredEvent)]) -> Result<QueryBuilder<Sqlite>, StoreError> {
    let text = |(_, event): &(MatchKey, &'_ StoredEvent)| {
        String::from_utf8(event.bytes.clone())
            .map_err(|_| StoreError::Unfit(format!("event {} is no text", event.revision)))
    };
    let texts = rows.iter().map(text).collect::<Result<Vec<_>, _>>()?;
    let mut sql = QueryBuilder::new("INSERT INTO events (bucket, uid, revision, hash, request_id, event) ");
    sql.push_values(rows.iter().zip(texts), |mut row, ((key, event), text)| {
        row.push_bind(key.bucket)
            .push_bind(key.uid.as_bytes().to_vec())
            .push_bind(event.revision)
            .push_bind(event.hash.as_bytes().as_slice())
            .push_bind(event.request_id.map(|id| id.as_bytes().to_vec()))
            .push_bind(text);
    });
    Ok(sql)
}

/// Notes when a server was last seen, which is never earlier than it was.
async fn note_beat(connection: &mut SqliteConnection, moment: Millis) -> Result<(), sqlx::Error> {
    // One that is no number any more was damaged; it must not stand in the way of the next.
    let sql = "INSERT INTO service (id, last_beat) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET last_beat = \
               iif(typeof(last_beat) = 'integer', max(last_beat, excluded.last_beat), excluded.last_beat)";
    sqlx::query(sql).bind(moment).execute(connection).await.map(drop)
}

fn json(facts: &BTreeMap<String, String>) -> Result<String, StoreError> {
    serde_json::to_string(facts).map_err(|error| StoreError::Unfit(error.to_string()))
}
