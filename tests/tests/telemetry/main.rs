//! What can be seen of a server from outside: metrics, traces, log lines, and what the documents say of them.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod documents;
mod metrics;
mod mistakes;
mod program;
mod secrets;
mod traces;
