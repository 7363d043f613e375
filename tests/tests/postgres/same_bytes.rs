//! Recorded matches leave the same bytes in every store.

use std::{env, fs, path::Path, sync::Arc};

use chaquete_client::{
    Client,
    replay::{Plan, play},
};
use chaquete_server::{
    clock::Millis,
    config::Config,
    name::MatchName,
    store::{Store, StoredMatch, open, suite::fixture::whole},
    uid::Uids,
};
use chaquete_tests::{Postgres, Service, TestClock, patient, project, shared_or_say};
use tokio::task::JoinSet;
use uuid::Uuid;

/// How many matches are played at once.
const AT_ONCE: usize = 16;

/// The same uid for the same name, wherever the match is.
struct ByName;

impl Uids for ByName {
    fn uid(&self, name: &MatchName, _: Millis) -> Uuid {
        let (_, hash) = name.id.split_once('-').unwrap();
        Uuid::from_u64_pair(u64::from_str_radix(hash, 16).unwrap(), 7)
    }
}

/// Plans to play the records of a folder.
fn plans(folder: &Path) -> Vec<Plan> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut records: Vec<_> = files.filter(|path| path.extension().is_some_and(|it| it == "mat")).collect();
    records.sort();
    let run = "same".parse().unwrap();
    records.iter().map(|record| Plan::new(&fs::read(record).unwrap(), &run, 0).unwrap()).collect()
}

/// Plays every plan on a store, which is left as a server leaves it.
async fn play_all(config: Config, plans: &[Plan]) -> Arc<dyn Store> {
    let url = config.store.clone();
    let service = Service::start_as(config, TestClock::new(), ByName).await;
    let client = patient(&service.endpoint()).await;
    for some in plans.chunks(AT_ONCE) {
        let mut playing = JoinSet::new();
        for plan in some {
            playing.spawn(play_one(client.clone(), plan.clone()));
        }
        playing.join_all().await;
    }
    service.stop().await;
    open(&url).await.unwrap()
}

async fn play_one(client: Client, plan: Plan) {
    let played = play(&client, &plan, &|_| {}).await;
    assert!(played.interrupted.is_none(), "{:?}", played.interrupted);
    assert_eq!(played.actions, plan.requests());
}

async fn the_same_in_both(plans: &[Plan]) {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite:{}", folder.path().join("same.sqlite").display());
    let one = play_all(Config { store: file, ..postgres.config() }, plans).await;
    let other = play_all(postgres.config(), plans).await;
    for plan in plans {
        let name = MatchName::parse(&plan.name).unwrap();
        let (here, log) = whole(&*one, &name).await;
        let (there, other_log) = whole(&*other, &name).await;
        // A store may keep a snapshot or do without.
        let facts = |stored| StoredMatch { snapshot: None, ..stored };
        assert_eq!(facts(here), facts(there));
        assert!(log.len() >= plan.requests(), "{name}");
        assert_eq!(log, other_log, "{name}");
    }
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn recorded_matches_leave_the_same_bytes_in_both_stores() {
    the_same_in_both(&plans(&project().join("tests/data/corpus"))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_135_recorded_matches_leave_the_same_bytes_in_both_stores() {
    if env::var_os("CHAQUETE_SLOW").is_none() {
        eprintln!("SKIPPED: set CHAQUETE_SLOW=1 to play the whole corpus on both stores");
        return;
    }
    let Some(corpus) = shared_or_say("corpus") else { return };
    let plans = plans(&corpus);
    assert_eq!(plans.len(), 135);
    the_same_in_both(&plans).await;
}
