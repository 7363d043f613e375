//! Callers that go away in the middle of a call.

use std::sync::Arc;

use super::fixture::{dropped_after, new_match, new_tenant, next_marked, stored_match, whole, won};
use crate::store::{Filter, ListQuery, Order, OrderBy, Store, StoreError};

/// How many calls are dropped, in every case.
const DROPS: u32 = 1000;

pub(super) async fn dropped_appends_leave_no_gap(store: Arc<dyn Store>) {
    let stored = stored_match(&*store).await;
    let mut acknowledged = Vec::new();
    for n in 0..DROPS {
        // Every eighth caller stays, and must find the store in order.
        let seen = store.find(&stored.name).await.expect("looked for").expect("found");
        let append = next_marked(seen.key, seen.head, 1 + n % 2, &format!("call {n}"));
        let result = if n % 8 == 7 {
            Some(store.append(append.clone()).await)
        } else {
            dropped_after(n % 7, store.append(append.clone())).await
        };
        // A dropped one may still be on its way and overtake; then this one must have written nothing.
        if result.as_ref().is_some_and(won) {
            acknowledged.extend(append.events);
        }
    }
    let (_, log) = whole(&*store, &stored.name).await;
    assert!(log.len() > acknowledged.len(), "{} acknowledged: no call was dropped", acknowledged.len());
    for event in acknowledged {
        assert_eq!(log[event.revision as usize - 1], event, "an acknowledged event is gone");
    }
    // Each command is there as a whole: those of two events have both, side by side.
    let commands: Vec<_> = log[1..].chunk_by(|a, b| mark(&a.bytes) == mark(&b.bytes)).collect();
    for command in commands {
        let call: usize = mark(&command[0].bytes).parse().expect("a call");
        assert_eq!(command.len(), 1 + call % 2, "call {call} was written in part");
    }
}

/// The number of the call that wrote an event.
fn mark(bytes: &[u8]) -> &str {
    let text = std::str::from_utf8(bytes).expect("text");
    let (_, rest) = text.split_once("call ").expect("a mark");
    rest.split_once('"').expect("its end").0
}

pub(super) async fn dropped_creates_are_whole_or_nothing(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let mut calls = Vec::new();
    for n in 0..DROPS {
        let (new, events) = new_match(&tenant);
        let result = dropped_after(n % 6, store.create(new.clone(), events)).await;
        calls.push((new.name, result.map(|result| result.expect("created"))));
    }
    // Behind everything that was handed in before: the writer takes all in order.
    stored_match(&*store).await;
    for (name, result) in calls {
        if result.is_some() || store.find(&name).await.expect("looked for").is_some() {
            whole(&*store, &name).await;
        }
    }
}

pub(super) async fn dropped_reads_harm_nobody(store: Arc<dyn Store>) {
    let mut stored = stored_match(&*store).await;
    let order = Order { by: OrderBy::CreateTime, descending: true };
    let query = ListQuery { tenant: None, filter: Filter::EVERY, order, after: None, limit: 5 };
    for n in 0..DROPS {
        let polls = n / 3 % 5;
        match n % 3 {
            0 => drop(dropped_after(polls, store.find(&stored.name)).await),
            1 => drop(dropped_after(polls, store.events(stored.key, 0, 100)).await),
            _ => drop(dropped_after(polls, store.list(&query)).await),
        }
        if n % 50 == 0 {
            let append = next_marked(stored.key, stored.head, 1, "kept");
            let result: Result<(), StoreError> = store.append(append.clone()).await;
            result.expect("appended");
            (stored.head, stored.standing) = (append.head, append.standing);
            assert_eq!(whole(&*store, &stored.name).await.0, stored);
        }
    }
}
