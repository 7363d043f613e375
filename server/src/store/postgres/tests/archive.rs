//! Matches that have ended, packed.

use std::time::Duration;

use uuid::Uuid;

use super::database;
use crate::store::{
    Append, State, Store, StoredEvent, StoredMatch, open,
    suite::{
        cluster::Database,
        fixture::{event, following, new_tenant, new_uid, stored_match, whole},
        golden,
    },
};

/// Golden matches of a tenant of their own, stored event by event, with their logs.
async fn played(store: &dyn Store, count: usize) -> Vec<(StoredMatch, Vec<StoredEvent>)> {
    let tenant = new_tenant();
    let mut all = Vec::new();
    for (uid, log) in golden::logs(|_| new_uid()).into_iter().take(count) {
        let (first, rest) = log.split_at(1);
        let mut stored = golden::stored(&tenant, uid, first);
        store.create(stored.clone(), first.to_vec()).await.unwrap();
        for one in rest {
            let then = golden::stored(&tenant, uid, &log[..one.revision as usize]);
            let append =
                Append { standing: then.standing, ..following(stored.key, stored.head, vec![one.clone()]) };
            store.append(Append { head: then.head, ..append }).await.unwrap();
            stored = then;
        }
        all.push((stored, log));
    }
    all
}

/// Waits until no events of matches that have ended are rows.
pub(super) async fn all_packed(database: &Database) {
    let left = "SELECT count(*)::text FROM chaquete.matches WHERE end_time IS NOT NULL AND NOT archived";
    for _ in 0..600 {
        if database.value(left).await.unwrap() == "0" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("matches that have ended are not packed");
}

async fn rows(database: &Database, uid: Uuid) -> String {
    database.value(&format!("SELECT count(*)::text FROM chaquete.events WHERE uid = '{uid}'")).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whatever_is_read_is_the_same_once_it_is_packed() {
    let Some(database) = database().await else { return };
    let store = open(database.url()).await.unwrap();
    let all = played(&*store, 12).await;
    all_packed(&database).await;
    let mut ended = 0;
    for (stored, log) in &all {
        let is_over = stored.head.state != State::Active;
        ended += u32::from(is_over);
        assert_eq!(rows(&database, stored.key.uid).await == "0", is_over, "{}", stored.name);
        assert_eq!(whole(&*store, &stored.name).await, (stored.clone(), log.clone()));
        let last = stored.head.revision;
        for (after, limit) in
            [(0, 0), (0, 3), (2, 4), (last - 1, 10), (last, 10), (last + 7, 10), (1, u32::MAX)]
        {
            let page = store.events(stored.key, after, limit).await.unwrap();
            let expected = log.iter().filter(|event| event.revision > after).take(limit as usize);
            assert!(page.iter().eq(expected), "{after}, {limit}");
        }
        for event in log {
            if let Some(id) = event.request_id {
                assert_eq!(store.find_request(stored.key, id).await.unwrap().as_ref(), Some(event));
            }
        }
        assert_eq!(store.find_request(stored.key, new_uid()).await.unwrap(), None);
    }
    assert!(ended >= 6);
    store.close().await;
}

/// What nobody can have back is not thrown away.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_log_that_fails_its_chain_stays_as_it_is() {
    let Some(database) = database().await else { return };
    let store = open(database.url()).await.unwrap();
    // The events of the fixture are tied by no chain.
    let mut stored = stored_match(&*store).await;
    let mut append = following(stored.key, stored.head, vec![event(stored.key.uid, 2, None)]);
    append.head.state = State::Cancelled;
    append.head.end_time = Some(append.head.update_time);
    append.standing = stored.standing;
    stored.head = append.head;
    store.append(append).await.unwrap();
    let good = played(&*store, 3).await;
    let all_but_it =
        format!("SELECT count(*)::text FROM chaquete.matches WHERE archived AND uid <> '{}'", stored.key.uid);
    for _ in 0..600 {
        if database.value(&all_but_it).await.unwrap() == good.len().to_string() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(rows(&database, stored.key.uid).await, "2");
    assert_eq!(whole(&*store, &stored.name).await.0, stored);
    store.close().await;
}
