//! What is stored beside the logs, damaged and made again from them.

use super::database;
use crate::{
    operate::{Fate, Mode},
    store::{
        StoredMatch, open,
        suite::{
            cluster::Database,
            golden,
            rebuild::{all_is_mended, golden_matches, rebuilt},
        },
    },
};

/// Changes the row of a match, if the tables take it.
async fn damage(database: &Database, change: &str, id: &str) {
    let sql = format!("SET search_path = chaquete; UPDATE matches SET {change} WHERE match_id = '{id}'");
    let refused = database.execute(&sql).await.err();
    let code = refused.as_ref().and_then(|error| error.as_database_error()?.code());
    assert!(code.is_none_or(|code| code.starts_with("23")), "{sql}: {refused:?}");
}

/// With the rights of a server, and while matches that have ended are packed.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_damaged_is_made_again() {
    let Some(database) = database().await else { return };
    database.execute(super::roles::LOGINS).await.unwrap();
    let store = open(&database.url().replace("postgres@", "test_app@")).await.unwrap();
    all_is_mended(&*store, async |change, id| damage(&database, change, id).await).await;
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn players_find_their_matches_again() {
    let Some(database) = database().await else { return };
    let store = open(database.url()).await.unwrap();
    let all: Vec<StoredMatch> = golden_matches(&*store).await.into_values().collect();
    for (one, change) in all.iter().zip([
        "DELETE FROM match_players WHERE uid = ",
        "UPDATE match_players SET subject = subject || 'x' WHERE uid = ",
        "UPDATE match_players SET end_time = coalesce(end_time + 1, 1) WHERE uid = ",
        "UPDATE match_players SET create_time = 1 WHERE uid = ",
    ]) {
        let sql = format!("SET search_path = chaquete; {change} '{}'", one.key.uid);
        database.execute(&sql).await.unwrap();
        assert!(!store.missing_from(one).await.unwrap().is_empty());
    }
    assert_eq!(rebuilt(&*store, Mode::Check).await.0.differing, 4);
    assert_eq!(rebuilt(&*store, Mode::Change).await.0.mended, 4);
    for one in &all {
        assert_eq!(store.missing_from(one).await.unwrap(), [""; 0]);
        assert_eq!(store.find(&one.name).await.unwrap().as_ref(), Some(one));
    }
    assert!(rebuilt(&*store, Mode::Check).await.1.is_empty());
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_bad_snapshot_is_made_again_and_a_good_one_stays() {
    let Some(database) = database().await else { return };
    let store = open(database.url()).await.unwrap();
    let all = golden_matches(&*store).await;
    let with_snapshot: Vec<_> = all.values().filter(|one| one.snapshot.is_some()).collect();
    let (bad, good) = with_snapshot.split_at(2);
    damage(&database, "snapshot = ''", &bad[0].name.id).await;
    damage(&database, "snapshot = replace(snapshot, 'seq', 'sql')", &bad[1].name.id).await;
    damage(&database, "update_time = 0", &good[0].name.id).await;
    let (report, findings) = rebuilt(&*store, Mode::Change).await;
    assert_eq!(report.mended, 3, "{findings:?}");
    for one in bad {
        let events = store.log(one.key, 0, u32::MAX).await.unwrap();
        let whole = golden::table(&one.name.tenant, one.key.uid, &events).snapshot();
        assert_eq!(store.find(&one.name).await.unwrap().unwrap().snapshot, Some(whole));
    }
    assert_eq!(store.find(&good[0].name).await.unwrap().as_ref(), Some(good[0]));
    store.close().await;
}

/// A running match whose row says that it has ended is packed; it goes on once its row is mended.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_packed_by_mistake_goes_on() {
    let Some(database) = database().await else { return };
    let store = open(database.url()).await.unwrap();
    let (uid, log) = golden::logs(|_| crate::store::suite::fixture::new_uid()).swap_remove(0);
    let (begun, rest) = log.split_at(log.len() - 3);
    let stored = golden::stored("default", uid, begun);
    store.create(stored.clone(), begun.to_vec()).await.unwrap();
    damage(&database, "state = 'cancelled', end_time = 7, deadline = NULL", &stored.name.id).await;
    super::archive::all_packed(&database).await;
    let (_, findings) = rebuilt(&*store, Mode::Change).await;
    assert!(matches!(&*findings.values().collect::<Vec<_>>(), [Fate::Mended(_)]), "{findings:?}");
    assert_eq!(store.find(&stored.name).await.unwrap().as_ref(), Some(&stored));
    let then = golden::stored("default", uid, &log);
    let append = crate::store::Append {
        head: then.head,
        standing: then.standing,
        ..crate::store::suite::fixture::following(stored.key, stored.head, rest.to_vec())
    };
    store.append(append).await.unwrap();
    super::archive::all_packed(&database).await;
    assert_eq!(store.log(stored.key, 0, u32::MAX).await.unwrap(), log);
    assert!(rebuilt(&*store, Mode::Check).await.1.is_empty());
    store.close().await;
}
