//! Rows that are brought in line with their logs.

use std::sync::Arc;

use chaquete_rules::{BySeat, MatchEndReason, Seat, Variant};

use super::{
    append::conflicts_with,
    fixture::{START, log, new_match, new_tenant, next, stored_match, whole},
};
use crate::{
    log::Hash,
    store::{
        About, Agreed, Filter, Head, ListQuery, Order, OrderBy, Seen, Standing, State, Store, StoreError,
        StoredMatch, Waiting,
    },
};

/// The same match, and nothing that can be mended is the same.
fn another(stored: &StoredMatch) -> StoredMatch {
    let subjects = BySeat::new("cai".to_owned(), "dee".to_owned());
    let head = Head {
        revision: 7,
        hash: Hash::from_bytes([7; 32]),
        state: State::Completed,
        create_time: START - 5,
        update_time: START + 5,
        end_time: Some(START + 4),
        deadline: None,
    };
    let (winner, reason) = (Some(Seat::Two), Some(MatchEndReason::Adjudicated));
    StoredMatch {
        agreed: Agreed { subjects, points: None, variant: Variant::Hypergammon },
        head,
        standing: Standing { winner, reason, ..Standing::default() },
        ..stored.clone()
    }
}

pub(super) async fn a_row_is_mended(store: Arc<dyn Store>) {
    let stored = stored_match(&*store).await;
    let events = log(&*store, stored.key).await;
    let ended = another(&stored);
    let mut running = stored.clone();
    running.head.deadline = Some(START);
    running.standing = Standing { waiting: Some(Waiting::Paused), ..running.standing };
    let mut seen = stored.head.seen();
    for right in [ended, running, stored] {
        store.mend(right.clone(), seen).await.expect("mended");
        seen = right.head.seen();
        assert_eq!(store.find(&right.name).await.expect("looked for"), Some(right.clone()));
        assert_eq!(log(&*store, right.key).await, events, "a log was changed");
        assert_eq!(store.missing_from(&right).await.expect("looked for"), [""; 0]);
        // Every list goes along what was mended.
        for player in [&right.agreed.subjects.one, &right.agreed.subjects.two] {
            let listed = of_player(&*store, &right.name.tenant, player).await;
            assert_eq!(listed, std::slice::from_ref(&right), "the list of {player}");
        }
    }
}

/// Matches of a player.
async fn of_player(store: &dyn Store, tenant: &str, player: &str) -> Vec<StoredMatch> {
    let query = ListQuery {
        tenant: Some(tenant.to_owned()),
        filter: Filter::Is(crate::store::Comparison::Player(player.to_owned())),
        order: Order { by: OrderBy::CreateTime, descending: false },
        after: None,
        limit: 10,
    };
    let listed = store.list(&query).await.expect("a list");
    listed.into_iter().map(|one| one.row.expect("a good row")).collect()
}

pub(super) async fn what_the_log_does_not_say_stays(store: Arc<dyn Store>) {
    let stored = stored_match(&*store).await;
    let unasked = StoredMatch { about: About::default(), ..stored.clone() };
    store.mend(unasked, stored.head.seen()).await.expect("mended");
    assert_eq!(whole(&*store, &stored.name).await.0, stored);
}

pub(super) async fn an_overtaken_mend_conflicts(store: Arc<dyn Store>) {
    let stored = stored_match(&*store).await;
    let seen = stored.head.seen();
    for not_seen in [Seen { revision: 2, ..seen }, Seen { hash: Hash::from_bytes([7; 32]), ..seen }] {
        conflicts_with(&*store, &stored, store.mend(another(&stored), not_seen)).await;
    }
    let append = next(stored.key, stored.head, 1);
    store.append(append.clone()).await.expect("appended");
    conflicts_with(&*store, &stored, store.mend(another(&stored), seen)).await;
    let (head, standing) = (append.head, append.standing);
    let right = StoredMatch { head, standing, ..stored };
    store.mend(right.clone(), head.seen()).await.expect("mended");
    assert_eq!(whole(&*store, &right.name).await.0, right);
}

pub(super) async fn an_unknown_match_is_not_mended(store: Arc<dyn Store>) {
    let (new, _) = new_match(&new_tenant());
    let refused = store.mend(new.clone(), new.head.seen()).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    assert_eq!(store.find(&new.name).await.expect("looked for"), None);
}
