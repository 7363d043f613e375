//! A server that is killed loses nothing that it acknowledged, and doubles nothing.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use chaquete_client::{Client, replay::Acknowledged};
use chaquete_server::{
    checkpoint::LogKeys,
    dice::DiceKeys,
    store::{migrate, suite::cluster::Cluster},
};
use chaquete_tests::{ServerProcess, all_there_once, binary, project};
use tokio::runtime::Runtime;

/// How often the server is killed in the middle of a replay.
const CYCLES: u32 = 20;

#[test]
fn killed_servers_lose_and_double_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("kill.sqlite");
    kill_again_and_again(folder.path(), |listen| ServerProcess::start(&store, listen));
}

#[test]
fn killed_servers_on_postgres_lose_and_double_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("dice-key");
    let log_keys = folder.path().join("log-key");
    DiceKeys::read_or_make(&keys).unwrap();
    LogKeys::read_or_make(&log_keys).unwrap();
    let runtime = Runtime::new().unwrap();
    let Some(cluster) = runtime.block_on(Cluster::shared_or_say()) else { return };
    let database = runtime.block_on(cluster.empty_database()).unwrap();
    runtime.block_on(migrate(database.url())).unwrap();
    let keys = ["--dice-key-file", keys.to_str().unwrap(), "--log-key", log_keys.to_str().unwrap()];
    kill_again_and_again(folder.path(), |listen| ServerProcess::serve(database.url(), listen, keys));
}

/// Kills a server in the middle of replays, and looks for all that was acknowledged.
fn kill_again_and_again(folder: &Path, start: impl Fn(&str) -> ServerProcess) {
    let acks = folder.join("acks");
    let mut server = start("127.0.0.1:0");
    let address = server.address().to_owned();
    let mut kills = 0;
    // However fast one replay is: the next one begins until the server was killed often enough.
    for run in 0.. {
        let mut replay = start_replay(&address, &acks, run);
        while replay.try_wait().unwrap().is_none() {
            // Different moments each time: long enough for some hundred actions, short enough for many kills.
            thread::sleep(Duration::from_millis(150 + u64::from(kills) * 37 % 250));
            if kills < CYCLES && replay.try_wait().unwrap().is_none() {
                server.kill();
                kills += 1;
                server = start(&address);
            }
        }
        assert!(replay.wait().unwrap().success(), "replay {run} went through");
        if kills == CYCLES {
            break;
        }
    }
    let acknowledged = read_acks(&acks);
    assert!(acknowledged.len() > 1_000, "{}", acknowledged.len());
    Runtime::new().unwrap().block_on(async {
        let client = Client::connect(server.endpoint()).await.unwrap();
        all_there_once(&client, &acknowledged).await;
    });
}

fn start_replay(address: &str, acks: &Path, run: u32) -> Child {
    Command::new(binary("chaquete"))
        .args([
            "--server",
            &format!("http://{address}"),
            "replay",
            "--run",
            &format!("killed-{run}"),
            "--jobs",
            "8",
        ])
        .arg("--ack-log")
        .arg(acks)
        .arg(project().join("tests/data/corpus"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn read_acks(acks: &Path) -> Vec<Acknowledged> {
    let text = fs::read_to_string(acks).unwrap();
    let parse = |line: &str| {
        let mut words = line.split_whitespace();
        let mut next = || words.next().unwrap().to_owned();
        Acknowledged {
            match_name: next(),
            request_id: next(),
            first_revision: next().parse().unwrap(),
            last_revision: next().parse().unwrap(),
        }
    };
    text.lines().map(parse).collect()
}
