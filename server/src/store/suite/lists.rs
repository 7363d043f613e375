//! Lists of matches.

use std::sync::Arc;

use chaquete_rules::BySeat;

use super::fixture::{START, new_match, new_tenant};
use crate::{
    clock::Millis,
    store::{
        Comparison, Filter, Head, LabelKey, ListQuery, Order, OrderBy, Place, Stage, State, Store,
        StoredMatch,
    },
};

/// All four orders.
const ORDERS: [Order; 4] = [
    Order { by: OrderBy::CreateTime, descending: false },
    Order { by: OrderBy::CreateTime, descending: true },
    Order { by: OrderBy::EndTime, descending: false },
    Order { by: OrderBy::EndTime, descending: true },
];

const NEWEST: Order = ORDERS[1];

/// A match that was created and has ended so long after [`START`].
async fn at(store: &dyn Store, tenant: &str, created: Millis, ended: Option<Millis>) -> StoredMatch {
    let (mut new, events) = new_match(tenant);
    let state = if ended.is_some() { State::Completed } else { State::Active };
    new.head =
        Head { state, create_time: START + created, end_time: ended.map(|end| START + end), ..new.head };
    store.create(new.clone(), events).await.expect("created");
    new
}

fn place(order: Order, stored: &StoredMatch) -> Place {
    let time = match order.by {
        OrderBy::CreateTime => Some(stored.head.create_time),
        OrderBy::EndTime => stored.head.end_time,
    };
    Place::new(time.expect("a match in a list by end has ended"), &stored.name)
}

/// Reads a list page by page.
async fn pages(store: &dyn Store, tenant: Option<&str>, order: Order, limit: u32) -> Vec<StoredMatch> {
    filtered(store, tenant, &Filter::EVERY, order, limit).await
}

/// Reads what a filter finds page by page.
async fn filtered(
    store: &dyn Store,
    tenant: Option<&str>,
    filter: &Filter,
    order: Order,
    limit: u32,
) -> Vec<StoredMatch> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let (tenant, filter) = (tenant.map(str::to_owned), filter.clone());
        let query = ListQuery { tenant, filter, order, after: after.take(), limit };
        let page = store.list(&query).await.expect("a page");
        assert!(page.len() <= limit as usize);
        let Some(last) = page.last() else { return all };
        after = Some(last.place.clone());
        for listed in page {
            let stored = listed.row.expect("a match that is not damaged");
            assert_eq!(listed.place, place(order, &stored));
            all.push(stored);
        }
    }
}

/// What a list must be, from the matches that were stored.
fn expected(stored: &[StoredMatch], order: Order) -> Vec<StoredMatch> {
    let in_list = |one: &&StoredMatch| order.by == OrderBy::CreateTime || one.head.end_time.is_some();
    let mut list: Vec<_> = stored.iter().filter(in_list).cloned().collect();
    list.sort_by_key(|one| place(order, one));
    if order.descending {
        list.reverse();
    }
    list
}

pub(super) async fn every_order_is_kept(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let mut stored = Vec::new();
    for (created, ended) in [
        (5, Some(9)),
        (3, None),
        (8, Some(8)),
        (1, Some(20)),
        (-1_800_000_000_000, Some(2)),
        (4, None),
        (2, Some(10)),
    ] {
        stored.push(at(&*store, &tenant, created, ended).await);
    }
    for order in ORDERS {
        for limit in [1, 2, 3, 7, 100] {
            let list = pages(&*store, Some(&tenant), order, limit).await;
            assert_eq!(list, expected(&stored, order), "{order:?} in pages of {limit}");
        }
    }
}

pub(super) async fn ties_are_broken_by_name(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let mut stored = Vec::new();
    for n in 0..30 {
        stored.push(at(&*store, &tenant, n / 10, Some(100 + n % 3)).await);
    }
    for order in ORDERS {
        for limit in [1, 4, 10, 11] {
            let list = pages(&*store, Some(&tenant), order, limit).await;
            assert_eq!(list, expected(&stored, order), "{order:?} in pages of {limit}");
        }
    }
}

/// Over all tenants a name is the tenant's and then the match's own.
pub(super) async fn ties_of_tenants_are_broken_by_tenant(store: Arc<dyn Store>) {
    let tenants = [new_tenant(), new_tenant(), new_tenant()];
    let mut stored = Vec::new();
    for n in 0..12 {
        stored.push(at(&*store, &tenants[n % 3], -7_777, Some(-7_777)).await);
    }
    for order in ORDERS {
        for limit in [1, 5] {
            let list = pages(&*store, None, order, limit).await;
            let ours: Vec<_> = list.into_iter().filter(|one| stored.contains(one)).collect();
            assert_eq!(ours, expected(&stored, order), "{order:?} in pages of {limit}");
        }
    }
}

pub(super) async fn running_matches_have_no_place_by_end(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let by_end = Order { by: OrderBy::EndTime, descending: true };
    let running = at(&*store, &tenant, 0, None).await;
    assert!(pages(&*store, Some(&tenant), by_end, 10).await.is_empty());
    let mut append = super::fixture::next(running.key, running.head, 1);
    append.head = Head { state: State::Cancelled, end_time: Some(START + 60), ..append.head };
    store.append(append.clone()).await.expect("it ends");
    let ended = StoredMatch { head: append.head, standing: append.standing, ..running };
    assert_eq!(pages(&*store, Some(&tenant), by_end, 10).await, [ended]);
}

