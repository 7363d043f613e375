//! Disks and files that fail while they are served.

use std::{fs, path::Path, sync::Arc, time::Duration};

use sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};

use super::{folder, open_file};
use crate::store::{
    Store, StoreError, StoredEvent,
    commit::{Engine, Write},
    sqlite::{
        connect::{open_file_with, options},
        engine::SqliteEngine,
        migrations::migrator,
    },
    suite::fixture::{
        event, following, log, new_match, new_tenant, new_uid, next, rename, stored_match, whole,
    },
};

/// How many transactions the write-ahead log holds: each ends with a frame that tells the size of the file.
fn transactions(file: &Path) -> usize {
    let log = fs::read(file.with_file_name("chaquete.db-wal")).unwrap();
    let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
    let (header, frames) = log.split_at(32);
    let page = number(&header[8..12]) as usize;
    frames
        .chunks_exact(24 + page)
        .filter(|frame| frame[8..16] == header[16..24] && number(&frame[4..8]) != 0)
        .count()
}

#[tokio::test]
async fn many_waiting_appends_are_one_transaction() {
    let (_folder, file) = folder();
    let store = open_file(&file).await;
    let mut matches = Vec::new();
    for _ in 0..100 {
        matches.push(stored_match(&*store).await);
    }
    let before = transactions(&file);
    // On one thread all hand in before the writer runs.
    let mut calls = tokio::task::JoinSet::new();
    for one in matches {
        let store = Arc::clone(&store);
        calls.spawn(async move { store.append(next(one.key, one.head, 2)).await });
    }
    assert!(calls.join_all().await.iter().all(Result::is_ok));
    assert_eq!(transactions(&file) - before, 1);
}

#[tokio::test]
async fn conflicts_in_the_middle_of_a_batch_fail_nobody_else() {
    let (_folder, file) = folder();
    let store = open_file(&file).await;
    let (one, other) = (stored_match(&*store).await, stored_match(&*store).await);
    let (new, events) = new_match(&new_tenant());
    let (mut same_name, its_events) = new_match(&new_tenant());
    rename(&mut same_name, new.name.clone());
    let request = Some(new_uid());
    let batch = vec![
        Write::Append(next(one.key, one.head, 1)),
        Write::Append(next(one.key, one.head, 2)), // overtaken
        Write::Create(Box::new(new.clone()), events),
        Write::Create(Box::new(same_name), its_events), // taken
        Write::Append(next(new.key, new.head, 3)),      // of a match that is created in this batch
        Write::Append(following(
            other.key,
            other.head,
            vec![event(other.key.uid, 2, request), event(other.key.uid, 3, request)],
        )),
        Write::Append(next(other.key, other.head, 1)), // not overtaken after all
    ];
    let before = transactions(&file);
    let mut calls = tokio::task::JoinSet::new();
    for (n, write) in batch.into_iter().enumerate() {
        let store = Arc::clone(&store);
        calls.spawn(async move {
            let result = match write {
                Write::Create(new, events) => store.create(*new, events).await,
                Write::Append(append) => store.append(append).await,
                Write::Mend(right, seen) => store.mend(*right, seen).await,
                Write::Drop(key, seen) => store.drop_ended(key, seen).await,
                Write::Beat(moment) => store.beat(moment).await,
            };
            (n, format!("{result:?}"))
        });
    }
    let mut results = calls.join_all().await;
    results.sort();
    let results: Vec<_> = results.iter().map(|(_, result)| &**result).collect();
    let expected = ["Ok(())", "Err(Conflict)", "Ok(())", "Err(Exists)", "Ok(())", "Err(Conflict)", "Ok(())"];
    assert_eq!(results, expected);
    for (name, length) in [(&one.name, 2), (&other.name, 2), (&new.name, 4)] {
        assert_eq!(whole(&*store, name).await.1.len(), length);
    }
    // The repeated request id is the one to blame for a batch that was halved: 7 → 3 + 4 → 2 + 2 → 1 + 1.
    assert_eq!(transactions(&file) - before, 3);
}

#[tokio::test]
async fn a_full_disk_refuses_and_loses_nothing() {
    let (_folder, file) = folder();
    let store = open_file_with(&file, options().pragma("max_page_count", "80")).await.unwrap();
    let stored = stored_match(&store).await;
    let small = next(stored.key, stored.head, 1);
    store.append(small.clone()).await.unwrap();
    let large = StoredEvent { bytes: vec![b' '; 1 << 20], ..event(stored.key.uid, 3, None) };
    let refused = store.append(following(stored.key, small.head, vec![large])).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(whole(&store, &stored.name).await.1.len(), 2, "reads go on");
    // The next write that fits is written: nothing of the one that failed is left in the way.
    store.append(next(stored.key, small.head, 1)).await.unwrap();
    store.close().await;
    let store = open_file(&file).await;
    assert_eq!(whole(&*store, &stored.name).await.1.len(), 3);
}

#[tokio::test]
async fn memory_outlives_a_failed_write() {
    let store = crate::store::open("memory:").await.unwrap();
    let stored = stored_match(&*store).await;
    let no_text = StoredEvent { bytes: vec![0xff], ..event(stored.key.uid, 2, None) };
    let refused = store.append(following(stored.key, stored.head, vec![no_text])).await;
    assert!(matches!(refused, Err(StoreError::Unfit(_))), "{refused:?}");
    assert_eq!(whole(&*store, &stored.name).await.0, stored);
    store.append(next(stored.key, stored.head, 1)).await.unwrap();
}

#[tokio::test]
async fn another_program_that_writes_is_waited_for_but_not_for_ever() {
    let (_folder, file) = folder();
    let store = open_file_with(&file, options().busy_timeout(Duration::from_millis(50))).await.unwrap();
    let stored = stored_match(&store).await;
    let mut other = SqliteConnectOptions::new().filename(&file).connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let refused = store.append(next(stored.key, stored.head, 1)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(log(&store, stored.key).await.len(), 1, "reads go on");
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    store.append(next(stored.key, stored.head, 1)).await.unwrap();
}

#[tokio::test]
async fn what_a_lost_commit_left_is_found() {
    let mut connection = options().filename(":memory:").connect().await.unwrap();
    migrator().run(&mut connection).await.unwrap();
    let mut engine = SqliteEngine::new(Arc::new(tokio::sync::Mutex::new(Some(connection))), None);
    let (new, events) = new_match(&new_tenant());
    let create = Write::Create(Box::new(new.clone()), events);
    let append = Write::Append(next(new.key, new.head, 2));
    let other = Write::Append(crate::store::suite::fixture::next_marked(new.key, new.head, 2, "other"));
    let batch = [create, append, other];
    assert_eq!(engine.find_written(&batch).await.unwrap(), [false, false, false]);
    engine.write(&batch[..1]).await.unwrap();
    assert_eq!(engine.find_written(&batch).await.unwrap(), [true, false, false]);
    engine.write(&batch[1..]).await.unwrap();
    assert_eq!(engine.find_written(&batch).await.unwrap(), [true, true, false]);

    let beats = [Write::Beat(5), Write::Beat(7)];
    assert_eq!(engine.find_written(&beats).await.unwrap(), [false, false]);
    for (beat, written) in [(5, [true, false]), (6, [true, false]), (8, [true, true])] {
        engine.write(&[Write::Beat(beat)]).await.unwrap();
        assert_eq!(engine.find_written(&beats).await.unwrap(), written);
    }
}
