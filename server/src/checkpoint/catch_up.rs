//! What no checkpoint covers, though it was written: a server died, or could not make one.

use tokio_util::sync::CancellationToken;

use super::{CheckpointError, Checkpointer};
use crate::store::{Covered, MatchKey, Seen};

/// How many matches are looked at at once.
const PAGE: u32 = 256;

/// Looks at all matches of a store, page by page: once, and where other servers write again and again.
pub(super) struct Rounds<'a> {
    checkpointer: &'a Checkpointer,
    /// Where the round has come to.
    after: Option<MatchKey>,
    /// How many rounds there were.
    done: u32,
    /// Whether other servers write, which may die.
    is_shared: bool,
}

impl Checkpointer {
    /// Rounds that begin with the first match.
    pub(super) fn rounds(&self) -> Rounds<'_> {
        Rounds { checkpointer: self, after: None, done: 0, is_shared: self.store.news().is_some() }
    }

    /// Whether a log still has what a leaf says of it. Otherwise no further leaf may hide that.
    async fn has(&self, key: MatchKey, leaf: Seen) -> Result<bool, CheckpointError> {
        let events = self.store.events(key, leaf.revision - 1, 1).await?;
        Ok(events.first().is_some_and(|event| event.hash == leaf.hash))
    }
}

impl Rounds<'_> {
    /// Goes on: the first round to its end, later ones by one page.
    pub(super) async fn go_on(&mut self, shutdown: &CancellationToken) -> Result<(), CheckpointError> {
        while self.done == 0 && !shutdown.is_cancelled() {
            self.page().await?;
            // A store may have many pages, and what is written now does not wait for them.
            self.checkpointer.once().await?;
        }
        if self.is_shared { self.page().await } else { Ok(()) }
    }

    /// Looks at the next page.
    async fn page(&mut self) -> Result<(), CheckpointError> {
        let page = self.checkpointer.store.covered(self.after, PAGE).await?;
        let mut heads = Vec::new();
        for Covered { key, head, leaf } in &page {
            match leaf {
                Some(leaf) if leaf.revision >= head.revision => {}
                Some(leaf) if !self.checkpointer.has(*key, *leaf).await? => {
                    tracing::error!(uid = %key.uid, revision = leaf.revision, "a log contradicts a checkpoint");
                }
                _ => heads.push((*key, *head)),
            }
        }
        if !heads.is_empty() {
            tracing::debug!(matches = heads.len(), "matches were written and not covered");
            self.checkpointer.cover(&heads).await?;
        }
        self.after = page.last().map(|last| last.key);
        self.done += u32::from(self.after.is_none());
        Ok(())
    }
}
