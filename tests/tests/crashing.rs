//! A server that is killed between any two steps of `RollDice`: the roll is the one that was fixed before, and it is there
//! once.
//!
//! The test starts itself again as a server that kills itself at a step. With `CHAQUETE_SLOW=1` it does so a hundred times
//! at each.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    env, fs,
    io::{BufRead, BufReader},
    net::{Ipv4Addr, SocketAddr},
    os::unix::process::ExitStatusExt,
    path::Path,
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
use chaquete_server::{App, config::Config};
use chaquete_tests::{act, events, new_match, rules_to, seat_to_act};
use uuid::Uuid;

/// Says to a process that it is a server, of which store, and where it is killed.
const STORE: &str = "CHAQUETE_TEST_CRASH_STORE";
const POINT: &str = "CHAQUETE_TEST_CRASH_AT";

/// The steps of an action, in their order: after each of them the server is killed.
const POINTS: [&str; 8] =
    ["loaded", "decided", "sealed", "gathered", "executed", "committed", "stored", "published"];

/// What the server writes by itself kills it only once the call is under way.
static UNDER_WAY: AtomicBool = AtomicBool::new(false);

fn serve(store: String) {
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
        let app = App::build(Config { store, listen, ..Config::default() }).await.unwrap();
        println!("LISTENING http://{}", app.address());
        app.run(std::future::pending()).await.unwrap();
    });
}

/// A server in a process of its own.
struct Server {
    process: Child,
    client: Client,
}

impl Server {
    async fn start(store: &Path, point: Option<&str>) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["a_roll_outlives_every_crash", "--exact", "--nocapture"]);
        command
            .env(STORE, format!("sqlite:{}", store.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
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

async fn crash_at(point: &str, store: &Path, key: &[u8; 32], played: &Match) {
    let mut server = Server::start(store, Some(point)).await;
    let killed = server.client.roll_dice(request(played)).await;
    assert!(killed.is_err(), "{point}: it was answered");
    assert_eq!(server.process.wait().unwrap().signal(), Some(9), "{point}");

    let server = Server::start(store, None).await;
    let again = server.client.roll_dice(request(played)).await.unwrap();
    let log = events(&server.client, &played.name).await.unwrap();
    server.stop();
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

#[test]
fn a_roll_outlives_every_crash() {
    if let Ok(store) = env::var(STORE) {
        return serve(store);
    }
    let times = if env::var_os("CHAQUETE_SLOW").is_some() { 100 } else { 2 };
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("crash.sqlite");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let server = Server::start(&store, None).await;
        let mut matches = Vec::new();
        for _ in 0..times * POINTS.len() {
            matches.push(before_a_roll(&server.client).await);
        }
        server.stop();
        let keys = fs::read_to_string(folder.path().join("crash.sqlite.dice-key")).unwrap();
        let key = keys.lines().find(|line| !line.starts_with('#')).and_then(|line| line.split_once(' '));
        let key = hex::decode(key.unwrap().1).unwrap();
        for (point, played) in POINTS.iter().cycle().zip(&matches) {
            crash_at(point, &store, &key, played).await;
        }
    });
    eprintln!("killed {times} times at each of {} steps", POINTS.len());
}
