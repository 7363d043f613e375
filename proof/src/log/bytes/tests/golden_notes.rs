//! What came to the format with changes of labels and annotations, in files of its own.

use chaquete_rules::Event;

/// The exact bytes, one entry a line.
pub(super) const LINES: &str = include_str!("../../../../../tests/data/log/golden_v1_notes.jsonl");

/// The hashes: of no event yet, then after each line.
pub(super) const HEADS: &str = include_str!("../../../../../tests/data/log/golden_v1_notes.heads");

pub(super) fn events() -> Vec<Event> {
    vec![Event::MatchUpdated; 4]
}
