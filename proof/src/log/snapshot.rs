//! `bgsnap/1`: a match as folded from its log up to a revision, so that the log need not be folded again from
//! its beginning. A snapshot proves nothing: it can be thrown away and made again.
//!
//! It is one JSON object in the manner of the log, in which objects may hold objects, and ends with its
//! checksum; `docs/log-format.md` lays it down.

mod clocks;
mod entropy;
mod game;
mod results;

use chaquete_rules::{BadParts, DiceCommitment, Match, MatchParts, Moment};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    BadEntry, Hash,
    bytes::{
        check_canonical,
        events::{COMMITMENTS, read_match_result, write_match_result},
        read::Reader,
        terms,
        write::Object,
    },
};
use crate::hex;

/// Version of the format that is written now.
const VERSION: u32 = 1;

/// The key of the checksum, which is the last.
const SUM: &str = "sha256";

/// How many bytes the last key takes, with its value and the end of the object.
const SEAL_LEN: usize = ",\"\":\"\"}".len() + SUM.len() + 64;

/// A match as folded from its log up to a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Number of the last event that is folded in.
    pub revision: u32,
    /// Hash of that event.
    pub hash: Hash,
    /// Version of the rules under which the match is played.
    pub rules_version: u32,
    /// When the match was created.
    pub create_time: Moment,
    /// When the last event was written.
    pub update_time: Moment,
    /// When the first game began.
    pub start_time: Option<Moment>,
    /// When the match ended.
    pub end_time: Option<Moment>,
    /// Revision and time of the event that ended each game, in order.
    pub game_ends: Vec<(u32, Moment)>,
    /// The match itself.
    pub state: Match,
}

