use std::{fs, path::Path};

use chaquete_proof::tree::{VerifierKey, is_consistent, root_through};
use uuid::Uuid;

use super::*;
use crate::{
    clock::SystemClock,
    log::Hash,
    store::{
        open,
        suite::fixture::{event, following, next, next_marked, stored_match},
    },
};

const NAME: &str = "example.com/log";

fn keys(seeds: &[u8]) -> LogKeys {
    let line = |seed: &u8| format!("{NAME} {}\n", format!("{seed:02x}").repeat(32));
    seeds.iter().map(line).collect::<String>().parse().unwrap()
}

fn verifier(seed: u8) -> VerifierKey {
    LogKey::new(NAME, [seed; 32]).unwrap().verifier()
}

async fn memory() -> Arc<dyn Store> {
    open("memory:").await.unwrap()
}

async fn start(
    store: &Arc<dyn Store>,
    seeds: &[u8],
    file: Option<&Path>,
) -> Result<Checkpointer, CheckpointError> {
    let (store, clock, file) = (Arc::clone(store), Arc::new(SystemClock), file.map(Path::to_owned));
    Checkpointer::start(store, Pending::default(), keys(seeds), clock, file).await
}

async fn checkpointer(store: &Arc<dyn Store>) -> Checkpointer {
    start(store, &[1], None).await.unwrap()
}

/// A match that is stored, and not covered yet.
async fn written(checkpointer: &Checkpointer) -> (MatchKey, Seen) {
    let stored = stored_match(&*checkpointer.store).await;
    checkpointer.pending.note(stored.key, stored.head.seen());
    (stored.key, stored.head.seen())
}

async fn newest(store: &Arc<dyn Store>) -> StoredCheckpoint {
    store.checkpoint().await.unwrap()
}

async fn leaves(store: &Arc<dyn Store>) -> Vec<(MatchKey, Seen)> {
    let leaves = store.leaves(0, u32::MAX).await.unwrap();
    assert!(leaves.iter().is_sorted_by_key(|leaf| leaf.place));
    leaves.into_iter().map(|leaf| (leaf.key, leaf.seen)).collect()
}

/// All rounds of catching up that there are at a start.
async fn catch_up(checkpointer: &Checkpointer) {
    checkpointer.rounds().go_on(&CancellationToken::new()).await.unwrap();
}

#[tokio::test]
async fn what_is_written_is_covered_and_proved() {
    let store = memory().await;
    let checkpointer = checkpointer(&store).await;
    checkpointer.once().await.unwrap();
    assert_eq!(Proofs::new(Arc::clone(&store)).newest().await.unwrap(), None, "nothing was written");
    let (key, seen) = written(&checkpointer).await;
    checkpointer.once().await.unwrap();
    let old = newest(&store).await;
    for _ in 0..300 {
        written(&checkpointer).await;
    }
    checkpointer.once().await.unwrap();
    checkpointer.once().await.unwrap();
    let new = newest(&store).await;
    assert_eq!((old.size, new.size), (1, 301), "nothing is covered twice");

    let note: Note = new.note.parse().unwrap();
    assert_eq!(note.signed_by(&[verifier(1)]), Ok(vec![&verifier(1)]));
    let said = Checkpoint { origin: NAME.to_owned(), size: 301, root: new.root };
    assert_eq!(note.text().parse(), Ok(said));

    let proofs = Proofs::new(Arc::clone(&store));
    let receipt = proofs.receipt(key, 1).await.unwrap().unwrap();
    let proved = root_through(receipt.leaf.place, 301, leaf(key, seen).hash(), &receipt.proof);
    assert_eq!((proved, &receipt.checkpoint), (Some(new.root), &new));
    assert_eq!(proofs.receipt(key, 2).await.unwrap(), None);
    let proof = proofs.consistency(old.size, &new).await.unwrap();
    assert!(is_consistent((old.size, old.root), (new.size, new.root), &proof));
}

#[tokio::test]
async fn a_match_moves_on_in_the_tree() {
    let store = memory().await;
    let checkpointer = checkpointer(&store).await;
    let stored = stored_match(&*store).await;
    let (key, first) = (stored.key, stored.head.seen());
    let append = next(key, stored.head, 4);
    store.append(append.clone()).await.unwrap();
    let last = append.head.seen();
    for seen in [first, last, last, first] {
        checkpointer.pending.note(key, seen);
        checkpointer.once().await.unwrap();
    }
    assert_eq!(leaves(&store).await, [(key, first), (key, last)]);
}

/// A clock under load: whenever it is looked at, another match moves on.
#[derive(Debug)]
struct Busy(Pending, AtomicI64);

impl Clock for Busy {
    fn now(&self) -> Millis {
        let time = self.1.fetch_add(1, Ordering::Relaxed);
        let key = MatchKey { bucket: 0, uid: Uuid::from_u128(time as u128) };
        self.0.note(key, Seen { revision: 1, hash: Hash::from_bytes([7; 32]) });
        time
    }
}

