//! Recorded matches that are played all the time while a test does harm to what lies below, and what must have come
//! of it.

use std::{
    collections::{HashMap, HashSet},
    fs,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chaquete_client::{
    Client, RetryPolicy,
    replay::{Acknowledged, Plan, play},
};
use chaquete_proto::v1::MatchEvent;
use tokio::{task::JoinSet, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::{events, project};

/// Records of at most so many lines: a job that is told to end comes to an end soon.
const LINES: usize = 80;

/// Matches that are played until it is enough.
pub struct Replays {
    stop: CancellationToken,
    acknowledged: Arc<Mutex<Vec<Acknowledged>>>,
    playing: JoinSet<()>,
}

impl Replays {
    /// Plays recorded matches one after the other with each of these clients. A call that fails for good, or an answer
    /// that is not the recorded one, fails the test.
    ///
    /// # Panics
    /// The records cannot be read.
    #[must_use]
    pub fn start(clients: impl IntoIterator<Item = Client>) -> Self {
        let (stop, acknowledged) = (CancellationToken::new(), Arc::default());
        let records = Arc::new(records());
        let mut playing = JoinSet::new();
        for (number, client) in clients.into_iter().enumerate() {
            let job = Job {
                number,
                client,
                records: Arc::clone(&records),
                stop: stop.clone(),
                acknowledged: Arc::clone(&acknowledged),
            };
            playing.spawn(job.play());
        }
        Self { stop, acknowledged, playing }
    }

    /// Waits until so many more actions were acknowledged.
    ///
    /// # Panics
    /// A match could not be played.
    pub async fn go_on(&mut self, actions: usize) {
        let enough = lock(&self.acknowledged).len() + actions;
        while lock(&self.acknowledged).len() < enough {
            if let Some(ended) = self.playing.try_join_next() {
                ended.expect("every match can be played");
            }
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Ends after the matches that are being played; every action that was acknowledged.
    ///
    /// # Panics
    /// A match could not be played.
    pub async fn end(self) -> Vec<Acknowledged> {
        self.stop.cancel();
        self.playing.join_all().await;
        std::mem::take(&mut *lock(&self.acknowledged))
    }
}

/// Matches that are played one after the other.
struct Job {
    number: usize,
    client: Client,
    records: Arc<Vec<Vec<u8>>>,
    stop: CancellationToken,
    acknowledged: Arc<Mutex<Vec<Acknowledged>>>,
}

impl Job {
    async fn play(self) {
        for round in 0.. {
            if self.stop.is_cancelled() {
                return;
            }
            let record = &self.records[(self.number + round) % self.records.len()];
            let run = format!("job-{}-{round}", self.number).parse().expect("a run");
            let plan = Plan::new(record, &run, 0).expect("a record that can be played");
            let note = |action: &Acknowledged| lock(&self.acknowledged).push(action.clone());
            let played = play(&self.client, &plan, &note).await;
            assert!(played.interrupted.is_none(), "{}: {:?}", plan.name, played.interrupted);
            assert!(played.findings.is_empty(), "{}: {:?}", plan.name, played.findings);
        }
    }
}

fn lock(acknowledged: &Mutex<Vec<Acknowledged>>) -> MutexGuard<'_, Vec<Acknowledged>> {
    acknowledged.lock().unwrap_or_else(PoisonError::into_inner)
}

fn records() -> Vec<Vec<u8>> {
    let files = fs::read_dir(project().join("tests/data/corpus")).expect("the records are there");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "mat"));
    files.sort();
    let records = files.iter().map(|file| fs::read(file).expect("a record"));
    records.filter(|record| record.split(|byte| *byte == b'\n').count() <= LINES).collect()
}

/// A client of this server that does not give up.
///
/// # Panics
/// The server cannot be reached.
pub async fn patient(endpoint: &str) -> Client {
    let minutes = Duration::from_mins(3);
    let retry =
        RetryPolicy { patience: minutes, longest_delay: Duration::from_millis(500), ..Default::default() };
    let builder = Client::builder(endpoint).retry(retry).call_deadline(minutes);
    builder.connect().await.expect("the server is reached")
}

/// Checks that every acknowledged action is in its log, at the revisions that were acknowledged, once; and that the
/// logs are whole and hold nothing else.
///
/// # Panics
/// It is not so.
pub async fn all_there_once(client: &Client, acknowledged: &[Acknowledged]) {
    let mut logs: HashMap<&str, Vec<MatchEvent>> = HashMap::new();
    let mut seen = HashSet::new();
    for Acknowledged { match_name: name, request_id, first_revision, last_revision } in acknowledged {
        if !logs.contains_key(name.as_str()) {
            logs.insert(name, events(client, name).await.expect("the log is read"));
        }
        let log = &logs[name.as_str()];
        let index = |revision: i32| usize::try_from(revision).expect("a revision") - 1;
        assert!(log.len() > index(*last_revision), "{name}: {last_revision} was acknowledged");
        assert_eq!(log[index(*first_revision)].request_id, *request_id, "{name} at {first_revision}");
        assert!(seen.insert((name, request_id)), "{name}: {request_id} was acknowledged twice");
    }
    for (name, log) in &logs {
        is_whole(name, log);
        let mut ids: Vec<_> = log.iter().map(|event| &event.request_id).filter(|id| !id.is_empty()).collect();
        // All events of an action have its id, and stand together.
        ids.dedup();
        assert_eq!(ids.len(), ids.iter().collect::<HashSet<_>>().len(), "{name}: an action happened twice");
        let known = acknowledged.iter().filter(|acknowledged| acknowledged.match_name == *name).count();
        assert_eq!(ids.len(), known, "{name}: all that is in the log was acknowledged in the end");
    }
}

/// Checks that a log has no gap and that each of its events is tied to the one before.
///
/// # Panics
/// It is not so.
pub fn is_whole(name: &str, log: &[MatchEvent]) {
    assert!((1..).zip(log).all(|(revision, event)| event.revision == revision), "{name}: a gap");
    assert!(log.windows(2).all(|pair| pair[1].previous_hash == pair[0].hash), "{name}: a broken chain");
}
