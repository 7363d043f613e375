//! What can be done to a log, and who finds it: a table.
//!
//! Against one who leaves the hashes as they are everything shows. One who makes them anew, and says the right things
//! beside the log, gets past the hash chain: what is then found is what the rules, the dice and the clocks look at,
//! as far as it is changed by itself. The rest, and all that is cut off the end, shows only against a hash that was
//! noted elsewhere.

use std::{collections::BTreeMap, env, fmt};

use chaquete_rules::{ClockMode, TimeControl, TimeLimit, TimeoutPolicy};

use super::*;
use crate::{
    log::{decode, encode, initial_hash, next_hash},
    played::{self, Played},
};

const UID: Uuid = Uuid::from_u128(7);

fn played() -> Played {
    let limit = TimeLimit::Clock { reserve: 120_000, mode: ClockMode::Bronstein, per_turn: 800 };
    played::session(UID, 200, Some(TimeControl { limit, policy: TimeoutPolicy::ForfeitGame }))
}

/// Each so manieth of what takes long is tried, or all of it.
fn step(by: usize) -> usize {
    if env::var_os("CHAQUETE_SLOW").is_some() { 1 } else { by }
}

/// How much of what was done was found.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Found {
    found: usize,
    of: usize,
}

impl Found {
    fn count(&mut self, is_found: bool) {
        self.found += usize::from(is_found);
        self.of += 1;
    }

    const fn is_all(self) -> bool {
        self.found == self.of
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>7} of {:>7}", self.found, self.of)
    }
}

/// One who can write to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attacker {
    /// Leaves all hashes, and what is said beside the log, as they are.
    LeavesHashes,
    /// Makes all hashes anew, and says beside the log what it comes to.
    MakesHashes,
    /// Numbers the events anew besides.
    NumbersAnew,
}

impl Attacker {
    const ALL: [Self; 3] = [Self::LeavesHashes, Self::MakesHashes, Self::NumbersAnew];

    /// Whether what this attacker makes of a log is found.
    fn is_found(self, whole: &Played, mut log: Vec<StoredEvent>) -> bool {
        if self == Self::LeavesHashes {
            return !verify(&UID, &log, Some(&whole.facts)).passed();
        }
        let mut hash = initial_hash(&UID);
        for (revision, event) in (1..).zip(&mut log) {
            event.revision = revision;
            if let (Self::NumbersAnew, Ok(mut entry)) = (self, decode(&event.bytes)) {
                entry.revision = revision;
                event.bytes = encode(&entry);
            }
            hash = next_hash(&hash, &event.bytes);
            event.hash = hash;
            event.request_id = decode(&event.bytes).ok().and_then(|entry| entry.part.found_by());
        }
        !verify(&UID, &log, played::facts(UID, &log).as_ref()).passed()
    }
}

/// Everything that can be done to whole events.
fn deeds(log: &[StoredEvent]) -> BTreeMap<&'static str, Vec<Vec<StoredEvent>>> {
    let all = 0..log.len();
    let deleted = all.clone().take(log.len() - 1).map(|at| [&log[..at], &log[at + 1..]].concat());
    let doubled = all.clone().map(|at| [&log[..=at], &log[at..]].concat());
    let cut = all.clone().map(|length| log[..length].to_vec());
    let begun_later = all.clone().skip(1).map(|at| log[at..].to_vec());
    let pairs = all.flat_map(|one| (one + 1..log.len()).map(move |other| (one, other)));
    let swapped = pairs.step_by(step(331)).map(|(one, other)| {
        let mut log = log.to_vec();
        log.swap(one, other);
        log
    });
    BTreeMap::from([
        ("deleted", deleted.collect()),
        ("doubled", doubled.collect()),
        ("cut off the end", cut.collect()),
        ("cut off the beginning", begun_later.collect()),
        ("swapped", swapped.collect()),
    ])
}

#[test]
fn what_is_done_to_whole_events_shows() {
    let whole = played();
    assert!((200..210).contains(&whole.log.len()), "{}", whole.log.len());
    assert!(verify(&UID, &whole.log, Some(&whole.facts)).passed());
    let mut table: BTreeMap<&str, [Found; 3]> = BTreeMap::new();
    for (deed, logs) in deeds(&whole.log) {
        let row = table.entry(deed).or_default();
        for log in logs {
            for (attacker, found) in Attacker::ALL.into_iter().zip(&mut *row) {
                found.count(attacker.is_found(&whole, log.clone()));
            }
        }
    }
    println!("{:<24}{:>20}{:>20}{:>20}", "events", "leaves hashes", "makes them anew", "numbers anew");
    for (deed, [leaves, makes, numbers]) in &table {
        println!("{deed:<24}{leaves:>20}{makes:>20}{numbers:>20}");
    }
    let [leaves, makes, numbers] = [0, 1, 2].map(|column| table.values().map(move |row| row[column]));
    assert!(leaves.clone().all(Found::is_all), "whoever leaves the hashes is always found");
    let found_without_numbers = table.iter().filter(|(deed, _)| **deed != "cut off the end");
    assert!(
        found_without_numbers.clone().all(|(_, row)| row[1].is_all()),
        "events that are not in their places show"
    );
    assert_eq!((makes.len(), numbers.len()), (5, 5));
    // What is left after a cut between two commands is a match that has not gone on; what else can be left out or
    // doubled is a change of labels, which the rules let come at any time.
    let commands = whole.log.iter().filter(|event| event.request_id.is_some()).count();
    assert_eq!(table["cut off the end"][1].of - table["cut off the end"][1].found, commands - 1);
    let updates =
        whole.log.iter().filter(|event| event.bytes.windows(13).any(|word| word == b"match_updated")).count();
    assert!(updates > 2);
    let escaped = |deed: &str| table[deed][2].of - table[deed][2].found;
    assert!(escaped("deleted") <= updates && escaped("doubled") == 0, "a doubled request_id shows");
    assert!(table["cut off the beginning"][2].is_all());
}

