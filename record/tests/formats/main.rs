//! The formats against vectors of other programs, real matches and random input.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod data;
mod ids;
mod robust;
