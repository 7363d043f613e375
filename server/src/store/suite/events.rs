//! Logs that are read.

use std::sync::Arc;

use super::fixture::{event, following, log, new_match, new_tenant, new_uid, next, stored_match};
use crate::store::{Store, StoredEvent};

pub(super) async fn bytes_come_back_exactly(store: Arc<dyn Store>) {
    let stored = stored_match(&*store).await;
    // Not what a canonical encoder writes: spaces, order, numbers and escapes must all stay as they are.
    let texts = [r#"{ "b" : 1.0e2,"a":-0 }"#, r#""\u00e9\/""#, "{}", "  {}\n", "", &"x".repeat(100_000)];
    let events: Vec<_> = (2..)
        .zip(texts)
        .map(|(revision, text)| StoredEvent {
            bytes: text.into(),
            ..event(stored.key.uid, revision, Some(new_uid()))
        })
        .collect();
    store.append(following(stored.key, stored.head, events.clone())).await.expect("appended");
    assert_eq!(log(&*store, stored.key).await[1..], events);
}

pub(super) async fn pages_have_no_gaps(store: Arc<dyn Store>) {
    let stored = stored_match(&*store).await;
    // A neighbour, so that a page that runs over its match is seen.
    stored_match(&*store).await;
    store.append(next(stored.key, stored.head, 99)).await.expect("appended");
    let all = log(&*store, stored.key).await;
    assert!(all.iter().map(|event| event.revision).eq(1..=100));
    for limit in [1, 7, 50, 99, 100, 101] {
        let mut seen = Vec::new();
        loop {
            let after = seen.last().map_or(0, |event: &StoredEvent| event.revision);
            let page = store.events(stored.key, after, limit).await.expect("a page");
            assert!(page.len() <= limit as usize);
            if page.is_empty() {
                break;
            }
            seen.extend(page);
        }
        assert_eq!(seen, all, "in pages of {limit}");
    }
    for (after, limit, count) in [(0, 0, 0), (98, 10, 2), (100, 10, 0), (u32::MAX, 10, 0), (0, u32::MAX, 100)]
    {
        assert_eq!(
            store.events(stored.key, after, limit).await.expect("a page").len(),
            count,
            "{after}, {limit}"
        );
    }
}

pub(super) async fn a_request_is_found(store: Arc<dyn Store>) {
    let (stored, other) = (stored_match(&*store).await, stored_match(&*store).await);
    let request = new_uid();
    assert_eq!(store.find_request(stored.key, request).await.expect("looked for"), None);
    let own = event(stored.key.uid, 2, Some(request));
    let later = event(stored.key.uid, 3, Some(new_uid()));
    store.append(following(stored.key, stored.head, vec![own.clone(), later])).await.expect("appended");
    assert_eq!(store.find_request(stored.key, request).await.expect("looked for"), Some(own));
    assert_eq!(store.find_request(other.key, request).await.expect("looked for"), None);
}

pub(super) async fn there_are_none_of_an_unknown_match(store: Arc<dyn Store>) {
    assert!(log(&*store, new_match(&new_tenant()).0.key).await.is_empty());
}
