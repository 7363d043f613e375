//! Matches as folded from their logs, and a bounded cache of them.

mod cache;
mod recent;

use std::sync::Arc;

use chaquete_rules::{Clocks, Event, Game, Length, Match, PhaseKind};

use crate::{
    clock::Millis,
    log::{
        self, Entry, Hash, Seam,
        snapshot::{BadSnapshot, Snapshot, decode_snapshot, encode_snapshot},
    },
    name::MatchName,
    store::{self, About, Agreed, Head, MatchKey, Standing, State, StoredEvent, StoredMatch, Waiting},
};

pub use cache::Tables;
pub use recent::{Answered, Recent};

/// A match folded from its log up to a revision: all that an answer may say of it.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: MatchName,
    /// Its key in the store.
    pub key: MatchKey,
    /// What is kept beside the log.
    pub about: Arc<About>,
    /// Version of the rules under which it is played.
    pub rules_version: u32,
    /// The match itself.
    pub state: Match,
    /// The end of the log.
    pub head: Head,
    /// When the first game began.
    pub start_time: Option<Millis>,
    /// Revision and time of the event that ended each game, in order.
    pub game_ends: Vec<(u32, Millis)>,
    /// The latest commands that came with a `request_id`.
    pub requests: Recent,
}

/// A log that cannot be folded: it fails its hash chain, does not decode, or events follow that cannot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log is damaged at revision {revision}: {because}")]
pub struct Damaged {
    /// The first revision that is wrong.
    pub revision: u32,
    /// What is wrong.
    pub because: String,
}

impl Table {
    /// A match folded from its log, which begins with its creation.
    ///
    /// # Errors
    /// The first event that does not fit.
    pub fn fold(
        name: MatchName,
        key: MatchKey,
        about: Arc<About>,
        events: &[StoredEvent],
    ) -> Result<Self, Damaged> {
        let damaged = |because: &str| Damaged { revision: 1, because: because.to_owned() };
        let (first, rest) = events.split_first().ok_or_else(|| damaged("the log is empty"))?;
        let entry = check(log::initial_hash(&key.uid), 0, first)?;
        let Event::MatchCreated(terms) = &entry.event else {
            return Err(damaged("the first event is no creation"));
        };
        let time = entry.time;
        let mut table = Self {
            name,
            key,
            about,
            rules_version: entry.rules,
            state: Match::new((**terms).clone()),
            head: Head::new(first.hash, time),
            start_time: None,
            game_ends: Vec::new(),
            requests: Recent::default(),
        };
        table.note(&entry, first.hash);
        table.extend(rest)?;
        Ok(table)
    }

    /// A match as its store has kept it folded; its log goes on from there.
    ///
    /// # Errors
    /// What was kept is no snapshot of this match.
    pub fn restore(stored: &StoredMatch, snapshot: &[u8]) -> Result<Self, BadSnapshot> {
        let kept = decode_snapshot(snapshot, &stored.key.uid)?;
        let mut head = Head {
            revision: kept.revision,
            hash: kept.hash,
            create_time: kept.create_time,
            update_time: kept.update_time,
            ..Head::new(kept.hash, kept.create_time)
        };
        head.deadline = deadline(&kept.state);
        if let (Some(result), Some(end_time)) = (kept.state.result(), kept.end_time) {
            (head.state, head.end_time) = (State::of(Some(result.reason)), Some(end_time));
        }
        Ok(Self {
            name: stored.name.clone(),
            key: stored.key,
            about: Arc::new(stored.about.clone()),
            rules_version: kept.rules_version,
            state: kept.state,
            head,
            start_time: kept.start_time,
            game_ends: kept.game_ends,
            requests: Recent::after_others(),
        })
    }

