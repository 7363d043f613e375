//! `bgexport/1`: a match as a file: a line of facts, then its log (`docs/log-format.md`).

use std::fmt::Debug;

use chaquete_rules::{BySeat, Event, Length, MatchEndReason, Moment, Seat, Variant};
use uuid::Uuid;

use super::{
    Entry, Hash, Object, StoredEvent, Word,
    bytes::{BadEntry, check_canonical, read::Reader},
    decode, initial_hash, next_hash,
};
use crate::words;

const FORMAT: &str = "bgexport/1";

/// Where a match is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Being played.
    Active,
    /// Ended with a result.
    Completed,
    /// Ended without a result.
    Cancelled,
}

words!(State { Active: "active", Completed: "completed", Cancelled: "cancelled" });

impl State {
    /// Where a match is that has ended for this reason, or not at all.
    #[must_use]
    pub const fn of(reason: Option<MatchEndReason>) -> Self {
        match reason {
            None => Self::Active,
            Some(MatchEndReason::Cancelled) => Self::Cancelled,
            Some(
                MatchEndReason::PointsReached
                | MatchEndReason::SessionClosed
                | MatchEndReason::Timeout
                | MatchEndReason::Adjudicated,
            ) => Self::Completed,
        }
    }
}

/// The first line of an export: what the log comes to. All of it follows from the log, but for the name and the uid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The name of the match.
    pub name: String,
    /// Its uid.
    pub uid: Uuid,
    /// Who plays.
    pub subjects: BySeat<String>,
    /// To how many points; `None`: a money session.
    pub points: Option<u32>,
    /// The variant.
    pub variant: Variant,
    /// Number of the last event.
    pub revision: u32,
    /// Hash of the last event.
    pub hash: Hash,
    /// Where the match is in its life.
    pub state: State,
    /// When it was created.
    pub create_time: Moment,
    /// When the last event was written.
    pub update_time: Moment,
    /// When it ended.
    pub end_time: Option<Moment>,
    /// Who has won it.
    pub winner: Option<Seat>,
    /// Why it has ended.
    pub reason: Option<MatchEndReason>,
}

impl Facts {
    /// What a log comes to; `None` if it does not begin with the creation of a match.
    #[must_use]
    pub fn follow(name: String, uid: Uuid, hash: Hash, entries: &[Entry]) -> Option<Self> {
        let (first, last) = (entries.first()?, entries.last()?);
        let Event::MatchCreated(terms) = &first.event else { return None };
        let ended = entries.iter().rev().find_map(|entry| match &entry.event {
            Event::MatchEnded { result, .. } => Some((entry.time, result)),
            _ => None,
        });
        let reason = ended.map(|(_, result)| result.reason);
        Some(Self {
            name,
            uid,
            subjects: terms.players.clone(),
            points: match terms.rules.length {
                Length::Points { points, .. } => Some(points.get()),
                Length::Money(_) => None,
            },
            variant: terms.rules.variant,
            revision: last.revision,
            hash,
            state: State::of(reason),
            create_time: first.time,
            update_time: last.time,
            end_time: ended.map(|(time, _)| time),
            winner: ended.and_then(|(_, result)| result.winner),
            reason,
        })
    }

    /// How these facts differ from those that are right, in words. Name and uid are not looked at: no log has them.
    #[must_use]
    pub fn differences(&self, right: &Self) -> Vec<String> {
        let Self { name: _, uid: _, subjects, points, variant, revision, hash, state, .. } = self;
        let Self { create_time, update_time, end_time, winner, reason, .. } = self;
        let differences = [
            differ("subject_one", &subjects.one, &right.subjects.one),
            differ("subject_two", &subjects.two, &right.subjects.two),
            differ("points", points, &right.points),
            differ("variant", variant, &right.variant),
            differ("revision", revision, &right.revision),
            differ("hash", hash, &right.hash),
            differ("state", state, &right.state),
            differ("create_time", create_time, &right.create_time),
            differ("update_time", update_time, &right.update_time),
            differ("end_time", end_time, &right.end_time),
            differ("winner", winner, &right.winner),
            differ("reason", reason, &right.reason),
        ];
        differences.into_iter().flatten().collect()
    }

