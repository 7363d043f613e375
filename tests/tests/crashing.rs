//! A server that is killed between any two steps of `RollDice`: the roll is the one that was fixed before, and it is there
//! once, whether the server is started again (SQLite) or another one goes on (Postgres).
//!
//! The test starts itself again as a server that kills itself at a step. With `CHAQUETE_SLOW=1` it does so a hundred times
//! at each.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    env, fs,
    future::pending,
    io::{BufRead, BufReader},
    net::{Ipv4Addr, SocketAddr},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use chaquete_client::{Client, RetryPolicy};
use chaquete_proof::{
    dice::{Beacon, Binding, Chain, roll},
    hex,
};
use chaquete_proto::v1::{DiceRolled, Match, RollDiceRequest, match_event::Kind};
use chaquete_rules::Contributions;
use chaquete_server::{App, checkpoint::LogKeys, config::Config, dice::DiceKeys};
use chaquete_tests::{Postgres, act, events, new_match, rules_to, seat_to_act};
use uuid::Uuid;

/// Say to a process that it is a server, on which store, with which keys, and where it is killed.
const STORE: &str = "CHAQUETE_TEST_CRASH_STORE";
const KEYS: [&str; 2] = ["CHAQUETE_TEST_CRASH_DICE_KEY", "CHAQUETE_TEST_CRASH_LOG_KEY"];
const POINT: &str = "CHAQUETE_TEST_CRASH_AT";

/// The steps of an action, in their order: after each of them the server is killed.
const POINTS: [&str; 8] =
    ["loaded", "decided", "sealed", "gathered", "executed", "committed", "stored", "published"];

/// The step that Postgres does not have: there one statement is the whole transaction.
const OF_SQLITE: &str = "executed";

/// What the server writes by itself kills it only once the call is under way.
static UNDER_WAY: AtomicBool = AtomicBool::new(false);

/// This process is a server; it ends when it is killed.
fn serve(store: String) {
    let [dice_key_file, log_key] = KEYS.map(|key| env::var_os(key).map(PathBuf::from));
    if let Ok(point) = env::var(POINT) {
        fail::cfg_callback("loaded", || UNDER_WAY.store(true, Ordering::SeqCst)).unwrap();
        let is_first = point == "loaded";
        fail::cfg_callback(point, move || {
            if is_first || UNDER_WAY.load(Ordering::SeqCst) {
                let this = std::process::id().to_string();
                Command::new("kill").args(["-9", &this]).status().unwrap();
            }
        })
        .unwrap();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let app = App::build(Config { store, listen, dice_key_file, log_key, ..Config::default() });
        let app = app.await.unwrap();
        println!("LISTENING http://{}", app.address());
        app.run(pending()).await.unwrap();
    });
}

/// A server in a process of its own.
struct Server {
    process: Child,
    client: Client,
}

