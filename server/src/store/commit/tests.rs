//! Group commit on an engine that does what a test tells it.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex},
};

use tokio::sync::Semaphore;

use super::{AGAIN, Engine, Failure, GroupCommit, LONG, Outcome, QUEUE, Shares, Write, Writing};
use crate::store::{
    MatchKey, StoreError,
    suite::fixture::{new_match, next},
};

/// What a scripted transaction does.
#[derive(Clone, Copy, Debug)]
enum Script {
    Fine,
    Unreachable,
    /// A lock that is not to be had, for longer than others should wait.
    Long,
    CommitFailsAfterWriting,
    CommitFailsBeforeWriting,
    Panic,
}

/// Keeps revisions in memory.
#[derive(Default)]
struct Memory {
    revisions: BTreeMap<MatchKey, u32>,
    /// Matches whose writes fail the whole transaction.
    poisoned: Vec<MatchKey>,
    script: VecDeque<Script>,
    blind: bool,
    /// The sizes of the transactions that were tried.
    transactions: Vec<usize>,
    closed: bool,
}

/// An engine that waits for a permit before every transaction, so that a test decides what waits together.
#[derive(Clone)]
struct Scripted {
    memory: Arc<Mutex<Memory>>,
    permits: Arc<Semaphore>,
}

impl Scripted {
    fn new() -> Self {
        Self { memory: Arc::default(), permits: Arc::new(Semaphore::new(0)) }
    }

    fn with<T>(&self, look: impl FnOnce(&mut Memory) -> T) -> T {
        look(&mut self.memory.lock().expect("no test panics with it"))
    }

    fn let_go(&self) {
        self.permits.add_permits(Semaphore::MAX_PERMITS / 2);
    }
}

impl Memory {
    fn apply(&mut self, write: &Write) -> Outcome {
        let last = write.events().last().map_or(0, |event| event.revision);
        let (key, expected, overtaken) = match write {
            Write::Create(new, _) => (new.key, None, Outcome::Exists),
            Write::Append(append) => (append.key, Some(append.expected_revision), Outcome::Conflict),
            Write::Mend(..) | Write::Drop(..) | Write::Beat(_) => return Outcome::Written,
        };
        if self.revisions.get(&key).copied() != expected {
            return overtaken;
        }
        self.revisions.insert(key, last);
        Outcome::Written
    }
}

impl Engine for Scripted {
    async fn write(&mut self, batch: &[Write]) -> Result<Vec<Outcome>, Failure> {
        self.permits.acquire().await.expect("never closed").forget();
        let broken = || StoreError::Unavailable("broken".to_owned());
        let script = self.with(|memory| {
            memory.transactions.push(batch.len());
            memory.script.pop_front()
        });
        assert!(!matches!(script, Some(Script::Panic)), "the engine panics, as it was told");
        if matches!(script, Some(Script::Long)) {
            tokio::time::sleep(LONG).await;
        }
        self.with(|memory| match script {
            Some(Script::Long) => Err(Failure::Passing(broken())),
            Some(Script::Unreachable) => Err(Failure::Unreachable(broken())),
            Some(Script::CommitFailsBeforeWriting) => Err(Failure::Unknown(broken())),
            _ if batch.iter().any(|write| write.key().is_some_and(|key| memory.poisoned.contains(&key))) => {
                Err(Failure::RolledBack(StoreError::Unfit("poison".to_owned())))
            }
            script => {
                let outcomes = batch.iter().map(|write| memory.apply(write)).collect();
                if matches!(script, Some(Script::CommitFailsAfterWriting)) {
                    Err(Failure::Unknown(broken()))
                } else {
                    Ok(outcomes)
                }
            }
        })
    }

    async fn find_written(&mut self, batch: &[Write]) -> Result<Vec<bool>, StoreError> {
        self.with(|memory| {
            if memory.blind {
                return Err(StoreError::Unavailable("still broken".to_owned()));
            }
            let is_there = |write: &Write| {
                write.key().and_then(|key| memory.revisions.get(&key))
                    >= write.events().last().map(|e| &e.revision)
            };
            Ok(batch.iter().map(is_there).collect())
        })
    }

    async fn close(self) {
        self.with(|memory| memory.closed = true);
    }
}

fn create() -> Write {
    let (new, events) = new_match("tenant");
    Write::Create(Box::new(new), events)
}

fn append_to(write: &Write) -> Write {
    let Write::Create(new, _) = write else { panic!("not a new match") };
    Write::Append(next(new.key, new.head, 1))
}

