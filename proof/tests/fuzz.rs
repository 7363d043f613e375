//! Logs that are nearly right: golden ones with something changed, with the hashes made anew for the changed bytes. None
//! makes a reader or a verifier panic, and what is read is written as the same bytes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use chaquete_proof::{
    golden,
    log::{Entry, Facts, StoredEvent, decode, encode, export, initial_hash, next_hash, read_export},
    verify::verify,
};
use proptest::{collection::vec, prelude::*, sample::Index, sample::select};
use uuid::Uuid;

#[path = "../../rules/tests/common"]
mod common {
    #[expect(dead_code, reason = "texts are for readers of texts")]
    pub(crate) mod fuzz;
}

const UID: Uuid = Uuid::from_u128(0x5eed);

/// The bytes of golden logs, event by event.
fn golden_logs() -> Vec<Vec<Vec<u8>>> {
    let logs = golden::logs(|_| UID).into_iter();
    logs.map(|(_, events)| events.into_iter().map(|event| event.bytes).collect()).collect()
}

/// What comes in the place of what is taken away.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let digits = "-?[0-9]{1,20}".prop_map(String::into_bytes);
    let words = select(vec![
        "null",
        "{}",
        "[]",
        "\"one\"",
        "\"two\"",
        "true",
        "1e9",
        "\"\\u0000\"",
        "\\",
        "\"seq\":",
        "0",
    ]);
    prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        "[0-9a-z\",:{}\\[\\]]{0,4}".prop_map(String::into_bytes),
        digits,
        words.prop_map(|word| word.as_bytes().to_vec()),
    ]
}

/// A golden log with some bytes of some events changed, and some events moved, doubled or taken away.
fn mutated_log() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let changes = vec((any::<Index>(), any::<Index>(), 0..12_usize, piece()), 0..6);
    let moves = vec((any::<Index>(), any::<Index>(), 0..3_u8), 0..2);
    (select(golden_logs()), changes, moves).prop_map(|(mut log, changes, moves)| {
        for (event, at, removed, piece) in changes {
            let bytes = event.get_mut(&mut log);
            let start = at.index(bytes.len() + 1);
            bytes.splice(start..(start + removed).min(bytes.len()), piece);
        }
        for (from, to, how) in moves {
            let (from, to) = (from.index(log.len()), to.index(log.len()));
            match how {
                0 => log.swap(from, to),
                1 => log.insert(to, log[from].clone()),
                _ if log.len() > 1 => drop(log.remove(from)),
                _ => {}
            }
        }
        log
    })
}

/// What is stored of a log by somebody who computes all hashes anew.
fn chained(log: &[Vec<u8>]) -> Vec<StoredEvent> {
    let mut hash = initial_hash(&UID);
    let event = |(revision, bytes): (u32, &Vec<u8>)| {
        hash = next_hash(&hash, bytes);
        let request_id = decode(bytes).ok().and_then(|entry| entry.part.found_by());
        StoredEvent { revision, hash, request_id, bytes: bytes.clone() }
    };
    (1..).zip(log).map(event).collect()
}

#[test]
fn logs() {
    common::fuzz::fuzz(&mutated_log(), |log| {
        let stored = chained(&log);
        let report = verify(&UID, &stored, None);
        let read: Result<Vec<Entry>, _> = log.iter().map(|bytes| decode(bytes)).collect();
        let Ok(entries) = read else { return assert!(!report.passed()) };
        for (entry, bytes) in entries.iter().zip(&log) {
            assert_eq!(encode(entry), *bytes);
        }
        let head = stored.last().unwrap().hash;
        let facts = Facts::follow("tenants/t/matches/m-1".to_owned(), UID, head, &entries);
        // What is of no match has no facts, and whoever looks closely sees why.
        let Some(facts) = facts else { return assert!(!report.passed()) };
        match read_export(&export(&facts, &stored)) {
            Ok(read) => assert_eq!(read.events, stored),
            Err(_) => assert!(!report.passed()),
        }
    });
}

/// Exports with any bytes changed, the line of facts among them.
#[test]
fn exports() {
    let whole: Vec<Vec<u8>> = golden_logs().iter().filter_map(|log| exported(log)).collect();
    assert!(whole.len() > 100, "golden logs have facts");
    let edits = vec((any::<Index>(), 0..40_usize, piece()), 1..4);
    let changed = (select(whole), edits).prop_map(|(mut bytes, edits)| {
        for (at, removed, piece) in edits {
            let start = at.index(bytes.len() + 1);
            bytes.splice(start..(start + removed).min(bytes.len()), piece);
        }
        bytes
    });
    let anything = vec(any::<u8>(), 0..400);
    common::fuzz::fuzz(&prop_oneof![9 => changed, 1 => anything], |bytes| {
        let Ok(read) = read_export(&bytes) else { return };
        assert_eq!(export(&read.facts, &read.events), bytes);
    });
}

fn exported(log: &[Vec<u8>]) -> Option<Vec<u8>> {
    let stored = chained(log);
    let entries: Vec<Entry> = log.iter().map(|bytes| decode(bytes).unwrap()).collect();
    let facts = Facts::follow("tenants/t/matches/m-1".to_owned(), UID, stored.last()?.hash, &entries)?;
    Some(export(&facts, &stored))
}

/// Two megabytes of one piece, of noise, or of a log that goes on for ever: read to the end or refused, and what is kept
/// is not more than what came.
#[test]
fn two_megabytes_of_anything_are_read_or_refused() {
    const SIZE: usize = 2 << 20;
    let facts = exported(&golden_logs()[0]).unwrap();
    let line = facts.split(|byte| *byte == b'\n').next().unwrap();
    for piece in ["\n", "{", "[", "{\"v\":1,", "\"", "\\u0000", "9", "[[[]]],", "\u{e9}\n", "{}\n"] {
        for head in [&b""[..], line, &[line, b"\n"].concat()] {
            let text = [head, piece.repeat(SIZE / piece.len()).as_bytes(), b"\n"].concat();
            assert!(read_export(&text).is_err(), "{piece:?}");
        }
    }
    let mut state = 1_u64;
    let noise: Vec<u8> = (0..SIZE)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        })
        .collect();
    assert!(read_export(&[line, b"\n", &noise, b"\n"].concat()).is_err());
    assert!(read_export(&noise).is_err());

    let long: Vec<Vec<u8>> = golden_logs().concat().into_iter().cycle().take(SIZE / 150).collect();
    let stored = chained(&long);
    assert!(stored.iter().map(|event| event.bytes.len()).sum::<usize>() > SIZE);
    assert!(!verify(&UID, &stored, None).passed());
}
