//! Where rolls come from: secret keys, and the cups that matches roll with. The construction itself, `bgdice/1`, is in
//! `chaquete-proof`.

mod cup;
mod key;

pub use cup::{CommittedCup, CupError, Cups, SeededCup};
pub use key::{BadKeys, DiceKey, DiceKeys, KeyFileError};

#[cfg(test)]
mod proved;
