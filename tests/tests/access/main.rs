//! Who may call what, on whose matches.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod keys;
mod matrix;
mod players;
mod support;
mod tokens;
