//! What is stored beside the logs, damaged and made again from them.

use std::path::Path;

use sqlx::{AssertSqlSafe, ConnectOptions, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{folder, open_file};
use crate::{
    operate::{Fate, Mode},
    store::{
        StoredMatch, open,
        suite::rebuild::{all_is_mended, golden_matches, rebuilt},
    },
};

/// Changes the row of a match, if the tables take it.
pub(super) async fn damage(file: &Path, change: &str, id: &str) {
    let change = change.replace(", archived = false", "");
    let mut operator: SqliteConnection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    let sql = format!("UPDATE OR IGNORE matches SET {change} WHERE match_id = '{id}'");
    let _refused = sqlx::query(AssertSqlSafe(sql)).execute(&mut operator).await;
}

/// Changes the second event of a match.
pub(super) async fn break_chain(file: &Path, row: &StoredMatch) {
    let mut operator: SqliteConnection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    let sql = "UPDATE events SET event = replace(event, 'ms', 'sm') WHERE uid = ? AND revision = 2";
    sqlx::query(sql).bind(row.key.uid.as_bytes().as_slice()).execute(&mut operator).await.unwrap();
}

#[tokio::test]
async fn what_was_damaged_is_made_again() {
    let (_folder, file) = folder();
    let store = open_file(&file).await;
    all_is_mended(&*store, async |change, id| damage(&file, change, id).await).await;
    store.close().await;
}

#[tokio::test]
async fn what_cannot_be_made_again_is_left_as_it_is() {
    let (_folder, file) = folder();
    let store = open_file(&file).await;
    let all: Vec<_> = golden_matches(&*store).await.into_values().collect();
    let [longer, broken, unreadable] = [&all[0], &all[1], &all[2]];
    damage(&file, "revision = 5000, hash = zeroblob(32)", &longer.name.id).await;
    damage(&file, "variant = 'chess'", &unreadable.name.id).await;
    break_chain(&file, broken).await;
    let before = store.find(&longer.name).await.unwrap();

    let (report, findings) = rebuilt(&*store, Mode::Change).await;
    assert_eq!((report.matches, report.damaged, report.mended), (all.len() as u64, 3, 0));
    assert!(!report.is_well());
    for (one, because) in [(longer, "ends before its head"), (broken, "revision 2"), (unreadable, "variant")]
    {
        let Fate::Damaged(told) = &findings[&one.name.to_string()] else { panic!("{findings:?}") };
        assert!(told.contains(because), "{told}");
    }
    assert_eq!(store.find(&longer.name).await.unwrap(), before);
    assert_eq!(store.find(&broken.name).await.unwrap().as_ref(), Some(broken));
    store.close().await;
}

#[tokio::test]
async fn memory_is_looked_through_as_well() {
    let store = open("memory:").await.unwrap();
    let all = golden_matches(&*store).await;
    let (report, findings) = rebuilt(&*store, Mode::Check).await;
    assert_eq!((report.matches, findings.len()), (all.len() as u64, 0));
    store.close().await;
}