pub(super) async fn pages_stay_whole_while_matches_are_added(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let mut old = Vec::new();
    for n in 0..40 {
        old.push(at(&*store, &tenant, n / 2, None).await);
    }
    let adding = tokio::spawn({
        let (store, tenant) = (Arc::clone(&store), tenant.clone());
        async move {
            for n in 0..60 {
                at(&*store, &tenant, n / 2, None).await;
            }
        }
    });
    let mut lists = Vec::new();
    for order in [ORDERS[0], NEWEST, ORDERS[0], NEWEST] {
        lists.push((order, pages(&*store, Some(&tenant), order, 3).await));
    }
    adding.await.expect("all are added");
    for (order, list) in lists {
        let places: Vec<_> = list.iter().map(|one| place(order, one)).collect();
        let in_order = if order.descending {
            places.is_sorted_by(|a, b| a > b)
        } else {
            places.is_sorted_by(|a, b| a < b)
        };
        assert!(in_order, "{order:?}: out of order or repeated");
        let listed: Vec<_> = list.into_iter().filter(|one| old.contains(one)).collect();
        assert_eq!(
            listed,
            expected(&old, order),
            "{order:?}: a match that was there all the time is missing"
        );
    }
}

pub(super) async fn tenants_are_apart_and_all_are_together(store: Arc<dyn Store>) {
    let (one, other) = (new_tenant(), new_tenant());
    let mut stored = Vec::new();
    for n in 0..6 {
        stored.push(at(&*store, if n % 2 == 0 { &one } else { &other }, n, Some(100 - n)).await);
    }
    for order in ORDERS {
        for tenant in [&one, &other] {
            let own: Vec<_> = stored.iter().filter(|one| one.name.tenant == *tenant).cloned().collect();
            assert_eq!(pages(&*store, Some(tenant), order, 2).await, expected(&own, order));
        }
        let all = pages(&*store, None, order, 50).await;
        let ours: Vec<_> = all.into_iter().filter(|one| stored.contains(one)).collect();
        assert_eq!(ours, expected(&stored, order), "{order:?} of all tenants");
    }
    assert!(pages(&*store, Some(&new_tenant()), NEWEST, 10).await.is_empty());
}

/// Whatever the index that a store goes along: what is found, and in which order, is the same.
pub(super) async fn filters_choose_matches(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let mut stored = Vec::new();
    for n in 0..24_i64 {
        let (mut new, events) = new_match(&tenant);
        let ended = (n % 3 == 0).then_some(START + 100 - n / 2);
        let state = if ended.is_some() { State::Completed } else { State::Active };
        new.head = Head { state, create_time: START + n / 4, end_time: ended, ..new.head };
        // Every sixth is against oneself.
        let [one, two] = [["ana", "bo"], ["cleo", "ana"], ["bo", "cleo"], ["ana", "ana"]][(n % 4) as usize];
        new.agreed.subjects = BySeat::new(one.to_owned(), two.to_owned());
        new.about.notes.labels = [("round".to_owned(), (n % 5).to_string())].into();
        store.create(new.clone(), events).await.expect("created");
        stored.push(new);
    }
    let plays = |subject: &str| Filter::Is(Comparison::Player(subject.to_owned()));
    let running = Filter::Is(Comparison::Stage(Stage::Active));
    let key = LabelKey::new("round").expect("a key");
    let round = Filter::Is(Comparison::Label(key, "2".to_owned()));
    let is_of = |one: &StoredMatch, subject: &str| {
        one.agreed.subjects.one == subject || one.agreed.subjects.two == subject
    };
    let is_running = |one: &StoredMatch| one.head.state == State::Active;
    let in_round = |one: &StoredMatch| one.about.notes.labels["round"] == "2";
    type Holds<'a> = Box<dyn Fn(&StoredMatch) -> bool + Send + Sync + 'a>;
    let cases: Vec<(Filter, Holds<'_>)> = vec![
        (plays("ana"), Box::new(|one| is_of(one, "ana"))),
        (plays("nobody"), Box::new(|_| false)),
        (running.clone(), Box::new(is_running)),
        (round.clone(), Box::new(in_round)),
        (
            Filter::all(vec![plays("ana"), running.clone()]),
            Box::new(|one| is_of(one, "ana") && is_running(one)),
        ),
        (
            Filter::all(vec![plays("ana"), plays("cleo"), running.clone().negated()]),
            Box::new(|one| is_of(one, "ana") && is_of(one, "cleo") && !is_running(one)),
        ),
        (Filter::any(vec![plays("bo"), round]), Box::new(|one| is_of(one, "bo") || in_round(one))),
        (plays("ana").negated(), Box::new(|one| !is_of(one, "ana"))),
    ];
    for (filter, holds) in cases {
        let chosen: Vec<_> = stored.iter().filter(|one| holds(one)).cloned().collect();
        for order in ORDERS {
            for limit in [1, 4, 50] {
                let list = filtered(&*store, Some(&tenant), &filter, order, limit).await;
                assert_eq!(list, expected(&chosen, order), "{filter:?}, {order:?} in pages of {limit}");
            }
        }
    }
}

pub(super) async fn running_matches_of_a_tenant_are_counted(store: Arc<dyn Store>) {
    let (tenant, other) = (new_tenant(), new_tenant());
    assert_eq!(store.count_running(&tenant, 10).await.expect("a count"), 0);
    let running = at(&*store, &tenant, 0, None).await;
    for created in 1..4 {
        at(&*store, &tenant, created, None).await;
        at(&*store, &tenant, created, Some(created)).await;
        at(&*store, &other, created, None).await;
    }
    assert_eq!(store.count_running(&tenant, 10).await.expect("a count"), 4);
    assert_eq!(store.count_running(&tenant, 3).await.expect("a count"), 3, "it is counted no further");

    let mut append = super::fixture::next(running.key, running.head, 1);
    append.head = Head { state: State::Cancelled, end_time: Some(START), ..append.head };
    store.append(append).await.expect("appended");
    assert_eq!(store.count_running(&tenant, 10).await.expect("a count"), 3);
}
