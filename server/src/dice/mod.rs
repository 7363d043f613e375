//! `bgdice/1`: dice that are fixed before anybody asks for them, and provable roll by roll.

mod chain;
mod cup;
mod key;
mod proof;

pub use chain::{
    Beacon, Binding, Chain, Contributions, LINKS, Link, Role, WrongOpening, commitment, previous_link, roll,
};
pub use cup::{CommittedCup, CupError, Cups, SeededCup};
pub use key::{BadKeys, DiceKey, DiceKeys, KeyFileError};
pub use proof::{DiceProof, Unprovable, proofs};

#[cfg(test)]
mod vectors;
