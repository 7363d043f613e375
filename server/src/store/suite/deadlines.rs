//! When matches are lost on time, and when a server was last seen.
//!
//! These lists are of all matches there are, so the cases look for their own among them.

use std::sync::Arc;

use super::{
    at_once,
    fixture::{START, new_match, new_tenant, next, stored_match, whole},
};
use crate::{
    clock::Millis,
    store::{Filter, Head, ListQuery, Order, OrderBy, State, Store, StoredMatch, Timed},
};

/// A match of this tenant that is lost on time so long after [`START`].
async fn timed(store: &dyn Store, tenant: &str, deadline: Millis) -> StoredMatch {
    let (mut new, events) = new_match(tenant);
    new.head.deadline = Some(START + deadline);
    store.create(new.clone(), events).await.expect("created");
    new
}

/// Lets a match move on to another deadline, or to none.
async fn moves(store: &dyn Store, stored: &mut StoredMatch, deadline: Option<Millis>) {
    let mut append = next(stored.key, stored.head, 1);
    append.head.deadline = deadline.map(|deadline| START + deadline);
    (stored.head, stored.standing) = (append.head, append.standing);
    store.append(append).await.expect("appended");
}

/// The matches of a tenant that are overdue so long after [`START`].
async fn overdue(store: &dyn Store, tenant: &str, now: Millis) -> Vec<StoredMatch> {
    let all = whole_rows(store.overdue(START + now, None, u32::MAX).await.expect("a list"));
    all.into_iter().filter(|one| one.name.tenant == tenant).collect()
}

/// The matches of a page, none of which is damaged.
fn whole_rows(page: Vec<Timed>) -> Vec<StoredMatch> {
    let whole = |timed: Timed| {
        let stored = timed.row.expect("a match that is not damaged");
        assert_eq!((Some(timed.deadline), timed.uid), (stored.head.deadline, stored.key.uid));
        stored
    };
    page.into_iter().map(whole).collect()
}

/// Adds the next page of running matches to those seen; false if there is none.
async fn next_page(store: &dyn Store, limit: u32, seen: &mut Vec<StoredMatch>) -> bool {
    let page = whole_rows(store.running(seen.last().map(|last| last.key.uid), limit).await.expect("a page"));
    assert!(page.len() <= limit as usize);
    let is_empty = page.is_empty();
    seen.extend(page);
    !is_empty
}

pub(super) async fn a_head_has_its_deadline(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let mut stored = timed(&*store, &tenant, -5).await;
    assert_eq!(whole(&*store, &stored.name).await.0, stored);
    for deadline in [Some(7), Some(Millis::MAX - START), None, Some(-START), Some(0)] {
        moves(&*store, &mut stored, deadline).await;
        assert_eq!(whole(&*store, &stored.name).await.0, stored);
        let order = Order { by: OrderBy::CreateTime, descending: false };
        let query =
            ListQuery { tenant: Some(tenant.clone()), filter: Filter::EVERY, order, after: None, limit: 10 };
        let list = store.list(&query).await.expect("a list");
        assert_eq!(list.into_iter().map(|listed| listed.row).collect::<Vec<_>>(), [Ok(stored.clone())]);
    }
}

pub(super) async fn what_is_overdue_comes_earliest_first(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let mut expected = Vec::new();
    for deadline in [30, 10, 20, 10, -40, 31, 10] {
        expected.push(timed(&*store, &tenant, deadline).await);
    }
    let (untimed, events) = new_match(&tenant);
    store.create(untimed, events).await.expect("created");
    expected.sort_by_key(|one| (one.head.deadline, one.key.uid));
    for (now, count) in [(-41, 0), (-40, 1), (9, 1), (10, 4), (29, 5), (30, 6), (31, 7), (1000, 7)] {
        assert_eq!(overdue(&*store, &tenant, now).await, expected[..count], "at {now}");
    }
    // With a limit: the same list, cut.
    let all = whole_rows(store.overdue(START + 31, None, u32::MAX).await.expect("a list"));
    assert!(all.is_sorted_by_key(|one| one.head.deadline));
    let second =
        store.overdue(START + 31, Some((all[0].head.deadline.expect("one"), all[0].key.uid)), u32::MAX).await;
    assert_eq!(whole_rows(second.expect("a list")), all[1..], "a page begins after any match");
    for limit in [0, 1, 3, 7] {
        let first = whole_rows(store.overdue(START + 31, None, limit).await.expect("a list"));
        assert_eq!(first, all[..limit as usize], "the first {limit}");
    }
}