    /// The line.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut object = Object::open();
        object.text("format", FORMAT);
        object.text("match", &self.name);
        object.text("uid", &self.uid.to_string());
        object.text("one", &self.subjects.one);
        object.text("two", &self.subjects.two);
        object.optional("points", self.points);
        object.text("variant", self.variant.word());
        object.integer("seq", self.revision);
        object.bytes("hash", self.hash.as_bytes());
        object.text("state", self.state.word());
        object.integer("create_ms", self.create_time);
        object.integer("update_ms", self.update_time);
        object.optional("end_ms", self.end_time);
        object.optional("winner", self.winner.map(Seat::number));
        if let Some(reason) = self.reason {
            object.text("reason", reason.word());
        }
        object.close()
    }

    /// Reads the line, which is written in one way only.
    fn read(line: &[u8]) -> Result<Self, BadEntry> {
        let mut reader = Reader::open(line)?;
        reader.parsed("format", "\"bgexport/1\"", |format| (format == FORMAT).then_some(()))?;
        let facts = Self {
            name: reader.text("match")?,
            uid: reader.parsed("uid", "a UUID", |uid| Uuid::try_parse(uid).ok())?,
            subjects: BySeat::new(reader.text("one")?, reader.text("two")?),
            points: reader.optional("points", Reader::integer)?,
            variant: reader.word("variant")?,
            revision: reader.integer("seq")?,
            hash: Hash::from(reader.bytes("hash")?),
            state: reader.word("state")?,
            create_time: reader.integer("create_ms")?,
            update_time: reader.integer("update_ms")?,
            end_time: reader.optional("end_ms", Reader::integer)?,
            winner: reader.optional("winner", Reader::any_seat)?.flatten(),
            reason: reader.optional("reason", Reader::word)?,
        };
        reader.close()?;
        check_canonical(line, &facts.write())?;
        Ok(facts)
    }
}

/// How something that is said differs from what is right, in words; `None`: it does not.
pub fn differ<T: PartialEq + Debug>(what: &str, said: &T, right: &T) -> Option<String> {
    (said != right).then(|| format!("{what} is {said:?}, by the log {right:?}"))
}

/// A match with its whole log, as a file.
#[must_use]
pub fn export(facts: &Facts, events: &[StoredEvent]) -> Vec<u8> {
    let mut export = facts.write();
    export.push(b'\n');
    for event in events {
        export.extend_from_slice(&event.bytes);
        export.push(b'\n');
    }
    export
}

/// What an export says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The line of facts.
    pub facts: Facts,
    /// The log, which leads to the hash that the facts tell.
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
    let facts = Facts::read(lines.next().unwrap_or_default()).map_err(|error| bad(1, &error.to_string()))?;
    let mut head = initial_hash(&facts.uid);
    let mut events = Vec::new();
    for (line, bytes) in (2..).zip(lines) {
        let entry = decode(bytes).map_err(|error| bad(line, &error.to_string()))?;
        head = next_hash(&head, bytes);
        let (revision, request_id) = (line as u32 - 1, entry.part.found_by());
        events.push(StoredEvent { revision, hash: head, request_id, bytes: bytes.to_vec() });
    }
    if events.len() != facts.revision as usize {
        return Err(bad(1, "there are not as many events as it says"));
    }
    if head != facts.hash {
        return Err(bad(1, "the hash chain of the events does not lead to its hash: something was changed"));
    }
    Ok(Exported { facts, events })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden;

    fn facts(uid: Uuid, log: &[StoredEvent]) -> Facts {
        let entries: Vec<_> = log.iter().map(|event| decode(&event.bytes).unwrap()).collect();
        Facts::follow("tenants/t/matches/m-1".to_owned(), uid, log.last().unwrap().hash, &entries).unwrap()
    }

    #[test]
    fn an_export_is_read_as_it_was_written() {
        for (uid, log) in golden::logs(|n| Uuid::from_u128(n as u128 + 1)) {
            let facts = facts(uid, &log);
            let read = read_export(&export(&facts, &log)).unwrap();
            assert_eq!(read, Exported { facts, events: log });
        }
    }

    #[test]
    fn what_was_changed_shows_and_where() {
        let (uid, log) = golden::logs(|n| Uuid::from_u128(n as u128 + 1)).swap_remove(0);
        let facts = facts(uid, &log);
        let whole = export(&facts, &log);
        let line = |bytes: &[u8]| read_export(bytes).unwrap_err().line;
        assert_eq!(line(b""), 1);
        assert_eq!(line(&whole[..whole.len() - 1]), 1);
        let text = String::from_utf8(whole.clone()).unwrap();
        let third = text.lines().nth(2).unwrap();
        assert_eq!(line(text.replace(third, "").as_bytes()), 3);
        assert_eq!(line(text.replace(&format!("{third}\n"), "").as_bytes()), 1);
        assert_eq!(line(text.replacen("\"seq\":3", "\"seq\":4", 1).as_bytes()), 1, "the chain");
        for place in 0..text.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            match read_export(&changed) {
                Err(_) => {}
                Ok(read) => assert_ne!(read.facts, facts, "{place}"),
            }
        }
    }
}
