//! What was changed fails where it was changed, and is not played on.

use std::path::Path;

use chaquete_client::{Client, Error};
use chaquete_proto::v1::{
    DiceSource, ErrorReason, GetMatchRequest, Match, VerificationKind as Kind, VerificationOutcome as Outcome,
};
use chaquete_server::config::Config;
use chaquete_tests::{Postgres, Service, act, events, play_to_the_end, tamper};
use tonic::Code;

use crate::support::{begun, check, create, verify, verify_all};

async fn get(client: &Client, name: &str) -> Result<Match, Error> {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    Ok(client.get_match(request).await?.r#match.unwrap())
}

fn is_data_loss(error: &Error) -> bool {
    (error.code(), error.reason()) == (Code::DataLoss, Some(ErrorReason::LogCorrupt))
}

fn config(store: &Path) -> Config {
    Config { store: format!("sqlite:{}", store.display()), ..Config::default() }
}

const OF_BAD: &str = "uid = (SELECT uid FROM matches WHERE match_id = 'm-bad')";

#[tokio::test]
async fn a_match_that_was_found_damaged_is_not_played_on_until_it_is_found_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("verifying.sqlite");
    let service = Service::start_with(config(&store)).await;
    let client = service.client().await;
    let (bad, good) = (begun(&client, "m-bad").await, begun(&client, "m-good").await);

    // Given an event that was changed while the match is kept folded, which nobody notices who only plays on.
    let change = |from: &str, to: &str| {
        format!("UPDATE events SET event = replace(event, '{from}', '{to}') WHERE revision = 4 AND {OF_BAD}")
    };
    if !tamper(&store, &change("\"game\":1", "\"game\":2")) {
        return;
    }
    let bad = act(&client, &bad, &mut |_| 0).await.unwrap();

    // When it is verified, then the report says where, and from now on it is neither played nor read.
    let report = verify(&service, &bad.name).await.unwrap();
    let chain = check(&report, Kind::HashChain);
    assert_eq!((chain.outcome(), chain.first_bad_revision), (Outcome::Failed, 4), "{report:#?}");
    assert!(is_data_loss(&act(&client, &bad, &mut |_| 0).await.unwrap_err()));
    assert!(is_data_loss(&get(&client, &bad.name).await.unwrap_err()));
    assert_eq!(service.damages().count(), 1);

    // It is still verified, alone and among all, and the others go on.
    assert_eq!(verify(&service, &bad.name).await.unwrap(), report);
    let messages = verify_all(&service, "").await.unwrap();
    let reports: Vec<_> = messages.iter().filter_map(|message| message.report.as_ref()).collect();
    assert_eq!(reports, [&report]);
    let last = messages.last().unwrap();
    assert_eq!((last.checked_count, last.failed_count), (2, 1));
    act(&client, &good, &mut |_| 0).await.unwrap();
    assert_eq!(service.damages().count(), 1, "it is the same one");

    // When it is repaired, nobody knows until it is verified.
    tamper(&store, &change("\"game\":2", "\"game\":1"));
    assert!(is_data_loss(&get(&client, &bad.name).await.unwrap_err()));
    assert!(verify(&service, &bad.name).await.unwrap().passed);
    assert_eq!(get(&client, &bad.name).await.unwrap().revision, bad.revision);
    act(&client, &bad, &mut |_| 0).await.unwrap();
    service.stop().await;
}

/// Who reads a log comes to events at which nobody looks who plays on.
#[tokio::test]
async fn a_match_is_frozen_by_whoever_finds_its_log_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("verifying.sqlite");
    let service = Service::start_with(config(&store)).await;
    let client = service.client().await;
    let played = begun(&client, "m-bad").await;
    let sql =
        format!("UPDATE events SET event = replace(event, 'dice', 'mice') WHERE revision = 4 AND {OF_BAD}");
    if tamper(&store, &sql) {
        let played = act(&client, &played, &mut |_| 0).await.unwrap();
        assert!(is_data_loss(&events(&client, &played.name).await.unwrap_err()));
        assert!(is_data_loss(&act(&client, &played, &mut |_| 0).await.unwrap_err()));
        assert_eq!(service.damages().count(), 1);
    }
    service.stop().await;
}

