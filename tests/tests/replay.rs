//! Recorded matches of real players, played through the API.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use chaquete_client::{
    Client,
    replay::{Plan, RunId, Summary, play},
};
use chaquete_tests::{Service, project, shared_or_say};
use tokio::task::JoinSet;

/// All match files of a folder.
fn records(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut records: Vec<_> = files.filter(|path| path.extension().is_some_and(|it| it == "mat")).collect();
    records.sort();
    records
}

/// Plays records through a server, several at a time, and sums up what came of it.
async fn replay_all(client: &Client, records: &[PathBuf]) -> Summary {
    let run: RunId = "test".parse().unwrap();
    let mut summary = Summary::default();
    let mut playing = JoinSet::new();
    for record in records {
        let plan = Plan::new(&fs::read(record).unwrap(), &run, 0).unwrap();
        summary.add_plan(&plan);
        let client = client.clone();
        playing.spawn(async move { play(&client, &plan, &|_| {}).await });
    }
    for played in playing.join_all().await {
        assert!(played.interrupted.is_none(), "{:?}", played.interrupted);
        for finding in &played.findings {
            eprintln!("{finding:?}");
        }
        summary.add_played(&played);
    }
    summary
}

#[tokio::test(flavor = "multi_thread")]
async fn recorded_matches_play_out_as_recorded() {
    let service = Service::start().await;
    let summary = replay_all(&service.client().await, &records(&project().join("tests/data/corpus"))).await;
    assert!(summary.is_clean());
    assert_eq!(summary.played, summary.planned);
    service.stop().await;
}

/// The whole corpus is one of the long sets: minutes without optimisation.
#[tokio::test(flavor = "multi_thread")]
async fn all_135_recorded_matches_play_out_as_recorded() {
    if env::var_os("CHAQUETE_SLOW").is_none() {
        eprintln!("SKIPPED: set CHAQUETE_SLOW=1 to replay the whole corpus");
        return;
    }
    let Some(corpus) = shared_or_say("corpus") else { return };
    let service = Service::start().await;
    let summary = replay_all(&service.client().await, &records(&corpus)).await;
    assert!(summary.is_clean());
    assert_eq!((summary.played.matches, summary.played.games), (135, 455));
    service.stop().await;
}
