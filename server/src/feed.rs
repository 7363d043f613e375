//! Who waits for a match to move on, and who follows all of them. A notice is only a hint: what happened is read from the store.

use std::{
    collections::HashMap,
    future,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::sync::{broadcast, watch};
use uuid::Uuid;

use crate::table::Table;

/// The matches that somebody waits for.
type WaitedFor = HashMap<Uuid, watch::Sender<u32>>;

/// How many changes may wait for one who follows all matches. Whoever is further behind has missed some.
const WAITING: usize = 1_024;

/// Tells waiters that a match has a new revision.
#[derive(Clone, Debug)]
pub struct Feed {
    waited_for: Arc<Mutex<WaitedFor>>,
    waiters: Arc<AtomicUsize>,
    followers: broadcast::Sender<Change>,
}

/// What those hear who follow all matches.
#[derive(Clone, Debug)]
pub enum Change {
    /// A match has come to this state.
    Moved(Arc<Table>),
    /// Any match may have moved on.
    Any,
}

impl Default for Feed {
    fn default() -> Self {
        Self { waited_for: Arc::default(), waiters: Arc::default(), followers: broadcast::channel(WAITING).0 }
    }
}

impl Feed {
    /// Says that the match has come to this state.
    pub fn publish(&self, table: &Arc<Table>) {
        self.notice(table.key.uid, table.head.revision);
        self.tell(Change::Moved(Arc::clone(table)));
    }

    /// Says to those who wait for the match that it has this revision now.
    pub fn notice(&self, uid: Uuid, revision: u32) {
        if let Some(sender) = self.waited_for().get(&uid) {
            sender.send_if_modified(|known| {
                let newer = revision > *known;
                *known = revision.max(*known);
                newer
            });
        }
    }

    /// Says that any match may have moved on.
    pub fn publish_all(&self) {
        for sender in self.waited_for().values() {
            sender.send_modify(|_| {});
        }
        self.tell(Change::Any);
    }

    /// Everything that is published from now on.
    #[must_use]
    pub fn follow(&self) -> broadcast::Receiver<Change> {
        self.followers.subscribe()
    }

    /// Whether anybody follows all matches.
    #[must_use]
    pub fn is_followed(&self) -> bool {
        self.follower_count() > 0
    }

    /// How many follow all matches.
    #[must_use]
    pub fn follower_count(&self) -> usize {
        self.followers.receiver_count()
    }

    /// How many wait for a match, each for one.
    #[must_use]
    pub fn waiter_count(&self) -> usize {
        self.waiters.load(Ordering::Relaxed)
    }

    /// Nobody need follow.
    fn tell(&self, change: Change) {
        if self.is_followed() {
            drop(self.followers.send(change));
        }
    }

    /// Notices whenever the match moves on from now.
    #[must_use]
    pub fn subscribe(&self, uid: Uuid) -> Notices {
        let receiver = self.waited_for().entry(uid).or_insert_with(|| watch::channel(0).0).subscribe();
        self.waiters.fetch_add(1, Ordering::Relaxed);
        Notices { uid, receiver, feed: self.clone() }
    }

    fn waited_for(&self) -> MutexGuard<'_, WaitedFor> {
        self.waited_for.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one waiter hears of one match. The feed knows of the match for as long as one of these is left.
#[derive(Debug)]
pub struct Notices {
    uid: Uuid,
    receiver: watch::Receiver<u32>,
    feed: Feed,
}

impl Notices {
    /// Waits until the match has moved on since the last notice. Safe to be dropped at any moment.
    pub async fn changed(&mut self) {
        if self.receiver.changed().await.is_err() {
            // Cannot be, as the feed keeps the sender; and if it were, there would be nothing to hear.
            future::pending::<()>().await;
        }
    }
}

impl Drop for Notices {
    fn drop(&mut self) {
        self.feed.waiters.fetch_sub(1, Ordering::Relaxed);
        // Under the lock nobody can subscribe, so the last one is the last.
        let mut waited_for = self.feed.waited_for();
        if waited_for.get(&self.uid).is_some_and(|sender| sender.receiver_count() <= 1) {
            waited_for.remove(&self.uid);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    const UID: Uuid = Uuid::from_u128(1);

    async fn hears(notices: &mut Notices) -> bool {
        timeout(Duration::ZERO, notices.changed()).await.is_ok()
    }

    #[tokio::test]
    async fn waiters_hear_of_their_match_what_is_new() {
        let feed = Feed::default();
        feed.notice(UID, 3);
        let (mut one, mut other) = (feed.subscribe(UID), feed.subscribe(Uuid::nil()));
        assert!(!hears(&mut one).await, "what came before is no news");
        feed.notice(UID, 5);
        let mut late = feed.subscribe(UID);
        assert!(hears(&mut one).await && !hears(&mut one).await);
        assert!(!hears(&mut late).await && !hears(&mut other).await);
        feed.notice(UID, 4);
        assert!(!hears(&mut one).await, "an older revision is no news");
    }

    #[tokio::test]
    async fn everybody_hears_that_anything_may_have_happened() {
        let feed = Feed::default();
        let (mut one, mut other) = (feed.subscribe(UID), feed.subscribe(Uuid::nil()));
        assert!(!feed.is_followed());
        let mut all = feed.follow();
        feed.publish_all();
        assert!(hears(&mut one).await && hears(&mut other).await);
        assert!(matches!(all.try_recv(), Ok(Change::Any)));
        drop(all);
        assert!(!feed.is_followed());
    }

    #[tokio::test]
    async fn the_last_waiter_takes_the_match_along() {
        let feed = Feed::default();
        let (one, mut other) = (feed.subscribe(UID), feed.subscribe(UID));
        drop(one);
        feed.notice(UID, 1);
        assert!(hears(&mut other).await, "one is left");
        drop(other);
        assert!(feed.waited_for().is_empty());
        let mut again = feed.subscribe(UID);
        feed.notice(UID, 1);
        assert!(hears(&mut again).await);
    }

    /// With a look at all waiters on each subscription this would take minutes.
    #[test]
    fn many_matches_are_waited_for_at_once() {
        let feed = Feed::default();
        let all: Vec<_> = (0..100_000).map(|uid| feed.subscribe(Uuid::from_u128(uid))).collect();
        assert_eq!(feed.waited_for().len(), all.len());
        drop(all);
        assert!(feed.waited_for().is_empty());
    }
}
