//! The statement that stores new matches.

use sqlx::{PgConnection, postgres::PgRow};

use super::{
    columns::{Events, is_among, json, texts},
    news::{Origin, told},
};
use crate::{
    log::Word,
    store::{MatchKey, StoredEvent, StoredMatch, words::seat_number},
};

/// A new match with its first events.
type New<'a> = (&'a StoredMatch, &'a [StoredEvent]);

/// Stores the matches whose names and keys are free, then their players and their events. Other servers are
/// told which.
pub(super) const INSERT: &str = concat!("\
WITH made AS (
    INSERT INTO matches (bucket, uid, tenant, match_id, subject_one, subject_two, points, variant,
        display_name_one, display_name_two, labels, annotations, seed, revision, hash, state, create_time,
        update_time, end_time, deadline, waiting, seat_to_act, winner, reason, snapshot, imported)
    SELECT bucket, uid, tenant, match_id, subject_one, subject_two, points, variant,
        display_name_one, display_name_two, labels::jsonb, annotations::jsonb, seed, revision, hash, state,
        create_time, update_time, end_time, deadline, waiting, seat_to_act, winner, reason, snapshot, imported
    FROM unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[],
        $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[], $14::bigint[], $15::bytea[],
        $16::text[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::text[], $22::smallint[],
        $23::smallint[], $24::text[], $25::text[], $33::boolean[])
    AS new (bucket, uid, tenant, match_id, subject_one, subject_two, points, variant, display_name_one,
        display_name_two, labels, annotations, seed, revision, hash, state, create_time, update_time, end_time,
        deadline, waiting, seat_to_act, winner, reason, snapshot, imported)
    ON CONFLICT DO NOTHING
    RETURNING bucket, uid, tenant, match_id, subject_one, subject_two, create_time, end_time, revision
), players AS (
    INSERT INTO match_players (bucket, uid, subject, tenant, match_id, create_time, end_time)
    SELECT bucket, uid, subject_one, tenant, match_id, create_time, end_time FROM made
    UNION
    SELECT bucket, uid, subject_two, tenant, match_id, create_time, end_time FROM made
), written AS (
    INSERT INTO events (bucket, uid, revision, hash, request_id, event)
    SELECT * FROM unnest($26::smallint[], $27::uuid[], $28::bigint[], $29::bytea[], $30::uuid[], $31::text[])
        AS event (bucket, uid, revision, hash, request_id, event)
    WHERE ", is_among!("made"), "
), ", told!("made", "$32"), "
SELECT bucket, uid, (SELECT count(*) FROM told) FROM made");

/// Stores new matches; a row with the key of each that was stored.
pub(super) async fn insert(
    connection: &mut PgConnection,
    all: &[New<'_>],
    origin: &Origin,
) -> Result<Vec<PgRow>, sqlx::Error> {
    let events: Vec<(MatchKey, &[StoredEvent])> =
        all.iter().map(|(new, events)| (new.key, *events)).collect();
    let events = Events::new(events.into_iter())?;
    let facts = |choose: fn(&StoredMatch) -> &std::collections::BTreeMap<String, String>| {
        all.iter().map(|(new, _)| json(choose(new))).collect::<Result<Vec<_>, _>>()
    };
    let seat = |seat| i16::from(seat_number(seat));
    let snapshots = all.iter().map(|(new, _)| new.snapshot.as_deref());
    let query = sqlx::query(INSERT)
        .bind(column(all, |new| i16::from(new.key.bucket)))
        .bind(column(all, |new| new.key.uid))
        .bind(column(all, |new| &*new.name.tenant))
        .bind(column(all, |new| &*new.name.id))
        .bind(column(all, |new| &*new.agreed.subjects.one))
        .bind(column(all, |new| &*new.agreed.subjects.two))
        .bind(column(all, |new| new.agreed.points.map(i64::from)))
        .bind(column(all, |new| new.agreed.variant.word()))
        .bind(column(all, |new| &*new.about.display_names.one))
        .bind(column(all, |new| &*new.about.display_names.two))
        .bind(facts(|new| &new.about.notes.labels)?)
        .bind(facts(|new| &new.about.notes.annotations)?)
        .bind(column(all, |new| new.about.seed.as_ref().map(<[u8; 32]>::as_slice)))
        .bind(column(all, |new| i64::from(new.head.revision)))
        .bind(column(all, |new| new.head.hash.as_bytes().as_slice()))
        .bind(column(all, |new| new.head.state.word()))
        .bind(column(all, |new| new.head.create_time))
        .bind(column(all, |new| new.head.update_time))
        .bind(column(all, |new| new.head.end_time))
        .bind(column(all, |new| new.head.deadline))
        .bind(column(all, |new| new.standing.waiting.map(Word::word)))
        .bind(column(all, |new| new.standing.seat_to_act.map(seat)))
        .bind(column(all, |new| new.standing.winner.map(seat)))
        .bind(column(all, |new| new.standing.reason.map(Word::word)))
        .bind(texts(snapshots)?);
    let query = events.bind_to(query).bind(origin.to_string());
    query.bind(column(all, |new| new.about.provenance.is_imported())).fetch_all(connection).await
}

fn column<'a, T>(all: &[New<'a>], value: impl Fn(&'a StoredMatch) -> T) -> Vec<T> {
    all.iter().map(|(new, _)| value(new)).collect()
}