/// Hands in all writes, one after the other, and lets the engine go only then. With the first, which the writer
/// takes alone, there are two batches.
async fn at_once(
    engine: &Scripted,
    commits: &Arc<GroupCommit>,
    writes: Vec<Write>,
) -> Vec<Result<(), StoreError>> {
    let mut calls = Vec::new();
    for write in writes {
        let commits = Arc::clone(commits);
        calls.push(tokio::spawn(async move { commits.write(write).await }));
        tokio::task::yield_now().await;
    }
    engine.let_go();
    let mut results = Vec::new();
    for call in calls {
        results.push(call.await.expect("no caller panics"));
    }
    results
}

fn start() -> (Scripted, Arc<GroupCommit>) {
    let engine = Scripted::new();
    (engine.clone(), Arc::new(GroupCommit::start([engine], Shares::ONE, Writing::MAX_BATCH)))
}

#[tokio::test]
async fn all_that_waits_is_one_transaction() {
    let (engine, commits) = start();
    let results = at_once(&engine, &commits, (0..500).map(|_| create()).collect()).await;
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(engine.with(|memory| memory.transactions.clone()), [1, 499]);
}

#[tokio::test]
async fn a_batch_is_bounded_and_more_than_the_queue_may_wait() {
    let (engine, commits) = start();
    let results = at_once(&engine, &commits, (0..2 * QUEUE).map(|_| create()).collect()).await;
    assert!(results.iter().all(Result::is_ok));
    let transactions = engine.with(|memory| memory.transactions.clone());
    assert!(transactions.iter().all(|size| *size <= Writing::MAX_BATCH.get()), "{transactions:?}");
    assert_eq!(transactions.iter().sum::<usize>(), 2 * QUEUE);
}

/// Every write of a match goes to one engine, and each engine has its own transactions.
#[tokio::test]
async fn each_writer_writes_its_share() {
    let engines = [Scripted::new(), Scripted::new(), Scripted::new()];
    let shares = Shares::even(3.try_into().expect("it is not 0"));
    let one_each = 1.try_into().expect("it is not 0");
    let commits = GroupCommit::start(engines.clone(), shares.clone(), one_each);
    engines.iter().for_each(Scripted::let_go);
    for _ in 0..60 {
        let one = create();
        commits.write(one.clone()).await.expect("it is new");
        commits.write(append_to(&one)).await.expect("it follows");
    }
    let mut written = 0;
    for (n, engine) in engines.iter().enumerate() {
        engine.with(|memory| {
            assert!(memory.revisions.keys().all(|key| shares.writer_of(key.bucket) == n));
            assert!(memory.transactions.iter().all(|size| *size == 1));
            written += memory.transactions.len();
        });
    }
    assert_eq!(written, 120);
}

#[tokio::test]
async fn conflicts_in_the_middle_fail_nobody_else() {
    let (engine, commits) = start();
    let (one, other) = (create(), create());
    let writes = vec![
        one.clone(),
        append_to(&other), // not there yet
        other.clone(),
        append_to(&other), // created in this very batch
        append_to(&other), // overtaken in this very batch
        other,             // there by now
        create(),
    ];
    let results = at_once(&engine, &commits, writes).await;
    let expected = ["Ok(())", "Err(Conflict)", "Ok(())", "Ok(())", "Err(Conflict)", "Err(Exists)", "Ok(())"];
    assert_eq!(results.iter().map(|result| format!("{result:?}")).collect::<Vec<_>>(), expected);
    assert_eq!(engine.with(|memory| memory.transactions.clone()), [1, 6]);
}

#[tokio::test]
async fn only_the_guilty_fail() {
    for guilty in [vec![0], vec![7], vec![63], vec![3, 4, 40], (0..64).collect()] {
        let (engine, commits) = start();
        let writes: Vec<_> = (0..65).map(|_| create()).collect();
        engine.with(|memory| memory.poisoned = guilty.iter().filter_map(|n| writes[n + 1].key()).collect());
        let results = at_once(&engine, &commits, writes).await;
        for (n, result) in results[1..].iter().enumerate() {
            match result {
                Err(StoreError::Unfit(reason)) if reason == "poison" => assert!(guilty.contains(&n), "{n}"),
                Ok(()) => assert!(!guilty.contains(&n), "{n}"),
                other => panic!("{n}: {other:?}"),
            }
        }
        if guilty.len() == 1 {
            // Two transactions for each halving of 64, one for the whole, one for the very first write.
            assert_eq!(engine.with(|memory| memory.transactions.len()), 2 * 6 + 1 + 1);
        }
    }
}

#[tokio::test]
async fn an_engine_that_is_away_is_asked_once_a_batch() {
    let (engine, commits) = start();
    engine.with(|memory| memory.script = [Script::Unreachable, Script::Unreachable].into());
    let results = at_once(&engine, &commits, (0..100).map(|_| create()).collect()).await;
    assert!(results.iter().all(|result| matches!(result, Err(StoreError::Unavailable(_)))));
    assert_eq!(engine.with(|memory| memory.transactions.clone()), [1, 99]);
    commits.write(create()).await.expect("it is back");
}

