//! `ListMatches` and `ListMatchEvents`.

use std::sync::Arc;

use chaquete_proto::v1;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::time::timeout;
use tonic::Request;

use super::{answer, match_service::MatchRpc, visit::Visit};
use crate::{
    execute::Failure,
    status::Error,
    store::{ListQuery, Listed, Row, StoredMatch},
    table::Table,
    wire::{
        filter,
        page::Budget,
        query::{self, EventList, MatchList},
        scalar,
        state::{self, View},
    },
};

/// How many matches of a list are read at once: some, and not all the readers that the store has.
const READS: usize = 4;

/// What a call of this method wants to be listed, from the place on that its token names, and how much of each.
pub(super) fn read_query(
    visit: &Visit,
    request: &v1::ListMatchesRequest,
    method: &str,
) -> Result<(ListQuery, View), Error> {
    let MatchList { tenant, limit, order, view } = query::read_match_list(request)?;
    let filter = filter::read_filter(&request.filter)?;
    let after = query::with_match_list(request, |list| list.read_match(&request.page_token))?;
    let query = ListQuery { tenant: None, filter, order, after, limit };
    Ok((visit.narrow(tenant, query, method)?, view))
}

impl MatchRpc {
    pub(super) async fn list(
        &self,
        request: Request<v1::ListMatchesRequest>,
    ) -> Result<v1::ListMatchesResponse, Error> {
        let (visit, request) = (self.visit(&request), request.get_ref());
        let (query, view) = read_query(&visit, request, "MatchService.ListMatches")?;
        let limit = query.limit;
        // One more than asked for tells whether there is another page.
        let stored = self.stored(ListQuery { limit: limit + 1, ..query }).await?;
        let (mut matches, mut told, mut budget) = (Vec::new(), 0, Budget::PAGE);
        let shown = stored.iter().take(limit as usize);
        let listed: Vec<_> = shown.map(|listed| self.listed(&listed.row, view)).collect();
        // Those that are not kept folded are read: in order, but not one only when the other is there.
        let mut listed = stream::iter(listed).buffered(READS);
        while let Some(entry) = listed.try_next().await? {
            if let Some(entry) = entry {
                if !budget.takes(&entry, matches.is_empty()) {
                    break;
                }
                matches.push(entry);
            }
            told += 1;
        }
        let last = stored[..told].last().filter(|_| told < stored.len());
        let token = last.map(|last| query::with_match_list(request, |list| list.after_match(&last.place)));
        Ok(v1::ListMatchesResponse { matches, next_page_token: token.unwrap_or_default() })
    }

    /// Reads a list from the store, in a task of its own: a caller that hangs up drops no read half way. A list with
    /// anything of another tenant would be a fault of ours, and is told to nobody (ADR 6).
    pub(super) async fn stored(&self, query: ListQuery) -> Result<Vec<Listed>, Error> {
        let store = Arc::clone(&self.parts.store);
        let list = async move {
            let listed = store.list(&query).await?;
            if listed.iter().all(|listed| query.asks_for(listed)) {
                Ok(listed)
            } else {
                Err(Failure::Internal("a list has a match of another tenant".to_owned()))
            }
        };
        let listed = tokio::spawn(list).await;
        Ok(listed.map_err(|panicked| Failure::Internal(panicked.to_string()))??)
    }

    /// A match in a list. One that is damaged must not make the others unreadable: it is told as far as it can
    /// be read, if at least its name can.
    async fn listed(&self, row: &Row, view: View) -> Result<Option<v1::Match>, Error> {
        let stored = match row {
            Ok(stored) => stored,
            Err(bad) => {
                tracing::error!(name = bad.name.as_ref().map(tracing::field::display), uid = ?bad.uid, "in a list: {bad}");
                let told = |name| state::damaged_match(name, bad.uid, bad.head.as_ref());
                return Ok(bad.name.as_ref().map(told));
            }
        };
        match self.parts.executor.load_listed(StoredMatch::clone(stored)).await {
            Ok(table) => Ok(Some(state::match_at(&table, view, self.now(&table)))),
            // It is in the list, so one that is not found has its name damaged, here or there.
            Err(failure @ (Failure::Damaged(_) | Failure::NotFound(_))) => {
                tracing::error!(name = %stored.name, "a match in a list is damaged: {failure}");
                Ok(Some(state::damaged_match(&stored.name, Some(stored.key.uid), Some(&stored.head))))
            }
            Err(failure) => Err(failure.into()),
        }
    }

    pub(super) async fn list_events(
        &self,
        request: Request<v1::ListMatchEventsRequest>,
    ) -> Result<v1::ListMatchEventsResponse, Error> {
        let (visit, request) = (self.visit(&request), request.get_ref());
        let list = query::read_event_list(request)?;
        let token = query::with_event_list(request, |list| list.read_event(&request.page_token))?;
        let after = token.unwrap_or(list.after);
        let table = visit.load(&list.name).await?;
        let current = table.head.revision;
        if after > current {
            return Err(Error::RevisionInFuture { current });
        }
        let newest =
            if after == current { self.moved_on(&visit, &list, &table).await? } else { Arc::clone(&table) };

        let stored = self.parts.executor.events(&table, after, list.limit).await?;
        let table = answer::up_to_date(&self.parts.executor, &newest, &stored).await?;
        let mut teller = answer::teller_after(&self.parts.executor, &table, after).await?;
        let (mut events, mut budget) = (Vec::new(), Budget::PAGE);
        for stored in &stored {
            let event = teller.tell(stored).map_err(|damaged| self.parts.executor.found(&table, damaged))?;
            if !budget.takes(&event, events.is_empty()) {
                break;
            }
            events.push(event);
        }
        let last = after + events.len() as u32;
        let current = newest.head.revision.max(last);
        let next_page_token = if last < current {
            query::with_event_list(request, |list| list.after_event(last))
        } else {
            String::new()
        };
        Ok(v1::ListMatchEventsResponse { events, next_page_token, current_revision: scalar::number(current) })
    }

    /// The match when it has moved on from this table, or as it is when the caller has waited long enough.
    async fn moved_on(
        &self,
        visit: &Visit,
        list: &EventList,
        table: &Arc<Table>,
    ) -> Result<Arc<Table>, Error> {
        if list.wait.is_zero() || state::is_ended(table.head.state) {
            return Ok(Arc::clone(table));
        }
        let mut notices = self.parts.feed.subscribe(table.key.uid);
        // What happened before the subscription gives no notice.
        let newest = visit.load(&list.name).await?;
        if newest.head.revision > table.head.revision {
            return Ok(newest);
        }
        tokio::select! {
            biased;
            () = self.parts.shutdown.cancelled() => return Err(Error::Draining),
            _ = timeout(list.wait, notices.changed()) => {}
        }
        visit.load(&list.name).await
    }
}