    /// The match as it is now, to be kept by its store.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let snapshot = Snapshot {
            revision: self.head.revision,
            hash: self.head.hash,
            rules_version: self.rules_version,
            create_time: self.head.create_time,
            update_time: self.head.update_time,
            start_time: self.start_time,
            end_time: self.head.end_time,
            game_ends: self.game_ends.clone(),
            state: self.state.clone(),
        };
        encode_snapshot(&snapshot, &self.key.uid)
    }

    /// Folds stored events in.
    ///
    /// # Errors
    /// The first event that does not fit. The table must not be used any more then.
    pub fn extend(&mut self, events: &[StoredEvent]) -> Result<(), Damaged> {
        for event in events {
            let entry = check(self.head.hash, self.head.revision, event)?;
            chaquete_rules::evolve(&mut self.state, &entry.event, entry.time)
                .map_err(|error| Damaged { revision: entry.revision, because: error.to_string() })?;
            self.note(&entry, event.hash);
        }
        Ok(())
    }

    /// Checks the log that was folded against the head that was stored with it. The log may go on beyond
    /// that head, if it was read a moment later.
    ///
    /// # Errors
    /// The log ends before the head, is another one, or makes of the match what the head does not say.
    pub fn agrees_with(&self, head: &Head, events: &[StoredEvent]) -> Result<(), Damaged> {
        let damaged = |revision, because: &str| Err(Damaged { revision, because: because.to_owned() });
        let last = events.iter().find(|event| event.revision == head.revision).map(|event| event.hash);
        // From a snapshot on there may be no events.
        match last.or_else(|| (self.head.revision == head.revision).then_some(self.head.hash)) {
            None => damaged(self.head.revision + 1, "the log ends before its head"),
            Some(hash) if hash != head.hash => damaged(head.revision, "the head is of another log"),
            Some(_) if self.head.revision == head.revision && self.head != *head => {
                damaged(head.revision, "the head says what the log does not")
            }
            Some(_) => Ok(()),
        }
    }

    /// What is stored of the match beside its events.
    #[must_use]
    pub fn stored(&self) -> StoredMatch {
        StoredMatch {
            name: self.name.clone(),
            key: self.key,
            agreed: self.agreed(),
            about: About::clone(&self.about),
            head: self.head,
            standing: self.standing(),
            snapshot: None,
            covered: None,
        }
    }

    /// What lists look for of what was agreed.
    #[must_use]
    pub fn agreed(&self) -> Agreed {
        let terms = self.state.terms();
        let points = match terms.rules.length {
            Length::Points { points, .. } => Some(points.get()),
            Length::Money(_) => None,
        };
        Agreed { subjects: terms.players.clone(), points, variant: terms.rules.variant }
    }

    /// What lists look for of how the match stands.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let result = self.state.result();
        let running = self.state.game().filter(|_| result.is_none());
        Standing {
            waiting: self.waiting(),
            seat_to_act: running.and_then(Game::seat_to_act),
            winner: result.and_then(|result| result.winner),
            reason: result.map(|result| result.reason),
        }
    }

    fn waiting(&self) -> Option<Waiting> {
        let state = &self.state;
        let awaits_first = || {
            let waits = state.game().is_none_or(|game| game.phase_kind() == PhaseKind::Waiting);
            let waits = state.terms().ready_check && waits;
            state.games().is_empty() && (waits || before_first_roll(state))
        };
        match self.head.state {
            State::Active if state.is_paused() => Some(Waiting::Paused),
            State::Active if awaits_first() => Some(Waiting::Pending),
            State::Active | State::Completed | State::Cancelled => None,
        }
    }

    /// Where the next events are to be sealed on.
    #[must_use]
    pub fn seam(&self) -> Seam {
        Seam {
            revision: self.head.revision,
            hash: self.head.hash,
            game: self.state.game().map_or(0, |game| game.number),
            rules: self.rules_version,
        }
    }

    /// Keeps what the rules do not: revisions, times, who asked.
    fn note(&mut self, entry: &Entry, hash: Hash) {
        self.head.deadline = deadline(&self.state);
        self.head.revision = entry.revision;
        self.head.hash = hash;
        self.head.update_time = entry.time;
        if let Some((id, answered)) = Answered::of(entry) {
            self.requests.note(id, answered);
        }
        match &entry.event {
            Event::GameStarted { .. } => self.start_time = self.start_time.or(Some(entry.time)),
            Event::GameEnded(_) => self.game_ends.push((entry.revision, entry.time)),
            Event::MatchEnded { result, .. } => {
                self.head.end_time = Some(entry.time);
                self.head.state = State::of(Some(result.reason));
            }
            _ => {}
        }
    }
}

/// Whether the match waits for contributions to its first dice.
fn before_first_roll(state: &Match) -> bool {
    state.awaits_entropy() && state.entropy().is_some_and(|entropy| entropy.epoch == 0)
}

/// When a match is lost on time if nobody acts.
fn deadline(state: &Match) -> Option<Millis> {
    let runs = state.clocks().and_then(Clocks::flag).is_some();
    state.deadline().or_else(|| runs.then_some(store::NEVER))
}

/// Reads a stored event that must follow `revision` with `hash`.
fn check(hash: Hash, revision: u32, event: &StoredEvent) -> Result<Entry, Damaged> {
    let damaged = |because: String| Damaged { revision: revision + 1, because };
    if log::next_hash(&hash, &event.bytes) != event.hash {
        return Err(damaged("the hash does not fit the bytes".to_owned()));
    }
    let entry = log::decode(&event.bytes).map_err(|error| damaged(error.to_string()))?;
    if entry.revision != revision + 1 || event.revision != entry.revision {
        return Err(damaged("the revision does not follow the one before".to_owned()));
    }
    Ok(entry)
}
