//! The exact bytes of an entry: format version 1, as `docs/log-format.md` lays it down.
//!
//! One compact JSON object, ASCII only, with a fixed order of keys and nothing but integers and texts in it,
//! so that an operator can read it and a verifier needs no schema. There is one way to write an entry, and
//! anything else is refused.

mod events;
mod read;
mod terms;
mod values;
mod words;
mod write;

use uuid::Uuid;

use self::{
    read::Reader,
    values::{actor_text, parse_actor},
    words::Word,
    write::Object,
};
use super::{Entry, Request};

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
///
/// A request belongs to the first event of a command: an entry that has one says how many events there are.
#[must_use]
pub fn encode(entry: &Entry) -> Vec<u8> {
    debug_assert!(entry.command > 0 || entry.request.is_none(), "a request without a command: {entry:?}");
    let mut object = Object::open();
    object.integer("v", VERSION);
    object.integer("rules", entry.rules);
    object.integer("seq", entry.revision);
    object.integer("ms", entry.time);
    object.text("actor", &actor_text(&entry.actor));
    object.text("type", events::type_of(&entry.event));
    object.integer("game", entry.game);
    if entry.command > 0 {
        object.integer("events", entry.command);
        if let Some(request) = &entry.request {
            object.text("request", &request.id.to_string());
            object.bytes("digest", &request.digest);
        }
    }
    events::write(&entry.event, &mut object);
    object.close()
}

/// The entry that these are the exact bytes of.
///
/// # Errors
/// The first thing that is wrong. What is read always encodes to the same bytes again.
pub fn decode(bytes: &[u8]) -> Result<Entry, BadEntry> {
    let entry = read_entry(bytes)?;
    let canonical = encode(&entry);
    if canonical == bytes {
        return Ok(entry);
    }
    let same = canonical.iter().zip(bytes).take_while(|(canonical, byte)| canonical == byte).count();
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
    let (command, request) = read_command(&mut reader)?;
    let event = events::read(&kind, &mut reader)?;
    reader.close()?;
    Ok(Entry { rules, revision, time, actor, game, command, request, event })
}

/// What only the first event of a command has.
fn read_command(reader: &mut Reader<'_>) -> Result<(u32, Option<Request>), BadEntry> {
    if !reader.has("events") {
        return Ok((0, None));
    }
    let command = reader.number("events", "1 or more", |events| (events > 0).then_some(events))?;
    if !reader.has("request") {
        return Ok((command, None));
    }
    let id = reader.parsed("request", "a UUID", |text| Uuid::try_parse(text).ok())?;
    Ok((command, Some(Request { id, digest: reader.bytes("digest")? })))
}

#[cfg(test)]
mod tests;
