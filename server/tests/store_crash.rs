//! A server that is killed loses nothing that it has acknowledged.
//!
//! The test starts itself again as a process that appends to several matches at once and says so line by line,
//! kills it at some moment, and looks what is there. The same store all the time, so that each process also
//! finds what the one before left half done.

use std::{
    collections::BTreeMap,
    env,
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::Duration,
};

use chaquete_server::{
    name::MatchName,
    store::{
        MatchKey, Store, StoredEvent, StoredMatch, migrate, open,
        suite::{
            cluster::{Cluster, Database},
            fixture::{event, new_match, next_marked, whole},
        },
    },
};
use tokio::task::JoinSet;

/// Says to a process that it is the one to be killed, and which store to write.
const STORE: &str = "CHAQUETE_TEST_STORE_CRASH";

/// How often a process is killed.
const KILLS: u64 = 20;

/// How many matches are written at once.
const MATCHES: u128 = 8;

#[test]
fn what_was_acknowledged_outlives_a_kill() {
    if let Some(url) = env::var_os(STORE) {
        return runtime().block_on(write_until_killed(url.to_str().expect("text")));
    }
    let folder = tempfile::tempdir().expect("a folder");
    kill_and_look(&format!("sqlite:{}", folder.path().join("chaquete.db").display()), async || {});
}

#[test]
fn what_was_acknowledged_in_postgres_outlives_a_kill() {
    let runtime = runtime();
    let Some(database) = runtime.block_on(database()) else { return };
    // What a killed process has sent is done or given up before anybody looks.
    kill_and_look(database.url(), async || {
        let sessions = "SELECT count(*)::text FROM pg_stat_activity \
                        WHERE datname = current_database() AND application_name = 'chaquete-server'";
        while database.value(sessions).await.expect("Postgres answers") != "0" {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
}

/// A database with today's tables; `None`, and said so, where there is no Postgres.
async fn database() -> Option<Database> {
    let cluster = Cluster::shared_or_say().await?;
    let make = async |template: Database| migrate(template.url()).await.expect("tables are made");
    cluster.template(make).await.expect("a template");
    Some(cluster.database().await.expect("a copy of it"))
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().worker_threads(2).build().expect("a runtime")
}

async fn open_again(url: &str) -> Arc<dyn Store> {
    open(url).await.expect("the store opens after every crash")
}

/// The match of a number: the same in every process.
fn numbered(n: u128) -> (StoredMatch, Vec<StoredEvent>) {
    let (mut new, _) = new_match("crash");
    new.name = MatchName { tenant: "crash".to_owned(), id: format!("match-{n}") };
    new.key = MatchKey::new(&new.name, uuid::Uuid::from_u128(n));
    let events = vec![event(new.key.uid, 1, None)];
    new.head.hash = events[0].hash;
    (new, events)
}

/// The marked events that follow an event, as they must be found again.
fn mark(process: u32, n: u128, revision: u32) -> String {
    format!("process {process}, match {n}, after {revision}")
}

async fn write_until_killed(url: &str) {
    let store = open_again(url).await;
    let mut tasks = JoinSet::new();
    for n in 0..MATCHES {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            let (new, events) = numbered(n);
            let mut head = match store.find(&new.name).await.expect("looked for") {
                Some(found) => found.head,
                None => {
                    store.create(new.clone(), events).await.expect("created");
                    new.head
                }
            };
            loop {
                let count = 1 + head.revision % 3;
                let append = next_marked(new.key, head, count, &mark(std::process::id(), n, head.revision));
                head = append.head;
                let acknowledged = append.events.clone();
                store.append(append).await.expect("nobody else writes");
                say(n, &acknowledged);
            }
        });
    }
    tasks.join_all().await;
}

/// One line an event, each line written at once.
fn say(n: u128, events: &[StoredEvent]) {
    let lines: String = events
        .iter()
        .map(|event| {
            format!("acknowledged {n} {} {}\n", event.revision, String::from_utf8_lossy(&event.bytes))
        })
        .collect();
    std::io::stdout().lock().write_all(lines.as_bytes()).expect("the parent reads");
}

/// Kills processes that write a store, and looks at it each time `settled` says that nothing happens there any more.
fn kill_and_look(url: &str, settled: impl AsyncFn()) {
    let mut acknowledged = BTreeMap::new();
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    for _ in 0..KILLS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Some before the first write, most in the middle of many.
        run_and_kill(url, Duration::from_millis((random >> 33) % 300), &mut acknowledged);
        runtime().block_on(async {
            settled().await;
            look(url, &acknowledged).await;
        });
    }
    assert!(acknowledged.len() > 200, "only {} were acknowledged: the test is none", acknowledged.len());
}

/// Runs a process for some time after its first word, kills it, and notes all that it acknowledged.
fn run_and_kill(url: &str, time: Duration, acknowledged: &mut BTreeMap<(u128, u32), String>) {
    let mut child = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", "what_was_acknowledged_outlives_a_kill", "--nocapture", "--test-threads=1"])
        .env(STORE, url)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts again");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    // The harness speaks first; then there is a process that opens the store.
    let _ = lines.next();
    let killer = thread::spawn(move || {
        thread::sleep(time);
        child.kill().expect("it was running");
        child.wait().expect("it ends")
    });
    for line in lines.map_while(Result::ok) {
        // The harness leaves its own words before the first one.
        let Some((_, said)) = line.split_once("acknowledged ") else { continue };
        let mut words = said.splitn(3, ' ');
        let mut word = || words.next().expect("a whole line: it is written at once");
        let key = (word().parse().expect("a match"), word().parse().expect("a revision"));
        let old = acknowledged.insert(key, word().to_owned());
        assert_eq!(old, None, "{key:?} was acknowledged twice");
    }
    let status = killer.join().expect("killed");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9), "it must not end of itself");
}

/// Everything acknowledged is there, byte for byte, and every log is whole.
async fn look(url: &str, acknowledged: &BTreeMap<(u128, u32), String>) {
    let store = open_again(url).await;
    let mut found = BTreeMap::new();
    for n in 0..MATCHES {
        let (new, _) = numbered(n);
        if store.find(&new.name).await.expect("looked for").is_none() {
            continue;
        }
        let (_, log) = whole(&*store, &new.name).await;
        let text = |event: StoredEvent| String::from_utf8(event.bytes).expect("text");
        found.extend(log.into_iter().map(|event| ((n, event.revision), text(event))));
    }
    store.close().await;
    for (key, bytes) in acknowledged {
        assert_eq!(found.get(key), Some(bytes), "{key:?} was acknowledged");
    }
}
