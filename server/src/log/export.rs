//! `bgexport/1`: a match as a file: a line of facts, then its log (`docs/log-format.md`).

use chaquete_rules::Seat;
use uuid::Uuid;

use super::{
    Hash, Object, Word,
    bytes::{BadEntry, read::Reader},
    decode, hex, initial_hash, next_hash,
};
use crate::{
    name::MatchName,
    store::{StoredEvent, StoredMatch},
};

/// A match with its whole log, as a file.
#[must_use]
pub fn export(row: &StoredMatch, events: &[StoredEvent]) -> Vec<u8> {
    let mut export = facts(row);
    export.push(b'\n');
    for event in events {
        export.extend_from_slice(&event.bytes);
        export.push(b'\n');
    }
    export
}

/// The first line. All of it follows from the log, but for the name.
#[must_use]
pub fn facts(row: &StoredMatch) -> Vec<u8> {
    let StoredMatch { name, key, agreed, head, standing, .. } = row;
    let mut object = Object::open();
    object.text("format", FORMAT);
    object.text("match", &name.to_string());
    object.text("uid", &key.uid.to_string());
    object.text("one", &agreed.subjects.one);
    object.text("two", &agreed.subjects.two);
    object.optional("points", agreed.points);
    object.text("variant", agreed.variant.word());
    object.integer("seq", head.revision);
    object.bytes("hash", head.hash.as_bytes());
    object.text("state", head.state.word());
    object.integer("create_ms", head.create_time);
    object.integer("update_ms", head.update_time);
    object.optional("end_ms", head.end_time);
    object.optional("winner", standing.winner.map(|seat| if seat == Seat::One { 1 } else { 2 }));
    if let Some(reason) = standing.reason {
        object.text("reason", reason.word());
    }
    object.close()
}

const FORMAT: &str = "bgexport/1";

/// What an export says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The line of facts as it stands.
    pub facts: Vec<u8>,
    /// The name that the match had.
    pub name: MatchName,
    /// Its uid.
    pub uid: Uuid,
    /// Its log, which leads to the hash that the facts tell.
    pub events: Vec<StoredEvent>,
}

/// Why a file is no export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {because}")]
pub struct BadExport {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub because: String,
}

/// Reads an export: that its events are entries of a log and that its hash chain leads where the facts say. Whether
/// they make a match, and whether the facts are true, is for whoever folds it.
///
/// # Errors
/// The first line that is wrong.
pub fn read_export(bytes: &[u8]) -> Result<Exported, BadExport> {
    let bad = |line: usize, because: &str| BadExport { line: line as u32, because: because.to_owned() };
    let lines = bytes.strip_suffix(b"\n").ok_or_else(|| bad(1, "the last line has no end"))?;
    let mut lines = lines.split(|byte| *byte == b'\n');
    let facts = lines.next().unwrap_or_default();
    let (name, uid, seq, hash) = read_facts(facts).map_err(|error| bad(1, &error.to_string()))?;
    let name = MatchName::parse(&name).ok_or_else(|| bad(1, "the name of the match is none"))?;
    let mut head = initial_hash(&uid);
    let mut events = Vec::new();
    for (line, bytes) in (2..).zip(lines) {
        let entry = decode(bytes).map_err(|error| bad(line, &error.to_string()))?;
        head = next_hash(&head, bytes);
        let (revision, request_id) = (line as u32 - 1, entry.part.found_by());
        events.push(StoredEvent { revision, hash: head, request_id, bytes: bytes.to_vec() });
    }
    if events.len() != seq as usize {
        return Err(bad(1, "there are not as many events as it says"));
    }
    if head != hash {
        return Err(bad(1, "the hash chain of the events does not lead to its hash: something was changed"));
    }
    Ok(Exported { facts: facts.to_vec(), name, uid, events })
}

/// The facts that are needed to read the rest.
fn read_facts(facts: &[u8]) -> Result<(String, Uuid, u32, Hash), BadEntry> {
    let mut reader = Reader::open(facts)?;
    reader.parsed("format", "\"bgexport/1\"", |format| (format == FORMAT).then_some(()))?;
    let name = reader.text("match")?;
    let uid = reader.parsed("uid", "a UUID", |uid| Uuid::try_parse(uid).ok())?;
    reader.text("one")?;
    reader.text("two")?;
    reader.optional("points", Reader::integer::<u32>)?;
    reader.text("variant")?;
    let seq = reader.integer("seq")?;
    let hash = reader.parsed("hash", "64 lower-case hexadecimal digits", hex::decode::<32>)?;
    Ok((name, uid, seq, Hash::from(hash)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::suite::golden;

    #[test]
    fn an_export_is_read_as_it_was_written() {
        for (uid, log) in golden::logs(|n| Uuid::from_u128(n as u128 + 1)).into_iter().take(50) {
            let row = golden::stored("default", uid, &log);
            let read = read_export(&export(&row, &log)).unwrap();
            assert_eq!((read.name, read.uid, &read.events), (row.name.clone(), uid, &log));
            assert_eq!(read.facts, facts(&row));
        }
    }

    #[test]
    fn what_was_changed_shows_and_where() {
        let (uid, log) = golden::logs(|n| Uuid::from_u128(n as u128 + 1)).swap_remove(0);
        let whole = export(&golden::stored("default", uid, &log), &log);
        let line = |bytes: &[u8]| read_export(bytes).unwrap_err().line;
        assert_eq!(line(b""), 1);
        assert_eq!(line(&whole[..whole.len() - 1]), 1);
        let text = String::from_utf8(whole.clone()).unwrap();
        let third = text.lines().nth(2).unwrap();
        assert_eq!(line(text.replace(third, "").as_bytes()), 3);
        assert_eq!(line(text.replace(&format!("{third}\n"), "").as_bytes()), 1);
        assert_eq!(line(text.replacen("\"seq\":3", "\"seq\":4", 1).as_bytes()), 1, "the chain");
        // Of the facts after the hash nothing is read here.
        let end = text.find("\",\"state\"").unwrap();
        for place in (0..end).chain(text.find('\n').unwrap()..text.len()) {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            match read_export(&changed) {
                Err(_) => {}
                Ok(read) => assert_ne!(read.facts, facts(&golden::stored("default", uid, &log)), "{place}"),
            }
        }
    }
}
