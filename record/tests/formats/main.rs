//! The formats against vectors of other programs, real matches and random input.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;
mod data;
mod ids;
mod imports;
mod mat;
mod picture;
mod random_games;
mod robust;
mod transcripts;
