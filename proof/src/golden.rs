//! The golden logs: the only events of tests that are of whole matches.

use std::fs;

use uuid::Uuid;

use crate::log::{self, StoredEvent};

/// Every golden log.
///
/// # Panics
/// They cannot be read.
#[must_use]
pub fn logs(uid: impl Fn(usize) -> Uuid) -> Vec<(Uuid, Vec<StoredEvent>)> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/log/matches_v1.jsonl");
    let mut logs: Vec<(Uuid, Vec<StoredEvent>)> = Vec::new();
    let golden = fs::read_to_string(file).expect("the golden logs are there");
    for line in golden.lines().filter(|line| line.starts_with('{')) {
        let entry = log::decode(line.as_bytes()).expect("a golden log is good");
        if entry.revision == 1 {
            logs.push((uid(logs.len()), Vec::new()));
        }
        let (uid, log) = logs.last_mut().expect("the first event begins a log");
        let before = log.last().map_or_else(|| log::initial_hash(uid), |last| last.hash);
        let request_id = entry.part.found_by();
        let hash = log::next_hash(&before, line.as_bytes());
        log.push(StoredEvent { revision: entry.revision, hash, request_id, bytes: line.into() });
    }
    logs
}