#[tokio::test]
async fn what_is_written_meanwhile_waits_for_the_next_checkpoint() {
    let (store, pending) = (memory().await, Pending::default());
    let clock = Arc::new(Busy(pending.clone(), AtomicI64::new(1)));
    clock.now();
    let checkpointer =
        Checkpointer::start(Arc::clone(&store), pending.clone(), keys(&[1]), clock, None).await.unwrap();
    for size in 1..=3 {
        timeout(LAST, checkpointer.once()).await.expect("it ends").unwrap();
        assert_eq!((newest(&store).await.size, pending.count()), (size, 1));
    }
}

#[tokio::test]
async fn a_store_that_fails_is_tried_again_with_all_that_waits() {
    let store = memory().await;
    let checkpointer = checkpointer(&store).await;
    let head = written(&checkpointer).await;
    store.close().await;
    checkpointer.once().await.unwrap_err();
    assert_eq!(checkpointer.pending.take(10), [head]);
}

#[tokio::test]
async fn another_key_takes_over_by_a_leaf_and_two_signatures() {
    let store = memory().await;
    let before = checkpointer(&store).await;
    written(&before).await;
    before.once().await.unwrap();

    let refused = start(&store, &[2], None).await.err().unwrap();
    assert!(matches!(refused, CheckpointError::UnknownSigner), "{refused}");
    let after = start(&store, &[2, 1], None).await.unwrap();
    // Though nothing was written.
    after.once().await.unwrap();
    let [(1, change)] = &store.key_leaves().await.unwrap()[..] else { panic!("one change") };
    let Ok(Leaf::Key(change)) = Leaf::parse(change) else { panic!("of a key") };
    assert_eq!(change.signed_by(&verifier(1)), Some(&verifier(2)));
    let known = [verifier(1), verifier(2)];
    let note: Note = newest(&store).await.note.parse().unwrap();
    assert_eq!(note.signed_by(&known), Ok(vec![&verifier(2), &verifier(1)]));

    written(&after).await;
    after.once().await.unwrap();
    let note: Note = newest(&store).await.note.parse().unwrap();
    assert_eq!(note.signed_by(&known), Ok(vec![&verifier(2)]));
    assert_eq!((newest(&store).await.size, store.key_leaves().await.unwrap().len()), (3, 1));
    start(&store, &[1], None).await.err().expect("the old key alone cannot go on");

    // A server that was started before goes on with the key that signs now, or not at all.
    written(&before).await;
    let refused = before.once().await.unwrap_err();
    assert!(matches!(refused, CheckpointError::UnknownSigner), "{refused}");
}

#[tokio::test]
async fn servers_do_not_take_the_lead_from_each_other() {
    let store = memory().await;
    let one = start(&store, &[1, 2], None).await.unwrap();
    written(&one).await;
    one.once().await.unwrap();
    let two = start(&store, &[2, 1], None).await.unwrap();
    for checkpointer in [&two, &one, &two, &one] {
        written(checkpointer).await;
        checkpointer.once().await.unwrap();
    }
    assert_eq!(store.key_leaves().await.unwrap().len(), 1);
    let note: Note = newest(&store).await.note.parse().unwrap();
    assert_eq!(note.signed_by(&[verifier(1), verifier(2)]), Ok(vec![&verifier(2)]));
}

#[tokio::test]
async fn what_was_not_covered_is_caught_up_with() {
    let store = memory().await;
    let checkpointer = checkpointer(&store).await;
    let mut heads = Vec::new();
    for _ in 0..PORTION / 2 {
        let stored = stored_match(&*store).await;
        heads.push((stored.key, stored.head.seen()));
    }
    catch_up(&checkpointer).await;
    let mut found = leaves(&store).await;
    found.sort_unstable_by_key(|(key, _)| *key);
    heads.sort_unstable_by_key(|(key, _)| *key);
    assert_eq!(found, heads);
    let size = newest(&store).await.size;
    catch_up(&checkpointer).await;
    assert_eq!(newest(&store).await.size, size, "once is enough");
}

#[tokio::test]
async fn a_log_that_contradicts_its_leaf_gets_no_other() {
    let store = memory().await;
    let checkpointer = checkpointer(&store).await;
    let stored = stored_match(&*store).await;
    // As if another event had been there when the leaf was made.
    let other = next_marked(stored.key, stored.head, 1, "other").head.seen();
    checkpointer.cover(&[(stored.key, other)]).await.unwrap();
    store.append(next(stored.key, stored.head, 2)).await.unwrap();
    catch_up(&checkpointer).await;
    assert_eq!(leaves(&store).await, [(stored.key, other)]);

    // One that goes on as it should does get one.
    let stored = stored_match(&*store).await;
    checkpointer.cover(&[(stored.key, stored.head.seen())]).await.unwrap();
    let append = following(stored.key, stored.head, vec![event(stored.key.uid, 2, None)]);
    store.append(append.clone()).await.unwrap();
    catch_up(&checkpointer).await;
    assert_eq!(leaves(&store).await.last(), Some(&(stored.key, append.head.seen())));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_checkpointers_write_one_tree() {
    let store = memory().await;
    let shared: Vec<_> = {
        let first = checkpointer(&store).await;
        let mut heads = Vec::new();
        for _ in 0..40 {
            heads.push(written(&first).await);
        }
        heads
    };
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let checkpointer = checkpointer(&store).await;
        let shared = shared.clone();
        tasks.spawn(async move {
            for (n, (key, seen)) in shared.into_iter().enumerate() {
                checkpointer.pending.note(key, seen);
                if n % 3 == 0 {
                    while checkpointer.once().await.is_err() {}
                }
            }
            while checkpointer.once().await.is_err() {}
        });
    }
    tasks.join_all().await;
    let mut found = leaves(&store).await;
    found.sort_unstable_by_key(|(key, _)| *key);
    let mut expected = shared;
    expected.sort_unstable_by_key(|(key, _)| *key);
    assert_eq!(found, expected, "each leaf once, whoever was first");
    checkpointer(&store).await;
}

