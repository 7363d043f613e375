//! What one store hears of what another writes.

use std::{collections::HashSet, sync::Arc, time::Duration};

use tokio::{
    sync::broadcast::{Receiver, error::RecvError},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::database;
use crate::store::{
    MatchKey, News, Store, StoreError, open,
    postgres::news::LISTENER,
    suite::{
        cluster::Database,
        fixture::{new_match, new_tenant, next, stored_match},
    },
};

/// Nothing here takes longer, whatever the machine does besides.
const SOON: Duration = Duration::from_secs(30);

/// What is done to the sessions that listen.
async fn listeners(database: &Database, what: &str) -> String {
    let sql = format!(
        "SELECT count({what})::text FROM pg_stat_activity WHERE datname = current_database() \
         AND application_name = '{LISTENER}' AND query LIKE 'LISTEN%' AND state = 'idle'"
    );
    database.value(&sql).await.unwrap()
}

/// A database and two stores on it that listen.
async fn two_stores() -> Option<(Database, [Arc<dyn Store>; 2])> {
    let database = database().await?;
    let stores = [open(database.url()).await.unwrap(), open(database.url()).await.unwrap()];
    all_listen(&database).await;
    Some((database, stores))
}

async fn all_listen(database: &Database) {
    timeout(SOON, async {
        while listeners(database, "*").await != "2" {
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .unwrap();
}

/// The next that is told of a match.
async fn moved(news: &mut Receiver<News>) -> (MatchKey, u32) {
    loop {
        if let News::Moved { key, revision } = timeout(SOON, news.recv()).await.unwrap().unwrap() {
            return (key, revision);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_hears_what_others_write_and_not_itself() {
    let Some((_, [one, other])) = two_stores().await else { return };
    let (mut own, mut others) = (one.news().unwrap(), other.news().unwrap());
    // More than fit into one notification.
    let tenant = new_tenant();
    let (mut writes, mut written) = (JoinSet::new(), HashSet::new());
    for _ in 0..700 {
        let (new, events) = new_match(&tenant);
        written.insert((new.key, 1));
        let one = Arc::clone(&one);
        writes.spawn(async move { one.create(new, events).await.unwrap() });
    }
    writes.join_all().await;
    let mut heard = HashSet::new();
    for _ in 0..700 {
        heard.insert(moved(&mut others).await);
    }
    assert_eq!(heard, written);

    // What was not written is not told.
    let stored = stored_match(&*one).await;
    assert_eq!(moved(&mut others).await, (stored.key, 1));
    let (first, second) = (next(stored.key, stored.head, 1), next(stored.key, stored.head, 3));
    one.append(first).await.unwrap();
    assert!(matches!(one.append(second).await, Err(StoreError::Conflict)));
    let last = stored_match(&*one).await;
    assert_eq!(moved(&mut others).await, (stored.key, 2));
    assert_eq!(moved(&mut others).await, (last.key, 1));

    let theirs = stored_match(&*other).await;
    assert_eq!(moved(&mut own).await, (theirs.key, 1), "the first that was not its own");
    one.close().await;
    other.close().await;
    drop((one, other));
    assert!(matches!(timeout(SOON, own.recv()).await.unwrap(), Err(RecvError::Closed)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_lost_connection_is_told_and_made_again() {
    let Some((database, [one, other])) = two_stores().await else { return };
    let mut news = other.news().unwrap();
    for _ in 0..3 {
        assert_eq!(listeners(&database, "pg_terminate_backend(pid)").await, "2");
        timeout(SOON, async { while news.recv().await.unwrap() != News::MayHaveMissed {} }).await.unwrap();
        all_listen(&database).await;
        let stored = stored_match(&*one).await;
        assert_eq!(moved(&mut news).await, (stored.key, 1));
    }
    one.close().await;
    other.close().await;
}
