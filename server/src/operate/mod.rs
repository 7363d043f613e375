//! What operators do with a store as a whole, by commands of the server program.

mod compare;
mod rebuild;

pub use rebuild::{Fate, Finding, Rebuilt, rebuild};

/// Whether a command only looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It says what it would do.
    Check,
    /// It does it.
    Change,
}
