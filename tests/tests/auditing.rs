//! `chaquete audit` and `chaquete dice`, with a real server and with files.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use chaquete_client::Client;
use chaquete_proto::v1::{GetCheckpointRequest, ImportMatchRequest, ListMatchesRequest, RecordFormat};
use chaquete_server::config::Config;
use chaquete_tests::{
    ServerProcess, Service, binary, chaquete, covered, new_match, play_to_the_end, project, rules_to,
    shared_or_say, verify_dice,
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{task::JoinSet, time::sleep};

/// So many matches that were played, and one that was not.
async fn played(client: &Client, count: usize) {
    for n in 0..count {
        let created = client.create_match(new_match(rules_to(1))).await.unwrap().r#match.unwrap();
        play_to_the_end(client, created, &mut |moves| n % moves).await.unwrap();
    }
    client.create_match(new_match(rules_to(5))).await.unwrap();
}

/// Waits until a checkpoint covers all matches up to where they are.
async fn all_are_covered(client: &Client) {
    let parent = "tenants/default".to_owned();
    let matches =
        client.matches(ListMatchesRequest { parent, ..ListMatchesRequest::default() }).all().await.unwrap();
    for played in matches {
        covered(client, &played).await;
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Changes a byte of the third line of a file: an event.
fn bend(path: &Path) {
    let mut content = fs::read(path).unwrap();
    let lines: Vec<_> =
        content.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
    let at = content[lines[1]..].windows(5).position(|bytes| bytes == b"\"ms\":").unwrap() + lines[1] + 6;
    content[at] ^= 1;
    fs::write(path, content).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_audited_over_the_network_and_from_its_files() {
    let (service, folder) = (Service::start().await, TempDir::new().unwrap());
    let client = service.client().await;
    played(&client, 3).await;
    let run = |arguments: &[&str]| chaquete(&service, folder.path(), arguments);

    let all = run(&["audit", "--all", "--journal", "one.journal", "--json", "report.json"]);
    assert_eq!(all.code, Some(0), "{}", all.err);
    assert!(all.out.starts_with("4 matches, "), "{}", all.out);
    assert!(all.out.contains("dice       4 in order, 0 not, 0 not to be known"), "{}", all.out);
    let report = json(&fs::read_to_string(folder.path().join("report.json")).unwrap());
    assert_eq!((&report["format"], &report["matches"]), (&Value::from("bgaudit/1"), &Value::from(4)));
    assert_eq!(report["checks"]["clocks"]["skipped"], 4);

    // It goes on where it was: nothing is left to do, and what was found stays said.
    let again = run(&["audit", "--all", "--journal", "one.journal"]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(
        again.out.starts_with("0 matches, 0 events") && again.out.contains("4 matches were verified before")
    );

    // What was noted then is still so.
    let later = run(&["audit", "--all", "--against", "one.journal"]);
    assert_eq!((later.code, later.err.as_str()), (Some(0), ""));

    assert_eq!(run(&["export", "--all", "--format", "json", "--out", "logs"]).code, Some(0));
    let files = run(&["audit", "--files", "logs"]);
    assert_eq!(files.code, Some(0), "{}", files.err);
    let mut paths: Vec<_> =
        fs::read_dir(folder.path().join("logs")).unwrap().map(|it| it.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "bglog"));
    assert_eq!(paths.len(), 4);
    bend(&paths[0]);
    let bent = run(&["audit", "--files", "logs", "--json", "-"]);
    assert_eq!(bent.code, Some(1));
    assert!(bent.err.contains("hash chain"), "{}", bent.err);
    let report = json(&bent.out);
    assert_eq!(report["failed"].as_array().unwrap().len(), 1);
    assert_eq!(report["failed"][0]["passed"], false);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_noted_earlier_shows_what_was_replaced_or_is_gone() {
    let (service, folder) = (Service::start().await, TempDir::new().unwrap());
    let client = service.client().await;
    played(&client, 1).await;
    let run = |arguments: &[&str]| chaquete(&service, folder.path(), arguments);
    assert_eq!(run(&["audit", "--all", "--journal", "one.journal"]).code, Some(0));
    let journal = folder.path().join("one.journal");
    let noted = fs::read_to_string(&journal).unwrap();
    let first = json(noted.lines().next().unwrap());
    let hash = first["hash"].as_str().unwrap();

    // As if the log had been made anew with other events, all hashes included.
    fs::write(&journal, noted.replace(hash, &"ab".repeat(32))).unwrap();
    let replaced = run(&["audit", "--all", "--against", "one.journal"]);
    assert_eq!(replaced.code, Some(1));
    assert!(replaced.err.contains("is not what it was"), "{}", replaced.err);
    // As if it had been longer.
    let revision = format!("\"revision\":{}", first["revision"]);
    fs::write(&journal, noted.replacen(&revision, "\"revision\":9999", 1)).unwrap();
    let shorter = run(&["audit", "--all", "--against", "one.journal"]);
    assert!(shorter.code == Some(1) && shorter.err.contains("it had 9999 events"), "{}", shorter.err);
    // As if there had been another match.
    let name = first["match"].as_str().unwrap();
    let other = noted.lines().next().unwrap().replace(name, "tenants/default/matches/gone");
    fs::write(&journal, format!("{noted}{other}\n")).unwrap();
    let gone = run(&["audit", "--all", "--against", "one.journal"]);
    assert_eq!(gone.code, Some(1));
    assert!(
        gone.out.contains("tenants/default/matches/gone: it was there, and is not any more"),
        "{}",
        gone.out
    );
    // An audit that goes on compares with what it has seen before it was interrupted as well, and begins a new line
    // after the one that was cut off.
    fs::write(&journal, &noted).unwrap();
    let begun = folder.path().join("two.journal");
    let (one, other) = noted.split_once('\n').unwrap();
    fs::write(&begun, format!("{one}\n{}", &other[..20])).unwrap();
    let resumed = run(&["audit", "--all", "--journal", "two.journal", "--against", "one.journal"]);
    assert_eq!((resumed.code, resumed.err.as_str()), (Some(0), ""), "{}", resumed.out);
    let matches = |journal: &Path| {
        let text = fs::read_to_string(journal).unwrap();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.map(|line| line["match"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(matches(&begun), matches(&journal));
    // A line that was cut off as an audit was interrupted is none.
    fs::write(&journal, &noted[..noted.len() - 9]).unwrap();
    assert_eq!(run(&["audit", "--all", "--against", "one.journal"]).code, Some(0));
    assert_eq!(run(&["audit", "--all", "--against", "nothing.journal"]).code, Some(2));
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proof_of_the_dice_is_what_the_verifier_takes() {
    let (service, folder) = (Service::start().await, TempDir::new().unwrap());
    let client = service.client().await;
    let created = client.create_match(new_match(rules_to(1))).await.unwrap().r#match.unwrap();
    let played = play_to_the_end(&client, created, &mut |_| 0).await.unwrap();
    let run = |arguments: &[&str]| chaquete(&service, folder.path(), arguments);
    let proof = run(&["dice", &played.name]);
    assert_eq!(proof.code, Some(0), "{}", proof.err);
    if let Some(verifier) = shared_or_say("tools/verify_dice.py") {
        assert!(verify_dice(&verifier, &json(&proof.out)).unwrap().starts_with("VERIFIED"));
    }
    assert_eq!(run(&["export", &played.name, "--format", "json", "--out", "it.bglog"]).code, Some(0));
    assert_eq!(run(&["dice", "--file", "it.bglog"]).out, proof.out);
    let none = run(&["dice", &played.name, "--epoch", "1"]);
    assert!(none.code == Some(2) && none.err.contains("there is no such epoch"), "{}", none.err);
    let unknown = run(&["dice", "nobody-knows"]);
    assert!(unknown.code == Some(2) && unknown.err.contains("there is no match"), "{}", unknown.err);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn checkpoints_that_were_kept_show_what_was_replaced() {
    let folder = TempDir::new().unwrap();
    let store = |name: &str| Config {
        store: format!("sqlite:{}", folder.path().join(name).display()),
        log_key: Some(folder.path().join("log-key")),
        checkpoint_interval: Duration::from_millis(20),
        ..Config::default()
    };
    let secret = format!("example.com/log {}\n", "17".repeat(32));
    fs::write(folder.path().join("log-key"), secret).unwrap();
    fs::set_permissions(folder.path().join("log-key"), fs::Permissions::from_mode(0o600)).unwrap();

    let service = Service::start_with(store("one.sqlite")).await;
    played(&service.client().await, 1).await;
    all_are_covered(&service.client().await).await;
    let newest = service.client().await.get_checkpoint(GetCheckpointRequest::default()).await.unwrap();
    let key = newest.checkpoint.unwrap().verifier_key;
    let all = ["audit", "--all", "--verifier-key", &key, "--checkpoint", "kept"];
    let first = chaquete(&service, folder.path(), &all);
    assert_eq!(first.code, Some(0), "{}", first.err);
    assert!(first.out.contains("checkpoint 2 covered to their end"), "{}", first.out);
    let kept = fs::read_to_string(folder.path().join("kept")).unwrap();
    assert!(kept.starts_with("example.com/log\n"), "{kept}");
    // The tree grows, and goes on from what was kept.
    played(&service.client().await, 1).await;
    all_are_covered(&service.client().await).await;
    let later = chaquete(&service, folder.path(), &all);
    assert_eq!(later.code, Some(0), "{}", later.err);
    assert_ne!(fs::read_to_string(folder.path().join("kept")).unwrap(), kept);
    let other_key = key.replace("example.com/log", "example.com/other");
    let stranger = ["audit", "--all", "--verifier-key", &other_key];
    assert_eq!(chaquete(&service, folder.path(), &stranger).code, Some(2));
    service.stop().await;

    // Another store, sound throughout, signed with the same key: it is not the one that was kept.
    let other = Service::start_with(store("two.sqlite")).await;
    played(&other.client().await, 3).await;
    all_are_covered(&other.client().await).await;
    let replaced = chaquete(&other, folder.path(), &all);
    assert_eq!(replaced.code, Some(2), "{}", replaced.out);
    assert!(replaced.err.contains("the tree over all logs"), "{}", replaced.err);
    other.stop().await;
}

/// Stores recorded matches, over and over, until there are so many events.
async fn imported(client: &Client, wanted: usize) -> usize {
    let folder = fs::read_dir(project().join("tests/data/corpus")).unwrap();
    let paths = folder.map(|entry| entry.unwrap().path());
    let records = paths.filter(|path| path.extension().is_some_and(|ending| ending == "mat"));
    let records: Vec<_> = records.map(|path| fs::read(path).unwrap()).collect();
    let (mut under_way, mut events) = (JoinSet::new(), 0);
    for (n, content) in records.iter().cycle().enumerate() {
        if under_way.len() == 8 {
            events += under_way.join_next().await.unwrap().unwrap();
        }
        if events >= wanted {
            break;
        }
        let request = ImportMatchRequest {
            parent: "tenants/default".into(),
            match_id: format!("of-many-{n}"),
            format: RecordFormat::Mat.into(),
            content: content.clone(),
            ..ImportMatchRequest::default()
        };
        let client = client.clone();
        under_way.spawn(async move {
            let imported = client.import_match(request).await.unwrap();
            usize::try_from(imported.r#match.unwrap().revision).unwrap()
        });
    }
    events + under_way.join_all().await.iter().sum::<usize>()
}

/// The most memory that a process has had so far, in KiB; `None`: it has ended.
fn peak_memory(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// A million events, with `CHAQUETE_SLOW=1`: they are verified one match after the other, and none is kept.
#[tokio::test(flavor = "multi_thread")]
async fn a_large_store_is_audited_in_little_memory() {
    let wanted = if env::var_os("CHAQUETE_SLOW").is_some() { 1_000_000 } else { 20_000 };
    let folder = TempDir::new().unwrap();
    let server = ServerProcess::start(&folder.path().join("store.db"), "127.0.0.1:0");
    let client = Client::connect(server.endpoint()).await.unwrap();
    let events = imported(&client, wanted).await;
    let loaded = peak_memory(server.pid()).unwrap();

    let mut audit = Command::new(binary("chaquete"));
    let audit = audit.args(["audit", "--all", "--json", "report.json"]).current_dir(folder.path());
    let mut audit = audit.env("CHAQUETE_SERVER", server.endpoint()).stdout(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    while audit.try_wait().unwrap().is_none() {
        peak = peak_memory(audit.id()).unwrap_or(peak);
        sleep(Duration::from_millis(10)).await;
    }
    assert!(audit.wait().unwrap().success());
    let report = json(&fs::read_to_string(folder.path().join("report.json")).unwrap());
    let served = peak_memory(server.pid()).unwrap();
    eprintln!(
        "{events} events in {} matches: {peak} KiB; the server {loaded} KiB, then {served}",
        report["matches"]
    );
    assert_eq!(report["events"], events);
    assert_eq!(report["failed"].as_array().unwrap().len(), 0);
    assert!(peak > 0 && peak < 200 * 1024, "{peak} KiB");
}
