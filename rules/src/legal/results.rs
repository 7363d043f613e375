//! The results of very many rolls.

use std::{mem, slice};

use super::generator::{Sink, generate};
use super::key::Key;
use super::path::Path;
use crate::{Dice, Position, Side};

/// The results of a roll in a buffer that is used again and again: for those who look at very many
/// positions and need no steps. Nothing is allocated once the buffer is large enough.
///
/// ```
/// # use chaquete_rules::{Dice, Results, Setup, SideSetup};
/// # let mut mover = SideSetup::default();
/// # mover.points[5] = 2;
/// # let mut opponent = SideSetup::default();
/// # opponent.points[5] = 2;
/// # let position = Setup { mover, opponent, checkers: 15 }.position().unwrap();
/// let mut results = Results::new();
/// for dice in Dice::all() {
///     let dice_used = results.fill(&position, dice);
///     assert!(dice_used >= 2 && results.iter().all(|after| after.mover().pip_count() < 12));
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The opposing checkers before the move.
    opponent: Option<Side>,
    keys: Vec<Key>,
    count: usize,
}

impl Results {
    /// An empty buffer.
    #[must_use]
    pub const fn new() -> Self {
        Self { opponent: None, keys: Vec::new(), count: 0 }
    }

    /// Replaces what is in the buffer by the results of a roll. Returns how many dice each uses.
    pub fn fill(&mut self, position: &Position, dice: Dice) -> u8 {
        self.opponent = Some(*position.opponent());
        loop {
            let mut room = Room { all: self.keys.len(), free: self.keys.iter_mut() };
            let dice_used = generate(position, dice, &mut room);
            let free = room.free.len();
            if free > 0 {
                self.count = self.keys.len() - free;
                return dice_used;
            }
            self.keys.resize(2 * self.keys.len().max(32), Key::default());
        }
    }

    /// How many different results there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no legal move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The resulting positions, from the mover's own view.
    pub fn iter(&self) -> impl Iterator<Item = Position> {
        self.opponent
            .iter()
            .flat_map(|opponent| self.keys[..self.count].iter().map(|key| key.position(opponent)))
    }
}

/// Room for results. What does not fit is left out, and when all is full, all is done again with more room:
/// to make it at each result would slow all of them down.
struct Room<'a> {
    all: usize,
    free: slice::IterMut<'a, Key>,
}

impl Sink for Room<'_> {
    fn add(&mut self, results: impl Iterator<Item = (Key, Path)>) {
        let mut free = mem::take(&mut self.free);
        for (key, _) in results {
            let Some(slot) = free.next() else { break };
            *slot = key;
        }
        self.free = free;
    }

    fn is_empty(&self) -> bool {
        self.free.len() == self.all
    }
}
