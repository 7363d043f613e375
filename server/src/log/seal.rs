//! From events to the exact bytes that are stored.

use chaquete_rules::{Decision, Event};

use super::{Actor, Entry, Hash, Request, encode, next_hash};
use crate::{clock::Millis, store::StoredEvent};

/// The end of a log, on which the next events are sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seam {
    /// Number of the last event.
    pub revision: u32,
    /// Hash of the last event.
    pub hash: Hash,
    /// Number of the present game.
    pub game: u32,
    /// Version of the rules under which the match is played.
    pub rules: u32,
}

/// What all events of one command have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Who caused them.
    pub actor: Actor,
    /// The call that did, if it can be repeated.
    pub request: Option<Request>,
    /// When.
    pub time: Millis,
}

/// Seals the events of one command onto the end of a log. What automation added to them was the server.
#[must_use]
pub fn seal(seam: &Seam, stamp: &Stamp, decision: &Decision) -> Vec<StoredEvent> {
    let mut seam = *seam;
    let events = &decision.events;
    let mut sealed = Vec::with_capacity(events.len());
    for event in events {
        let is_first = sealed.is_empty();
        let is_asked = sealed.len() < decision.asked;
        seam.revision += 1;
        seam.game += u32::from(matches!(event, Event::GameStarted { .. }));
        let entry = Entry {
            rules: seam.rules,
            revision: seam.revision,
            time: stamp.time,
            actor: if is_asked { stamp.actor.clone() } else { Actor::server() },
            game: if concerns_game(event) { seam.game } else { 0 },
            command: if is_first { events.len() as u32 } else { 0 },
            request: stamp.request.filter(|_| is_first),
            event: event.clone(),
        };
        let bytes = encode(&entry);
        seam.hash = next_hash(&seam.hash, &bytes);
        let request_id = entry.request.map(|request| request.id);
        sealed.push(StoredEvent { revision: seam.revision, hash: seam.hash, request_id, bytes });
    }
    sealed
}

const fn concerns_game(event: &Event) -> bool {
    !matches!(
        event,
        Event::MatchCreated(_)
            | Event::DiceCommitted(_)
            | Event::SessionClosed
            | Event::Adjudicated { whole_match: true, .. }
            | Event::MatchPaused { .. }
            | Event::MatchResumed
            | Event::MatchEnded { .. }
    )
}
