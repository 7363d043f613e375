//! `bgdice/1`: dice that are fixed before anybody asks for them, and provable roll by roll.

mod chain;
mod proof;
pub mod statistics;

pub use chain::{
    Beacon, Binding, Chain, LINKS, Link, STRIDE, commitment, commitments, hmac, opens, place, previous_link,
    roll, shake,
};
pub use proof::{DiceProof, Unprovable, Unproved, proofs};

#[cfg(test)]
mod vectors;
