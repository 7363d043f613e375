//! `bgdice/1`: dice that are fixed before anybody asks for them, and provable roll by roll.

mod chain;
mod proof;

pub use chain::{
    Beacon, Binding, Chain, LINKS, Link, STRIDE, commitment, commitments, hmac, opens, place, previous_link,
    roll, shake,
};
pub use proof::{DiceProof, Unprovable, proofs};

#[cfg(test)]
mod vectors;
