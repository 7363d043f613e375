//! Deciding a log again, to the byte.

use chaquete_rules::Event;
use chaquete_server::log::{self, Entry, Part, Seam, Stamp};
use uuid::Uuid;

/// The lines of a log, decided again from what was asked for and sealed with what was said of it.
pub(crate) fn decided(uid: &Uuid, entries: &[Entry]) -> Vec<String> {
    let mut seam = Seam { revision: 0, hash: log::initial_hash(uid), game: 0, rules: entries[0].rules };
    let mut lines = Vec::new();
    for decision in log::decide_again(entries).unwrap() {
        let first = &entries[lines.len()];
        let Part::First { request, .. } = first.part else { panic!("a command begins with its first event") };
        let stamp = Stamp { actor: first.actor.clone(), request, time: first.time };
        let sealed = log::seal(&seam, &stamp, &decision);
        let last = sealed.last().unwrap();
        let games = decision.events.iter().filter(|event| matches!(event, Event::GameStarted { .. })).count();
        seam = Seam { revision: last.revision, hash: last.hash, game: seam.game + games as u32, ..seam };
        lines.extend(sealed.into_iter().map(|event| String::from_utf8(event.bytes).unwrap()));
    }
    lines
}
