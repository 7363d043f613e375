//! Events that are added to a match.

use std::{collections::BTreeMap, sync::Arc};

use chaquete_rules::{MatchEndReason, Seat};

use super::fixture::{
    START, event, following, log, new_match, new_tenant, new_uid, next, next_marked, stored_match, whole,
};
use crate::store::{Append, Head, Notes, Standing, State, Store, StoreError, StoredMatch, Waiting};

pub(super) async fn events_move_the_head(store: Arc<dyn Store>) {
    let mut stored = stored_match(&*store).await;
    let mut expected = log(&*store, stored.key).await;
    for count in [1, 2, 5] {
        let append = next(stored.key, stored.head, count);
        store.append(append.clone()).await.expect("appended");
        (stored.head, stored.standing) = (append.head, append.standing);
        expected.extend(append.events);
        assert_eq!(whole(&*store, &stored.name).await, (stored.clone(), expected.clone()));
    }
}

pub(super) async fn a_match_ends(store: Arc<dyn Store>) {
    for state in [State::Completed, State::Cancelled] {
        let stored = stored_match(&*store).await;
        let mut append = next(stored.key, stored.head, 1);
        append.head = Head { deadline: Some(START), ..append.head };
        store.append(append.clone()).await.expect("appended");
        let mut append = next(stored.key, append.head, 1);
        append.head = Head { state, end_time: Some(append.head.update_time), deadline: None, ..append.head };
        store.append(append.clone()).await.expect("appended");
        assert_eq!(
            store.find(&stored.name).await.expect("found"),
            Some(StoredMatch { head: append.head, standing: append.standing, ..stored })
        );
    }
}

pub(super) async fn the_standing_is_the_latest(store: Arc<dyn Store>) {
    let mut stored = stored_match(&*store).await;
    let running = |waiting, seat_to_act| Standing { waiting, seat_to_act, ..Standing::default() };
    for standing in [
        running(Some(Waiting::Pending), None),
        running(Some(Waiting::Paused), Some(Seat::Two)),
        running(None, Some(Seat::One)),
    ] {
        stored.standing = standing;
        let append = Append { standing, ..next(stored.key, stored.head, 1) };
        stored.head = append.head;
        store.append(append).await.expect("appended");
        assert_eq!(whole(&*store, &stored.name).await.0, stored);
    }
    let (winner, reason) = (Some(Seat::One), Some(MatchEndReason::Timeout));
    let mut append = next(stored.key, stored.head, 1);
    append.standing = Standing { winner, reason, ..Standing::default() };
    append.head = Head { state: State::Completed, end_time: Some(START), ..append.head };
    (stored.head, stored.standing) = (append.head, append.standing);
    store.append(append).await.expect("appended");
    assert_eq!(whole(&*store, &stored.name).await.0, stored);
}

pub(super) async fn notes_change_when_they_are_given(store: Arc<dyn Store>) {
    let mut stored = stored_match(&*store).await;
    let facts = |text: &str| BTreeMap::from([(text.to_owned(), format!("{text} '\"\\\u{1f3b2}"))]);
    let changed = Notes { labels: facts("a"), annotations: facts("b") };
    for notes in [None, Some(changed.clone()), None, Some(Notes::default()), Some(changed)] {
        stored.about.notes = notes.clone().unwrap_or(stored.about.notes);
        let append = Append { notes, ..next(stored.key, stored.head, 1) };
        (stored.head, stored.standing) = (append.head, append.standing);
        store.append(append).await.expect("appended");
        assert_eq!(whole(&*store, &stored.name).await.0, stored);
    }
    let stale =
        Append { notes: Some(Notes::default()), ..next(stored.key, Head { revision: 2, ..stored.head }, 1) };
    conflicts(&*store, &stored, stale).await;
}

async fn conflicts(store: &dyn Store, stored: &StoredMatch, append: Append) {
    conflicts_with(store, stored, store.append(append)).await;
}

/// Checks that a write to a match is refused, and that nothing is written.
pub(super) async fn conflicts_with(
    store: &dyn Store,
    stored: &StoredMatch,
    write: impl Future<Output = Result<(), StoreError>>,
) {
    let before = whole(store, &stored.name).await;
    let refused = write.await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    assert_eq!(whole(store, &stored.name).await, before, "something was written");
}

pub(super) async fn a_stale_revision_conflicts(store: Arc<dyn Store>) {
    let stored = stored_match(&*store).await;
    store.append(next(stored.key, stored.head, 2)).await.expect("appended");
    conflicts(&*store, &stored, next(stored.key, stored.head, 1)).await;
    conflicts(&*store, &stored, next_marked(stored.key, stored.head, 2, "other")).await;
    conflicts(&*store, &stored, next(stored.key, Head { revision: 2, ..stored.head }, 1)).await;
    conflicts(&*store, &stored, next(stored.key, Head { revision: 0, ..stored.head }, 3)).await;
}

pub(super) async fn a_future_revision_conflicts(store: Arc<dyn Store>) {
    let stored = stored_match(&*store).await;
    for revision in [2, 100, u32::MAX - 1] {
        conflicts(&*store, &stored, next(stored.key, Head { revision, ..stored.head }, 1)).await;
    }
}

pub(super) async fn an_unknown_match_conflicts(store: Arc<dyn Store>) {
    let (new, _) = new_match(&new_tenant());
    let refused = store.append(next(new.key, new.head, 1)).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    assert!(log(&*store, new.key).await.is_empty());
}

pub(super) async fn a_request_is_written_once(store: Arc<dyn Store>) {
    let request = Some(new_uid());
    let stored = stored_match(&*store).await;
    let first = following(stored.key, stored.head, vec![event(stored.key.uid, 2, request)]);
    store.append(first.clone()).await.expect("appended");
    assert_eq!(log(&*store, stored.key).await[1].request_id, request);
    // At the right revision, so that nothing but the request id stands against it.
    conflicts(&*store, &stored, following(stored.key, first.head, vec![event(stored.key.uid, 3, request)]))
        .await;
    let twice = vec![event(stored.key.uid, 3, Some(new_uid())), event(stored.key.uid, 4, request)];
    conflicts(&*store, &stored, following(stored.key, first.head, twice)).await;
    store.append(next(stored.key, first.head, 1)).await.expect("the match goes on");
}

pub(super) async fn matches_may_share_a_request_id(store: Arc<dyn Store>) {
    let request = Some(new_uid());
    for _ in 0..2 {
        let stored = stored_match(&*store).await;
        let append = following(stored.key, stored.head, vec![event(stored.key.uid, 2, request)]);
        store.append(append).await.expect("appended");
    }
}

pub(super) async fn events_that_do_not_follow_are_refused(store: Arc<dyn Store>) {
    let stored = stored_match(&*store).await;
    let right = next(stored.key, stored.head, 2);
    let nothing = Append { events: vec![], ..right.clone() };
    let gap = Append { events: vec![right.events[1].clone()], ..right.clone() };
    let reversed = Append { events: right.events.iter().rev().cloned().collect(), ..right.clone() };
    let other_head = Append { head: Head { revision: 4, ..right.head }, ..right.clone() };
    let other_hash = Append { head: Head { hash: stored.head.hash, ..right.head }, ..right };
    for append in [nothing, gap, reversed, other_head, other_hash] {
        let refused = store.append(append).await;
        assert!(matches!(refused, Err(StoreError::Unfit(_))), "{refused:?}");
    }
    assert_eq!(whole(&*store, &stored.name).await.1.len(), 1);
}
