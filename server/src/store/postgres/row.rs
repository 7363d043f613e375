//! How rows become what they stand for.

use std::collections::BTreeMap;

use chaquete_rules::BySeat;
use sqlx::{Postgres, Row as _, postgres::PgRow, types::Json};
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
         end_time, deadline, waiting, seat_to_act, winner, reason, snapshot, \
         (SELECT int4send(leaves.revision) || leaves.hash FROM leaves \
         WHERE leaves.bucket = matches.bucket AND leaves.uid = matches.uid \
         ORDER BY leaves.revision DESC LIMIT 1) AS covered"
    };
}
pub(super) use match_columns;

/// A match from [`match_columns`].
pub(super) fn stored_match(row: &PgRow) -> Row {
    whole(row).map_err(|because| {
        let uid = key(row).ok().map(|key| key.uid);
        Box::new(BadRow { name: name(row).ok(), uid, head: head(row).ok(), because })
    })
}

fn whole(row: &PgRow) -> Read<StoredMatch> {
    Ok(StoredMatch {
        name: name(row)?,
        key: key(row)?,
        agreed: agreed(row)?,
        about: about(row)?,
        head: head(row)?,
        standing: standing(row)?,
        snapshot: column::<Option<String>>(row, "snapshot")?.map(String::into_bytes),
        covered: covered(row)?,
    })
}

/// The last leaf of a match from `covered`: its revision and its hash in one, so that it is looked for once.
pub(super) fn covered(row: &PgRow) -> Read<Option<Seen>> {
    let Some(bytes) = column::<Option<&[u8]>>(row, "covered")? else { return Ok(None) };
    let (revision, rest) = bytes.split_first_chunk().ok_or("covered: cut off")?;
    let hash = Hash::try_from(rest).map_err(|error| format!("covered: {error}"))?;
    Ok(Some(Seen { revision: u32::from_be_bytes(*revision), hash }))
}

fn name(row: &PgRow) -> Read<MatchName> {
    Ok(MatchName { tenant: column(row, "tenant")?, id: column(row, "match_id")? })
}

/// The key of a match from `bucket` and `uid`.
pub(super) fn key(row: &PgRow) -> Read<MatchKey> {
    Ok(MatchKey { bucket: number(row, "bucket")?, uid: column(row, "uid")? })
}

fn agreed(row: &PgRow) -> Read<Agreed> {
    Ok(Agreed {
        subjects: BySeat::new(column(row, "subject_one")?, column(row, "subject_two")?),
        points: column::<Option<i32>>(row, "points")?.map(|points| fit(points, "points")).transpose()?,
        variant: word(row, "variant")?,
    })
}

fn about(row: &PgRow) -> Read<About> {
    let facts = |name| column::<Json<BTreeMap<String, String>>>(row, name).map(|Json(facts)| facts);
    Ok(About {
        display_names: BySeat::new(column(row, "display_name_one")?, column(row, "display_name_two")?),
        notes: Notes { labels: facts("labels")?, annotations: facts("annotations")? },
        seed: column::<Option<&[u8]>>(row, "seed")?.map(|seed| array(seed, "seed")).transpose()?,
        provenance: Provenance::stored(column(row, "imported")?),
    })
}

fn head(row: &PgRow) -> Read<Head> {
    Ok(Head {
        revision: number(row, "revision")?,
        hash: hash(row, "hash")?,
        state: word(row, "state")?,
        create_time: column(row, "create_time")?,
        update_time: column(row, "update_time")?,
        end_time: column(row, "end_time")?,
        deadline: column(row, "deadline")?,
    })
}

fn standing(row: &PgRow) -> Read<Standing> {
    let seat = |name| optional(row, name, |number: i16| read_seat(fit(number, name)?));
    Ok(Standing {
        waiting: optional(row, "waiting", read_word)?,
        seat_to_act: seat("seat_to_act")?,
        winner: seat("winner")?,
        reason: optional(row, "reason", read_word)?,
    })
}

/// An event from `revision`, `hash`, `request_id` and `event`.
pub(super) fn stored_event(row: &PgRow) -> Read<StoredEvent> {
    Ok(StoredEvent {
        revision: number(row, "revision")?,
        hash: hash(row, "hash")?,
        request_id: column::<Option<Uuid>>(row, "request_id")?,
        bytes: column::<String>(row, "event")?.into_bytes(),
    })
}

pub(super) fn column<'r, T>(row: &'r PgRow, name: &str) -> Read<T>
where
    T: sqlx::Decode<'r, Postgres> + sqlx::Type<Postgres>,
{
    row.try_get(name).map_err(|error| format!("{name}: {error}"))
}

/// A number that is never negative.
pub(super) fn number<T: TryFrom<i32>>(row: &PgRow, name: &str) -> Read<T> {
    // A smallint is a number as well.
    match column::<i32>(row, name) {
        Ok(number) => fit(number, name),
        Err(_) => fit(column::<i16>(row, name)?.into(), name),
    }
}

pub(super) fn fit<S: Copy + std::fmt::Display, T: TryFrom<S>>(number: S, name: &str) -> Read<T> {
    T::try_from(number).map_err(|_| format!("{name}: {number}"))
}

pub(super) fn hash(row: &PgRow, name: &str) -> Read<Hash> {
    array::<32>(column(row, name)?, name).map(Hash::from)
}

pub(super) fn array<const N: usize>(bytes: &[u8], name: &str) -> Read<[u8; N]> {
    bytes.try_into().map_err(|_| format!("{name}: {} bytes", bytes.len()))
}

fn word<T: Word>(row: &PgRow, name: &str) -> Read<T> {
    read_word(column(row, name)?).map_err(|error| format!("{name}: {error}"))
}

/// A value that may be missing, as `read` makes it of what is stored.
fn optional<'r, S, T>(row: &'r PgRow, name: &str, read: impl FnOnce(S) -> Read<T>) -> Read<Option<T>>
where
    S: sqlx::Decode<'r, Postgres> + sqlx::Type<Postgres>,
{
    let stored = column::<Option<S>>(row, name)?;
    stored.map(read).transpose().map_err(|error| format!("{name}: {error}"))
}
