//! A complete match as writers need it.

use chaquete_rules::{BySeat, Event, Match, OutOfOrder, Terms, evolve};
use thiserror::Error;

use crate::sheet::Facts;

/// A match with everything that happened in it: what all writers write.
///
/// It comes from a [`Transcript`](crate::Transcript) that is playable, or from a stored match. Its events can
/// always be folded: writers need not ask whether one follows from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chronicle {
    names: BySeat<String>,
    facts: Facts,
    terms: Box<Terms>,
    events: Vec<Event>,
}

/// Why events are not those of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ChronicleError {
    /// The match is not created by the first event.
    #[error("the first event must be that the match was created")]
    NotCreated,
    /// An event cannot follow those before it.
    #[error("event {} cannot follow: {because}", index + 1)]
    OutOfOrder {
        /// The number of the event, from 0.
        index: usize,
        /// Why not.
        because: OutOfOrder,
    },
}

impl Chronicle {
    /// A match from its events, with the names that are to be written for its players.
    ///
    /// # Errors
    /// If these are not the events of a match, from its creation on.
    pub fn new(names: BySeat<String>, facts: Facts, events: Vec<Event>) -> Result<Self, ChronicleError> {
        let Some(Event::MatchCreated(terms)) = events.first() else { return Err(ChronicleError::NotCreated) };
        let terms = terms.clone();
        let mut state = Match::new((*terms).clone());
        for (index, event) in events.iter().enumerate().skip(1) {
            evolve(&mut state, event, 0).map_err(|because| ChronicleError::OutOfOrder { index, because })?;
        }
        Ok(Self { names, facts, terms, events })
    }

    /// A match whose events were decided by the rules.
    pub(crate) const fn of_played(
        names: BySeat<String>,
        facts: Facts,
        terms: Box<Terms>,
        events: Vec<Event>,
    ) -> Self {
        Self { names, facts, terms, events }
    }

    /// The names of the players.
    #[must_use]
    pub const fn names(&self) -> &BySeat<String> {
        &self.names
    }

    /// Where and when the match was played.
    #[must_use]
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// What was agreed before the match.
    #[must_use]
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Everything that happened, from the creation of the match on.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Shows everything that happened after the creation of the match, each with the match as it was before, and
    /// gives the match as it is at the end.
    pub fn replay(&self, mut see: impl FnMut(&Match, &Event)) -> Match {
        let mut state = Match::new((*self.terms).clone());
        for event in &self.events[1..] {
            see(&state, event);
            let folded = evolve(&mut state, event, 0);
            debug_assert_eq!(folded, Ok(()), "the events were folded before");
        }
        state
    }
}
