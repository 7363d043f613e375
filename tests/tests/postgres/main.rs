//! What may happen to Postgres, to its connections and to callers: nothing acknowledged is lost, nothing is done twice,
//! and everything goes on by itself.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

mod blocked;
mod cancelled;
mod replicas;
mod restarts;
mod same_bytes;
mod sessions;
mod starting;
mod support;
mod tables;
