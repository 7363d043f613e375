//! What outlives closing.

use std::sync::Arc;

use chaquete_proof::tree::{Edge, Tiles, empty_root};

use super::{
    at_once,
    fixture::{new_match, new_tenant, next, next_marked, stored_match, whole, won},
};
use crate::store::{Filter, Growth, ListQuery, Order, OrderBy, Store, StoreError, StoredCheckpoint};

/// A growth of nothing.
fn nothing() -> Growth {
    let checkpoint = StoredCheckpoint { size: 0, root: empty_root(), note: String::new(), time: 0 };
    Growth { before: 0, leaves: vec![], keys: vec![], tiles: Tiles::default(), checkpoint }
}

/// After closing, every call says that the store is not available, and closing again does nothing.
pub(super) async fn a_closed_store_says_so(store: Arc<dyn Store>) {
    let stored = stored_match(&*store).await;
    store.close().await;
    store.close().await;
    let (new, events) = new_match(&new_tenant());
    let order = Order { by: OrderBy::CreateTime, descending: false };
    let answers = [
        store.create(new, events).await,
        store.append(next(stored.key, stored.head, 1)).await,
        store.mend(stored.clone(), stored.head.seen()).await,
        store.drop_ended(stored.key, stored.head.seen()).await,
        store.find(&stored.name).await.map(drop),
        store.events(stored.key, 0, 1).await.map(drop),
        store
            .list(&ListQuery { tenant: None, filter: Filter::EVERY, order, after: None, limit: 1 })
            .await
            .map(drop),
        store.overdue(0, None, 1).await.map(drop),
        store.running(None, 1).await.map(drop),
        store.beat(0).await,
        store.last_beat().await.map(drop),
        store.checkpoint().await.map(drop),
        store.tiles(Edge::tiles_of(1)).await.map(drop),
        store.covered(None, 1).await.map(drop),
        store.last_leaves(vec![stored.key]).await.map(drop),
        store.leaf_covering(stored.key, 1).await.map(drop),
        store.leaves(0, 1).await.map(drop),
        store.key_leaves().await.map(drop),
        store.grow(nothing()).await,
    ];
    for answer in answers {
        assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?}");
    }
}

pub(super) async fn what_was_acknowledged_is_there(open: &impl AsyncFn() -> Arc<dyn Store>) {
    let store = open().await;
    let tenant = new_tenant();
    let mut kept = Vec::new();
    for n in 1..20 {
        let (mut stored, mut log) = new_match(&tenant);
        store.create(stored.clone(), log.clone()).await.expect("created");
        let append = next(stored.key, stored.head, n);
        store.append(append.clone()).await.expect("appended");
        (stored.head, stored.standing) = (append.head, append.standing);
        log.extend(append.events);
        kept.push((stored, log));
    }
    store.close().await;
    drop(store);
    let store = open().await;
    for (stored, log) in kept {
        assert_eq!(whole(&*store, &stored.name).await, (stored.clone(), log));
        store.append(next(stored.key, stored.head, 1)).await.expect("the match goes on");
    }
    store.close().await;
}

pub(super) async fn deadlines_and_beats_are_there(open: &impl AsyncFn() -> Arc<dyn Store>) {
    let store = open().await;
    let (mut timed, events) = new_match(&new_tenant());
    timed.head.deadline = Some(timed.head.create_time);
    store.create(timed.clone(), events).await.expect("created");
    let beat = store.last_beat().await.expect("a beat or none").map_or(0, |last| last + 1);
    store.beat(beat).await.expect("noted");
    store.close().await;
    drop(store);
    let store = open().await;
    assert_eq!(store.last_beat().await.expect("a beat"), Some(beat));
    let overdue = store.overdue(timed.head.create_time, None, u32::MAX).await.expect("a list");
    assert!(overdue.iter().any(|one| one.row.as_ref() == Ok(&timed)));
    store.close().await;
}

pub(super) async fn closing_finishes_what_waits(open: &impl AsyncFn() -> Arc<dyn Store>) {
    let store = open().await;
    let stored = stored_match(&*store).await;
    let calls = at_once(200, |caller| {
        let (store, stored) = (Arc::clone(&store), stored.clone());
        async move {
            if caller == 100 {
                store.close().await;
                return None;
            }
            let (new, events) = new_match(&stored.name.tenant);
            let name = new.name.clone();
            Some((name, store.create(new, events).await))
        }
    })
    .await;
    let late = store.append(next_marked(stored.key, stored.head, 1, "late")).await;
    assert!(matches!(late, Err(StoreError::Unavailable(_))), "{late:?}");
    drop(store);
    let store = open().await;
    for (name, result) in calls.into_iter().flatten() {
        let there = store.find(&name).await.expect("looked for").is_some();
        match result {
            Err(StoreError::Unavailable(_)) => {}
            result => assert_eq!(there, won(&result), "{name}"),
        }
    }
    store.close().await;
}
