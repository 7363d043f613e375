//! Servers of one version take the places of those of another, one after the other, while matches go on: no call fails,
//! though some are made again.
//!
//! `CHAQUETE_PREVIOUS` names the program of the version before; without it, this version takes its own place.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chaquete_client::Client;
use chaquete_proto::v1::Match;
use chaquete_server::{checkpoint::LogKeys, dice::DiceKeys, store::suite::cluster::Cluster};
use chaquete_tests::{ServerProcess, act, any_of, binary, cancel, events, new_match, revisions, rules_to};
use tokio::{sync::watch, task::spawn_blocking, time::timeout};

/// How many matches are played meanwhile.
const MATCHES: u64 = 24;

/// How many actions are carried out before anything happens, and between any two things.
const AWHILE: u64 = 400;

/// Nothing here takes longer, whatever the machine does besides.
const SOON: Duration = Duration::from_secs(60);

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

/// Those who play, together.
struct Players {
    clients: [Client; 2],
    /// How many actions were carried out.
    actions: watch::Sender<u64>,
    /// Whether it is enough.
    enough: AtomicBool,
}

impl Players {
    /// Plays a match, its actions in turn on one server and the other, until it is enough; and watches it meanwhile.
    async fn play(self: Arc<Self>, seed: u64) -> (Match, Vec<i32>) {
        let new = self.clients[0].create_match(new_match(rules_to(255))).await.unwrap();
        let mut played = new.r#match.unwrap();
        let watched = revisions(&self.clients[1], &played.name);
        let mut choose = any_of(seed);
        for turn in 0.. {
            if self.enough.load(Ordering::Relaxed) {
                break;
            }
            played = act(&self.clients[turn % 2], &played, &mut choose).await.unwrap();
            self.actions.send_modify(|actions| *actions += 1);
        }
        (cancel(&self.clients[0], &played.name).await.unwrap(), watched.await.unwrap())
    }

    /// Waits while they play.
    async fn awhile(&self) {
        let until = *self.actions.borrow() + AWHILE;
        let mut actions = self.actions.subscribe();
        timeout(SOON, actions.wait_for(|actions| *actions >= until)).await.expect("they play on").unwrap();
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
    let players = Players { clients, actions: watch::Sender::new(0), enough: AtomicBool::new(false) };
    let players = Arc::new(players);
    let playing: Vec<_> = (0..MATCHES).map(|seed| tokio::spawn(Arc::clone(&players).play(seed))).collect();
    players.awhile().await;
    migrate(&new, database.url());
    players.awhile().await;
    for _ in 0..servers.len() {
        let (mut oldest, serve, new) = (servers.remove(0), serve.clone(), new.clone());
        let next = spawn_blocking(move || {
            let address = oldest.address().to_owned();
            oldest.stop();
            serve(&new, &address)
        });
        servers.push(next.await.unwrap());
        players.awhile().await;
    }
    players.enough.store(true, Ordering::Relaxed);
    for playing in playing {
        let (played, watched) = playing.await.unwrap();
        let all: Vec<_> = (1..=played.revision).collect();
        let logged = events(&players.clients[0], &played.name).await.unwrap();
        assert_eq!(logged.iter().map(|event| event.revision).collect::<Vec<_>>(), all);
        assert_eq!(watched, all, "{}", played.name);
    }
    eprintln!("{} actions in {MATCHES} matches, none failed", *players.actions.borrow());
}
