//! Matches that ended long ago, exported and dropped.

use std::fs;

use super::{
    folder, open_file,
    rebuild::{break_chain, damage},
};
use crate::{
    operate::Mode,
    store::{
        State, open,
        suite::{dropping, rebuild::golden_matches, retain},
    },
};

#[tokio::test]
async fn only_what_has_ended_is_dropped() {
    let (_folder, file) = folder();
    for store in [open_file(&file).await, open("memory:").await.unwrap()] {
        dropping::run(store.clone()).await;
        store.close().await;
    }
}

#[tokio::test]
async fn what_ended_long_ago_is_dropped_once_it_is_exported() {
    let (_folder, file) = folder();
    let store = open_file(&file).await;
    retain::what_ended_long_ago_is_dropped_once_it_is_exported(&*store).await;
    store.close().await;
}

/// What is not as its log says stays, and a running match whose row says that it has ended is one of those.
#[tokio::test]
async fn what_is_damaged_is_kept() {
    let (place, file) = folder();
    let store = open_file(&file).await;
    let all = golden_matches(&*store).await;
    let ended: Vec<_> = all.values().filter(|row| row.head.state != State::Active).collect();
    let running = all.values().find(|row| row.head.state == State::Active).expect("one that runs");
    damage(&file, "reason = 'adjudicated', winner = 3 - coalesce(winner, 1)", &ended[0].name.id).await;
    damage(&file, "variant = 'chess'", &ended[1].name.id).await;
    let lie = "state = 'cancelled', end_time = 7, deadline = NULL, waiting = NULL";
    damage(&file, lie, &running.name.id).await;
    break_chain(&file, ended[2]).await;
    let exports = place.path().join("exports");
    fs::create_dir(&exports).unwrap();
    // A file that is in the way of one that is good.
    fs::write(retain::file_of(&exports, ended[3]), "mine").unwrap();

    let until = ended.iter().filter_map(|row| row.head.end_time).max().unwrap() + 1;
    let (report, left) = retain::retained(&*store, until, &exports, Mode::Change).await.unwrap();
    assert_eq!((report.left, report.dropped), (5, ended.len() as u64 - 4), "{left:?}");
    for (row, because) in [
        (ended[0], "rebuild it first: winner"),
        (ended[1], "variant"),
        (ended[2], "revision 2"),
        (ended[3], "holds something else"),
        (running, "rebuild it first: state"),
    ] {
        let told = &left[&row.name.to_string()];
        assert!(told.contains(because), "{told}");
        assert!(!store.events(row.key, 0, 5).await.unwrap().is_empty());
    }
    assert_eq!(fs::read_dir(&exports).unwrap().count(), ended.len() - 3);
    store.close().await;
}
