//! Matches are verified, and how their dice fell is told.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

mod damage;
mod statistics;
mod support;
mod whole;
