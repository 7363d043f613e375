//! The golden logs as a store has them: the only events of tests that are of real matches.

use std::sync::Arc;

use uuid::Uuid;

use crate::{
    name::MatchName,
    store::{About, MatchKey, StoredEvent, StoredMatch},
    table::Table,
};

pub use chaquete_proof::golden::logs;

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
