//! What is refused: a match behind its checkpoint, an old backup, a store of which the key is gone.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use chaquete_client::Client;
use chaquete_proof::hex;
use chaquete_proto::v1::{ErrorReason, ListMatchesRequest, Match, MatchView};
use chaquete_server::{
    App,
    config::Config,
    store::{self, OpenError},
};
use chaquete_tests::{Postgres, Service, covered, tamper};
use tonic::Code;

use crate::support::{checkpoint, config, go_on, played, read, seldom};

/// Cuts the log of the oldest match off after an event, and lets its row say the same: what is left is a log as good as
/// any. Whether there is something to do so with.
fn cut_off(store: &Path, after: i32) -> bool {
    let oldest = "uid = (SELECT uid FROM matches ORDER BY create_time, uid LIMIT 1)";
    tamper(
        store,
        &format!(
            "DELETE FROM events WHERE {oldest} AND revision > {after}; \
             UPDATE matches SET revision = {after}, hash = event.hash, update_time = event.event ->> '$.ms' \
             FROM events AS event WHERE event.uid = matches.uid AND event.revision = {after} AND matches.{oldest}"
        ),
    )
}

async fn is_refused(client: &Client, name: &str) -> bool {
    match read(client, name).await {
        Ok(_) => false,
        Err(error) => {
            assert_eq!((error.code(), error.reason()), (Code::DataLoss, Some(ErrorReason::LogCorrupt)));
            true
        }
    }
}

/// Two matches in a store, the first of them covered up to its end.
async fn two_matches(store: &Path) -> [Match; 2] {
    let service = Service::start_with(config(store)).await;
    let client = service.client().await;
    let mut matches = Vec::new();
    for _ in 0..2 {
        let game = played(&client, 10).await;
        covered(&client, &game).await;
        matches.push(game);
    }
    service.stop().await;
    matches.try_into().unwrap()
}

#[tokio::test]
async fn a_match_behind_its_checkpoint_is_refused_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let [first, other] = two_matches(&store).await;
    if !cut_off(&store, 6) {
        return;
    }
    let service = Service::start_with(config(&store)).await;
    let client = service.client().await;
    assert!(is_refused(&client, &first.name).await && is_refused(&client, &first.name).await);
    let other = go_on(&client, other, 2).await;
    covered(&client, &other).await;
    // A list has its row, and says no more of it.
    let list = ListMatchesRequest {
        parent: "tenants/default".to_owned(),
        view: MatchView::Full.into(),
        ..ListMatchesRequest::default()
    };
    let _listed = client.list_matches(list).await;
    assert!(is_refused(&client, &first.name).await, "not even after a list has shown it");
    service.stop().await;

    // It is the leaf that shows it: without it this would be a log like any other.
    tamper(&store, "DELETE FROM leaves");
    let service = Service::start_with(seldom(&store)).await;
    assert!(!is_refused(&service.client().await, &first.name).await);
    service.stop().await;
}

#[tokio::test]
async fn another_history_of_a_match_is_refused_however_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let [store, signed] = ["store.sqlite", "signed.sqlite"].map(|file| folder.path().join(file));
    let [first, other] = two_matches(&store).await;
    fs::copy(&store, &signed).unwrap();
    // Somebody with a server of their own lets the match go on otherwise, with every hash as it must be.
    if !cut_off(&store, 6) {
        return;
    }
    tamper(&store, "DELETE FROM leaves; DELETE FROM tiles");
    let service = Service::start_with(seldom(&store)).await;
    let client = service.client().await;
    let forged = read(&client, &first.name).await.unwrap();
    assert_eq!(forged.revision, 6);
    go_on(&client, forged, 14).await;
    service.stop().await;
    // And puts back what was signed.
    let attach = format!("ATTACH '{}' AS signed;", signed.display());
    let restore = ["leaves", "tiles", "checkpoint"]
        .map(|table| format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM signed.{table};"));
    tamper(&store, &(attach + &restore.concat()));
    let service = Service::start_with(config(&store)).await;
    let client = service.client().await;
    assert!(is_refused(&client, &first.name).await);
    go_on(&client, other, 2).await;
    service.stop().await;
    // No later leaf hides it either.
    let service = Service::start_with(config(&store)).await;
    assert!(is_refused(&service.client().await, &first.name).await);
    service.stop().await;
}