#[tokio::test]
async fn a_commit_without_an_answer_is_tried_again_and_read_back() {
    let (after, before) = (Script::CommitFailsAfterWriting, Script::CommitFailsBeforeWriting);
    let tries = AGAIN.0 as usize + 1;
    for (script, blind, written) in [
        (vec![after], false, true),
        (vec![before], false, true),
        (vec![after], true, false),
        (vec![before; tries - 1], false, true),
        (vec![before; tries], false, false),
        (vec![after; tries], false, true),
    ] {
        let (engine, commits) = start();
        engine.with(|memory| (memory.script, memory.blind) = (script.clone().into(), blind));
        let results = at_once(&engine, &commits, vec![create()]).await;
        match (&results[0], written) {
            (Ok(()), true) | (Err(StoreError::Unavailable(_)), false) => {}
            (other, _) => panic!("{script:?}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn who_is_overtaken_by_others_hears_so_after_a_doubt() {
    let (engine, commits) = start();
    let one = create();
    let writes = vec![create(), one.clone(), append_to(&one), append_to(&one), append_to(&create())];
    // The first is written alone; the second batch is there when its COMMIT fails.
    engine.with(|memory| memory.script = [Script::Fine, Script::CommitFailsAfterWriting].into());
    let results = at_once(&engine, &commits, writes).await;
    let told: Vec<_> = results.iter().map(|result| format!("{result:?}")).collect();
    // Both appends are the same event, so whichever was written, it is there.
    assert_eq!(told, ["Ok(())", "Ok(())", "Ok(())", "Ok(())", "Err(Conflict)"]);
    assert_eq!(engine.with(|memory| memory.transactions.clone()), [1, 4, 4]);
}

#[tokio::test]
async fn what_takes_long_is_not_tried_again() {
    let (engine, commits) = start();
    engine.with(|memory| memory.script = [Script::Long, Script::Long].into());
    let results = at_once(&engine, &commits, vec![create()]).await;
    assert!(matches!(results[0], Err(StoreError::Unavailable(_))), "{results:?}");
    assert_eq!(engine.with(|memory| memory.transactions.len()), 1);
}

#[tokio::test]
async fn a_dead_writer_is_told_to_everybody() {
    let (engine, commits) = start();
    engine.with(|memory| memory.script = [Script::Panic].into());
    let results = at_once(&engine, &commits, (0..QUEUE + 10).map(|_| create()).collect()).await;
    assert!(results.iter().all(|result| matches!(result, Err(StoreError::Unavailable(_)))));
    let later = commits.write(create()).await;
    assert!(matches!(&later, Err(StoreError::Unavailable(reason)) if reason.contains("died")), "{later:?}");
    commits.close().await;
}

#[tokio::test]
async fn a_caller_that_left_is_written_all_the_same() {
    let (engine, commits) = start();
    let writes: Vec<_> = (0..10).map(|_| create()).collect();
    for write in writes.clone() {
        let call = tokio::spawn({
            let commits = Arc::clone(&commits);
            async move { commits.write(write).await }
        });
        tokio::task::yield_now().await;
        call.abort();
    }
    engine.let_go();
    commits.close().await;
    engine.with(|memory| {
        assert_eq!(memory.revisions.len(), 10);
        assert!(memory.closed);
    });
}

#[tokio::test]
async fn closing_finishes_what_waits() {
    let (engine, commits) = start();
    let writes: Vec<_> = (0..700).map(|_| create()).collect();
    let mut calls = Vec::new();
    for write in writes {
        let commits = Arc::clone(&commits);
        calls.push(tokio::spawn(async move { commits.write(write).await }));
        tokio::task::yield_now().await;
    }
    let closing = tokio::spawn({
        let commits = Arc::clone(&commits);
        async move { commits.close().await }
    });
    tokio::task::yield_now().await;
    assert!(!closing.is_finished(), "closed while 700 were waiting");
    engine.let_go();
    closing.await.expect("it closes");
    for call in calls {
        call.await.expect("no caller panics").expect("what was handed in is written");
    }
    let late = commits.write(create()).await;
    assert!(matches!(late, Err(StoreError::Unavailable(_))), "{late:?}");
}

#[tokio::test]
async fn dropping_it_finishes_what_waits_and_closes() {
    let (engine, commits) = start();
    let call = tokio::spawn(async move { commits.write(create()).await });
    tokio::task::yield_now().await;
    call.abort();
    engine.let_go();
    while !engine.with(|memory| memory.closed) {
        tokio::task::yield_now().await;
    }
    assert_eq!(engine.with(|memory| memory.revisions.len()), 1);
}
