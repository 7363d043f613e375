//! Tables that others hold: callers hear so soon, and everything goes on when they are let go.

use std::{sync::Arc, time::Duration};

use chaquete_client::Error;
use chaquete_proto::v1::{ErrorReason, GetMatchRequest};
use chaquete_server::{
    config::Config,
    store::{
        StoreError, open,
        suite::fixture::{new_match, new_tenant, whole},
    },
};
use chaquete_tests::{Postgres, Service, new_match as request, patient, rules_to};
use tokio::task::JoinSet;

use super::support::{Lock, impatient};

/// More writes than one batch and the queue behind it hold.
const MANY: usize = 3 * 1_024 + 40;

fn is_told_to_come_back(error: &Error) {
    assert_eq!(error.reason(), Some(ErrorReason::StorageUnavailable), "{error:?}");
    assert!(error.is_unavailable() && error.retry_after().is_some(), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_that_get_no_connection_or_no_lock_come_back_later() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let created = service.client().await.create_match(request(rules_to(3))).await.unwrap();
    let get = GetMatchRequest { name: created.r#match.unwrap().name, ..GetMatchRequest::default() };
    let client = impatient(&service).await;
    let before = client.get_match(get.clone()).await.unwrap();

    let lock = Lock::take(&postgres.database, "events").await;
    // More than there are connections: some wait for the table, some for a connection.
    let mut reads = JoinSet::new();
    for _ in 0..30 {
        let (client, get) = (client.clone(), get.clone());
        reads.spawn(async move { client.get_match(get).await });
    }
    for read in reads.join_all().await {
        is_told_to_come_back(&read.expect_err("the table is held"));
    }
    lock.let_go().await;
    assert_eq!(patient(&service.endpoint()).await.get_match(get).await.unwrap(), before);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_calls_than_there_is_room_for_are_sent_away() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = Service::start_with(Config { concurrency: 16, ..postgres.config() }).await;
    let client = impatient(&service).await;
    let lock = Lock::take(&postgres.database, "matches").await;
    let mut creations = JoinSet::new();
    for _ in 0..40 {
        let client = client.clone();
        creations.spawn(async move { client.create_match(request(rules_to(3))).await });
    }
    // Not one of them waits until its own deadline.
    for creation in creations.join_all().await {
        is_told_to_come_back(&creation.expect_err("the table is held"));
    }
    lock.let_go().await;
    patient(&service.endpoint()).await.create_match(request(rules_to(3))).await.unwrap();
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_sends_writers_away_and_loses_nothing() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let store = open(postgres.database.url()).await.unwrap();
    let tenant = new_tenant();
    let lock = Lock::take(&postgres.database, "matches").await;
    let mut writes = JoinSet::new();
    for _ in 0..MANY {
        let (store, (new, events)) = (Arc::clone(&store), new_match(&tenant));
        writes.spawn(async move {
            let name = new.name.clone();
            (name, store.create(new, events).await)
        });
    }
    // Those for whom there was no room are told while the writer still waits for its lock.
    let (_, first) = writes.join_next().await.unwrap().unwrap();
    assert!(
        matches!(&first, Err(StoreError::Unavailable(because)) if because.contains("too much waits")),
        "{first:?}"
    );
    lock.let_go().await;
    let mut written = 0;
    for (name, result) in writes.join_all().await {
        match result {
            Ok(()) => written += usize::from(whole(&*store, &name).await.0.name == name),
            Err(StoreError::Unavailable(_)) => {}
            Err(other) => panic!("{name}: {other}"),
        }
    }
    // What waited in the queue was written, whatever became of those whose turn it was.
    assert!(written >= 1_024, "{written}");
    tokio::time::timeout(Duration::from_secs(60), store.close()).await.unwrap();
}
