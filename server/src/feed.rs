//! Who waits for a match to move on. A notice is only a hint: what happened is read from the store.

use std::{
    collections::HashMap,
    future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{
    broadcast::{self, error::RecvError},
    watch,
};
use uuid::Uuid;

use crate::store::News;

/// The matches that somebody waits for.
type WaitedFor = HashMap<Uuid, watch::Sender<u32>>;

/// Tells waiters that a match has a new revision.
#[derive(Clone, Debug, Default)]
pub struct Feed {
    waited_for: Arc<Mutex<WaitedFor>>,
}

impl Feed {
    /// Says that the match has this revision now.
    pub fn publish(&self, uid: Uuid, revision: u32) {
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
    }

    /// Passes on what other servers write, until the store is closed.
    pub async fn relay(self, mut news: broadcast::Receiver<News>) {
        loop {
            match news.recv().await {
                Ok(News::Moved { key, revision }) => self.publish(key.uid, revision),
                Ok(News::MayHaveMissed) | Err(RecvError::Lagged(_)) => self.publish_all(),
                Err(RecvError::Closed) => return,
            }
        }
    }

    /// Notices whenever the match moves on from now.
    #[must_use]
    pub fn subscribe(&self, uid: Uuid) -> Notices {
        let receiver = self.waited_for().entry(uid).or_insert_with(|| watch::channel(0).0).subscribe();
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
    use crate::store::MatchKey;

    const UID: Uuid = Uuid::from_u128(1);

    /// Nothing here takes longer, whatever the machine does besides.
    const SOON: Duration = Duration::from_secs(30);

    async fn hears(notices: &mut Notices) -> bool {
        timeout(Duration::ZERO, notices.changed()).await.is_ok()
    }

    #[tokio::test]
    async fn waiters_hear_of_their_match_what_is_new() {
        let feed = Feed::default();
        feed.publish(UID, 3);
        let (mut one, mut other) = (feed.subscribe(UID), feed.subscribe(Uuid::nil()));
        assert!(!hears(&mut one).await, "what came before is no news");
        feed.publish(UID, 5);
        let mut late = feed.subscribe(UID);
        assert!(hears(&mut one).await && !hears(&mut one).await);
        assert!(!hears(&mut late).await && !hears(&mut other).await);
        feed.publish(UID, 4);
        assert!(!hears(&mut one).await, "an older revision is no news");
    }

    #[tokio::test]
    async fn waiters_hear_what_other_servers_write() {
        let feed = Feed::default();
        let (mut one, mut other) = (feed.subscribe(UID), feed.subscribe(Uuid::nil()));
        let (sender, receiver) = broadcast::channel(1);
        let moved = News::Moved { key: MatchKey { bucket: 0, uid: UID }, revision: 7 };
        sender.send(moved).unwrap();
        let relay = tokio::spawn(feed.clone().relay(receiver));
        timeout(SOON, one.changed()).await.unwrap();
        assert!(!hears(&mut other).await);
        sender.send(News::MayHaveMissed).unwrap();
        timeout(SOON, async { tokio::join!(one.changed(), other.changed()) }).await.unwrap();
        // Too fast for the relay: what it did not hear may be anything.
        for _ in 0..2 {
            sender.send(moved).unwrap();
        }
        timeout(SOON, async { tokio::join!(one.changed(), other.changed()) }).await.unwrap();
        drop(sender);
        timeout(SOON, relay).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn the_last_waiter_takes_the_match_along() {
        let feed = Feed::default();
        let (one, mut other) = (feed.subscribe(UID), feed.subscribe(UID));
        drop(one);
        feed.publish(UID, 1);
        assert!(hears(&mut other).await, "one is left");
        drop(other);
        assert!(feed.waited_for().is_empty());
        let mut again = feed.subscribe(UID);
        feed.publish(UID, 1);
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
