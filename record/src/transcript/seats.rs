//! Who sits where: players may change columns, and tags may name them the other way round.

use chaquete_rules::BySeat;

use crate::mat::{Game, MatRecord};

/// The names of the seats: those above the columns of the first game.
pub(super) struct Seats {
    names: BySeat<String>,
}

impl Seats {
    pub(super) fn of(record: &MatRecord) -> Self {
        let name = |seat| record.games.first().map_or_else(String::new, |game| game.names[seat].text.clone());
        Self { names: BySeat::from_fn(name) }
    }

    pub(super) fn names(&self) -> BySeat<String> {
        self.names.clone()
    }

    /// Whether the players stand in each other's columns.
    pub(super) fn are_swapped(&self, game: &Game) -> bool {
        self.are_reverse(&game.names.one.text, &game.names.two.text)
    }

    /// The line of the tags, if they name the players the other way round.
    pub(super) fn header_swapped(&self, record: &MatRecord) -> Option<u32> {
        let (one, two) = (record.tag("Player 1")?, record.tag("Player 2")?);
        let line = record.tags.iter().find(|tag| tag.key.eq_ignore_ascii_case("Player 1"))?.line;
        self.are_reverse(one.trim(), two.trim()).then_some(line)
    }

    fn are_reverse(&self, one: &str, two: &str) -> bool {
        self.names.one != self.names.two && self.names.one == two && self.names.two == one
    }
}
