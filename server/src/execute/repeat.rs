//! Calls that came before.

use std::sync::Arc;

use uuid::Uuid;

use super::{Done, Executor, Failure};
use crate::{
    log::Request,
    table::{Answered, Damaged, Table},
};

/// Where a command that came before is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// Among the latest that are kept: enough for all but late repeats.
    Kept,
    /// In the whole log, if need be.
    Log,
}

impl Executor {
    /// The answer to a call that came before, made again from the log.
    pub(super) async fn answered(
        &self,
        request: Option<Request>,
        table: &Arc<Table>,
        search: Search,
    ) -> Result<Option<Done>, Failure> {
        let Some(request) = request else { return Ok(None) };
        let answered = match table.requests.get(request.id) {
            None if search == Search::Log && table.requests.has_forgotten() => {
                self.find_answered(table, request.id).await?
            }
            kept => kept,
        };
        let Some(answered) = answered else { return Ok(None) };
        if request.digest != answered.digest {
            return Err(Failure::RequestIdReused(request.id));
        }
        // A repeat mostly comes at once, before anything else has happened: then nothing is folded again.
        let then = if answered.last == table.head.revision {
            Arc::clone(table)
        } else {
            Arc::new(self.read(table.stored(), answered.last).await?.0)
        };
        // From the event before on: its hash is the one that the first of the answer is tied to.
        let before = answered.first.saturating_sub(1);
        let mut earlier = self.read_events(table.key, before.saturating_sub(1), answered.last).await?;
        let events = earlier.split_off(usize::from(before > 0).min(earlier.len()));
        let before = earlier.last().map(|event| event.hash);
        Ok(Some(Done { table: then, before, events }))
    }

    /// A command of long ago, as the log has it.
    pub(super) async fn find_answered(&self, table: &Table, id: Uuid) -> Result<Option<Answered>, Failure> {
        let Some(event) = self.store.find_request(table.key, id).await? else { return Ok(None) };
        let answered = Answered::read(id, &event.bytes);
        let damaged = || Damaged { revision: event.revision, because: format!("it is not of request {id}") };
        Ok(Some(answered.ok_or_else(damaged)?))
    }
}
