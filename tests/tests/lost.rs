//! What an operator may have lost: the end of a log, the key of the dice.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{fs, path::Path};

use chaquete_client::{Client, Error};
use chaquete_proto::v1::{
    CancelMatchRequest, ErrorReason, GetMatchRequest, ListMatchEventsRequest, Match, OfferResignationRequest,
    WinKind,
};
use chaquete_server::config::Config;
use chaquete_tests::{Service, act, new_match, rules_to, seat_to_act, tamper};
use tonic::Code;

/// A store in a folder of the test's own.
fn config(store: &Path) -> Config {
    Config { store: format!("sqlite:{}", store.display()), ..Config::default() }
}

/// A match of some turns.
async fn played(client: &Client) -> Match {
    let mut played = client.create_match(new_match(rules_to(5))).await.unwrap().r#match.unwrap();
    for _ in 0..8 {
        played = act(client, &played, &mut |_| 0).await.unwrap();
    }
    played
}

async fn read(client: &Client, name: &str) -> Result<Match, Error> {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    Ok(client.get_match(request).await?.r#match.unwrap())
}

#[tokio::test]
async fn a_log_that_lost_its_end_or_does_not_fit_its_head_is_not_served() {
    let last = "(SELECT max(revision) FROM events)";
    for (sql, because) in [
        (format!("DELETE FROM events WHERE revision > {last} - 3"), "the end is gone"),
        ("UPDATE matches SET hash = zeroblob(32)".to_owned(), "the head is of another log"),
        ("UPDATE matches SET revision = revision + 5".to_owned(), "the head is ahead"),
        (
            "UPDATE matches SET state = 'completed', end_time = update_time".to_owned(),
            "the head says another state",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("lost.sqlite");
        let service = Service::start_with(config(&store)).await;
        let name = played(&service.client().await).await.name;
        service.stop().await;
        if !tamper(&store, &sql) {
            return;
        }
        let service = Service::start_with(config(&store)).await;
        let client = service.client().await;
        let error = read(&client, &name).await.unwrap_err();
        assert_eq!(
            (error.code(), error.reason()),
            (Code::DataLoss, Some(ErrorReason::LogCorrupt)),
            "{because}"
        );
        let other = played(&client).await;
        read(&client, &other.name).await.unwrap();
        service.stop().await;
    }
}

#[tokio::test]
async fn a_kept_match_whose_acknowledged_events_vanish_is_not_served_either() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("lost.sqlite");
    let service = Service::start_with(config(&store)).await;
    let client = service.client().await;
    let played = played(&client).await;
    if tamper(&store, "DELETE FROM events WHERE revision > 5") {
        for _ in 0..2 {
            let error = read(&client, &played.name).await.unwrap_err();
            assert_eq!(error.reason(), Some(ErrorReason::LogCorrupt));
        }
        let list =
            ListMatchEventsRequest { parent: played.name.clone(), ..ListMatchEventsRequest::default() };
        assert_eq!(client.list_match_events(list).await.unwrap_err().reason(), Some(ErrorReason::LogCorrupt));
    }
    service.stop().await;
}

#[tokio::test]
async fn without_its_dice_key_a_match_can_do_all_that_needs_no_roll() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("lost.sqlite");
    let service = Service::start_with(config(&store)).await;
    let played = played(&service.client().await).await;
    service.stop().await;
    let key = folder.path().join("lost.sqlite.dice-key");
    let kept = fs::read(&key).unwrap();
    fs::remove_file(&key).unwrap();

    let service = Service::start_with(config(&store)).await;
    let client = Client::builder(service.endpoint()).retry(impatient()).connect().await.unwrap();
    let mut now = read(&client, &played.name).await.unwrap();
    let refused = loop {
        match act(&client, &now, &mut |_| 0).await {
            // A move needs no roll; the next roll does.
            Ok(next) => now = next,
            Err(error) => break error,
        }
    };
    assert_eq!((refused.code(), refused.reason()), (Code::Unavailable, Some(ErrorReason::DiceUnavailable)));
    assert!(refused.metadata().contains_key("key_id"));
    let offer = OfferResignationRequest {
        name: now.name.clone(),
        seat: seat_to_act(&now).into(),
        kind: WinKind::Single.into(),
        ..OfferResignationRequest::default()
    };
    client.offer_resignation(offer).await.unwrap();
    service.stop().await;

    // With the key everything goes on; and a match is never so lost that it cannot be cancelled.
    fs::write(&key, kept).unwrap();
    let service = Service::start_with(config(&store)).await;
    let client = service.client().await;
    let cancel =
        CancelMatchRequest { name: now.name, reason: "over".to_owned(), ..CancelMatchRequest::default() };
    client.cancel_match(cancel).await.unwrap();
    service.stop().await;
}

/// A client that takes the first no for an answer.
fn impatient() -> chaquete_client::RetryPolicy {
    chaquete_client::RetryPolicy {
        patience: std::time::Duration::ZERO,
        ..chaquete_client::RetryPolicy::default()
    }
}
