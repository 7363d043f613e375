//! Somebody who can write to the database, against a match of 200 events that a checkpoint covers up to event 180.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use chaquete_proof::{
    golden,
    log::{StoredEvent, decode, encode, initial_hash, next_hash},
    tree::HeadLeaf,
};
use uuid::Uuid;

const UID: Uuid = Uuid::from_u128(0x5eed);
const EVENTS: usize = 200;
const COVERED: usize = 180;

/// The bytes of 200 events, as servers write them. They are of several matches: for the hash chain that is all one.
fn log() -> Vec<Vec<u8>> {
    let all = golden::logs(|_| UID).into_iter().flat_map(|(_, events)| events).cycle();
    let numbered = (1..).zip(all.take(EVENTS)).map(|(revision, event)| numbered(&event.bytes, revision));
    numbered.collect()
}

/// The same event with another number.
fn numbered(bytes: &[u8], revision: u32) -> Vec<u8> {
    let mut entry = decode(bytes).unwrap();
    entry.revision = revision;
    encode(&entry)
}

/// What is stored of a log by somebody who computes all hashes anew.
fn chained(log: &[Vec<u8>]) -> Vec<StoredEvent> {
    let mut hash = initial_hash(&UID);
    let event = |(revision, bytes): (u32, &Vec<u8>)| {
        hash = next_hash(&hash, bytes);
        StoredEvent { revision, hash, request_id: None, bytes: bytes.clone() }
    };
    (1..).zip(log).map(event).collect()
}

fn leaf(stored: &[StoredEvent]) -> HeadLeaf {
    HeadLeaf { uid: UID, revision: COVERED as u32, hash: stored[COVERED - 1].hash }
}

fn is_covered(leaf: &HeadLeaf, log: &[Vec<u8>]) -> bool {
    leaf.covers(log.iter().map(Vec::as_slice))
}

/// Whether stored events are a log without gaps that ends at this head.
fn is_chained(stored: &[StoredEvent], head: &StoredEvent) -> bool {
    let mut hash = initial_hash(&UID);
    let follows = |(revision, event): (u32, &StoredEvent)| {
        hash = next_hash(&hash, &event.bytes);
        event.revision == revision && event.hash == hash
    };
    (1..).zip(stored).all(follows) && stored.last() == Some(head)
}

/// Of how many bits one is flipped, and of how many pairs one is swapped: all of them with `CHAQUETE_SLOW=1`.
fn one_of(many: usize) -> usize {
    if std::env::var_os("CHAQUETE_SLOW").is_some() { 1 } else { many }
}

/// Every way to delete, double, swap or cut off events from a place on, of whatever is in the places.
fn rearranged<T: Clone + PartialEq>(whole: &[T], from: usize, until: usize) -> Vec<Vec<T>> {
    let mut all = Vec::new();
    for place in from..until {
        let mut deleted = whole.to_vec();
        deleted.remove(place);
        let mut doubled = whole.to_vec();
        doubled.insert(place, whole[place].clone());
        all.extend([deleted, doubled, whole[..place].to_vec()]);
        for other in (place + 1..whole.len()).step_by(one_of(41)) {
            let mut swapped = whole.to_vec();
            swapped.swap(place, other);
            all.push(swapped);
        }
    }
    all.retain(|changed| changed != whole);
    all
}

#[test]
fn what_was_played_is_covered() {
    let log = log();
    let stored = chained(&log);
    assert!(is_covered(&leaf(&stored), &log) && is_chained(&stored, &stored[EVENTS - 1]));
    // What comes after the checkpoint is no business of the leaf.
    assert!(is_covered(&leaf(&stored), &log[..COVERED]));
    assert!(!leaf(&stored).covers([]));
    let other = HeadLeaf { uid: Uuid::from_u128(1), ..leaf(&stored) };
    assert!(!is_covered(&other, &log));
}

#[test]
fn before_the_checkpoint_nothing_is_moved_even_by_who_recomputes_every_hash() {
    let log = log();
    let leaf = leaf(&chained(&log));
    for changed in rearranged(&log, 0, COVERED) {
        let renumbered: Vec<_> =
            (1..).zip(&changed).map(|(revision, bytes)| numbered(bytes, revision)).collect();
        // Some events differ in nothing but their numbers, and a copy of the last that is covered is not.
        let differs = |forged: &Vec<Vec<u8>>| forged.get(..COVERED) != log.get(..COVERED);
        for forged in [changed, renumbered].into_iter().filter(differs) {
            let stored = chained(&forged);
            assert!(
                stored.last().is_none_or(|head| is_chained(&stored, head)),
                "the forgery is a log of its own"
            );
            assert!(!is_covered(&leaf, &forged));
        }
    }
}

#[test]
fn before_the_checkpoint_no_bit_is_flipped_even_by_who_recomputes_every_hash() {
    let mut log = log();
    let leaf = leaf(&chained(&log));
    let bits: Vec<_> =
        (0..COVERED).flat_map(|event| (0..log[event].len() * 8).map(move |bit| (event, bit))).collect();
    for (event, bit) in bits.into_iter().step_by(one_of(997)) {
        log[event][bit / 8] ^= 1 << (bit % 8);
        // Whatever the hashes beside the bytes say by now: they are not looked at.
        assert!(!is_covered(&leaf, &log), "bit {bit} of event {event}");
        log[event][bit / 8] ^= 1 << (bit % 8);
    }
    assert!(is_covered(&leaf, &log));
}

#[test]
fn after_the_checkpoint_nothing_is_changed_by_who_does_not_recompute() {
    let mut stored = chained(&log());
    let head = stored[EVENTS - 1].clone();
    for changed in rearranged(&stored, COVERED, EVENTS) {
        assert!(!is_chained(&changed, &head));
    }
    for event in COVERED..EVENTS {
        for bit in (0..stored[event].bytes.len() * 8).step_by(one_of(29)) {
            stored[event].bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_chained(&stored, &head), "bit {bit} of event {event}");
            stored[event].bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
    assert!(is_chained(&stored, &head));
}
