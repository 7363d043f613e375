//! Checkpoints over real sockets: receipts, refusals, keys, and one tree whatever happens to its servers.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

mod receipts;
mod refused;
mod support;
mod together;
