//! A match that was played elsewhere is stored as a whole, or not at all.

use std::sync::Arc;

use chaquete_rules::{BySeat, Decision, Event, Seat};
use tokio::task::spawn_blocking;

use super::{Done, Executor, Failure, repeat::Search};
use crate::{
    clock::Millis,
    exchange::{Told, Unreadable},
    log::{self, Actor, Entry, Exported, RULES_VERSION, Request, Seam, Stamp},
    name::{self, MatchName},
    store::{About, MatchKey, StoreError, StoredEvent, StoredMatch},
    table::Table,
};

/// A match that a caller wants to be stored.
#[derive(Clone, Debug)]
pub struct Import {
    /// Its name.
    pub name: MatchName,
    /// The caller's `request_id` and the digest of what it asks for.
    pub request: Option<Request>,
    /// Who imports it.
    pub actor: Actor,
    /// Who has played; a log says so itself.
    pub players: BySeat<String>,
    /// What is kept beside the log.
    pub about: About,
    /// Whether it is only to be checked.
    pub validate_only: bool,
}

/// A match with its log, ready to be stored.
type Ready = (Table, Vec<StoredEvent>);

impl Executor {
    /// Stores a match from what its record tells.
    ///
    /// # Errors
    /// See [`Failure`].
    pub async fn import(&self, import: Import, told: Told) -> Result<Done, Failure> {
        let this = self.clone();
        self.places.run(async move { this.import_now(import, told).await }).await
    }

    async fn import_now(&self, import: Import, told: Told) -> Result<Done, Failure> {
        let (name, validate_only) = (import.name.clone(), import.validate_only);
        // A log brings its own requests along; that of this call is none of them.
        let request = import.request.filter(|_| matches!(told, Told::Match { .. }));
        let time = self.clock.now();
        let uid = self.uids.uid(&name, time);
        // Long records keep other tasks of this thread waiting no longer than short ones.
        let ready = spawn_blocking(move || match told {
            Told::Match { events, .. } => seal(import, events, uid, time),
            Told::Log(exported) => restore(import, *exported),
        });
        let (table, events) = ready.await.map_err(|panicked| Failure::Internal(panicked.to_string()))??;
        if validate_only {
            return match self.store.find(&name).await? {
                Some(_) => Err(Failure::Exists(name)),
                None => Ok(Done::nothing(Arc::new(table))),
            };
        }
        // What has ended need not be folded again to be read.
        let stored = StoredMatch { snapshot: Some(table.snapshot()), ..table.stored() };
        match self.store.create(stored, events.clone()).await {
            Ok(()) => Ok(self.publish(table, None, events)),
            Err(StoreError::Exists) => self.there_already(request, &table).await,
            Err(error) => Err(error.into()),
        }
    }

    /// The answer where the name or the uid of an import is taken: by the same call, if it came before.
    async fn there_already(&self, request: Option<Request>, wanted: &Table) -> Result<Done, Failure> {
        let existing = match self.load_now(&wanted.name).await {
            Err(Failure::NotFound(_)) => return Err(Failure::UidTaken(wanted.key.uid)),
            loaded => loaded?,
        };
        if existing.key != wanted.key {
            let answered = self.answered(request, &existing, Search::Log).await?;
            return answered.ok_or_else(|| Failure::Exists(wanted.name.clone()));
        }
        // It is the same log, as uids go: it may only have gone on, by changes of labels.
        if existing.head == wanted.head && existing.about == wanted.about {
            return Ok(Done::nothing(existing));
        }
        let then = self.read(existing.stored(), wanted.head.revision).await?.0;
        let has_gone_on = existing.head.revision > wanted.head.revision && then.head == wanted.head;
        if has_gone_on { Ok(Done::nothing(Arc::new(then))) } else { Err(Failure::Exists(then.name)) }
    }
}

/// What a record tells as a log: all of it was caused by one call, and now.
fn seal(import: Import, mut events: Vec<Event>, uid: uuid::Uuid, time: Millis) -> Result<Ready, Failure> {
    if let Some(Event::MatchCreated(terms)) = events.first_mut() {
        terms.players = import.players;
    }
    let decision = Decision { asked: events.len(), events };
    let key = MatchKey::new(&import.name, uid);
    let seam = Seam { revision: 0, hash: log::initial_hash(&uid), game: 0, rules: RULES_VERSION };
    let stamp = Stamp { actor: import.actor, request: import.request, time };
    let sealed = log::seal(&seam, &stamp, &decision);
    Ok((Table::fold(import.name, key, Arc::new(import.about), &sealed)?, sealed))
}

/// A log as it is, if it is one of a match that was played by the rules to its end.
fn restore(import: Import, exported: Exported) -> Result<Ready, Failure> {
    let Exported { facts, events } = exported;
    let entry = |event: &StoredEvent| log::decode(&event.bytes);
    let entries: Vec<Entry> = events.iter().map(entry).collect::<Result<_, _>>().map_err(internal)?;
    log::check_form(&entries).map_err(|bad| of_event(bad.revision, "OUT_OF_FORM", &bad))?;
    log::decide_again(&entries).map_err(|bad| of_event(bad.revision, "AGAINST_RULES", &bad))?;
    let key = MatchKey::new(&import.name, facts.uid);
    let table = Table::fold(import.name, key, Arc::new(import.about), &events)
        .map_err(|bad| of_event(bad.revision, "AGAINST_RULES", &bad))?;
    let subjects = &table.state.terms().players;
    if !Seat::BOTH.iter().all(|&seat| name::is_subject(&subjects[seat])) {
        return Err(of_event(1, "SUBJECTS", &"a subject has 1 to 128 printable ASCII characters"));
    }
    let name = MatchName::parse(&facts.name)
        .ok_or_else(|| not_importable(1, "FACTS", &"the name of the match is none"))?;
    if (StoredMatch { name, ..table.stored() }).facts() != facts {
        return Err(not_importable(1, "FACTS", &"the first line does not say what the events say"));
    }
    if table.head.end_time.is_none() {
        // It may go on where it is played.
        return Err(not_importable(0, "NOT_ENDED", &"the match has not ended"));
    }
    Ok((table, events))
}

/// What is wrong with an event: the first is in the second line.
fn of_event(revision: u32, code: &'static str, because: &dyn std::fmt::Display) -> Failure {
    not_importable(revision.saturating_add(1), code, because)
}

fn not_importable(line: u32, code: &'static str, because: &dyn std::fmt::Display) -> Failure {
    Failure::NotImportable(Unreadable { line, column: 0, code, because: because.to_string() })
}

fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::Internal(error.to_string())
}
