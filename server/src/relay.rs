//! What other servers write, passed on to those who wait on this one.

use std::{collections::BTreeSet, sync::Arc};

use tokio::sync::{
    broadcast::{self, error::RecvError},
    mpsc,
};

use crate::{
    execute::{Executor, Failure},
    feed::Feed,
    store::{MatchKey, News, Store},
    table::Table,
};

/// How many matches may wait to be read.
const WAITING: usize = 1_024;

/// Passes on what a store hears.
pub struct Relay {
    store: Arc<dyn Store>,
    executor: Executor,
    feed: Feed,
}

impl Relay {
    /// A relay from this store to those who wait at the feed.
    #[must_use]
    pub const fn new(store: Arc<dyn Store>, executor: Executor, feed: Feed) -> Self {
        Self { store, executor, feed }
    }

    /// Passes on what is heard, until the store is closed.
    pub async fn run(self, news: broadcast::Receiver<News>) {
        let (sender, moved) = mpsc::channel(WAITING);
        tokio::join!(self.pass_on(news, sender), self.read_all(moved));
    }

    async fn pass_on(&self, mut news: broadcast::Receiver<News>, moved: mpsc::Sender<MatchKey>) {
        loop {
            match news.recv().await {
                Ok(News::Moved { key, revision }) => {
                    self.feed.notice(key.uid, revision);
                    // Read once for all who follow, and not at all if nobody does.
                    if self.feed.is_followed() && moved.try_send(key).is_err() {
                        self.feed.publish_all();
                    }
                }
                Ok(News::MayHaveMissed) | Err(RecvError::Lagged(_)) => self.feed.publish_all(),
                Err(RecvError::Closed) => return,
            }
        }
    }

    async fn read_all(&self, mut moved: mpsc::Receiver<MatchKey>) {
        let mut keys = Vec::with_capacity(WAITING);
        while moved.recv_many(&mut keys, WAITING).await > 0 {
            let distinct: BTreeSet<_> = keys.drain(..).collect();
            for key in distinct {
                match self.read(key).await {
                    Ok(table) => self.feed.publish(&table),
                    Err(failure @ Failure::Damaged(_)) => {
                        tracing::error!(uid = %key.uid, "a match that has moved on is damaged: {failure}");
                    }
                    Err(failure) => {
                        tracing::warn!(uid = %key.uid, "a match that has moved on cannot be read: {failure}");
                        self.feed.publish_all();
                    }
                }
            }
        }
    }

    async fn read(&self, key: MatchKey) -> Result<Arc<Table>, Failure> {
        let stored = self.store.find_key(key).await?;
        let gone = || Failure::Internal(format!("{} was told of, and is not there", key.uid));
        self.executor.load(&stored.ok_or_else(gone)?.name).await
    }
}
