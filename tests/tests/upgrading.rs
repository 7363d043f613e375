//! Servers of one version take the places of those of another, one after the other, while matches go on: no call fails,
//! though some are made again.
//!
//! `CHAQUETE_PREVIOUS` names the program of the version before; without it, this version takes its own place.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::Duration,
};

use chaquete_client::{Client, Watched};
use chaquete_proto::v1::WatchMatchRequest;
use chaquete_server::{checkpoint::LogKeys, dice::DiceKeys, store::suite::cluster::Cluster};
use chaquete_tests::{ServerProcess, act, any_of, binary, events, new_match, rules_to};
use tokio::{
    sync::watch,
    task::{JoinHandle, spawn_blocking},
    time::{sleep, timeout},
};

/// How many matches are played meanwhile.
const MATCHES: u64 = 24;

/// For how long they are played before anything happens, and between any two things.
const AWHILE: Duration = Duration::from_secs(2);

fn previous() -> PathBuf {
    env::var_os("CHAQUETE_PREVIOUS").map_or_else(
        || {
            eprintln!(
                "CHAQUETE_PREVIOUS names no program of the version before: this one takes its own place"
            );
            binary("chaquete-server")
        },
        PathBuf::from,
    )
}

fn migrate(program: &Path, store: &str) {
    let migrated = Command::new(program).args(["migrate", "--store", store]).output().unwrap();
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
}

/// What became of a match.
struct Played {
    name: String,
    revision: i32,
    watched: JoinHandle<Vec<i32>>,
}

/// Plays a match, its actions in turn on one server and the other, until it is enough.
async fn play(clients: Arc<[Client; 2]>, seed: u64, enough: watch::Receiver<bool>) -> Played {
    let mut played = clients[0].create_match(new_match(rules_to(255))).await.unwrap().r#match.unwrap();
    let watched = tokio::spawn(revisions(clients[1].clone(), played.name.clone(), enough.clone()));
    let mut choose = any_of(seed);
    for turn in 0.. {
        if *enough.borrow() {
            break;
        }
        played = act(&clients[turn % 2], &played, &mut choose).await.unwrap();
    }
    Played { name: played.name, revision: played.revision, watched }
}

/// The revisions that somebody sees who watches, until it is enough and nothing more comes.
async fn revisions(client: Client, name: String, enough: watch::Receiver<bool>) -> Vec<i32> {
    let mut watch = client.watch_match(WatchMatchRequest { name, ..WatchMatchRequest::default() });
    let mut revisions = Vec::new();
    loop {
        match timeout(AWHILE, watch.next()).await {
            Ok(Ok(Some(Watched::Update(update)))) => revisions.push(update.event.unwrap().revision),
            Ok(Ok(Some(_))) => {}
            Ok(other) => panic!("{other:?}"),
            Err(_) if *enough.borrow() => return revisions,
            Err(_) => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_version_follows_another_and_no_call_fails() {
    let Some(cluster) = Cluster::shared_or_say().await else { return };
    let database = cluster.empty_database().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [dice_key, log_key] = ["dice-key", "log-key"].map(|file| folder.path().join(file));
    DiceKeys::read_or_make(&dice_key).unwrap();
    LogKeys::read_or_make(&log_key).unwrap();
    let serve = {
        let store = database.url().to_owned();
        move |program: &Path, listen: &str| {
            let keys = [("--dice-key-file", &dice_key), ("--log-key", &log_key)];
            let keys = keys.iter().flat_map(|(option, file)| [option.as_ref(), file.as_os_str()]);
            ServerProcess::run(program, &store, listen, keys)
        }
    };
    let (old, new) = (previous(), binary("chaquete-server"));
    migrate(&old, database.url());
    let mut servers = vec![serve(&old, "127.0.0.1:0"), serve(&old, "127.0.0.1:0")];
    let clients = [
        Client::connect(servers[0].endpoint()).await.unwrap(),
        Client::connect(servers[1].endpoint()).await.unwrap(),
    ];
    let clients = Arc::new(clients);

    let (tell, enough) = watch::channel(false);
    let playing: Vec<_> =
        (0..MATCHES).map(|seed| tokio::spawn(play(Arc::clone(&clients), seed, enough.clone()))).collect();
    sleep(AWHILE).await;
    migrate(&new, database.url());
    sleep(AWHILE).await;
    for _ in 0..servers.len() {
        let (mut oldest, serve, new) = (servers.remove(0), serve.clone(), new.clone());
        let next = spawn_blocking(move || {
            let address = oldest.address().to_owned();
            oldest.stop();
            serve(&new, &address)
        });
        servers.push(next.await.unwrap());
        sleep(AWHILE).await;
    }
    tell.send_replace(true);

    let mut actions = 0;
    for played in playing {
        let played = played.await.unwrap();
        let all: Vec<_> = (1..=played.revision).collect();
        let logged = events(&clients[0], &played.name).await.unwrap();
        assert_eq!(logged.iter().map(|event| event.revision).collect::<Vec<_>>(), all);
        assert_eq!(played.watched.await.unwrap(), all, "{}", played.name);
        actions += all.len();
    }
    assert!(actions > 1_000, "{actions} actions");
    eprintln!("{actions} actions in {MATCHES} matches, none failed");
}
