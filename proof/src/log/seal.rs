//! From events to the exact bytes that are stored.

use std::num::NonZeroU32;

use chaquete_rules::{Decision, Event, Moment};

use super::{Actor, Entry, Hash, Part, Request, StoredEvent, encode, next_hash};

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
    pub time: Moment,
}

/// Seals the events of one command onto the end of a log. What automation added to them was the server.
#[must_use]
pub fn seal(seam: &Seam, stamp: &Stamp, decision: &Decision) -> Vec<StoredEvent> {
    let mut seam = *seam;
    let events = &decision.events;
    let mut sealed = Vec::with_capacity(events.len());
    for event in events {
        let is_asked = sealed.len() < decision.asked;
        let length = NonZeroU32::new(events.len() as u32).filter(|_| sealed.is_empty());
        seam.revision += 1;
        seam.game += u32::from(matches!(event, Event::GameStarted { .. }));
        let entry = Entry {
            rules: seam.rules,
            revision: seam.revision,
            time: stamp.time,
            actor: if is_asked { stamp.actor.clone() } else { Actor::server() },
            game: if concerns_game(event) { seam.game } else { 0 },
            part: match length {
                Some(events) => Part::First { events, request: stamp.request },
                None => {
                    Part::Later { request_id: stamp.request.filter(|_| is_asked).map(|request| request.id) }
                }
            },
            event: event.clone(),
        };
        let bytes = encode(&entry);
        seam.hash = next_hash(&seam.hash, &bytes);
        let request_id = entry.part.found_by();
        sealed.push(StoredEvent { revision: seam.revision, hash: seam.hash, request_id, bytes });
    }
    sealed
}

pub(super) const fn concerns_game(event: &Event) -> bool {
    !matches!(
        event,
        Event::MatchCreated(_)
            | Event::DiceCommitted(_)
            | Event::EntropyCommitted { .. }
            | Event::EntropyOpened { .. }
            | Event::SessionClosed
            | Event::Adjudicated { whole_match: true, .. }
            | Event::MatchPaused { .. }
            | Event::MatchResumed
            | Event::MatchUpdated
            | Event::MatchEnded { .. }
    )
}

#[cfg(test)]
mod tests {
    use chaquete_rules::{Seat, WinKind};
    use uuid::Uuid;

    use super::*;
    use crate::log::{ActorKind, decode, initial_hash};

    fn parts(stamp: &Stamp, decision: &Decision) -> Vec<Part> {
        let seam = Seam { revision: 4, hash: initial_hash(&Uuid::nil()), game: 1, rules: 1 };
        let sealed = seal(&seam, stamp, decision);
        // The store looks for a request at the beginning of its command only.
        assert!(sealed.iter().skip(1).all(|event| event.request_id.is_none()));
        assert_eq!(sealed[0].request_id, stamp.request.map(|request| request.id));
        let entries = sealed.iter().map(|event| decode(&event.bytes).unwrap());
        entries
            .map(|entry| {
                let part = entry.part;
                assert!(entry.actor.kind != ActorKind::Server || part.request_id().is_none());
                part
            })
            .collect()
    }

    #[test]
    fn every_event_of_a_call_has_its_request_id_and_none_of_the_server() {
        let events = vec![
            Event::ResignationOffered { seat: Seat::One, kind: WinKind::Single },
            Event::ResignationAccepted { seat: Seat::Two },
            Event::MatchResumed,
        ];
        let decision = Decision { events, asked: 2 };
        let actor = Actor { kind: ActorKind::Backend, seat: None, subject: String::new() };
        let request = Request { id: Uuid::from_u128(9), digest: [9; 32] };
        let length = NonZeroU32::new(3).unwrap();

        let stamp = Stamp { actor, request: Some(request), time: 0 };
        let by_request = [
            Part::First { events: length, request: Some(request) },
            Part::Later { request_id: Some(request.id) },
            Part::Later { request_id: None },
        ];
        assert_eq!(parts(&stamp, &decision), by_request);

        let stamp = Stamp { request: None, ..stamp };
        let without = [
            Part::First { events: length, request: None },
            Part::Later { request_id: None },
            Part::Later { request_id: None },
        ];
        assert_eq!(parts(&stamp, &decision), without);
    }
}
