//! What operators do with a store as a whole, by commands of the server program.

mod export;
mod keys;
mod rebuild;
mod retain;

pub use export::{ExportError, Folder, Kept};
pub use keys::{KeyError, create_key, list_keys, revoke_key};
pub use rebuild::{Fate, Finding, Rebuilt, rebuild};
pub use retain::{Left, RetainError, Retained, retain};

use crate::store::BadRow;

/// Whether a command only looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It says what it would do.
    Check,
    /// It does it.
    Change,
}

/// How a match is called whose row is damaged.
fn name_of(bad: &BadRow) -> String {
    match (&bad.name, &bad.uid) {
        (Some(name), _) => name.to_string(),
        (None, Some(uid)) => format!("the match with the uid {uid}"),
        (None, None) => "a match without a name".to_owned(),
    }
}
