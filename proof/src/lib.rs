//! What is stored of a match as exact bytes, and what checks it: the log (`bglog/1`), its files (`bgexport/1`), its
//! snapshots (`bgsnap/1`), the tree over all logs and its signed checkpoints, and dice that are fixed before anybody asks
//! for them (`bgdice/1`).
//!
//! Nothing here reads a clock, rolls a die, knows a key or touches a store: whoever audits needs this crate and the
//! rules, and no server. `docs/log-format.md` lays the formats down for those who trust no software of ours.
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test may stop at what must not be"))]

pub mod dice;
#[cfg(any(test, feature = "test-support"))]
pub mod golden;
pub mod hex;
pub mod log;
#[cfg(any(test, feature = "test-support"))]
pub mod played;
pub mod tree;
pub mod verify;
