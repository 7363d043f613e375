//! The one connection for reads, while it waits for a table that others hold.

use std::time::Duration;

use tokio::time::sleep;

use super::{super::connect::open_with, database};
use crate::store::{Store, StoreError, Writing, suite::fixture::stored_match};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_pool_of_one_is_free_again_when_its_read_has_failed() {
    let Some(database) = database().await else { return };
    let store = open_with(database.url(), 1, Writing::default()).await.unwrap();
    let stored = stored_match(&store).await;
    let held = tokio::spawn({
        let database = database.clone();
        async move {
            let hold = "BEGIN; LOCK TABLE chaquete.matches IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)";
            database.execute(hold).await
        }
    });
    let holder = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
    while database.value(&format!("SELECT count(*)::text {holder}")).await.unwrap() == "0" {
        sleep(Duration::from_millis(10)).await;
    }
    // One waits for the table, the others for the one that waits.
    let (one, two, three) =
        tokio::join!(store.find(&stored.name), store.find(&stored.name), store.find(&stored.name));
    for found in [one, two, three] {
        assert!(matches!(found, Err(StoreError::Unavailable(_))), "{found:?}");
    }
    database.value(&format!("SELECT pg_terminate_backend(pid)::text {holder}")).await.unwrap();
    held.await.unwrap().unwrap_err();
    assert_eq!(store.find(&stored.name).await.unwrap().as_ref(), Some(&stored));
    store.close().await;
}
