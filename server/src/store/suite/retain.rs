//! Stores of real matches, of which those that ended long ago are exported and dropped, whatever the engine.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::rebuild::golden_matches;
use crate::{
    clock::{Clock, Millis},
    operate::{Folder, Kept, Left, Mode, RetainError, Retained, retain},
    store::{Store, StoredEvent, StoredMatch},
};

/// Always this moment.
struct At(Millis);

impl Clock for At {
    fn now(&self) -> Millis {
        self.0
    }
}

const DAY: Millis = 86_400_000;

/// Exports and drops what ended a day or more before `until`; what was left, by name.
pub(in crate::store) async fn retained(
    store: &dyn Store,
    until: Millis,
    folder: &Path,
    mode: Mode,
) -> Result<(Retained, BTreeMap<String, String>), RetainError> {
    let mut left = BTreeMap::new();
    let tell =
        |one: &Left| assert_eq!(left.insert(one.name.clone(), one.because.clone()), None, "told twice");
    let folder = Folder::take(folder).expect("a folder");
    let report = retain(store, 1, &At(until + DAY), &folder, mode, tell).await?;
    Ok((report, left))
}

/// The export of a match.
pub(in crate::store) fn file_of(folder: &Path, row: &StoredMatch) -> PathBuf {
    folder.join(format!("{}.{}.{}.bglog", row.name.tenant, row.name.id, row.key.uid))
}

/// A moment in the middle of the ends of these matches.
fn middle(all: &BTreeMap<String, StoredMatch>) -> Millis {
    let mut ends: Vec<_> = all.values().filter_map(|row| row.head.end_time).collect();
    ends.sort_unstable();
    assert!(ends.len() > 100, "most golden matches have ended");
    ends[ends.len() / 2]
}

/// Exports and drops step by step, some of it begun by one who was killed before it dropped anything.
pub(in crate::store) async fn what_ended_long_ago_is_dropped_once_it_is_exported(store: &dyn Store) {
    let all = golden_matches(store).await;
    let mut logs: BTreeMap<&String, Vec<StoredEvent>> = BTreeMap::new();
    for (name, row) in &all {
        logs.insert(name, store.log(row.key, 0, u32::MAX).await.expect("a log"));
    }
    let until = middle(&all);
    let is_old = |row: &StoredMatch| row.head.end_time.is_some_and(|end_time| end_time < until);
    let old: Vec<_> = all.iter().filter(|(_, row)| is_old(row)).collect();
    let count = old.len() as u64;
    let place = tempfile::tempdir().expect("a folder");

    let (report, left) = retained(store, until, place.path(), Mode::Check).await.expect("looked at");
    assert_eq!((report, left.len()), (Retained { matches: count, ..Retained::default() }, 0));
    assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 0);
    assert_eq!(still_there(store, &all).await, all.len());

    let folder = Folder::take(place.path()).expect("a folder");
    for (name, row) in &old[..3] {
        assert_eq!(folder.keep(row, &logs[name]).expect("exported"), Kept::Written);
    }
    drop(folder);
    assert_eq!(still_there(store, &all).await, all.len());

    let (report, left) = retained(store, until, place.path(), Mode::Change).await.expect("dropped");
    assert_eq!(report, Retained { matches: count, exported: count - 3, dropped: count, left: 0 }, "{left:?}");
    assert_eq!(still_there(store, &all).await, all.len() - old.len());
    for (name, row) in &all {
        let log = store.log(row.key, 0, u32::MAX).await.expect("a log");
        if !is_old(row) {
            assert_eq!(
                (store.find(&row.name).await.expect("looked for").as_ref(), &log),
                (Some(row), &logs[name])
            );
            continue;
        }
        assert_eq!(log, []);
        let export = fs::read(file_of(place.path(), row)).expect("an export");
        let lines: Vec<_> = export.split(|byte| *byte == b'\n').skip(1).collect();
        let (end, events) = lines.split_last().expect("lines");
        let expected: Vec<_> = logs[name].iter().map(|event| &*event.bytes).collect();
        assert!(end.is_empty() && events == expected, "{name}");
    }
    let again = retained(store, until, place.path(), Mode::Change).await.expect("nothing to do");
    assert_eq!(again, (Retained::default(), BTreeMap::new()));
}

/// How many of these matches are there.
async fn still_there(store: &dyn Store, all: &BTreeMap<String, StoredMatch>) -> usize {
    let mut there = 0;
    for row in all.values() {
        there += usize::from(store.find(&row.name).await.expect("looked for").is_some());
    }
    there
}
