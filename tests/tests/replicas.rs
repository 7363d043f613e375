//! Several servers on one database: what is done on one is seen on the others.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::time::Duration;

use chaquete_client::Client;
use chaquete_proto::v1::Match;
use chaquete_tests::{Replicas, act, cancel, new_match, revisions, rules_to};
use tokio::time::sleep;

async fn created(client: &Client) -> Match {
    client.create_match(new_match(rules_to(255))).await.unwrap().r#match.unwrap()
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
    played = cancel(&clients[0], &played.name).await.unwrap();
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
    played = cancel(&player, &played.name).await.unwrap();
    let all: Vec<_> = (1..=played.revision).collect();
    assert_eq!(watched.await.unwrap(), all);
    replicas.stop().await;
}
