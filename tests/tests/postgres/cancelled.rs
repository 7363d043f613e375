//! Callers that go away in the middle of a call leave no trace but what they had done.

use std::{fs, sync::Arc, time::Duration};

use chaquete_proto::v1::GetMatchRequest;
use chaquete_server::store::{
    Append, Store, open,
    suite::{
        cluster::Cluster,
        fixture::{dropped_after, next_marked, stored_match, whole, won},
    },
};
use chaquete_tests::{Postgres, act, events, is_whole, new_match, patient, rules_to};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use tonic::Code;

use super::support::{OURS, numbers, sessions};

/// How many matches are written at once, and how many calls each gets of either kind: 10,000 in all.
const MATCHES: u64 = 50;
const CALLS: u64 = 200;

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_dropped_calls_take_nothing_from_the_next_ten_thousand() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let store = open(postgres.database.url()).await.unwrap();
    let mut matches = JoinSet::new();
    for n in 0..MATCHES {
        matches.spawn(drop_calls_then_stay(Arc::clone(&store), n));
    }
    let left = matches.join_all().await.into_iter().sum::<usize>();
    assert!(left > 1_000, "{left} calls were dropped: hardly any");
    no_transaction_was_left_open(&postgres).await;
    store.close().await;
}

/// Drops calls, then makes others that stay, on a match of its own; how many were dropped before their answer.
async fn drop_calls_then_stay(store: Arc<dyn Store>, seed: u64) -> usize {
    let mut random = numbers(seed);
    let mut stored = stored_match(&*store).await;
    let (mut left, mut acknowledged) = (0, Vec::new());
    for n in 0..CALLS {
        if n % 4 == 0 {
            // Reads are dropped as well.
            let _read = dropped_after(random(8) as u32, store.events(stored.key, 0, 100)).await;
            stored = store.find(&stored.name).await.unwrap().unwrap();
        }
        let append = next_marked(stored.key, stored.head, 1 + random(2) as u32, &format!("{seed}.{n}"));
        match dropped_after(random(12) as u32, store.append(append.clone())).await {
            Some(result) if won(&result) => {
                stored.head = append.head;
                acknowledged.push(append);
            }
            Some(_) => {}
            None => left += 1,
        }
    }
    // Behind all that was handed in before: the writer takes it in order.
    stored_match(&*store).await;
    stored = store.find(&stored.name).await.unwrap().unwrap();
    for n in 0..CALLS {
        let append = next_marked(stored.key, stored.head, 1, &format!("{seed}.stays.{n}"));
        store.append(append.clone()).await.unwrap();
        stored.head = append.head;
        acknowledged.push(append);
    }
    let (_, log) = whole(&*store, &stored.name).await;
    for Append { expected_revision, events, .. } in acknowledged {
        let first = expected_revision as usize;
        assert_eq!(log[first..first + events.len()], events, "what was acknowledged is there");
    }
    left
}

/// After a second no session waits in a transaction, and none was ended because it did.
async fn no_transaction_was_left_open(postgres: &Postgres) {
    sleep(Duration::from_secs(1)).await;
    assert_eq!(
        sessions(&postgres.database, &format!("{OURS} AND state LIKE 'idle in transaction%'")).await,
        0
    );
    let cluster = Cluster::shared_or_say().await.unwrap();
    let log = fs::read_to_string(cluster.folder().join("server.log")).unwrap();
    assert!(!log.contains("idle-in-transaction timeout"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_dropped_on_their_way_leave_matches_whole() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let mut playing = JoinSet::new();
    for seed in 0..8 {
        playing.spawn(play_and_leave(service.endpoint(), seed));
    }
    let left = playing.join_all().await.into_iter().sum::<usize>();
    assert!(left > 100, "{left} calls were dropped: hardly any");
    no_transaction_was_left_open(&postgres).await;
    service.stop().await;
}

/// Plays a match, at first dropping calls at any moment; how many were dropped before their answer.
async fn play_and_leave(endpoint: String, seed: u64) -> usize {
    let client = patient(&endpoint).await;
    let mut random = numbers(seed);
    let mut played = client.create_match(new_match(rules_to(25))).await.unwrap().r#match.unwrap();
    let get = GetMatchRequest { name: played.name.clone(), ..GetMatchRequest::default() };
    let mut left = 0;
    for n in 0..125 {
        let longest = if n < 100 { Duration::from_micros(random(6_000)) } else { Duration::MAX };
        match timeout(longest, act(&client, &played, &mut |_| 0)).await {
            Ok(Ok(acted)) => {
                assert!(acted.revision > played.revision);
                played = acted;
            }
            // A dropped call has acted meanwhile, or does so in a moment.
            Ok(Err(refused)) => {
                assert_eq!(refused.code(), Code::FailedPrecondition, "{refused}");
                played = client.get_match(get.clone()).await.unwrap().r#match.unwrap();
            }
            Err(_) => {
                left += 1;
                played = client.get_match(get.clone()).await.unwrap().r#match.unwrap();
            }
        }
    }
    let log = events(&client, &played.name).await.unwrap();
    is_whole(&played.name, &log);
    assert_eq!(log.len(), usize::try_from(played.revision).unwrap());
    left
}
