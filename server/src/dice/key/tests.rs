use std::{
    collections::BTreeSet,
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    sync::Barrier,
    thread,
};

use tempfile::tempdir;

use super::*;

const SECRET: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn parse(text: &str) -> Result<DiceKeys, BadKeys> {
    text.parse()
}

fn write(path: &Path, text: &str, mode: u32) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn keys_are_read_from_lines() {
    let keys = parse(&format!("# old and new\n\nnew.2 {SECRET}\r\nold_1-a {}\n", "0".repeat(64))).unwrap();
    assert_eq!(keys.current().id(), "new.2");
    assert_eq!(keys.position("new.2"), Some(0));
    assert_eq!(keys.position("old_1-a"), Some(1));
    assert_eq!(keys.position("other"), None);
    assert_eq!(hex::encode(keys.secret(0)), SECRET);
}

#[test]
fn what_is_wrong_with_keys_is_said_without_showing_them() {
    let long = "k".repeat(33);
    for (text, error) in [
        (String::new(), BadKeys::None),
        ("# nothing\n".to_owned(), BadKeys::None),
        (SECRET.to_owned(), BadKeys::Line { line: 1 }),
        (format!("a {SECRET}\nb {}", &SECRET[2..]), BadKeys::Line { line: 2 }),
        (format!("a  {SECRET}"), BadKeys::Line { line: 1 }),
        (format!("a {}", SECRET.to_uppercase()), BadKeys::Line { line: 1 }),
        (format!("a/b {SECRET}"), BadKeys::Id { line: 1 }),
        (format!(" {SECRET}"), BadKeys::Id { line: 1 }),
        (format!("{long} {SECRET}"), BadKeys::Id { line: 1 }),
        (format!("#\na {SECRET}\na {SECRET}"), BadKeys::Repeated { line: 3 }),
    ] {
        assert_eq!(parse(&text).unwrap_err(), error, "{text}");
        assert!(!error.to_string().contains(&SECRET[..6]));
    }
}

#[test]
fn secrets_are_not_shown() {
    let shown = format!("{:?}", parse(&format!("a {SECRET}")).unwrap());
    assert_eq!(shown, "DiceKeys { keys: [DiceKey { id: \"a\", .. }] }");
}

#[test]
fn a_file_is_made_once_and_read_from_then_on() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("dice-key");
    let made = DiceKeys::read_or_make(&path).unwrap();
    let again = DiceKeys::read_or_make(&path).unwrap();
    assert_eq!(made.current().id(), again.current().id());
    assert_eq!(made.secret(0), again.secret(0));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing else is left behind");
}

#[test]
fn a_file_made_at_the_same_time_by_many_holds_one_key() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("dice-key");
    let barrier = Barrier::new(8);
    let read = || {
        barrier.wait();
        *DiceKeys::read_or_make(&path).unwrap().secret(0)
    };
    let secrets: BTreeSet<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(read)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(secrets.len(), 1);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_is_open_to_others_is_refused() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("dice-key");
    for mode in [0o644, 0o604, 0o602, 0o660, 0o777] {
        write(&path, &format!("a {SECRET}"), mode);
        let error = DiceKeys::read_or_make(&path).unwrap_err();
        assert!(matches!(error, KeyFileError::Open { mode: found, .. } if found == mode), "{error}");
    }
    for mode in [0o400, 0o600, 0o640, 0o440] {
        fs::remove_file(&path).unwrap();
        write(&path, &format!("a {SECRET}"), mode);
        assert_eq!(DiceKeys::read(&path).unwrap().current().id(), "a");
    }
}

#[test]
fn a_file_that_holds_something_else_is_refused_and_kept() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("dice-key");
    for (text, error) in [("", BadKeys::None), ("a 1234", BadKeys::Line { line: 1 })] {
        write(&path, text, 0o600);
        let found = DiceKeys::read_or_make(&path).unwrap_err();
        assert!(matches!(&found, KeyFileError::Malformed { error: found, .. } if *found == error), "{found}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_file_that_cannot_be_read_or_made_says_why() {
    let directory = tempdir().unwrap();
    let missing = directory.path().join("nowhere").join("dice-key");
    assert!(matches!(DiceKeys::read(&missing).unwrap_err(), KeyFileError::Read { .. }));
    assert!(matches!(DiceKeys::read_or_make(&missing).unwrap_err(), KeyFileError::Make { .. }));
    assert!(matches!(
        DiceKeys::read(directory.path()).unwrap_err(),
        KeyFileError::Open { .. } | KeyFileError::Read { .. }
    ));
}

#[test]
fn every_new_key_is_another() {
    let keys = [DiceKeys::generate().unwrap(), DiceKeys::generate().unwrap()];
    assert_ne!(keys[0].secret(0), keys[1].secret(0));
    assert_ne!(keys[0].secret(0), &[0; 32]);
}
