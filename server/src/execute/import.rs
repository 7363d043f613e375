//! A match that was played elsewhere is stored as a whole, or not at all.

use std::sync::Arc;

use chaquete_rules::{BySeat, Decision, Event};
use tokio::task::spawn_blocking;

use super::{Done, Executor, Failure, repeat::Search};
use crate::{
    clock::Millis,
    exchange::Told,
    log::{self, Actor, Entry, Exported, RULES_VERSION, Request, Seam, Stamp},
    name::MatchName,
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
    /// What the record tells.
    pub told: Told,
    /// Whether it is only to be checked.
    pub validate_only: bool,
}

/// A match with its log, ready to be stored.
type Ready = (Table, Vec<StoredEvent>);

impl Executor {
    /// Stores a match from a record.
    ///
    /// # Errors
    /// See [`Failure`].
    pub async fn import(&self, import: Import) -> Result<Done, Failure> {
        let this = self.clone();
        self.places.run(async move { this.import_now(import).await }).await
    }

    async fn import_now(&self, import: Import) -> Result<Done, Failure> {
        let (name, request, validate_only) = (import.name.clone(), import.request, import.validate_only);
        let time = self.clock.now();
        let uid = self.uids.uid(&name, time);
        // Long records keep other tasks of this thread waiting no longer than short ones.
        let ready = spawn_blocking(move || match import.told.clone() {
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
            Err(StoreError::Exists) => {
                let existing = self.load_now(&name).await?;
                if let Some(done) = self.answered(request, &existing, Search::Log).await? {
                    return Ok(done);
                }
                // A log brings its own requests along: it is the same call if it is the same log.
                let is_same = existing.key == table.key && existing.head == table.head;
                if is_same { Ok(Done::nothing(existing)) } else { Err(Failure::Exists(name)) }
            }
            Err(error) => Err(error.into()),
        }
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
    let Exported { facts, name, uid, events } = exported;
    let entry = |event: &StoredEvent| log::decode(&event.bytes);
    let entries: Vec<Entry> = events.iter().map(entry).collect::<Result<_, _>>().map_err(internal)?;
    log::decide_again(&entries).map_err(|against| Failure::NotImportable(against.to_string()))?;
    let key = MatchKey::new(&import.name, uid);
    let table = Table::fold(import.name, key, Arc::new(import.about), &events)?;
    if log::facts(&StoredMatch { name, ..table.stored() }) != facts {
        return Err(Failure::NotImportable("the first line does not say what the events say".to_owned()));
    }
    if table.head.end_time.is_none() {
        // It may go on where it is played.
        return Err(Failure::NotImportable("the match has not ended".to_owned()));
    }
    Ok((table, events))
}

fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::Internal(error.to_string())
}
