//! Matches as the store has them.

use std::sync::Arc;

use super::{Executor, Failure};
use crate::{
    log,
    name::MatchName,
    store::{MatchKey, Seen, State, StoredEvent, StoredMatch},
    table::{Damaged, Table},
};

impl Executor {
    /// The match as the store has it now.
    pub(super) async fn load_now(&self, name: &MatchName) -> Result<Arc<Table>, Failure> {
        self.look_out(name, self.load_newest(name).await)
    }

    /// The match whose row was just read.
    pub(super) async fn load_stored(&self, stored: StoredMatch) -> Result<Arc<Table>, Failure> {
        let name = stored.name.clone();
        self.look_out(&name, self.load_row(stored).await)
    }

    /// What was loaded, unless it is frozen. If it fails, what is kept may not be what is stored: it must not be
    /// acted on any more.
    fn look_out(&self, name: &MatchName, loaded: Result<Arc<Table>, Failure>) -> Result<Arc<Table>, Failure> {
        if let Some(damaged) = self.tables.damages().of_frozen(name) {
            return Err(damaged.into());
        }
        if let Err(failure) = &loaded {
            self.tables.forget(name);
            if let Failure::Damaged(damaged) = failure {
                self.tables.damages().note(name, damaged);
            }
        }
        loaded
    }

    async fn load_newest(&self, name: &MatchName) -> Result<Arc<Table>, Failure> {
        match self.tables.get(name) {
            Some(kept) if kept.head.state == State::Active => {
                let newer = self.refresh(&kept).await?;
                self.tables.count_hit();
                Ok(newer.map_or(kept, |newer| self.kept(newer)))
            }
            // The log of a match that has ended may be packed, and its head tells as well whether anything is new.
            _ => {
                let stored = self.store.find(name).await?.ok_or_else(|| Failure::NotFound(name.clone()))?;
                self.load_row(stored).await
            }
        }
    }

    async fn load_row(&self, stored: StoredMatch) -> Result<Arc<Table>, Failure> {
        let (head, covered) = (stored.head.seen(), stored.covered);
        if covered.is_some_and(|covered| covered.revision > head.revision) {
            let because = "the log ends before what a checkpoint covers".to_owned();
            return Err(Damaged { revision: head.revision + 1, because }.into());
        }
        match self.tables.get(&stored.name) {
            Some(kept) if kept.head.seen() == head => {
                self.tables.count_hit();
                Ok(kept)
            }
            _ => {
                self.tables.count_miss();
                let (table, events) = self.read(stored, u32::MAX).await?;
                if let Some(covered) = covered {
                    self.has_covered(&table, &events, covered).await?;
                }
                Ok(self.kept(table))
            }
        }
    }

    /// Looks whether the event up to which a checkpoint covers a log is the one that it covers: then so are all before it.
    async fn has_covered(&self, table: &Table, events: &[StoredEvent], covered: Seen) -> Result<(), Failure> {
        let last = Some(table.head.seen()).filter(|head| head.revision == covered.revision);
        let read = || events.iter().find(|event| event.revision == covered.revision).map(seen);
        let found = match last.or_else(read) {
            // A snapshot is rarely so far ahead of the last checkpoint that the event was not read.
            None => self.store.events(table.key, covered.revision - 1, 1).await?.first().map(seen),
            found => found,
        };
        if found == Some(covered) {
            return Ok(());
        }
        let because = "a checkpoint covers another event here".to_owned();
        Err(Damaged { revision: covered.revision, because }.into())
    }

    fn kept(&self, table: Table) -> Arc<Table> {
        let table = Arc::new(table);
        self.tables.keep(&table);
        table
    }

    /// The kept match with what has happened since; `None`: nothing has.
    pub(super) async fn refresh(&self, kept: &Table) -> Result<Option<Table>, Failure> {
        // From the last known event on: it must still be there, and the same.
        let events = self.read_events(kept.key, kept.head.revision - 1, u32::MAX).await?;
        match events.split_first() {
            Some((last, [])) if last.hash == kept.head.hash => Ok(None),
            Some((last, news)) if last.hash == kept.head.hash => {
                let mut newer = Table::clone(kept);
                newer.extend(news)?;
                self.catch_up_on_notes(&mut newer, news).await?;
                Ok(Some(newer))
            }
            _ => Err(Damaged {
                revision: kept.head.revision,
                because: "an acknowledged event is gone".to_owned(),
            }
            .into()),
        }
    }

    /// Folds a match from its log, up to a revision, with the events. What the store says of the log's end
    /// must be in the log: else it has lost its tail, or was put together from two.
    pub(super) async fn read(
        &self,
        stored: StoredMatch,
        last: u32,
    ) -> Result<(Table, Vec<StoredEvent>), Failure> {
        let head = stored.head;
        let (mut table, events) = match restored(&stored).filter(|kept| kept.head.revision <= last) {
            Some(mut table) => {
                let events = self.read_events(stored.key, table.head.revision, last).await?;
                table.extend(&events)?;
                (table, events)
            }
            None => {
                let events = self.read_events(stored.key, 0, last).await?;
                (Table::fold(stored.name, stored.key, Arc::new(stored.about), &events)?, events)
            }
        };
        if last >= head.revision {
            table.agrees_with(&head, &events)?;
        }
        let news = events.partition_point(|event| event.revision <= head.revision);
        self.catch_up_on_notes(&mut table, &events[news..]).await?;
        Ok((table, events))
    }

    /// Reads again what is kept beside the log, if events say that it has changed since it was read. What comes is
    /// at least as new as they are.
    async fn catch_up_on_notes(&self, table: &mut Table, news: &[StoredEvent]) -> Result<(), Failure> {
        if log::tells_of_notes(news) {
            let stored = self.store.find(&table.name).await?;
            table.about = Arc::new(stored.ok_or_else(|| Failure::NotFound(table.name.clone()))?.about);
        }
        Ok(())
    }

    /// All events after a revision, up to another.
    pub(super) async fn read_events(
        &self,
        key: MatchKey,
        after: u32,
        last: u32,
    ) -> Result<Vec<StoredEvent>, Failure> {
        Ok(self.store.log(key, after, last).await?)
    }
}

fn seen(event: &StoredEvent) -> Seen {
    Seen { revision: event.revision, hash: event.hash }
}

/// The match as its store has kept it folded, if it has. The log says the same, only not as fast.
fn restored(stored: &StoredMatch) -> Option<Table> {
    let kept = Table::restore(stored, stored.snapshot.as_deref()?);
    kept.inspect_err(|bad| tracing::error!(name = %stored.name, "a snapshot is not used: {bad}")).ok()
}
