//! What several services answer. Logs are always read through the executor, whose reads run in tasks of their
//! own.

use std::sync::Arc;

use chaquete_proto::v1;

use super::visit::Visit;
use crate::{
    execute::{Done, Executor},
    log,
    status::Error,
    store::StoredEvent,
    table::{Damaged, Table},
    wire::{
        order::{self, Order},
        replay::{Replay, Teller},
        state::{self, View},
    },
};

/// How many events are read at once.
pub(super) const PAGE: u32 = 200;

/// Any order: parse, execute, answer.
pub(super) async fn order<O: Order>(visit: &Visit, request: &O) -> Result<O::Response, Error> {
    let done = visit.act(order::read_order(request, visit.caller())?).await?;
    Ok(O::response(state::match_then(&done.table, View::Full)))
}

/// The events of a command.
pub(super) fn events(done: &Done) -> Result<Vec<v1::MatchEvent>, Damaged> {
    let table = Arc::clone(&done.table);
    let first = done.events.first().map_or(1, |first| first.revision);
    let mut teller = match done.before {
        Some(hash) => Teller::after(table, first.saturating_sub(1), hash),
        None => Teller::from_start(table),
    };
    done.events.iter().map(|stored| teller.tell(stored)).collect()
}

/// Tells what comes after a revision.
pub(super) async fn teller_after(
    executor: &Executor,
    table: &Arc<Table>,
    revision: u32,
) -> Result<Teller, Error> {
    let table = Arc::clone(table);
    let Some(before) = revision.checked_sub(1) else { return Ok(Teller::from_start(table)) };
    if revision == table.head.revision {
        let hash = table.head.hash;
        return Ok(Teller::after(table, revision, hash));
    }
    let stored = executor.events(&table, before, 1).await?;
    let last = stored.first().ok_or_else(|| missing(revision))?;
    Ok(Teller::after(table, revision, last.hash))
}

/// The match to which events can refer that were read after it: with labels and annotations that are at least as
/// new as they are.
pub(super) async fn up_to_date(
    executor: &Executor,
    table: &Arc<Table>,
    events: &[StoredEvent],
) -> Result<Arc<Table>, Error> {
    let known = events.partition_point(|event| event.revision <= table.head.revision);
    if log::tells_of_notes(&events[known..]) {
        return Ok(executor.load(&table.name).await?);
    }
    Ok(Arc::clone(table))
}

/// The match as it was at a revision, which is at most that of the table, ready to be folded on.
pub(super) async fn replay_to(
    executor: &Executor,
    table: &Arc<Table>,
    revision: u32,
) -> Result<Replay, Error> {
    if table.head.revision == revision {
        return Ok(Replay::from_table(Arc::clone(table)));
    }
    let mut replay = Replay::from_start(Arc::clone(table));
    while replay.revision() < revision {
        let seen = replay.revision();
        let page: Vec<StoredEvent> = executor.events(table, seen, PAGE.min(revision - seen)).await?;
        if page.is_empty() {
            return Err(missing(seen + 1).into());
        }
        for stored in &page {
            replay.fold(stored).map_err(|damaged| executor.found(table, damaged))?;
        }
    }
    Ok(replay)
}

fn missing(revision: u32) -> Damaged {
    Damaged { revision, because: "the event is missing".to_owned() }
}