/// Why a server does not start. It lets go of its store a moment later.
async fn why(config: Config) -> String {
    let store = config.store.clone();
    let because = App::build(config).await.err().expect("it does not start").to_string();
    loop {
        match store::open(&store).await {
            Ok(free) => break free.close().await,
            Err(OpenError::Locked { .. }) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    }
    because
}

fn anywhere(config: Config) -> Config {
    Config { listen: "127.0.0.1:0".parse().unwrap(), ..config }
}

#[tokio::test]
async fn an_old_backup_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [store, backup, kept] = ["store.sqlite", "backup", "checkpoint"].map(|file| folder.path().join(file));
    let config = || anywhere(Config { checkpoint_file: Some(kept.clone()), ..config(&store) });
    let mut names = Vec::new();
    for _ in 0..2 {
        if !names.is_empty() {
            fs::copy(&store, &backup).unwrap();
        }
        let service = Service::start_with(config()).await;
        names.push(played(&service.client().await, 3).await.name);
        service.stop().await;
    }
    let newest = fs::read(&store).unwrap();
    fs::copy(&backup, &store).unwrap();
    let refused = why(config()).await;
    assert!(refused.contains("old backup") && refused.contains("move the file away"), "{refused}");
    fs::write(&store, newest).unwrap();
    let service = Service::start_with(config()).await;
    for name in names {
        read(&service.client().await, &name).await.unwrap();
    }
    service.stop().await;
}

fn write_keys(path: &Path, seeds: &[u8]) {
    let line = |seed: &u8| format!("example.com/log {}\n", hex::encode(&[*seed; 32]));
    fs::write(path, seeds.iter().map(line).collect::<String>()).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

#[tokio::test]
async fn keys_change_hands_and_are_not_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let [store, keys] = ["store.sqlite", "keys"].map(|file| folder.path().join(file));
    let config = || anywhere(Config { log_key: Some(keys.clone()), ..config(&store) });
    let mut signatures = Vec::new();
    let mut signers = Vec::new();
    for seeds in [&[1][..], &[2, 1], &[2]] {
        write_keys(&keys, seeds);
        let service = Service::start_with(config()).await;
        let client = service.client().await;
        let game = played(&client, 1).await;
        let told = covered(&client, &game).await.checkpoint.unwrap();
        assert_eq!(told.origin, "example.com/log");
        signatures.push(told.signed_note.matches('—').count());
        signers.push(told.verifier_key);
        service.stop().await;
    }
    assert_ne!(signers[0], signers[1]);
    assert_eq!(signers[1], signers[2]);
    assert!(signatures[0] == 1 && signatures[2] == 1, "{signatures:?}");
    write_keys(&keys, &[1]);
    let refused = why(config()).await;
    assert!(refused.contains("add its line to the file"), "{refused}");
    fs::set_permissions(&keys, fs::Permissions::from_mode(0o644)).unwrap();
    let refused = why(config()).await;
    assert!(refused.contains("0600"), "{refused}");
}

#[tokio::test]
async fn the_change_of_keys_is_signed_by_both() {
    let folder = tempfile::tempdir().unwrap();
    let [store, keys] = ["store.sqlite", "keys"].map(|file| folder.path().join(file));
    let config = || Config { log_key: Some(keys.clone()), ..config(&store) };
    write_keys(&keys, &[1]);
    let service = Service::start_with(config()).await;
    let client = service.client().await;
    covered(&client, &played(&client, 1).await).await;
    service.stop().await;
    write_keys(&keys, &[2, 1]);
    let service = Service::start_with(config()).await;
    let client = service.client().await;
    let before = checkpoint(&client, 0).await.unwrap().checkpoint.unwrap().tree_size;
    // Nothing is played, and yet the new key takes over.
    let told = loop {
        let told = checkpoint(&client, 0).await.unwrap().checkpoint.unwrap();
        if told.signed_note.matches('—').count() == 2 {
            break told;
        }
        tokio::task::yield_now().await;
    };
    assert!(told.tree_size - before <= 1);
    service.stop().await;
}

#[tokio::test]
async fn on_postgres_a_key_is_named() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let refused = why(anywhere(Config { log_key: None, ..postgres.config() })).await;
    assert!(refused.contains("--log-key"), "{refused}");
}
