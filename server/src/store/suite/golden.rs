//! The golden logs as a store has them: the only events of tests that are of real matches.

use std::{fs, sync::Arc};

use uuid::Uuid;

use crate::{
    log,
    name::MatchName,
    store::{About, MatchKey, StoredEvent, StoredMatch},
    table::Table,
};

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

/// A match with this log, as it is stored.
///
/// # Panics
/// The log is none.
#[must_use]
pub fn stored(tenant: &str, uid: Uuid, events: &[StoredEvent]) -> StoredMatch {
    table(tenant, uid, events).stored()
}

/// A match with this log, as it is folded.
///
/// # Panics
/// The log is none.
#[must_use]
pub fn table(tenant: &str, uid: Uuid, events: &[StoredEvent]) -> Table {
    let name = MatchName { tenant: tenant.to_owned(), id: format!("m-{}", uid.simple()) };
    let key = MatchKey::new(&name, uid);
    Table::fold(name, key, Arc::new(About::default()), events).expect("a good log")
}
