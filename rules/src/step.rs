//! One checker moved by one die.

use crate::{Die, Source, Target};

/// One checker moved by one die. Where it goes follows from where it comes from and the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Where the checker comes from.
    pub source: Source,
    /// The die it is moved by.
    pub die: Die,
    /// Whether it hits a blot (A13).
    pub hit: bool,
}

impl Step {
    /// Where the checker goes.
    #[must_use]
    pub const fn target(self) -> Target {
        self.source.target(self.die)
    }
}
