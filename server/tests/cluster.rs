//! The throw-away Postgres of the tests: what they may build on, and that it is thrown away.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use chaquete_server::store::suite::cluster::{Cluster, Stop};

#[tokio::test]
async fn it_keeps_its_word_about_what_is_durable() {
    let Some(cluster) = Cluster::shared_or_say().await else { return };
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        assert_eq!(cluster.maintenance().value(&format!("SHOW {setting}")).await.unwrap(), "on");
    }
    assert_eq!(cluster.maintenance().value("SHOW server_encoding").await.unwrap(), "UTF8");
}

#[tokio::test]
async fn databases_are_copies_of_a_template_and_apart() {
    let Some(cluster) = Cluster::shared_or_say().await else { return };
    for migrations in ["CREATE TABLE t (n int)", "never run"] {
        cluster.template(async |template| template.execute(migrations).await.unwrap()).await.unwrap();
    }
    let (one, other) = tokio::join!(cluster.database(), cluster.database());
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_ne!(one.url(), other.url());
    one.execute("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)").await.unwrap();
    assert_eq!(one.value("SELECT count(*)::text FROM t").await.unwrap(), "2");
    assert_eq!(other.value("SELECT count(*)::text FROM t").await.unwrap(), "0");
    let empty = cluster.empty_database().await.unwrap();
    let refusal = empty.execute("SELECT FROM t").await.unwrap_err();
    assert!(refusal.to_string().contains("\"t\" does not exist"), "{refusal}");
}

#[tokio::test]
async fn data_outlive_every_kind_of_restart() {
    let settings = [("shared_preload_libraries", "pg_stat_statements"), ("cluster_name", "it's \\ours")];
    let Some(cluster) = Cluster::start_or_say(&settings).await else { return };
    let database = cluster.empty_database().await.unwrap();
    database.execute("CREATE EXTENSION pg_stat_statements; CREATE TABLE t (n int)").await.unwrap();
    for (rows, how) in ["1", "2"].into_iter().zip([Stop::Fast, Stop::Immediate]) {
        database.execute("INSERT INTO t VALUES (1)").await.unwrap();
        let before = cluster.pid().unwrap();
        cluster.restart(how).await.unwrap();
        assert_ne!(cluster.pid().unwrap(), before);
        assert_eq!(database.value("SELECT count(*)::text FROM t").await.unwrap(), rows);
    }
    assert_eq!(database.value("SHOW cluster_name").await.unwrap(), "it's \\ours");
    database.value("SELECT queryid::text FROM pg_stat_statements").await.unwrap();

    cluster.stop(Stop::Fast).await.unwrap();
    database.execute("SELECT").await.unwrap_err();
    cluster.stop(Stop::Fast).await.unwrap_err();
    cluster.start_again().await.unwrap();
    database.execute("SELECT").await.unwrap();

    let folder = cluster.folder().to_owned();
    assert_ne!(processes_of(&folder), 0);
    drop(cluster);
    assert!(!folder.exists());
    assert_eq!(processes_of(&folder), 0);
}

#[tokio::test]
async fn settings_that_postgres_does_not_take_are_told() {
    if Cluster::shared_or_say().await.is_none() {
        return;
    }
    let error = Cluster::start(&[("max_connections", "many")]).await.err().expect("no number");
    assert!(error.to_string().contains("invalid value for parameter \"max_connections\""), "{error}");
}

/// Says to a process that it only holds a cluster, until it is killed.
const HOLD: &str = "CHAQUETE_TEST_CLUSTER_HOLD";

/// The test of holders, started again as one that holds a cluster in that folder.
fn hold(folder: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["nothing_is_left_when_the_holder_is_killed", "--exact", "--nocapture"])
        .env(HOLD, "1")
        .env("CHAQUETE_PG_DIR", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What a holder says until it has a cluster, or has ended.
fn what_it_says(holder: &mut Child) -> String {
    let lines = BufReader::new(holder.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut said = String::new();
    for line in lines {
        said += &format!("{line}\n");
        if line == "held" {
            break;
        }
    }
    said
}

#[tokio::test]
async fn nothing_is_left_when_the_holder_is_killed() {
    if env::var_os(HOLD).is_some() {
        let _held = Cluster::start(&[]).await.unwrap();
        eprintln!("held");
        return std::future::pending().await;
    }
    if Cluster::shared_or_say().await.is_none() {
        return;
    }
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    // Postgres gets in even where the folder above is closed to its user, as this one is.
    for early in [true, false] {
        let mut holder = hold(folder.path());
        until(|| fs::read_dir(folder.path()).unwrap().count() == 1);
        if !early {
            assert!(what_it_says(&mut holder).ends_with("held\n"));
            assert!(processes_of(folder.path()) > 1, "Postgres runs");
        }
        holder.kill().unwrap();
        holder.wait().unwrap();
        until(|| fs::read_dir(folder.path()).unwrap().count() == 0);
        until(|| processes_of(folder.path()) == 0);
    }
}

#[tokio::test]
async fn memory_is_no_disk() {
    let memory = Path::new("/dev/shm");
    if Cluster::shared_or_say().await.is_none() || !memory.exists() {
        return;
    }
    let mut holder = hold(memory);
    let said = what_it_says(&mut holder);
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert!(said.contains("is not on a disk"), "{said}");
}

/// Processes that name something in this folder on their command line.
fn processes_of(folder: &Path) -> usize {
    let name = folder.to_str().unwrap();
    let commands = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path().join("cmdline"));
    commands
        .filter_map(|file| fs::read(file).ok())
        .filter(|command| String::from_utf8_lossy(command).contains(name))
        .count()
}

/// Waits until it is so.
fn until(mut so: impl FnMut() -> bool) {
    for _ in 0..600 {
        if so() {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("it does not come about");
}
