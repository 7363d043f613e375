//! Many callers at once.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    at_once,
    fixture::{new_match, new_tenant, next_marked, rename, stored_match, whole, won},
};
use crate::store::Store;

/// How many callers there are.
const CALLERS: u32 = 64;

pub(super) async fn one_of_many_wins_each_revision(store: Arc<dyn Store>) {
    const EACH: u32 = 5;
    let stored = stored_match(&*store).await;
    // Everybody appends until they have won a few times, each with a mark of their own.
    let wins = at_once(CALLERS, |caller| {
        let (store, name) = (Arc::clone(&store), stored.name.clone());
        async move {
            let mut wins = Vec::new();
            while wins.len() < EACH as usize {
                let seen = store.find(&name).await.expect("looked for").expect("found");
                let append = next_marked(seen.key, seen.head, 1 + caller % 3, &format!("caller {caller}"));
                if won(&store.append(append.clone()).await) {
                    wins.push(append);
                }
            }
            wins
        }
    })
    .await;
    let (_, log) = whole(&*store, &stored.name).await;
    // Every acknowledged event is there, no two for one revision, and nothing else but the first.
    let mut acknowledged = BTreeMap::new();
    for event in wins.into_iter().flatten().flat_map(|append| append.events) {
        let revision = event.revision;
        assert!(acknowledged.insert(revision, event).is_none(), "revision {revision} was won twice");
    }
    assert_eq!(log[1..], acknowledged.into_values().collect::<Vec<_>>());
}

pub(super) async fn one_of_many_gets_a_name(store: Arc<dyn Store>) {
    let tenant = new_tenant();
    let (wanted, _) = new_match(&tenant);
    let created = at_once(CALLERS, |_| {
        let (store, (mut new, events)) = (Arc::clone(&store), new_match(&tenant));
        rename(&mut new, wanted.name.clone());
        async move { won(&store.create(new.clone(), events).await).then_some(new) }
    })
    .await;
    let winners: Vec<_> = created.into_iter().flatten().collect();
    assert_eq!(winners.len(), 1);
    assert_eq!(whole(&*store, &wanted.name).await.0, winners[0]);
}

pub(super) async fn many_matches_are_written_at_once(store: Arc<dyn Store>) {
    let logs = at_once(CALLERS, |_| {
        let store = Arc::clone(&store);
        async move {
            let mut stored = stored_match(&*store).await;
            let mut written = Vec::new();
            for n in 0..20 {
                let append = next_marked(stored.key, stored.head, 1 + n % 2, "own");
                store.append(append.clone()).await.expect("nobody else writes here");
                (stored.head, stored.standing) = (append.head, append.standing);
                written.extend(append.events);
            }
            (stored, written)
        }
    })
    .await;
    for (stored, written) in logs {
        let (found, log) = whole(&*store, &stored.name).await;
        assert_eq!(found, stored);
        assert_eq!(log[1..], written);
    }
}