pub(super) async fn what_moves_on_in_time_is_not_overdue(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let mut moved = timed(&*store, &tenant, 10).await;
    let mut paused = timed(&*store, &tenant, 11).await;
    let mut started = stored_match(&*store).await;
    let ended = timed(&*store, &tenant, 12).await;
    assert_eq!(overdue(&*store, &tenant, 12).await.len(), 3);

    moves(&*store, &mut moved, Some(100)).await;
    moves(&*store, &mut paused, None).await;
    moves(&*store, &mut started, Some(50)).await;
    let mut end = next(ended.key, ended.head, 1);
    end.head = Head { state: State::Completed, end_time: Some(START), deadline: None, ..end.head };
    store.append(end).await.expect("it ends");
    assert_eq!(overdue(&*store, &tenant, 99).await, []);
    assert_eq!(overdue(&*store, &tenant, 100).await, [moved.clone()]);
    assert_eq!(overdue(&*store, &started.name.tenant, 99).await, [started.clone()]);

    // An append that is overtaken moves no deadline.
    let mut late = next(moved.key, Head { revision: 1, ..moved.head }, 1);
    late.head.deadline = None;
    store.append(late).await.expect_err("overtaken");
    assert_eq!(overdue(&*store, &tenant, 100).await, [moved]);
}

pub(super) async fn every_deadline_is_in_the_pages_of_running_matches(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let mut expected = Vec::new();
    for n in 0..30 {
        expected.push(timed(&*store, &tenant, (7 * n) % 30).await);
        stored_match(&*store).await;
    }
    let mut paused = timed(&*store, &tenant, 5).await;
    moves(&*store, &mut paused, None).await;
    expected.sort_by_key(|one| one.key.uid);
    for limit in [1, 4, 30, 31, u32::MAX] {
        let mut all = Vec::new();
        while next_page(&*store, limit, &mut all).await {}
        assert!(all.is_sorted_by(|one, other| one.key.uid < other.key.uid), "in pages of {limit}");
        let ours: Vec<_> = all.into_iter().filter(|one| one.name.tenant == tenant).collect();
        assert_eq!(ours, expected, "in pages of {limit}");
    }
}

/// Giving time back moves the deadlines of the very matches that are being paged through.
pub(super) async fn pages_stay_whole_while_deadlines_move(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let mut stored = Vec::new();
    for n in 0..20 {
        stored.push(timed(&*store, &tenant, n).await);
    }
    let uids: Vec<_> = stored.iter().map(|one| one.key.uid).collect();
    let (mut all, mut later) = (Vec::new(), 0);
    while next_page(&*store, 3, &mut all).await {
        later += 100;
        for (n, one) in (0..).zip(&mut stored) {
            moves(&*store, one, Some((n * 13) % 20 + later)).await;
        }
    }
    let seen: Vec<_> = all.iter().filter(|one| one.name.tenant == tenant).map(|one| one.key.uid).collect();
    assert_eq!(seen, uids);
}

/// A moment later than all that this store was told before.
async fn next_beat(store: &dyn Store) -> Millis {
    store.last_beat().await.expect("a beat or none").map_or(START, |last| last + 1000)
}

pub(super) async fn the_last_beat_is_the_latest(store: Arc<dyn Store>) {
    let first = next_beat(&*store).await;
    for (beat, latest) in [(0, 0), (5, 5), (3, 5), (-first, 5), (5, 5), (6, 6)] {
        store.beat(first + beat).await.expect("noted");
        assert_eq!(store.last_beat().await.expect("a beat"), Some(first + latest));
    }
}

pub(super) async fn beats_at_once_leave_the_latest(store: Arc<dyn Store>) {
    let first = next_beat(&*store).await;
    let mut stored = stored_match(&*store).await;
    let beats = at_once(64, |n| {
        let store = Arc::clone(&store);
        async move { store.beat(first + Millis::from((n * 37) % 64)).await }
    });
    let (beats, ()) = tokio::join!(beats, moves(&*store, &mut stored, Some(0)));
    assert!(beats.iter().all(Result::is_ok));
    assert_eq!(store.last_beat().await.expect("a beat"), Some(first + 63));
    assert_eq!(whole(&*store, &stored.name).await.0, stored);
}
