use std::{os::unix::fs::MetadataExt, slice};

use serde_json::Value;
use uuid::Uuid;

use super::*;
use crate::{
    log::Hash,
    store::{State, suite::golden},
};

/// A golden match that has ended, with its log.
fn ended() -> (StoredMatch, Vec<StoredEvent>) {
    let logs = golden::logs(|n| Uuid::from_u128(n as u128 + 1));
    let all = logs.into_iter().map(|(uid, log)| (golden::stored("default", uid, &log), log));
    all.into_iter().find(|(row, _)| row.head.state == State::Completed).unwrap()
}

fn path(folder: &tempfile::TempDir, row: &StoredMatch) -> PathBuf {
    folder.path().join(format!("default.{}.{}.bglog", row.name.id, row.key.uid))
}

/// By hand: nothing of what writes exports is asked.
#[test]
fn an_export_is_a_line_of_facts_and_the_log() {
    let (place, (row, log)) = (tempfile::tempdir().unwrap(), ended());
    let folder = Folder::take(place.path()).unwrap();
    assert_eq!(folder.keep(&row, &log).unwrap(), Kept::Written);
    let text = fs::read_to_string(path(&place, &row)).unwrap();
    let (facts, events) = text.split_once('\n').unwrap();
    let bytes: Vec<_> = log.iter().map(|event| str::from_utf8(&event.bytes).unwrap()).collect();
    assert_eq!(events, bytes.join("\n") + "\n");
    let facts: Value = serde_json::from_str(facts).unwrap();
    assert_eq!(facts["format"], "bgexport/1");
    assert_eq!(facts["match"], row.name.to_string());
    assert_eq!(facts["uid"], row.key.uid.to_string());
    assert_eq!(facts["seq"], row.head.revision);
    assert_eq!(facts["hash"], row.head.hash.to_string());
    assert_eq!(facts["state"], "completed");
    assert_eq!(facts["end_ms"], row.head.end_time.unwrap());
    assert_eq!(fs::metadata(path(&place, &row)).unwrap().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "nothing else is left there");
}

#[test]
fn what_is_there_is_not_written_again() {
    let (place, (row, log)) = (tempfile::tempdir().unwrap(), ended());
    let folder = Folder::take(place.path()).unwrap();
    fs::write(place.path().join(".unfinished"), "of one that was killed").unwrap();
    assert_eq!(folder.keep(&row, &log).unwrap(), Kept::Written);
    let written = fs::metadata(path(&place, &row)).unwrap().ino();
    drop(folder);
    let folder = Folder::take(place.path()).unwrap();
    assert_eq!(folder.keep(&row, &log).unwrap(), Kept::Already);
    assert_eq!(fs::metadata(path(&place, &row)).unwrap().ino(), written);
}

#[test]
fn an_earlier_state_gives_way_and_nothing_else_does() {
    let (place, (row, log)) = (tempfile::tempdir().unwrap(), ended());
    let folder = Folder::take(place.path()).unwrap();
    let (file, whole) = (path(&place, &row), export(&row.facts(), &log));
    let earlier = golden::stored("default", row.key.uid, &log[..log.len() - 2]);
    fs::write(&file, export(&earlier.facts(), &log[..log.len() - 2])).unwrap();
    assert_eq!(folder.keep(&row, &log).unwrap(), Kept::Written);

    // What was dropped somewhere else may be here for the last time.
    let fork = [&log[..log.len() - 1], slice::from_ref(&log[0])].concat();
    let longer = [&log[..], slice::from_ref(&log[0])].concat();
    let cut = &whole[..whole.len() - 1];
    for there in [
        &export(&row.facts(), &fork)[..],
        &export(&row.facts(), &longer),
        cut,
        b"",
        b"\n{}\n",
        b"something else",
    ] {
        fs::write(&file, there).unwrap();
        let refused = folder.keep(&row, &log).unwrap_err();
        assert!(matches!(refused, ExportError::InTheWay { .. }), "{refused}");
        assert_eq!(fs::read(&file).unwrap(), there);
    }
}

#[test]
fn every_bit_of_an_export_counts() {
    let (row, log) = ended();
    let whole = export(&row.facts(), &log);
    assert!(is_whole(&whole, &row));
    for place in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        assert!(!is_whole(&damaged, &row), "byte {place}");
        assert!(!is_whole(&whole[..place], &row), "cut at {place}");
    }
    assert!(!is_whole(&[&whole[..], b"\n"].concat(), &row));
}

/// A log that does not lead to the head is not kept as if it did.
#[test]
fn what_cannot_be_read_back_is_an_error() {
    let (place, (mut row, log)) = (tempfile::tempdir().unwrap(), ended());
    let folder = Folder::take(place.path()).unwrap();
    row.head.hash = Hash::from_bytes([1; 32]);
    let refused = folder.keep(&row, &log).unwrap_err();
    assert!(matches!(refused, ExportError::NotAsWritten { .. }), "{refused}");
}

#[test]
fn names_that_are_no_names_name_no_files() {
    let (place, (row, log)) = (tempfile::tempdir().unwrap(), ended());
    let folder = Folder::take(place.path()).unwrap();
    for (tenant, id) in [("..", "match"), ("a/b", "match"), ("a", "../match"), ("", "match"), ("a", "m.x")] {
        let name = MatchName { tenant: tenant.to_owned(), id: id.to_owned() };
        let refused = folder.keep(&StoredMatch { name, ..row.clone() }, &log).unwrap_err();
        assert!(matches!(refused, ExportError::Name), "{refused}");
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_is_there_and_of_one_at_a_time() {
    let place = tempfile::tempdir().unwrap();
    let missing = Folder::take(&place.path().join("missing")).unwrap_err();
    assert!(matches!(missing, ExportError::File { .. }), "{missing}");
    assert!(!place.path().join("missing").exists());
    fs::write(place.path().join("file"), "").unwrap();
    let file = Folder::take(&place.path().join("file")).unwrap_err();
    assert!(matches!(file, ExportError::File { .. }), "{file}");
    let first = Folder::take(place.path()).unwrap();
    let second = Folder::take(place.path()).unwrap_err();
    assert!(matches!(second, ExportError::Busy { .. }), "{second}");
    drop(first);
    Folder::take(place.path()).unwrap();
}
