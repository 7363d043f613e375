//! The formats against vectors of other programs, real matches and random input.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;
mod data;
mod exports;
mod form_errors;
mod forms;
mod gnubg;
mod ids;
mod imports;
mod mat;
mod mutations;
mod ogxm;
mod oldmoves;
mod picture;
mod random;
mod random_games;
mod random_matches;
mod repairs;
mod robust;
mod sgf;
mod transcripts;