/// A store in a file that can be looked into while it is closed.
async fn file_store(folder: &Path) -> Arc<dyn Store> {
    open(&format!("sqlite:{}", folder.join("store.sqlite").display())).await.unwrap()
}

#[tokio::test]
async fn an_old_backup_is_refused_by_the_checkpoint_file() {
    let folder = tempfile::tempdir().unwrap();
    let (database, kept) = (folder.path().join("store.sqlite"), folder.path().join("checkpoint"));
    let backup = folder.path().join("backup");
    let mut sizes = Vec::new();
    for round in 0..2 {
        let store = file_store(folder.path()).await;
        let checkpointer = start(&store, &[1], Some(&kept)).await.unwrap();
        written(&checkpointer).await;
        checkpointer.once().await.unwrap();
        assert_eq!(fs::read_to_string(&kept).unwrap(), newest(&store).await.note);
        sizes.push(newest(&store).await.size);
        store.close().await;
        if round == 0 {
            fs::copy(&database, &backup).unwrap();
        }
    }
    fs::copy(&backup, &database).unwrap();
    let store = file_store(folder.path()).await;
    let refused = start(&store, &[1], Some(&kept)).await.err().unwrap();
    let CheckpointError::File(BadFile::Behind { has, signed, .. }) = &refused else { panic!("{refused}") };
    assert_eq!([*has, *signed], sizes[..]);

    // Going on from the backup is another history, even when it is as long.
    let checkpointer = checkpointer(&store).await;
    for _ in 0..3 {
        written(&checkpointer).await;
        checkpointer.once().await.unwrap();
    }
    let refused = start(&store, &[1], Some(&kept)).await.err().unwrap();
    assert!(matches!(refused, CheckpointError::File(BadFile::Contradiction { signed: 2, .. })), "{refused}");

    // A checkpoint that is no beginning of a file's size, or of another log.
    for text in ["", "a text\n", &newest(&store).await.note.replace(NAME, "example.com/other")] {
        fs::write(&kept, text).unwrap();
        let refused = start(&store, &[1], Some(&kept)).await.err().unwrap();
        assert!(matches!(refused, CheckpointError::File(BadFile::Foreign { .. })), "{refused}");
    }
    let nowhere = folder.path().join("nowhere").join("checkpoint");
    let refused = start(&store, &[1], Some(&nowhere)).await.err().unwrap();
    assert!(matches!(refused, CheckpointError::File(BadFile::File { .. })), "{refused}");
    store.close().await;
}

#[tokio::test]
async fn a_tree_that_was_changed_is_not_signed_again() {
    let store = memory().await;
    let checkpointer = checkpointer(&store).await;
    written(&checkpointer).await;
    checkpointer.once().await.unwrap();
    // What somebody with access to the database would do: another root, another note, fewer leaves.
    let good = newest(&store).await;
    let forged = Note::sign("another text\n".to_owned(), &[keys(&[1]).current()]).to_string();
    for (bad, is_damage) in [
        (StoredCheckpoint { root: [7; 32], ..good.clone() }, true),
        (StoredCheckpoint { note: forged, ..good.clone() }, true),
        (StoredCheckpoint { note: good.note.replace("\n1\n", "\n2\n"), ..good.clone() }, true),
        (StoredCheckpoint { note: "nothing".to_owned(), ..good.clone() }, true),
        (StoredCheckpoint { size: 9, ..good.clone() }, true),
        (StoredCheckpoint { note: good.note.replace(NAME, "other"), ..good.clone() }, false),
    ] {
        let size = newest(&store).await.size;
        let put = |before, checkpoint| Growth {
            before,
            leaves: vec![],
            keys: vec![],
            tiles: chaquete_proof::tree::Tiles::default(),
            checkpoint,
        };
        store.grow(put(size, bad.clone())).await.unwrap();
        let head = written(&checkpointer).await;
        let error = checkpointer.once().await.unwrap_err();
        assert_eq!(error.is_damage(), is_damage, "{error}: {bad:?}");
        assert_eq!(newest(&store).await, bad);
        // A server starts all the same, unless somebody else has signed.
        assert_eq!(start(&store, &[1], None).await.is_ok(), is_damage);
        store.grow(put(bad.size, good.clone())).await.unwrap();
        assert!(checkpointer.pending.take(10).contains(&head));
    }
}
