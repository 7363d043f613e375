//! How rows become what they stand for.
//!
//! Any of it may be damaged, so every column is looked at on its own and nothing is taken for granted, not
//! even that it has the type that the table demands.

use std::collections::BTreeMap;

use chaquete_rules::BySeat;
use sqlx::{Row as _, Sqlite, sqlite::SqliteRow};
use uuid::Uuid;

use crate::{
    log::{Hash, Word},
    name::MatchName,
    store::{
        About, Agreed, BadRow, Head, MatchKey, Notes, Provenance, Row, Seen, Standing, StoredEvent,
        StoredMatch,
        words::{Read, read_seat, read_word},
    },
};

/// All columns of a match.
macro_rules! match_columns {
    () => {
        "tenant, match_id, bucket, uid, subject_one, subject_two, points, variant, display_name_one, \
         display_name_two, labels, annotations, seed, imported, revision, hash, state, create_time, update_time, \
         end_time, deadline, waiting, seat_to_act, winner, reason, \
         (SELECT max(leaves.revision) FROM leaves WHERE leaves.bucket = matches.bucket AND leaves.uid = matches.uid) \
         AS covered_revision, \
         (SELECT leaves.hash FROM leaves WHERE leaves.bucket = matches.bucket AND leaves.uid = matches.uid \
         ORDER BY leaves.revision DESC LIMIT 1) AS covered_hash"
    };
}
pub(super) use match_columns;

/// A match from [`match_columns`].
pub(super) fn stored_match(row: &SqliteRow) -> Row {
    whole(row).map_err(|because| {
        let uid = key(row).ok().map(|key| key.uid);
        Box::new(BadRow { name: name(row).ok(), uid, head: head(row).ok(), because })
    })
}

fn whole(row: &SqliteRow) -> Read<StoredMatch> {
    Ok(StoredMatch {
        name: name(row)?,
        key: key(row)?,
        agreed: agreed(row)?,
        about: about(row)?,
        head: head(row)?,
        standing: standing(row)?,
        // A log lies together here: folding it is faster than writing snapshots.
        snapshot: None,
        covered: covered(row)?,
    })
}

/// The last leaf of a match from `covered_revision` and `covered_hash`.
pub(super) fn covered(row: &SqliteRow) -> Read<Option<Seen>> {
    let Some(revision) = column(row, "covered_revision")? else { return Ok(None) };
    Ok(Some(Seen { revision, hash: hash(row, "covered_hash")? }))
}

fn name(row: &SqliteRow) -> Read<MatchName> {
    Ok(MatchName { tenant: column(row, "tenant")?, id: column(row, "match_id")? })
}

pub(super) fn key(row: &SqliteRow) -> Read<MatchKey> {
    let uid = array(column(row, "uid")?, "uid").map(Uuid::from_bytes)?;
    Ok(MatchKey { bucket: column(row, "bucket")?, uid })
}

fn agreed(row: &SqliteRow) -> Read<Agreed> {
    Ok(Agreed {
        subjects: BySeat::new(column(row, "subject_one")?, column(row, "subject_two")?),
        points: column(row, "points")?,
        variant: word(row, "variant")?,
    })
}

fn standing(row: &SqliteRow) -> Read<Standing> {
    Ok(Standing {
        waiting: optional(row, "waiting", read_word)?,
        seat_to_act: optional(row, "seat_to_act", read_seat)?,
        winner: optional(row, "winner", read_seat)?,
        reason: optional(row, "reason", read_word)?,
    })
}

fn word<T: Word>(row: &SqliteRow, name: &str) -> Read<T> {
    read_word(column(row, name)?).map_err(|error| format!("{name}: {error}"))
}

/// A value that may be missing, as `read` makes it of what is stored.
fn optional<'r, S, T>(row: &'r SqliteRow, name: &str, read: impl FnOnce(S) -> Read<T>) -> Read<Option<T>>
where
    S: sqlx::Decode<'r, Sqlite> + sqlx::Type<Sqlite>,
{
    let stored = column::<Option<S>>(row, name)?;
    stored.map(read).transpose().map_err(|error| format!("{name}: {error}"))
}

fn head(row: &SqliteRow) -> Read<Head> {
    Ok(Head {
        revision: column(row, "revision")?,
        hash: hash(row, "hash")?,
        state: word(row, "state")?,
        create_time: column(row, "create_time")?,
        update_time: column(row, "update_time")?,
        end_time: column(row, "end_time")?,
        deadline: column(row, "deadline")?,
    })
}

fn about(row: &SqliteRow) -> Read<About> {
    Ok(About {
        display_names: BySeat::new(column(row, "display_name_one")?, column(row, "display_name_two")?),
        notes: Notes { labels: json(row, "labels")?, annotations: json(row, "annotations")? },
        seed: column::<Option<&[u8]>>(row, "seed")?.map(|seed| array(seed, "seed")).transpose()?,
        provenance: Provenance::stored(column(row, "imported")?),
    })
}

/// An event from `revision`, `hash`, `request_id` and `event`.
pub(super) fn stored_event(row: &SqliteRow) -> Read<StoredEvent> {
    let request_id = column::<Option<&[u8]>>(row, "request_id")?;
    Ok(StoredEvent {
        revision: column(row, "revision")?,
        hash: hash(row, "hash")?,
        request_id: request_id.map(|id| array(id, "request_id").map(Uuid::from_bytes)).transpose()?,
        // Whatever is there, text or not: whether it is the event shows when its hash is checked.
        bytes: column::<&[u8]>(row, "event")?.to_vec(),
    })
}

pub(super) fn column<'r, T>(row: &'r SqliteRow, name: &str) -> Read<T>
where
    T: sqlx::Decode<'r, Sqlite> + sqlx::Type<Sqlite>,
{
    row.try_get(name).map_err(|error| format!("{name}: {error}"))
}

pub(super) fn hash(row: &SqliteRow, name: &str) -> Read<Hash> {
    array::<32>(column(row, name)?, name).map(Hash::from)
}

pub(super) fn array<const N: usize>(bytes: &[u8], name: &str) -> Read<[u8; N]> {
    bytes.try_into().map_err(|_| format!("{name}: {} bytes", bytes.len()))
}

fn json(row: &SqliteRow, name: &str) -> Read<BTreeMap<String, String>> {
    serde_json::from_str(column(row, name)?).map_err(|error| format!("{name}: {error}"))
}
