//! What protects a server from those who can reach it: TLS, and limits that hold under attack.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod limits;
mod people;
mod resets;
mod tls;