/// The key to whose part of an event a byte belongs.
fn key_at(bytes: &[u8], at: usize) -> &str {
    let text = str::from_utf8(bytes).unwrap();
    // A key follows the brace or a comma; texts of these logs have neither.
    let begin = text[..at].rfind([',', '{']).map_or(1, |comma| comma + 1);
    text[begin..].trim_start_matches([',', '{']).split('"').nth(1).unwrap()
}

fn flips(log: &[StoredEvent]) -> impl Iterator<Item = (usize, usize, u8)> {
    let bytes =
        log.iter().enumerate().flat_map(|(event, stored)| (0..stored.bytes.len()).map(move |at| (event, at)));
    bytes.flat_map(|(event, at)| (0..8).map(move |bit| (event, at, bit)))
}

/// All of some half a million: each is looked at where the chain comes to it, and some by the whole.
#[test]
fn every_bit_that_flips_shows_if_the_hashes_stay() {
    let whole = played();
    let (mut of_events, mut of_hashes, mut by_all) = (Found::default(), Found::default(), Found::default());
    let mut flipped = whole.log.clone();
    let sampled = step(50) * 97;
    for (number, (event, at, bit)) in flips(&whole.log).enumerate() {
        flipped[event].bytes[at] ^= 1 << bit;
        let previous = event.checked_sub(1).map_or_else(|| initial_hash(&UID), |before| flipped[before].hash);
        of_events.count(chain::misplaced(event as u32 + 1, &previous, &flipped[event]).is_some());
        if number % sampled == 0 {
            // Other checks may find an earlier event wrong: a roll that takes the number of one before it, for example.
            let outcome = verify(&UID, &flipped, Some(&whole.facts)).hash_chain;
            let Outcome::Failed { first_bad_revision: found, .. } = outcome else { panic!("{outcome:?}") };
            by_all.count(found == event as u32 + 1);
        }
        flipped[event].bytes[at] ^= 1 << bit;
    }
    for event in 0..whole.log.len() {
        let previous = event.checked_sub(1).map_or_else(|| initial_hash(&UID), |before| flipped[before].hash);
        for bit in 0..256 {
            let mut hash = *whole.log[event].hash.as_bytes();
            hash[bit / 8] ^= 1 << (bit % 8);
            flipped[event].hash = hash.into();
            of_hashes.count(chain::misplaced(event as u32 + 1, &previous, &flipped[event]).is_some());
        }
        by_all.count(verify(&UID, &flipped, Some(&whole.facts)).first_bad().is_some());
        flipped[event].hash = whole.log[event].hash;
    }
    println!(
        "bits of events           {of_events}\nbits of hashes           {of_hashes}\nby all checks            {by_all}"
    );
    assert!(of_events.of > 300_000 && of_hashes.of >= 200 * 256, "all there are");
    assert!(of_events.is_all() && of_hashes.is_all() && by_all.is_all());
}

/// Whoever makes the hashes anew can change what neither the rules nor the dice look at: who acted, by which call,
/// and when as far as the clocks allow; whose match it is; terms that never came to bear. No die, move, cube or
/// result by itself.
#[test]
fn a_bit_of_what_the_rules_and_the_dice_look_at_shows_even_then() {
    const FREE: [&str; 12] = [
        "actor",
        "digest",
        "jacoby",
        "key",
        "max_beavers",
        "max_games",
        "ms",
        "one",
        "per_turn_ms",
        "request",
        "reserve_ms",
        "two",
    ];
    let whole = played();
    let mut table: BTreeMap<String, Found> = BTreeMap::new();
    for (event, at, bit) in flips(&whole.log).step_by(step(997)) {
        let key = key_at(&whole.log[event].bytes, at).to_owned();
        let mut log = whole.log.clone();
        log[event].bytes[at] ^= 1 << bit;
        // Most are no entry any more: whatever the hashes say, the chain finds them.
        let is_found = decode(&log[event].bytes).is_err() || Attacker::MakesHashes.is_found(&whole, log);
        table.entry(key).or_default().count(is_found);
    }
    println!("bits of events, by key, if the hashes are made anew");
    for (key, found) in &table {
        println!("{key:<24}{found}");
    }
    let changed: Vec<_> =
        table.iter().filter(|(_, found)| !found.is_all()).map(|(key, _)| key.as_str()).collect();
    assert!(changed.iter().all(|key| FREE.contains(key)), "{changed:?}");
    for key in ["dice", "link", "index", "move", "after", "seat", "seq", "type"] {
        assert!(table[key].is_all() && table[key].of > 0, "{key}");
    }
}
