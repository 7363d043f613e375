//! Matches that are dropped: what only the owner of a store may do.

use std::sync::Arc;

use super::{
    append::conflicts_with,
    fixture::{event, following, log, new_match, new_tenant, next, stored_match, whole},
};
use crate::{
    log::Hash,
    store::{Filter, ListQuery, Order, OrderBy, Seen, State, Store, StoreError, StoredMatch},
};

/// Runs every case of what only an owner may do.
pub(in crate::store) async fn run(store: Arc<dyn Store>) {
    a_match_that_has_ended_is_dropped_with_all_it_has(&*store).await;
    a_running_match_is_not_dropped(&*store).await;
    an_overtaken_drop_conflicts(&*store).await;
    an_unknown_match_is_not_dropped(&*store).await;
}

/// A match of the fixture that has ended.
async fn ended(store: &dyn Store) -> StoredMatch {
    let mut stored = stored_match(store).await;
    let mut append = following(stored.key, stored.head, vec![event(stored.key.uid, 2, None)]);
    (append.head.state, append.head.end_time) = (State::Cancelled, Some(append.head.update_time));
    (stored.head, stored.standing) = (append.head, append.standing);
    store.append(append).await.expect("appended");
    stored
}

async fn a_match_that_has_ended_is_dropped_with_all_it_has(store: &dyn Store) {
    let (stored, other) = (ended(store).await, ended(store).await);
    let kept = whole(store, &other.name).await;
    store.drop_ended(stored.key, stored.head.seen()).await.expect("dropped");
    assert_eq!(store.find(&stored.name).await.expect("looked for"), None);
    assert_eq!(log(store, stored.key).await, []);
    let query = ListQuery {
        tenant: Some(stored.name.tenant.clone()),
        filter: Filter::EVERY,
        order: Order { by: OrderBy::CreateTime, descending: false },
        after: None,
        limit: 10,
    };
    assert_eq!(store.list(&query).await.expect("a list"), []);
    assert_eq!(whole(store, &other.name).await, kept, "another match was touched");
    let twice = store.drop_ended(stored.key, stored.head.seen()).await;
    assert!(matches!(twice, Err(StoreError::Conflict)), "{twice:?}");
    // Name and key are free again, down to the players.
    let (mut again, _) = new_match(&stored.name.tenant);
    (again.name, again.key) = (stored.name, stored.key);
    let events = vec![event(again.key.uid, 1, None)];
    again.head.hash = events[0].hash;
    store.create(again.clone(), events).await.expect("created");
    assert_eq!(whole(store, &again.name).await.0, again);
}

async fn a_running_match_is_not_dropped(store: &dyn Store) {
    let stored = stored_match(store).await;
    conflicts_with(store, &stored, store.drop_ended(stored.key, stored.head.seen())).await;
}

async fn an_overtaken_drop_conflicts(store: &dyn Store) {
    let stored = ended(store).await;
    let seen = stored.head.seen();
    for not_seen in [Seen { revision: 1, ..seen }, Seen { hash: Hash::from_bytes([7; 32]), ..seen }] {
        conflicts_with(store, &stored, store.drop_ended(stored.key, not_seen)).await;
    }
    store.append(next(stored.key, stored.head, 1)).await.expect("appended");
    conflicts_with(store, &stored, store.drop_ended(stored.key, seen)).await;
}

async fn an_unknown_match_is_not_dropped(store: &dyn Store) {
    let (new, _) = new_match(&new_tenant());
    let refused = store.drop_ended(new.key, new.head.seen()).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
}
