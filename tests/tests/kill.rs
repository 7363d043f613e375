//! A server that is killed loses nothing that it acknowledged, and doubles nothing.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use chaquete_client::Client;
use chaquete_proto::v1::MatchEvent;
use chaquete_tests::{ServerProcess, binary, events, project};

/// How often the server is killed in the middle of a replay.
const CYCLES: u32 = 20;

/// An action that the replay saw acknowledged: match, request id, first and last revision.
type Acknowledged = (String, String, i32, i32);

#[test]
fn killed_servers_lose_and_double_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (store, acks) = (folder.path().join("kill.sqlite"), folder.path().join("acks"));
    let mut server = ServerProcess::start(&store, "127.0.0.1:0");
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
                server = ServerProcess::start(&store, &address);
            }
        }
        assert!(replay.wait().unwrap().success(), "replay {run} went through");
        if kills == CYCLES {
            break;
        }
    }
    let acknowledged = read_acks(&acks);
    assert!(acknowledged.len() > 1_000, "{}", acknowledged.len());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(check(server.endpoint(), &acknowledged));
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
        (next(), next(), next().parse().unwrap(), next().parse().unwrap())
    };
    text.lines().map(parse).collect()
}

/// Every acknowledged action is in its log, at the revision that was acknowledged, once.
async fn check(endpoint: &str, acknowledged: &[Acknowledged]) {
    let client = Client::connect(endpoint).await.unwrap();
    let mut logs: HashMap<&str, Vec<MatchEvent>> = HashMap::new();
    let mut seen = HashSet::new();
    for (name, request_id, first, last) in acknowledged {
        if !logs.contains_key(name.as_str()) {
            logs.insert(name, events(&client, name).await.unwrap());
        }
        let log = &logs[name.as_str()];
        assert_eq!(log[*first as usize - 1].request_id, *request_id, "{name} at {first}");
        assert!(log.len() >= *last as usize, "{name}: {last} was acknowledged");
        assert!(seen.insert((name, request_id)), "{name}: {request_id} was acknowledged twice");
    }
    for (name, log) in &logs {
        assert!((1..).zip(log).all(|(revision, event)| event.revision == revision), "{name}: a gap");
        assert!(log.windows(2).all(|pair| pair[1].previous_hash == pair[0].hash), "{name}: a broken chain");
        let mut ids: Vec<_> = log.iter().map(|event| &event.request_id).filter(|id| !id.is_empty()).collect();
        // All events of an action have its id, and stand together.
        ids.dedup();
        assert_eq!(ids.len(), ids.iter().collect::<HashSet<_>>().len(), "{name}: an action happened twice");
        let known = acknowledged.iter().filter(|acknowledged| acknowledged.0 == *name).count();
        assert_eq!(ids.len(), known, "{name}: all that is in the log was acknowledged in the end");
    }
}
