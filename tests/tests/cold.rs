//! A server that knows nothing yet reads little and tells the same; on Postgres, where a log may be packed.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use chaquete_client::Client;
use chaquete_proto::v1::{ErrorReason, GetMatchRequest, GetMatchResponse, Match};
use chaquete_tests::{Postgres, act, events, new_match, play_to_the_end, rules_to};

async fn get(client: &Client, name: &str) -> GetMatchResponse {
    client.get_match(GetMatchRequest { name: name.to_owned(), view: 0 }).await.unwrap()
}

/// A match that has gone this far.
async fn played_to(client: &Client, revision: i32) -> Match {
    let mut played = client.create_match(new_match(rules_to(25))).await.unwrap().r#match.unwrap();
    while played.revision < revision {
        played = act(client, &played, &mut |n| n / 2).await.unwrap();
    }
    played
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_cold_server_tells_is_what_the_warm_one_told() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let client = service.client().await;
    let mut warm = Vec::new();
    for revision in [4, 63, 64, 65, 130] {
        let name = played_to(&client, revision).await.name;
        warm.push((get(&client, &name).await, events(&client, &name).await.unwrap()));
    }
    let ended = client.create_match(new_match(rules_to(1))).await.unwrap().r#match.unwrap();
    let ended = play_to_the_end(&client, ended, &mut |n| n / 3).await.unwrap();
    warm.push((get(&client, &ended.name).await, events(&client, &ended.name).await.unwrap()));
    service.stop().await;

    let service = postgres.serve().await;
    let client = service.client().await;
    for (match_then, events_then) in &warm {
        let name = &match_then.r#match.as_ref().unwrap().name;
        assert_eq!(get(&client, name).await, *match_then);
        assert_eq!(events(&client, name).await.unwrap(), *events_then);
    }
    // They go on as if nothing had happened.
    for (match_then, _) in &warm[..5] {
        let then = match_then.r#match.as_ref().unwrap();
        let now = act(&client, then, &mut |n| n - 1).await.unwrap();
        assert!(now.revision > then.revision);
    }
    service.stop().await;
}

/// A snapshot is only a faster way to what the log says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_snapshot_is_not_believed_and_a_damaged_log_is_told() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let client = service.client().await;
    let name = played_to(&client, 100).await.name;
    let warm = get(&client, &name).await;
    service.stop().await;

    let damage =
        "UPDATE chaquete.matches SET snapshot = overlay(snapshot placing 'x' from length(snapshot) / 2)";
    postgres.database.execute(damage).await.unwrap();
    let service = postgres.serve().await;
    assert_eq!(get(&service.client().await, &name).await, warm);
    service.stop().await;

    postgres
        .database
        .execute("UPDATE chaquete.events SET event = event || ' ' WHERE revision = 90")
        .await
        .unwrap();
    let service = postgres.serve().await;
    let client = service.client().await;
    let request = GetMatchRequest { name, view: 0 };
    let refused = client.get_match(request).await.unwrap_err();
    assert_eq!(refused.reason(), Some(ErrorReason::LogCorrupt), "{refused}");
    service.stop().await;
}

/// So many pages are read of the tables themselves; those of the indexes are in memory on any server in use. The page of
/// the leaf that covers the match cannot be told from those that a server which begins reads of all matches.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cold_match_costs_few_pages() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let client = service.client().await;
    // Interleaved play scatters each match over the pages of all.
    let mut matches = Vec::new();
    for _ in 0..8 {
        matches.push(client.create_match(new_match(rules_to(25))).await.unwrap().r#match.unwrap());
    }
    while matches.iter().all(|played| played.revision < 127) {
        for played in &mut matches {
            *played = act(&client, played, &mut |n| n / 2).await.unwrap();
        }
    }
    service.stop().await;
    let before = postgres.pages_read(&["matches", "events"]).await;
    let service = postgres.serve().await;
    let longest = matches.iter().max_by_key(|played| played.revision % 64).unwrap();
    assert!(longest.revision % 64 > 50, "so many events after its snapshot");
    let cold = get(&service.client().await, &longest.name).await;
    assert_eq!(cold.r#match.unwrap().revision, longest.revision);
    service.stop().await;
    let read = postgres.pages_read(&["matches", "events"]).await - before;
    assert!(read <= 65, "{read} pages");
}
