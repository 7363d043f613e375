//! Which files are opened, and how.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{folder, open_file, url};
use crate::store::{
    OpenError, open,
    suite::fixture::{next, stored_match, whole},
};

async fn refused(file: &Path) -> OpenError {
    open(&url(file)).await.err().expect("it is not opened")
}

/// Another program's connection.
async fn connect(file: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(file).create_if_missing(true).connect().await.unwrap()
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn what_is_created_is_for_nobody_else() {
    let (folder, _) = folder();
    let file = folder.path().join("a/b/chaquete.db");
    let store = open_file(&file).await;
    stored_match(&*store).await;
    let beside = |end: &str| file.with_file_name(format!("chaquete.db{end}"));
    for created in [file.clone(), beside("-wal"), beside("-shm"), beside(".lock")] {
        assert_eq!(mode(&created), 0o600, "{}", created.display());
    }
    for directory in ["a", "a/b"] {
        assert_eq!(mode(&folder.path().join(directory)), 0o700);
    }
    store.close().await;
}

#[tokio::test]
async fn a_mode_that_somebody_chose_is_kept() {
    let (_folder, file) = folder();
    fs::write(&file, "").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    open_file(&file).await.close().await;
    assert_eq!(mode(&file), 0o640);
}

#[tokio::test]
async fn after_closing_one_file_holds_everything() {
    let (folder, file) = folder();
    let store = open_file(&file).await;
    let stored = stored_match(&*store).await;
    store.close().await;
    assert!(!file.with_file_name("chaquete.db-wal").exists(), "there is more than the file");
    let copy = folder.path().join("copy.db");
    fs::copy(&file, &copy).unwrap();
    let store = open_file(&copy).await;
    assert_eq!(whole(&*store, &stored.name).await.0, stored);
}

#[tokio::test]
async fn a_file_is_served_once() {
    let (folder, file) = folder();
    let first = open_file(&file).await;
    let link = folder.path().join("link.db");
    symlink(&file, &link).unwrap();
    for path in [
        &file,
        &link,
        &folder.path().join("../").join(folder.path().file_name().unwrap()).join("chaquete.db"),
    ] {
        let error = refused(path).await;
        assert!(matches!(error, OpenError::Locked { .. }), "{error}");
        assert!(error.to_string().contains("is being served by another process"), "{error}");
    }
    let stored = stored_match(&*first).await;
    first.close().await;
    let second = open_file(&link).await;
    assert_eq!(whole(&*second, &stored.name).await.0, stored);
}

#[tokio::test]
async fn a_file_with_several_names_is_not_served() {
    let (folder, file) = folder();
    let first = open_file(&file).await;
    let link = folder.path().join("link.db");
    fs::hard_link(&file, &link).unwrap();
    let error = refused(&link).await;
    assert!(matches!(error, OpenError::Linked { links: 2, .. }), "{error}");
    assert!(error.to_string().contains("one of 2 names (hard links)"), "{error}");
    let stored = stored_match(&*first).await;
    first.close().await;
    // Nor later: the write-ahead log of one name is not that of the other.
    for name in [&file, &link] {
        assert!(matches!(refused(name).await, OpenError::Linked { .. }));
    }
    fs::remove_file(&file).unwrap();
    let second = open_file(&link).await;
    assert_eq!(whole(&*second, &stored.name).await.0, stored);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_file_that_was_moved_is_still_served_once() {
    let (folder, file) = folder();
    let first = open_file(&file).await;
    let moved = folder.path().join("moved.db");
    fs::rename(&file, &moved).unwrap();
    let error = refused(&moved).await;
    assert!(matches!(error, OpenError::Locked { .. }), "{error}");
    first.close().await;
    open_file(&moved).await.close().await;
}

#[tokio::test]
async fn a_store_that_is_dropped_gives_its_file_back() {
    let (_folder, file) = folder();
    let first = open_file(&file).await;
    let stored = stored_match(&*first).await;
    drop(first);
    let second = loop {
        match open(&url(&file)).await {
            Ok(store) => break store,
            Err(OpenError::Locked { .. }) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(whole(&*second, &stored.name).await.0, stored);
}

#[tokio::test]
async fn what_is_no_database_is_left_alone() {
    let (_folder, file) = folder();
    let text = "Dear diary, ".repeat(1000);
    fs::write(&file, &text).unwrap();
    let error = refused(&file).await;
    assert!(matches!(error, OpenError::NotADatabase { .. }), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[tokio::test]
async fn a_database_of_another_program_is_left_alone() {
    let (_folder, file) = folder();
    let mut theirs = connect(&file).await;
    sqlx::query("CREATE TABLE songs (title)").execute(&mut theirs).await.unwrap();
    theirs.close().await.unwrap();
    let before = fs::read(&file).unwrap();
    let error = refused(&file).await;
    assert!(matches!(error, OpenError::Foreign { .. }), "{error}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn a_store_of_a_newer_server_is_left_alone() {
    let (_folder, file) = folder();
    open_file(&file).await.close().await;
    let mut newer = connect(&file).await;
    let step = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                VALUES (9999, 'tomorrow', TRUE, x'00', 0)";
    sqlx::query(step).execute(&mut newer).await.unwrap();
    newer.close().await.unwrap();
    let error = refused(&file).await;
    assert!(matches!(error, OpenError::TooNew { version: 9999 }), "{error}");
}

#[tokio::test]
async fn an_edited_step_is_noticed() {
    let (_folder, file) = folder();
    open_file(&file).await.close().await;
    let mut edited = connect(&file).await;
    sqlx::query("UPDATE _sqlx_migrations SET checksum = x'00'").execute(&mut edited).await.unwrap();
    edited.close().await.unwrap();
    let error = refused(&file).await;
    assert!(matches!(&error, OpenError::Engine(reason) if reason.contains("modified")), "{error}");
}

#[tokio::test]
async fn a_crash_before_the_first_step_does_no_harm() {
    let (_folder, file) = folder();
    let mut crashed = connect(&file).await;
    let table = "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, \
                 installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, \
                 checksum BLOB NOT NULL, execution_time BIGINT NOT NULL)";
    sqlx::query(table).execute(&mut crashed).await.unwrap();
    crashed.close().await.unwrap();
    let store = open_file(&file).await;
    let stored = stored_match(&*store).await;
    store.append(next(stored.key, stored.head, 1)).await.unwrap();
}

#[tokio::test]
async fn a_place_where_no_file_can_be_is_named() {
    let (folder, file) = folder();
    fs::write(&file, "").unwrap();
    let below_a_file = refused(&file.join("chaquete.db")).await;
    assert!(matches!(below_a_file, OpenError::Directory { .. }), "{below_a_file}");
    let a_directory = refused(folder.path()).await;
    assert!(matches!(a_directory, OpenError::File { .. }), "{a_directory}");
    assert!(a_directory.to_string().contains(&folder.path().display().to_string()), "{a_directory}");
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_named() {
    let (folder, file) = folder();
    fs::write(&file, "").unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o500)).unwrap();
    // The superuser may write everywhere; then there is nothing to be seen.
    if fs::write(folder.path().join("probe"), "").is_err() {
        let error = refused(&file).await;
        assert!(matches!(error, OpenError::File { .. }), "{error}");
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
}
