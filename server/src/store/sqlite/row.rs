//! How rows become what they stand for.
//!
//! Any of it may be damaged, so every column is looked at on its own and nothing is taken for granted, not
//! even that it has the type that the table demands.

use std::collections::BTreeMap;

use chaquete_rules::BySeat;
use sqlx::{Row as _, Sqlite, sqlite::SqliteRow};
use uuid::Uuid;

use crate::{
    log::Hash,
    name::MatchName,
    store::{About, BadRow, Head, Row, State, StoredEvent, StoredMatch},
};

/// All columns of a match.
macro_rules! match_columns {
    () => {
        "tenant, match_id, uid, display_name_one, display_name_two, labels, annotations, seed, \
         revision, hash, state, create_time, update_time, end_time, deadline"
    };
}
pub(super) use match_columns;

/// A value, or what is wrong with it.
pub(super) type Read<T> = Result<T, String>;

/// A match from [`match_columns`].
pub(super) fn stored_match(row: &SqliteRow) -> Row {
    match (name(row), uid(row), head(row), about(row)) {
        (Ok(name), Ok(uid), Ok(head), Ok(about)) => Ok(StoredMatch { name, uid, about, head }),
        (name, uid, head, about) => {
            let wrong = [name.as_ref().err(), uid.as_ref().err(), head.as_ref().err(), about.as_ref().err()];
            let because = wrong.into_iter().flatten().next().cloned().unwrap_or_default();
            Err(Box::new(BadRow { name: name.ok(), uid: uid.ok(), head: head.ok(), because }))
        }
    }
}

fn name(row: &SqliteRow) -> Read<MatchName> {
    Ok(MatchName { tenant: column(row, "tenant")?, id: column(row, "match_id")? })
}

fn uid(row: &SqliteRow) -> Read<Uuid> {
    array(column(row, "uid")?, "uid").map(Uuid::from_bytes)
}

fn head(row: &SqliteRow) -> Read<Head> {
    Ok(Head {
        revision: column(row, "revision")?,
        hash: hash(row)?,
        state: state(column(row, "state")?)?,
        create_time: column(row, "create_time")?,
        update_time: column(row, "update_time")?,
        end_time: column(row, "end_time")?,
        deadline: column(row, "deadline")?,
    })
}

fn about(row: &SqliteRow) -> Read<About> {
    Ok(About {
        display_names: BySeat::new(column(row, "display_name_one")?, column(row, "display_name_two")?),
        labels: json(row, "labels")?,
        annotations: json(row, "annotations")?,
        seed: column::<Option<&[u8]>>(row, "seed")?.map(|seed| array(seed, "seed")).transpose()?,
    })
}

/// An event from `revision`, `hash`, `request_id` and `event`.
pub(super) fn stored_event(row: &SqliteRow) -> Read<StoredEvent> {
    let request_id = column::<Option<&[u8]>>(row, "request_id")?;
    Ok(StoredEvent {
        revision: column(row, "revision")?,
        hash: hash(row)?,
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

fn hash(row: &SqliteRow) -> Read<Hash> {
    array::<32>(column(row, "hash")?, "hash").map(Hash::from)
}

pub(super) fn array<const N: usize>(bytes: &[u8], name: &str) -> Read<[u8; N]> {
    bytes.try_into().map_err(|_| format!("{name}: {} bytes", bytes.len()))
}

fn json(row: &SqliteRow, name: &str) -> Read<BTreeMap<String, String>> {
    serde_json::from_str(column(row, name)?).map_err(|error| format!("{name}: {error}"))
}

/// How a state is written.
pub(super) const fn state_name(state: State) -> &'static str {
    match state {
        State::Active => "active",
        State::Completed => "completed",
        State::Cancelled => "cancelled",
    }
}

fn state(name: &str) -> Read<State> {
    [State::Active, State::Completed, State::Cancelled]
        .into_iter()
        .find(|state| state_name(*state) == name)
        .ok_or_else(|| format!("state: {name:?}"))
}
