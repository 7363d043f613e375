//! `ListMatches` and `ListMatchEvents`.

use std::sync::Arc;

use chaquete_proto::v1;
use tokio::time::timeout;

use super::{answer, check_tenant, match_service::MatchRpc};
use crate::{
    execute::Failure,
    status::Error,
    store::{ListQuery, OrderBy, StoredMatch},
    table::Table,
    wire::{
        query::{self, EventList},
        scalar,
        state::{self, View},
    },
};

impl MatchRpc {
    pub(super) async fn list(
        &self,
        request: &v1::ListMatchesRequest,
    ) -> Result<v1::ListMatchesResponse, Error> {
        let list = query::read_match_list(request)?;
        let after = query::with_match_list(request, |list| list.read_match(&request.page_token))?;
        if !request.filter.trim().is_empty() {
            return Err(Error::Unimplemented { feature: "ListMatchesRequest.filter" });
        }
        // All tenants at once are for operators, and nobody can be one yet.
        if list.tenant == "-" {
            return Err(Error::AccessDenied { method: "MatchService.ListMatches" });
        }
        check_tenant(&list.tenant)?;

        // One more than asked for tells whether there is another page.
        let query = ListQuery { tenant: Some(list.tenant), order: list.order, after, limit: list.limit + 1 };
        let mut stored = self.stored(query).await?;
        let is_last = stored.len() <= list.limit as usize;
        stored.truncate(list.limit as usize);
        let next_page_token = match stored.last().filter(|_| !is_last) {
            Some(last) => query::with_match_list(request, |this| {
                let time = match list.order.by {
                    OrderBy::CreateTime => last.head.create_time,
                    OrderBy::EndTime => last.head.end_time.unwrap_or_default(),
                };
                this.after_match(time, last.uid)
            }),
            None => String::new(),
        };
        let mut matches = Vec::with_capacity(stored.len());
        for stored in &stored {
            matches.push(self.listed(stored, list.view).await?);
        }
        Ok(v1::ListMatchesResponse { matches, next_page_token })
    }

    /// Reads a list from the store, in a task of its own: a caller that hangs up drops no read half way.
    async fn stored(&self, query: ListQuery) -> Result<Vec<StoredMatch>, Error> {
        let store = Arc::clone(&self.parts.store);
        let listed = tokio::spawn(async move { store.list(&query).await }).await;
        let listed = listed.map_err(|panicked| Failure::Internal(panicked.to_string()))?;
        Ok(listed.map_err(Failure::from)?)
    }

    /// A match in a list. One whose log is damaged must not make the others unreadable.
    async fn listed(&self, stored: &StoredMatch, view: View) -> Result<v1::Match, Error> {
        match self.parts.executor.load(&stored.name).await {
            Ok(table) => Ok(state::match_at(&table, view, self.now(&table))),
            Err(Failure::Damaged(damaged)) => {
                tracing::error!(name = %stored.name, %damaged, "a match in a list is damaged");
                Ok(state::damaged_match(stored))
            }
            Err(failure) => Err(failure.into()),
        }
    }

    pub(super) async fn list_events(
        &self,
        request: &v1::ListMatchEventsRequest,
    ) -> Result<v1::ListMatchEventsResponse, Error> {
        let list = query::read_event_list(request)?;
        let token = query::with_event_list(request, |list| list.read_event(&request.page_token))?;
        let after = token.unwrap_or(list.after);
        let table = self.parts.executor.load(&list.name).await?;
        let current = table.head.revision;
        if after > current {
            return Err(Error::RevisionInFuture { current });
        }
        let newest = if after == current { self.moved_on(&list, &table).await? } else { Arc::clone(&table) };

        let stored = self.parts.executor.events(table.uid, after, list.limit).await?;
        let mut teller = answer::teller_after(&self.parts.executor, &table, after).await?;
        let events = stored.iter().map(|stored| teller.tell(stored)).collect::<Result<_, _>>()?;
        let last = teller.revision();
        let current = newest.head.revision.max(last);
        let next_page_token = if last < current {
            query::with_event_list(request, |list| list.after_event(last))
        } else {
            String::new()
        };
        Ok(v1::ListMatchEventsResponse { events, next_page_token, current_revision: scalar::number(current) })
    }

    /// The match when it has moved on from this table, or as it is when the caller has waited long enough.
    async fn moved_on(&self, list: &EventList, table: &Arc<Table>) -> Result<Arc<Table>, Error> {
        if list.wait.is_zero() || state::is_ended(table.head.state) {
            return Ok(Arc::clone(table));
        }
        let mut notices = self.parts.feed.subscribe(table.uid);
        // What happened before the subscription gives no notice.
        let newest = self.parts.executor.load(&list.name).await?;
        if newest.head.revision > table.head.revision {
            return Ok(newest);
        }
        tokio::select! {
            biased;
            () = self.parts.shutdown.cancelled() => return Err(Error::Draining),
            _ = timeout(list.wait, notices.changed()) => {}
        }
        Ok(self.parts.executor.load(&list.name).await?)
    }
}