#[tokio::test]
async fn damage_is_reported_whatever_it_is_of() {
    use Kind::{HashChain, State};
    let damages: [(String, Kind, i32, &[Kind]); 6] = [
        (
            format!("UPDATE events SET event = CAST(x'ff00ff' AS TEXT) WHERE revision = 3 AND {OF_BAD}"),
            HashChain,
            3,
            &[],
        ),
        (format!("UPDATE events SET hash = x'0102' WHERE revision = 3 AND {OF_BAD}"), HashChain, 3, &[]),
        (format!("UPDATE events SET hash = zeroblob(32) WHERE revision = 5 AND {OF_BAD}"), HashChain, 5, &[]),
        (format!("DELETE FROM events WHERE revision = 6 AND {OF_BAD}"), HashChain, 6, &[]),
        ("UPDATE matches SET labels = '{' WHERE match_id = 'm-bad'".to_owned(), State, 0, &[HashChain]),
        (
            "UPDATE matches SET update_time = update_time + 1 WHERE match_id = 'm-bad'".to_owned(),
            State,
            0,
            &[HashChain],
        ),
    ];
    for (sql, kind, revision, passing) in damages {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("verifying.sqlite");
        let service = Service::start_with(config(&store)).await;
        let name = begun(&service.client().await, "m-bad").await.name;
        if !tamper(&store, &sql) {
            return;
        }
        let report = verify(&service, &name).await.unwrap();
        let failed = check(&report, kind);
        assert_eq!(
            (failed.outcome(), failed.first_bad_revision),
            (Outcome::Failed, revision),
            "{sql}: {report:#?}"
        );
        assert!(!report.passed && !failed.detail.is_empty());
        for kind in passing {
            assert_eq!(check(&report, *kind).outcome(), Outcome::Passed, "{sql}: {report:#?}");
        }
        let [message, last] = &verify_all(&service, "").await.unwrap()[..] else { panic!("{sql}") };
        assert_eq!((message.report.as_ref(), last.failed_count), (Some(&report), 1), "{sql}");
        service.stop().await;
    }
}

/// A snapshot is compared with what the log says, and a packed log is read.
#[tokio::test]
async fn snapshots_and_packed_logs_are_looked_at_where_there_are_any() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let client = service.client().await;
    let mut long = create(&client, "m-long", DiceSource::Committed).await;
    while long.revision < 70 {
        long = act(&client, &long, &mut |count| count - 1).await.unwrap();
    }
    let ended = create(&client, "m-ended", DiceSource::Committed).await;
    let ended = play_to_the_end(&client, ended, &mut |count| count / 2).await.unwrap();
    for played in [&long, &ended] {
        assert!(verify(&service, &played.name).await.unwrap().passed);
    }
    // What has ended is packed a moment later.
    postgres.until("SELECT count(*)::text FROM chaquete.archive", 1).await;
    let of_snapshot = r#"UPDATE chaquete.matches SET snapshot = replace(snapshot, '"seq":', '"seq":1')
                         WHERE match_id = 'm-long'"#;
    postgres.database.execute(of_snapshot).await.unwrap();
    postgres.database.execute(r"UPDATE chaquete.archive SET log = log || '\x00'").await.unwrap();

    let report = verify(&service, &long.name).await.unwrap();
    let state = check(&report, Kind::State);
    assert!(state.outcome() == Outcome::Failed && state.detail.contains("snapshot"), "{report:#?}");
    assert_eq!(check(&report, Kind::HashChain).outcome(), Outcome::Passed);
    // The log is good: the match is played on, from its first event.
    act(&client, &long, &mut |_| 0).await.unwrap();

    let report = verify(&service, &ended.name).await.unwrap();
    assert_eq!(check(&report, Kind::HashChain).outcome(), Outcome::Failed, "{report:#?}");
    assert!(is_data_loss(&get(&client, &ended.name).await.unwrap_err()));
    service.stop().await;
}

/// The chain of what is left is whole: it is the row that says how long it was.
#[tokio::test]
async fn a_log_that_lost_its_end_fails_by_its_state() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("verifying.sqlite");
    let service = Service::start_with(config(&store)).await;
    let played = begun(&service.client().await, "m-bad").await;
    let sql = format!("DELETE FROM events WHERE revision = {} AND {OF_BAD}", played.revision);
    if tamper(&store, &sql) {
        let report = verify(&service, &played.name).await.unwrap();
        let state = check(&report, Kind::State);
        assert_eq!((state.outcome(), state.first_bad_revision), (Outcome::Failed, played.revision));
        assert!(is_data_loss(&get(&service.client().await, &played.name).await.unwrap_err()));
    }
    service.stop().await;
}
