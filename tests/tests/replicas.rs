//! Several servers on one database: what is done on one is seen on the others.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::time::Duration;

use chaquete_client::{Client, Watched};
use chaquete_proto::v1::{CancelMatchRequest, Match, WatchMatchRequest};
use chaquete_tests::{Replicas, act, new_match, rules_to};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};

/// Nothing here takes longer, whatever the machine does besides; and no heartbeat comes as early.
const SOON: Duration = Duration::from_secs(40);

/// Watches a match until it ends. Without heartbeats, which would find what notices have missed.
fn revisions(client: &Client, name: &str) -> JoinHandle<Vec<i32>> {
    let heartbeat_interval = Some(prost_types::Duration { seconds: 60, nanos: 0 });
    let mut watch = client.watch_match(WatchMatchRequest {
        name: name.to_owned(),
        heartbeat_interval,
        ..Default::default()
    });
    tokio::spawn(async move {
        let mut revisions = Vec::new();
        loop {
            match timeout(SOON, watch.next()).await.expect("a notice comes").unwrap() {
                Some(Watched::Update(update)) => revisions.push(update.event.unwrap().revision),
                None => return revisions,
                other => panic!("{other:?}"),
            }
        }
    })
}

async fn created(client: &Client) -> Match {
    client.create_match(new_match(rules_to(255))).await.unwrap().r#match.unwrap()
}

async fn cancel(client: &Client, name: &str) -> Match {
    let request =
        CancelMatchRequest { name: name.to_owned(), reason: "enough".to_owned(), ..Default::default() };
    client.cancel_match(request).await.unwrap().r#match.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watchers_of_one_server_see_every_revision_of_what_is_played_on_another() {
    let Some(replicas) = Replicas::start(2).await else { return };
    let clients = [replicas.services[0].client().await, replicas.services[1].client().await];
    let mut played = created(&clients[0]).await;
    let watchers = clients.each_ref().map(|client| revisions(client, &played.name));
    for turn in 0..100 {
        played = act(&clients[turn % 2], &played, &mut |_| 0).await.unwrap();
    }
    played = cancel(&clients[0], &played.name).await;
    let all: Vec<_> = (1..=played.revision).collect();
    for watcher in watchers {
        assert_eq!(watcher.await.unwrap(), all);
    }
    replicas.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_though_the_listening_connections_are_killed_a_hundred_times() {
    let Some(replicas) = Replicas::start(2).await else { return };
    let (player, watcher) = (replicas.services[0].client().await, replicas.services[1].client().await);
    let mut played = created(&player).await;
    let watched = revisions(&watcher, &played.name);
    let database = replicas.database.clone();
    let killing = tokio::spawn(async move {
        let kill = "SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity \
                    WHERE datname = current_database() AND application_name = 'chaquete-server listener'";
        let mut rounds = 0;
        while rounds < 100 {
            // Those of both servers.
            rounds += i32::from(database.value(kill).await.unwrap() == "2");
            sleep(Duration::from_millis(5)).await;
        }
    });
    while !killing.is_finished() {
        played = act(&player, &played, &mut |_| 0).await.unwrap();
    }
    killing.await.unwrap();
    played = cancel(&player, &played.name).await;
    let all: Vec<_> = (1..=played.revision).collect();
    assert_eq!(watched.await.unwrap(), all);
    replicas.stop().await;
}
