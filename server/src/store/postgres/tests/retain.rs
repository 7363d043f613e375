//! Matches that ended long ago, exported and dropped.

use std::fs;

use super::{archive::all_packed, database, roles::LOGINS};
use crate::{
    operate::{Mode, RetainError},
    store::{
        open,
        suite::{dropping, rebuild::golden_matches, retain},
    },
};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_what_has_ended_is_dropped() {
    let Some(database) = database().await else { return };
    let store = open(database.url()).await.unwrap();
    dropping::run(store.clone()).await;
    store.close().await;
}

/// While matches that have ended are packed.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_ended_long_ago_is_dropped_once_it_is_exported() {
    let Some(database) = database().await else { return };
    let store = open(database.url()).await.unwrap();
    retain::what_ended_long_ago_is_dropped_once_it_is_exported(&*store).await;
    all_packed(&database).await;
    for table in ["match_players", "archive", "events"] {
        let orphans = format!(
            "SELECT count(*)::text FROM chaquete.{table} WHERE uid NOT IN (SELECT uid FROM chaquete.matches)"
        );
        assert_eq!(database.value(&orphans).await.unwrap(), "0", "{table}");
    }
    store.close().await;
}

/// A server's own role can export and not drop; whoever may drop goes on from there.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_the_owner_drops() {
    let Some(database) = database().await else { return };
    database.execute(LOGINS).await.unwrap();
    let store = open(&database.url().replace("postgres@", "test_app@")).await.unwrap();
    let all = golden_matches(&*store).await;
    let until = all.values().filter_map(|row| row.head.end_time).max().unwrap() + 1;
    let place = tempfile::tempdir().unwrap();
    let refused = retain::retained(&*store, until, place.path(), Mode::Change).await.unwrap_err();
    assert!(matches!(refused, RetainError::Denied { .. }), "{refused}");
    assert!(refused.to_string().contains("permission denied for table"), "{refused}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    for row in all.values() {
        assert!(store.find(&row.name).await.unwrap().is_some());
    }
    store.close().await;
    let owners = open(database.url()).await.unwrap();
    let (report, left) = retain::retained(&*owners, until, place.path(), Mode::Change).await.unwrap();
    assert_eq!((report.exported + 1, report.left), (report.dropped, 0), "{left:?}");
    owners.close().await;
}
