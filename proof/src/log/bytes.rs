//! The exact bytes of an entry: format version 1, as `docs/log-format.md` lays it down.
//!
//! One compact JSON object, ASCII only, with a fixed order of keys and nothing but integers and texts in it,
//! so that an operator can read it and a verifier needs no schema. There is one way to write an entry, and
//! anything else is refused.

pub(super) mod events;
pub(super) mod read;
pub(super) mod terms;
pub(super) mod values;
mod words;
pub(super) mod write;

use std::num::NonZeroU32;

use uuid::Uuid;

use self::{
    read::Reader,
    values::{actor_text, parse_actor},
    write::Object,
};
use super::{Entry, Part, Request};

pub use words::Word;

/// Version of the format that is written now.
const VERSION: u32 = 1;

/// Why bytes are no entry of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadEntry {
    /// The bytes are no flat JSON object of integers and texts.
    #[error("at byte {at}: {expected} expected")]
    Syntax {
        /// Where, from 0.
        at: usize,
        /// What should be there.
        expected: &'static str,
    },
    /// A key is missing or out of its place.
    #[error("at byte {at}: the key `{key}` expected")]
    Key {
        /// Where, from 0.
        at: usize,
        /// The key that should be there.
        key: &'static str,
    },
    /// A value is not of its kind.
    #[error("the value of `{key}` is not {expected}")]
    Value {
        /// The key of the value.
        key: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A later version of the format.
    #[error("format version {0} is not known here")]
    Version(u32),
    /// An event that this version of the format does not have.
    #[error("there is no event of the type `{0}`")]
    Type(String),
    /// The values are those of an entry, but one of them is not written in the one allowed way.
    #[error("at byte {at}: not written in the one way the format allows")]
    NotCanonical {
        /// Where it differs, from 0.
        at: usize,
    },
}

/// The exact bytes of an entry.
#[must_use]
pub fn encode(entry: &Entry) -> Vec<u8> {
    let mut object = Object::open();
    object.integer("v", VERSION);
    object.integer("rules", entry.rules);
    object.integer("seq", entry.revision);
    object.integer("ms", entry.time);
    object.text("actor", &actor_text(&entry.actor));
    object.text("type", events::type_of(&entry.event));
    object.integer("game", entry.game);
    write_part(&entry.part, &mut object);
    events::write(&entry.event, &mut object);
    object.close()
}

fn write_part(part: &Part, object: &mut Object) {
    if let Part::First { events, .. } = part {
        object.integer("events", events.get());
    }
    if let Some(id) = part.request_id() {
        object.text("request", &id.to_string());
    }
    if let Part::First { request: Some(request), .. } = part {
        object.bytes("digest", &request.digest);
    }
}

/// The entry that these are the exact bytes of.
///
/// # Errors
/// The first thing that is wrong. What is read always encodes to the same bytes again.
pub fn decode(bytes: &[u8]) -> Result<Entry, BadEntry> {
    let entry = read_entry(bytes)?;
    check_canonical(bytes, &encode(&entry))?;
    Ok(entry)
}

/// Bytes are written in the one allowed way if what was read from them is written as them again.
pub(super) fn check_canonical(bytes: &[u8], again: &[u8]) -> Result<(), BadEntry> {
    if again == bytes {
        return Ok(());
    }
    let same = again.iter().zip(bytes).take_while(|(again, byte)| again == byte).count();
    Err(BadEntry::NotCanonical { at: same })
}

fn read_entry(bytes: &[u8]) -> Result<Entry, BadEntry> {
    let mut reader = Reader::open(bytes)?;
    let version = reader.integer("v")?;
    if version != VERSION {
        return Err(BadEntry::Version(version));
    }
    let rules = reader.integer("rules")?;
    let revision = reader.integer("seq")?;
    let time = reader.integer("ms")?;
    let actor = reader.parsed("actor", "kind/seat/subject", parse_actor)?;
    let kind = reader.text("type")?;
    let game = reader.integer("game")?;
    let part = read_part(&mut reader)?;
    let event = events::read(&kind, &mut reader)?;
    reader.close()?;
    Ok(Entry { rules, revision, time, actor, game, part, event })
}

fn read_part(reader: &mut Reader<'_>) -> Result<Part, BadEntry> {
    if !reader.has("events") {
        return Ok(Part::Later { request_id: read_request_id(reader)? });
    }
    let events = reader.number("events", "1 or more", NonZeroU32::new)?;
    let request = match read_request_id(reader)? {
        Some(id) => Some(Request { id, digest: reader.bytes("digest")? }),
        None => None,
    };
    Ok(Part::First { events, request })
}

fn read_request_id(reader: &mut Reader<'_>) -> Result<Option<Uuid>, BadEntry> {
    if !reader.has("request") {
        return Ok(None);
    }
    reader.parsed("request", "a UUID", |text| Uuid::try_parse(text).ok()).map(Some)
}

#[cfg(test)]
mod tests;