impl Server {
    async fn start(config: &Config, point: Option<&str>) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["a_roll_outlives_every_crash", "--exact", "--nocapture"]).env(STORE, &config.store);
        for (name, file) in KEYS.iter().zip([&config.dice_key_file, &config.log_key]) {
            command.env(name, file.as_ref().unwrap());
        }
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(point) = point {
            command.env(POINT, point);
        }
        let mut process = command.spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let endpoint = lines
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("LISTENING ")?.1.to_owned()))
            .expect("it listens");
        // A call whose server has died fails at once.
        let retry = RetryPolicy { patience: Duration::ZERO, ..RetryPolicy::default() };
        let client = Client::builder(endpoint).retry(retry).connect().await.unwrap();
        Self { process, client }
    }

    fn stop(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// A match in which somebody has to roll.
async fn before_a_roll(client: &Client) -> Match {
    let mut played = client.create_match(new_match(rules_to(5))).await.unwrap().r#match.unwrap();
    // An opening roll may have no legal move only in odd positions: the first thing to do is to move.
    while played.current_game.as_ref().unwrap().turn_number < 2 {
        played = act(client, &played, &mut |_| 0).await.unwrap();
    }
    played
}

fn request(played: &Match) -> RollDiceRequest {
    RollDiceRequest {
        name: played.name.clone(),
        seat: seat_to_act(played).into(),
        request_id: Uuid::from_u128(u128::from(played.uid.parse::<Uuid>().unwrap().as_u64_pair().1))
            .to_string(),
        ..RollDiceRequest::default()
    }
}

/// The dice that follow from the key of the server: nobody asked it for them.
fn fixed_before(key: &[u8; 32], uid: &str, rolled: &DiceRolled) -> (i32, i32) {
    let uid = uid.parse().unwrap();
    let index = rolled.roll_index.try_into().unwrap();
    let chain = Chain::new(key, &uid, 0);
    let binding = Binding::new(&uid, chain.anchor(), &Contributions::NONE, &Beacon::default());
    let dice = roll(&chain.link(index).unwrap(), &binding, index);
    (dice.first.pips().into(), dice.second.pips().into())
}

/// Kills a server in the middle of a roll; then asks for the same roll again, the `survivor` or the server started anew.
async fn crash_at(point: &str, config: &Config, survivor: Option<&Client>, key: &[u8; 32], played: &Match) {
    let mut server = Server::start(config, Some(point)).await;
    let killed = server.client.roll_dice(request(played)).await;
    assert!(killed.is_err(), "{point}: it was answered");
    assert_eq!(server.process.wait().unwrap().signal(), Some(9), "{point}");

    match survivor {
        Some(survivor) => is_rolled_once(point, survivor, key, played).await,
        None => {
            let server = Server::start(config, None).await;
            is_rolled_once(point, &server.client, key, played).await;
            server.stop();
        }
    }
}

async fn is_rolled_once(point: &str, client: &Client, key: &[u8; 32], played: &Match) {
    let again = client.roll_dice(request(played)).await.unwrap();
    let log = events(client, &played.name).await.unwrap();
    let rolled: Vec<_> = log
        .into_iter()
        .filter(|event| event.revision > played.revision)
        .filter_map(|event| match event.kind {
            Some(Kind::DiceRolled(rolled)) => Some(rolled),
            _ => None,
        })
        .collect();
    let [rolled] = &rolled[..] else { panic!("{point}: {} rolls", rolled.len()) };
    let dice = rolled.dice.unwrap();
    assert_eq!((dice.first, dice.second), fixed_before(key, &played.uid, rolled), "{point}");
    let Some(Kind::DiceRolled(answered)) = &again.events[0].kind else { panic!("{point}: no roll") };
    assert_eq!(answered, rolled, "{point}");
}

/// The secret of the dice in a file.
fn secret(file: &Path) -> [u8; 32] {
    let keys = fs::read_to_string(file).unwrap();
    let key = keys.lines().find(|line| !line.starts_with('#')).and_then(|line| line.split_once(' '));
    hex::decode(key.unwrap().1).unwrap()
}

/// Kills servers at each of these steps, in turns.
async fn crash_everywhere(config: &Config, survivor: Option<&Client>, points: &[&str]) {
    let times = if env::var_os("CHAQUETE_SLOW").is_some() { 100 } else { 2 };
    let key = secret(config.dice_key_file.as_ref().unwrap());
    let server = Server::start(config, None).await;
    let mut matches = Vec::new();
    for _ in 0..times * points.len() {
        matches.push(before_a_roll(&server.client).await);
    }
    server.stop();
    for (point, played) in points.iter().cycle().zip(&matches) {
        crash_at(point, config, survivor, &key, played).await;
    }
    eprintln!("killed {times} times at each of {} steps", points.len());
}

#[test]
fn a_roll_outlives_every_crash() {
    if let Ok(store) = env::var(STORE) {
        return serve(store);
    }
    let folder = tempfile::tempdir().unwrap();
    let [dice_key, log_key] = ["dice-key", "log-key"].map(|name| folder.path().join(name));
    DiceKeys::read_or_make(&dice_key).unwrap();
    LogKeys::read_or_make(&log_key).unwrap();
    let config = Config {
        store: format!("sqlite:{}", folder.path().join("crash.sqlite").display()),
        dice_key_file: Some(dice_key),
        log_key: Some(log_key),
        ..Config::default()
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(crash_everywhere(&config, None, &POINTS));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_on_the_same_postgres_goes_on_with_the_same_roll() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let survivor = postgres.serve().await;
    let points: Vec<_> = POINTS.into_iter().filter(|point| *point != OF_SQLITE).collect();
    crash_everywhere(&postgres.config(), Some(&survivor.client().await), &points).await;
    survivor.stop().await;
}
