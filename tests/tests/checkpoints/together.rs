//! One tree, however many servers there are and however they end.

use std::{path::Path, time::Duration};

use chaquete_client::Client;
use chaquete_proof::tree::{Checkpoint, is_consistent};
use chaquete_server::{checkpoint::LogKeys, config::Config, dice::DiceKeys};
use chaquete_tests::{Postgres, ServerProcess, Service, act, covered};
use tokio::{task::JoinSet, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::support::{audit, checkpoint, go_on, hashes, played, read, signed};

/// How often a server is killed.
const KILLS: u32 = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn servers_on_one_database_write_one_tree() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let config = || Config { checkpoint_interval: Duration::from_millis(5), ..postgres.config() };
    let services = [Service::start_with(config()).await, Service::start_with(config()).await];
    let clients = [services[0].client().await, services[1].client().await];
    let mut tasks = JoinSet::new();
    for n in 0..8 {
        // Each match is played on both servers in turn.
        let clients = clients.clone();
        tasks.spawn(async move {
            let mut game = played(&clients[n % 2], 0).await;
            for turn in 0..20 {
                game = go_on(&clients[(n + turn) % 2], game, 1).await;
            }
            (covered(&clients[0], &game).await, covered(&clients[1], &game).await)
        });
    }
    for (one, other) in tasks.join_all().await {
        assert_eq!((one.leaf_index, one.leaf_data), (other.leaf_index, other.leaf_data));
    }
    for service in services {
        service.stop().await;
    }
    audit(postgres.database.url()).await;
}

/// What is to be killed, and where it keeps its matches.
struct Victim<'a> {
    store: &'a str,
    keys: [&'a Path; 2],
}

impl Victim<'_> {
    fn start(&self, listen: &str) -> ServerProcess {
        let [dice, log] = self.keys.map(|key| key.to_str().unwrap());
        let keys = ["--dice-key-file", dice, "--log-key", log, "--checkpoint-interval", "3"];
        ServerProcess::serve(self.store, listen, keys)
    }
}

/// Kills a server again and again while it makes checkpoints. No checkpoint that was seen is ever contradicted, and in
/// the end everything is covered.
async fn kill_again_and_again(victim: Victim<'_>) {
    let mut server = victim.start("127.0.0.1:0");
    let address = server.address().to_owned();
    let mut games = Vec::new();
    let mut seen: Option<(Checkpoint, String)> = None;
    for n in 0..KILLS {
        let client = Client::connect(server.endpoint()).await.unwrap();
        games.push(played(&client, 3).await);
        let game = covered(&client, games.last().unwrap()).await;
        let told = game.checkpoint.unwrap();
        let key = seen.as_ref().map_or(told.verifier_key.clone(), |(_, key)| key.clone());
        let newest = signed(&told, &key);
        if let Some((old, _)) = &seen {
            let answer = checkpoint(&client, old.size as i64).await.unwrap();
            let (proof, now) =
                (hashes(&answer.consistency_hashes), signed(&answer.checkpoint.unwrap(), &key));
            assert!(is_consistent((old.size, old.root), (now.size, now.root), &proof), "after {n} kills");
        }
        seen = Some((newest, key));
        let ends = CancellationToken::new();
        let playing = tokio::spawn({
            let (client, game, ends) = (client.clone(), games.pop().unwrap(), ends.clone());
            async move {
                let mut last = game;
                // The client waits for the next server with what it has asked the one that was killed.
                while !ends.is_cancelled() {
                    last = act(&client, &last, &mut |_| 0).await.unwrap();
                }
                last
            }
        });
        sleep(Duration::from_millis(90 + u64::from(n) * 37 % 100)).await;
        ends.cancel();
        server.kill();
        server = victim.start(&address);
        let acknowledged = playing.await.unwrap();
        let client = Client::connect(server.endpoint()).await.unwrap();
        let found = read(&client, &acknowledged.name).await.unwrap();
        assert_eq!(found.revision, acknowledged.revision);
        games.push(found);
    }
    let client = Client::connect(server.endpoint()).await.unwrap();
    for game in &games {
        covered(&client, game).await;
    }
    server.kill();
    audit(victim.store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_servers_leave_one_whole_tree_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let [store, dice, log] = ["store.sqlite", "dice", "log"].map(|file| folder.path().join(file));
    make_keys(&dice, &log);
    let store = format!("sqlite:{}", store.display());
    kill_again_and_again(Victim { store: &store, keys: [&dice, &log] }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_servers_leave_one_whole_tree_on_postgres() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let Config { dice_key_file, log_key, .. } = postgres.config();
    let (dice, log) = (dice_key_file.unwrap(), log_key.unwrap());
    kill_again_and_again(Victim { store: postgres.database.url(), keys: [&dice, &log] }).await;
}

fn make_keys(dice: &Path, log: &Path) {
    DiceKeys::read_or_make(dice).unwrap();
    LogKeys::read_or_make(log).unwrap();
}
