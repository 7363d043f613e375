//! Any number of servers sweep one store, and every overdue match is lost once (P10).
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chaquete_rules::{
    BySeat, DiceSource, Event, MatchPoints, MatchRules, Terms, TimeControl, TimeLimit, TimeoutPolicy,
};
use chaquete_server::{
    clock::{Clock, Millis},
    dice::{Cups, DiceKey, DiceKeys},
    execute::{Capacity, Creation, Executor},
    feed::Feed,
    log::{self, Actor},
    name::MatchName,
    store::{self, About, Store, suite::cluster::Cluster},
    sweep::Sweep,
    table::Tables,
    uid::RandomUids,
};
use tokio::task::JoinSet;

/// How many servers share the store, and how many matches are overdue.
const SERVERS: usize = 4;
const MATCHES: usize = 300;

#[derive(Default)]
struct TestClock(AtomicI64);

impl Clock for TestClock {
    fn now(&self) -> Millis {
        self.0.load(Ordering::SeqCst)
    }
}

/// A server as far as it sweeps: its own cache, its own waiters, the common store.
fn server(store: &Arc<dyn Store>, clock: &Arc<TestClock>) -> (Executor, Sweep) {
    let cups = Cups::new(DiceKeys::single(DiceKey::new("k", [7; 32]).unwrap()), 10);
    let clock: Arc<dyn Clock> = clock.clone();
    let tables = Tables::new(MATCHES as u64);
    let capacity = Capacity { concurrency: 64, running_matches: None };
    let uids = Arc::new(RandomUids);
    let executor = Executor::new(store.clone(), tables, Feed::default(), cups, clock.clone(), uids, capacity);
    (executor.clone(), Sweep::new(store.clone(), executor, clock))
}

fn timed_match(number: usize) -> Creation {
    let rules = MatchRules::points(MatchPoints::new(3).unwrap());
    let players = BySeat::new("a".to_owned(), "b".to_owned());
    let time =
        Some(TimeControl { limit: TimeLimit::Action { limit: 1_000 }, policy: TimeoutPolicy::ForfeitMatch });
    Creation {
        name: MatchName { tenant: "default".to_owned(), id: format!("m{number:05}") },
        request: None,
        actor: Actor::server(),
        terms: Terms { time, ..Terms::new(players, rules, DiceSource::Seeded) },
        about: About { seed: Some([number as u8; 32]), ..About::default() },
    }
}

/// All servers of one process.
#[tokio::test(flavor = "multi_thread")]
async fn every_overdue_match_is_lost_once_however_many_servers_sweep() {
    let store = store::open("memory:").await.unwrap();
    lost_once(&vec![store; SERVERS]).await;
}

/// Each server with sessions of its own.
#[tokio::test(flavor = "multi_thread")]
async fn every_overdue_match_is_lost_once_however_many_servers_sweep_one_postgres() {
    let Some(cluster) = Cluster::shared_or_say().await else { return };
    cluster.template(async |template| store::migrate(template.url()).await.unwrap()).await.unwrap();
    let database = cluster.database().await.unwrap();
    let mut stores = Vec::new();
    for _ in 0..SERVERS {
        stores.push(store::open(database.url()).await.unwrap());
    }
    lost_once(&stores).await;
}

/// What `stores` are is one store, opened by each server.
async fn lost_once(stores: &[Arc<dyn Store>]) {
    let clock = Arc::new(TestClock::default());
    let servers: Vec<_> = stores.iter().map(|store| server(store, &clock)).collect();
    let mut creations = JoinSet::new();
    for number in 0..MATCHES {
        let executor = servers[number % SERVERS].0.clone();
        creations.spawn(async move { executor.create(timed_match(number)).await.unwrap() });
    }
    creations.join_all().await;
    servers[0].1.once().await.unwrap();
    clock.0.store(2_000, Ordering::SeqCst);
    let mut sweeping = JoinSet::new();
    for (_, sweep) in &servers {
        let sweep = sweep.clone();
        sweeping.spawn(async move { sweep.once().await.unwrap() });
    }
    sweeping.join_all().await;

    for number in 0..MATCHES {
        let table = servers[0].0.load(&timed_match(number).name).await.unwrap();
        assert!(table.state.result().is_some(), "match {number}");
        let log = stores[0].events(table.key, 0, 1_000).await.unwrap();
        let events = log.iter().map(|stored| log::decode(&stored.bytes).unwrap().event);
        let lost = events.filter(|event| matches!(event, Event::TimeExpired { .. })).count();
        assert_eq!(lost, 1, "match {number}");
    }
    assert!(stores[0].overdue(Millis::MAX - 1, None, 10).await.unwrap().is_empty());
    for store in stores {
        store.close().await;
    }
}