/// Why bytes are no snapshot of a match. Whatever it is, the log says what the snapshot should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSnapshot {
    /// The bytes were changed or cut off, are of another match, or were never a snapshot.
    #[error("the checksum does not fit: changed, cut off, or of another match")]
    Checksum,
    /// The bytes are not written as the format says.
    #[error(transparent)]
    Format(#[from] BadEntry),
    /// No match comes to this.
    #[error("no match comes to this: {0}")]
    Match(#[from] BadParts),
    /// What is said beside the match does not fit it.
    #[error("the snapshot contradicts itself: {0}")]
    Contradiction(&'static str),
}

/// The bytes of a snapshot of the match with this uid.
#[must_use]
pub fn encode_snapshot(snapshot: &Snapshot, uid: &Uuid) -> Vec<u8> {
    let mut object = Object::open();
    write(snapshot, &mut object);
    let sum = checksum(object.written(), uid);
    object.bytes(SUM, &sum);
    object.close()
}

/// The snapshot of the match with this uid that these are the bytes of.
///
/// # Errors
/// The first thing that is wrong, the checksum before all else. What is read always encodes to the same bytes
/// again.
pub fn decode_snapshot(bytes: &[u8], uid: &Uuid) -> Result<Snapshot, BadSnapshot> {
    let (written, seal) = bytes.split_last_chunk::<SEAL_LEN>().ok_or(BadSnapshot::Checksum)?;
    let expected = format!(",\"{SUM}\":\"{}\"}}", hex::encode(&checksum(written, uid)));
    if seal != expected.as_bytes() {
        return Err(BadSnapshot::Checksum);
    }
    let snapshot = read(bytes)?;
    check_canonical(bytes, &encode_snapshot(&snapshot, uid))?;
    Ok(snapshot)
}

/// Over everything before it, tied to the match.
fn checksum(written: &[u8], uid: &Uuid) -> [u8; 32] {
    let tagged = Sha256::new().chain_update(b"bgsnap/1\0").chain_update(uid.as_bytes());
    tagged.chain_update(written).finalize().into()
}

fn write(snapshot: &Snapshot, object: &mut Object) {
    object.integer("v", VERSION);
    object.integer("rules", snapshot.rules_version);
    object.integer("seq", snapshot.revision);
    object.bytes("hash", snapshot.hash.as_bytes());
    object.integer("create_ms", snapshot.create_time);
    object.integer("update_ms", snapshot.update_time);
    object.optional("start_ms", snapshot.start_time);
    object.optional("end_ms", snapshot.end_time);
    let parts = snapshot.state.parts();
    object.object("terms", |object| terms::write(&parts.terms, object));
    object.text("games", &results::games_text(&parts.games));
    object.text("game_ends", &results::ends_text(&snapshot.game_ends));
    write_parts(&parts, object);
}

/// The score and the number of the game follow from the games that have ended.
fn write_parts(parts: &MatchParts, object: &mut Object) {
    object.mark("crawford_played", parts.crawford_played);
    if let Some(commitment) = &parts.commitment {
        object.object("dice", |object| write_commitment(commitment, object));
    }
    object.integer("rolls", parts.rolls);
    if let Some(game) = &parts.game {
        object.object("game", |object| game::write(game, object));
    }
    if let Some(clocks) = &parts.clocks {
        object.object("clocks", |object| clocks::write(clocks, object));
    }
    object.mark("paused", parts.paused);
    object.optional("credited_ms", parts.credited);
    if let Some(entropy) = &parts.entropy {
        object.object("entropy", |object| entropy::write(entropy, object));
    }
    if let Some(result) = &parts.result {
        object.object("end", |object| write_match_result(result, object));
    }
}

/// As in the log, but for commitments of nobody, which are left out.
fn write_commitment(commitment: &DiceCommitment, object: &mut Object) {
    object.text("key", &commitment.key_id);
    object.integer("epoch", commitment.epoch);
    object.bytes("anchor", &commitment.anchor);
    for (key, commitment) in COMMITMENTS.into_iter().zip(&commitment.commitments) {
        if *commitment != [0; 32] {
            object.bytes(key, commitment);
        }
    }
}

fn read(bytes: &[u8]) -> Result<Snapshot, BadSnapshot> {
    let mut reader = Reader::open(bytes)?;
    let version = reader.integer("v")?;
    if version != VERSION {
        return Err(BadEntry::Version(version).into());
    }
    let rules_version = reader.integer("rules")?;
    let revision = reader.integer("seq")?;
    let hash = Hash::from_bytes(reader.bytes("hash")?);
    let create_time = reader.integer("create_ms")?;
    let update_time = reader.integer("update_ms")?;
    let start_time = reader.optional("start_ms", Reader::integer)?;
    let end_time = reader.optional("end_ms", Reader::integer)?;
    let terms = reader.object("terms", terms::read)?;
    let games = reader.parsed("games", "results of games", results::parse_games)?;
    let game_ends = reader.parsed("game_ends", "revisions and times", results::parse_ends)?;
    let parts = MatchParts {
        terms,
        score: games.last().map(|last| last.score).unwrap_or_default(),
        crawford_played: reader.mark("crawford_played")?,
        commitment: reader.optional("dice", |reader, key| reader.object(key, read_commitment))?,
        rolls: reader.integer("rolls")?,
        game: reader.optional("game", |reader, key| reader.object(key, |game| game::read(&games, game)))?,
        clocks: reader.optional("clocks", |reader, key| reader.object(key, clocks::read))?,
        paused: reader.mark("paused")?,
        credited: reader.optional("credited_ms", Reader::integer)?,
        entropy: reader.optional("entropy", |reader, key| reader.object(key, entropy::read))?,
        result: reader.optional("end", |reader, key| reader.object(key, read_match_result))?,
        games,
    };
    // It was looked at before anything else.
    let _: [u8; 32] = reader.bytes(SUM)?;
    reader.close()?;
    let state = Match::from_parts(parts)?;
    let snapshot = Snapshot {
        revision,
        hash,
        rules_version,
        create_time,
        update_time,
        start_time,
        end_time,
        game_ends,
        state,
    };
    snapshot.check().map_err(BadSnapshot::Contradiction)?;
    Ok(snapshot)
}

fn read_commitment(reader: &mut Reader<'_>) -> Result<DiceCommitment, BadEntry> {
    let key_id = reader.text("key")?;
    let epoch = reader.integer("epoch")?;
    let anchor = reader.bytes("anchor")?;
    let mut commitments = [[0; 32]; COMMITMENTS.len()];
    for (key, commitment) in COMMITMENTS.into_iter().zip(&mut commitments) {
        *commitment = reader.optional(key, Reader::bytes)?.unwrap_or_default();
    }
    Ok(DiceCommitment { key_id, epoch, anchor, commitments })
}

impl Snapshot {
    /// What is known beside the match fits it; or what does not.
    fn check(&self) -> Result<(), &'static str> {
        let wrongs = [
            (self.revision == 0, "a match before its first event"),
            (
                self.start_time.is_some() != self.state.game().is_some(),
                "a first game without its time, or a time without it",
            ),
            (
                self.end_time.is_some() != self.state.result().is_some(),
                "a result without its time, or a time without it",
            ),
            (self.game_ends.len() != self.state.games().len(), "not one end for each game"),
            (
                !self.game_ends.is_sorted_by(|(one, _), (next, _)| one < next),
                "games that end before they begin",
            ),
            (
                self.game_ends.last().is_some_and(|&(last, _)| last > self.revision),
                "a game that ends after the last event",
            ),
        ];
        wrongs.into_iter().find(|&(is_so, _)| is_so).map_or(Ok(()), |(_, because)| Err(because))
    }
}

#[cfg(test)]
mod tests;
