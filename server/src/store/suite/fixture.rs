//! Matches and events to store. To a store they are only bytes, so these are not of any game.

use std::{
    collections::BTreeMap,
    future::poll_fn,
    pin::pin,
    sync::atomic::{AtomicU64, Ordering},
    task::Poll,
};

use chaquete_rules::{BySeat, Seat, Variant};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    clock::Millis,
    log::Hash,
    name::MatchName,
    store::{
        About, Agreed, Append, Head, MatchKey, Notes, Provenance, Standing, State, Store, StoreError,
        StoredEvent, StoredMatch,
    },
};

/// The time at which the first match of a test is created.
pub const START: Millis = 1_750_000_000_000;

/// A uid that is used once, later ones greater than earlier ones.
#[must_use]
pub fn new_uid() -> Uuid {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // The random part keeps this run apart from others that left their matches in the same database.
    static RUN: std::sync::LazyLock<u64> = std::sync::LazyLock::new(rand::random);
    Uuid::from_u64_pair(*RUN, NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A tenant that is used once.
#[must_use]
pub fn new_tenant() -> String {
    format!("t-{}", new_uid().simple())
}

/// A running match of this tenant with one event.
#[must_use]
pub fn new_match(tenant: &str) -> (StoredMatch, Vec<StoredEvent>) {
    let uid = new_uid();
    // In another order than the uids, so that nobody takes one for the other.
    let id = format!("m-{:032x}", uid.as_u128().reverse_bits());
    let name = MatchName { tenant: tenant.to_owned(), id };
    let about = About {
        display_names: BySeat::new("Ana".to_owned(), String::new()),
        notes: Notes {
            labels: BTreeMap::from([("league".to_owned(), "b".to_owned())]),
            annotations: BTreeMap::new(),
        },
        seed: Some([7; 32]),
        provenance: Provenance::Played,
    };
    let events = vec![event(uid, 1, None)];
    let (key, agreed) = (MatchKey::new(&name, uid), agreed(7));
    let head = Head {
        revision: 1,
        hash: events[0].hash,
        state: State::Active,
        create_time: START,
        update_time: START,
        end_time: None,
        deadline: None,
    };
    let standing = Standing { seat_to_act: Some(Seat::Two), ..Standing::default() };
    (StoredMatch { name, key, agreed, about, head, standing, snapshot: None, covered: None }, events)
}

/// Gives a new match another name, and with it its place.
pub fn rename(new: &mut StoredMatch, name: MatchName) {
    new.key = MatchKey::new(&name, new.key.uid);
    new.name = name;
}

/// What was agreed on a match between ana and bo to this many points.
#[must_use]
pub fn agreed(points: u32) -> Agreed {
    let subjects = BySeat::new("ana".to_owned(), "bo".to_owned());
    Agreed { subjects, points: Some(points), variant: Variant::Standard }
}

/// A new match that is stored, of a tenant of its own.
///
/// # Panics
/// If the store does not take it.
pub async fn stored_match(store: &dyn Store) -> StoredMatch {
    let (new, events) = new_match(&new_tenant());
    store.create(new.clone(), events).await.expect("a new match is stored");
    new
}

/// The event of a match with this revision, and one request id or none.
#[must_use]
pub fn event(uid: Uuid, revision: u32, request_id: Option<Uuid>) -> StoredEvent {
    marked_event(uid, revision, request_id, "")
}

/// An event that differs from others of its revision by its mark.
#[must_use]
pub fn marked_event(uid: Uuid, revision: u32, request_id: Option<Uuid>, mark: &str) -> StoredEvent {
    let bytes = format!(
        r#"{{"match":"{uid}","revision":{revision},"mark":"{mark}","text":"\"\\ \u00e9\u0000 %_'"}}"#
    );
    let hash = Hash::from(<[u8; 32]>::from(Sha256::digest(&bytes)));
    StoredEvent { revision, hash, request_id, bytes: bytes.into_bytes() }
}

/// The next `count` events after this head of a match.
#[must_use]
pub fn next(key: MatchKey, head: Head, count: u32) -> Append {
    next_marked(key, head, count, "")
}

/// The next `count` events after this head of a match, with a mark.
#[must_use]
pub fn next_marked(key: MatchKey, head: Head, count: u32, mark: &str) -> Append {
    let events = (1..=count).map(|n| marked_event(key.uid, head.revision + n, None, mark)).collect();
    following(key, head, events)
}

/// An append of these events to a match with this head.
///
/// # Panics
/// If there are none.
#[must_use]
pub fn following(key: MatchKey, head: Head, events: Vec<StoredEvent>) -> Append {
    let last = events.last().expect("an append has events");
    let after =
        Head { revision: last.revision, hash: last.hash, update_time: head.update_time + 1000, ..head };
    let standing = Standing { seat_to_act: Some(Seat::One), ..Standing::default() };
    Append {
        key,
        expected_revision: head.revision,
        events,
        head: after,
        standing,
        notes: None,
        snapshot: None,
    }
}

/// The whole log of a match.
///
/// # Panics
/// If the store fails.
pub async fn log(store: &dyn Store, key: MatchKey) -> Vec<StoredEvent> {
    store.events(key, 0, u32::MAX).await.expect("a log is read")
}

/// Checks that a match has a log without gaps that ends at its head, and gives both.
///
/// # Panics
/// If it is not so.
pub async fn whole(store: &dyn Store, name: &MatchName) -> (StoredMatch, Vec<StoredEvent>) {
    let found = store.find(name).await.expect("a match is looked for").expect("a match is found");
    let log = log(store, found.key).await;
    assert!(log.iter().map(|event| event.revision).eq(1..=found.head.revision), "{name} has a gap");
    assert_eq!(log.last().map(|event| event.hash), Some(found.head.hash), "{name} has a head of its own");
    (found, log)
}

/// Whether a write was overtaken; it must not have failed otherwise.
///
/// # Panics
/// If it failed for another reason.
#[must_use]
pub fn won(result: &Result<(), StoreError>) -> bool {
    match result {
        Ok(()) => true,
        Err(StoreError::Conflict | StoreError::Exists) => false,
        Err(error) => panic!("a write failed: {error}"),
    }
}

/// Polls a call a few times, giving others time in between, and then drops it. Its answer if it came so soon.
pub async fn dropped_after<T>(polls: u32, call: impl Future<Output = T>) -> Option<T> {
    let mut call = pin!(call);
    for _ in 0..polls {
        let poll = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
        if let Poll::Ready(answer) = poll {
            return Some(answer);
        }
        tokio::task::yield_now().await;
    }
    None
}
