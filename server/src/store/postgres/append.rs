//! The statement that adds events to matches.

use sqlx::{PgConnection, postgres::PgRow};

use super::{
    citus::Layout,
    columns::{Events, is_among, json, texts},
    news::{Origin, told},
};
use crate::{
    log::Word,
    store::{Append, words::seat_number},
};

/// The statement, with further conditions for the rows of matches and of players.
macro_rules! append {
    ($of_matches:literal, $of_players:literal) => {
        concat!("\
WITH next AS (
    SELECT * FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bytea[], $6::text[],
        $7::bigint[], $8::bigint[], $9::bigint[], $10::text[], $11::smallint[], $12::smallint[], $13::text[],
        $14::text[], $15::text[], $16::text[])
    AS next (bucket, uid, expected, revision, hash, state, update_time, end_time, deadline, waiting, seat_to_act,
        winner, reason, labels, annotations, snapshot)
), moved AS (
    UPDATE matches SET revision = next.revision, hash = next.hash, state = next.state,
        update_time = next.update_time, end_time = next.end_time, deadline = next.deadline,
        waiting = next.waiting, seat_to_act = next.seat_to_act, winner = next.winner, reason = next.reason,
        labels = coalesce(next.labels::jsonb, matches.labels),
        annotations = coalesce(next.annotations::jsonb, matches.annotations),
        snapshot = coalesce(next.snapshot, matches.snapshot), archived = false
    FROM next
    WHERE matches.bucket = next.bucket AND matches.uid = next.uid AND matches.revision = next.expected", $of_matches, "
    RETURNING matches.bucket, matches.uid, matches.end_time, matches.revision
), ended AS (
    UPDATE match_players SET end_time = moved.end_time
    FROM moved
    WHERE match_players.bucket = moved.bucket AND match_players.uid = moved.uid AND moved.end_time IS NOT NULL
        AND match_players.end_time IS DISTINCT FROM moved.end_time", $of_players, "
), written AS (
    INSERT INTO events (bucket, uid, revision, hash, request_id, event)
    SELECT * FROM unnest($17::smallint[], $18::uuid[], $19::bigint[], $20::bytea[], $21::uuid[], $22::text[])
        AS event (bucket, uid, revision, hash, request_id, event)
    WHERE ", is_among!("moved"), "
), ", told!("moved", "$23"), "
SELECT bucket, uid, (SELECT count(*) FROM told) FROM moved")
    };
}

/// Moves the heads that are at the expected revision, then writes the events of those. A match that ends, ends for
/// its players as well. Other servers are told which have moved.
pub(super) const APPEND: &str = append!("", "");

/// The same where tables are spread: it says in which buckets it looks, so it goes to one shard if they lie in one.
/// Elsewhere that would only be one more condition for every row.
pub(super) const APPEND_SPREAD: &str =
    append!(" AND matches.bucket = ANY($1)", " AND match_players.bucket = ANY($1)");

/// Writes appends to different matches; a row with the key of each match that was at its expected revision.
pub(super) async fn append(
    connection: &mut PgConnection,
    appends: &[&Append],
    origin: &Origin,
    layout: Layout,
) -> Result<Vec<PgRow>, sqlx::Error> {
    let events = Events::new(appends.iter().map(|append| (append.key, &*append.events)))?;
    let notes = |choose: fn(&crate::store::Notes) -> &std::collections::BTreeMap<String, String>| {
        let chosen = appends.iter().map(|append| append.notes.as_ref().map(choose));
        chosen.map(|facts| facts.map(json).transpose()).collect::<Result<Vec<_>, _>>()
    };
    let snapshots = appends.iter().map(|append| append.snapshot.as_deref());
    let query = sqlx::query(match layout {
        Layout::Whole => APPEND,
        Layout::Spread => APPEND_SPREAD,
    })
    .bind(column(appends, |append| i16::from(append.key.bucket)))
    .bind(column(appends, |append| append.key.uid))
    .bind(column(appends, |append| i64::from(append.expected_revision)))
    .bind(column(appends, |append| i64::from(append.head.revision)))
    .bind(column(appends, |append| append.head.hash.as_bytes().as_slice()))
    .bind(column(appends, |append| append.head.state.word()))
    .bind(column(appends, |append| append.head.update_time))
    .bind(column(appends, |append| append.head.end_time))
    .bind(column(appends, |append| append.head.deadline))
    .bind(column(appends, |append| append.standing.waiting.map(Word::word)))
    .bind(column(appends, |append| append.standing.seat_to_act.map(|seat| i16::from(seat_number(seat)))))
    .bind(column(appends, |append| append.standing.winner.map(|seat| i16::from(seat_number(seat)))))
    .bind(column(appends, |append| append.standing.reason.map(Word::word)))
    .bind(notes(|notes| &notes.labels)?)
    .bind(notes(|notes| &notes.annotations)?)
    .bind(texts(snapshots)?);
    events.bind_to(query).bind(origin.to_string()).fetch_all(connection).await
}

fn column<'a, T>(appends: &[&'a Append], value: impl Fn(&'a Append) -> T) -> Vec<T> {
    appends.iter().map(|append| value(append)).collect()
}
