//! What came to the format with contributions to dice, in files of its own. No code of ours has made them.

use chaquete_rules::{
    BySeat, Contributing, Contributor, DiceSource, Event, MatchPoints, MatchRules, Millis, Terms,
};

/// The exact bytes, one entry a line.
pub(super) const LINES: &str = include_str!("../../../../../tests/data/log/golden_v1_entropy.jsonl");

/// The hashes: of no event yet, then after each line.
pub(super) const HEADS: &str = include_str!("../../../../../tests/data/log/golden_v1_entropy.heads");

fn created(players: bool, creator: Option<[u8; 32]>, timeout: Millis, ready_check: bool) -> Event {
    let dice = DiceSource::Committed(Contributing::new(players, creator, timeout));
    let players = BySeat::new("u-1".to_owned(), "u-2".to_owned());
    let rules = MatchRules::points(MatchPoints::new(7).unwrap());
    Event::MatchCreated(Box::new(Terms { ready_check, ..Terms::new(players, rules, dice) }))
}

pub(super) fn events() -> Vec<Event> {
    vec![
        created(true, None, 60_000, false),
        created(false, Some([0xc3; 32]), 1, false),
        created(true, Some([0xc3; 32]), Millis::MAX, true),
        Event::EntropyCommitted { by: Contributor::SeatOne, commitment: [0xc1; 32] },
        Event::EntropyCommitted { by: Contributor::Creator, commitment: [0xc3; 32] },
        Event::EntropyOpened { by: Contributor::SeatTwo, opening: [0x02; 32] },
        Event::EntropyOpened { by: Contributor::Creator, opening: [0xff; 32] },
    ]
}
