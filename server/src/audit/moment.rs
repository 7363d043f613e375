//! A match as it was at one moment: its row and its log.

use crate::store::{Head, MatchKey, Store, StoreError, StoredEvent, StoredMatch};

/// The row and the log of a match, of the same moment.
#[derive(Debug)]
pub(crate) struct Moment {
    /// The row.
    pub(crate) row: StoredMatch,
    /// The log.
    pub(crate) events: Vec<StoredEvent>,
}

/// What could be read of a match.
#[derive(Debug)]
pub(crate) enum Read {
    /// All of it. It may be wrong.
    There(Box<Moment>),
    /// An event cannot be read, or the row (0).
    Damaged {
        /// The first event that cannot; 0: the row.
        revision: u32,
        /// What is wrong.
        because: String,
    },
    /// It is not there any more.
    Gone,
}

/// Reads a match, of which this was stored a moment ago. It may be played meanwhile: then it is read again.
///
/// # Errors
/// The store fails.
pub(crate) async fn read(store: &dyn Store, row: StoredMatch) -> Result<Read, StoreError> {
    match read_on(store, row).await {
        Err(StoreError::Damaged { revision, because }) => Ok(Read::Damaged { revision, because }),
        read => read,
    }
}

async fn read_on(store: &dyn Store, mut row: StoredMatch) -> Result<Read, StoreError> {
    loop {
        let events = whole_log(store, row.key).await?;
        if leads_to(&events, &row.head) {
            return Ok(Read::There(Box::new(Moment { row, events })));
        }
        match store.find(&row.name).await? {
            Some(now) if now == row => return Ok(Read::There(Box::new(Moment { row, events }))),
            Some(now) => row = now,
            None => return Ok(Read::Gone),
        }
    }
}

/// The log of a match. Whatever of it cannot be read, it is an event: of a log that is packed none can be read then.
///
/// # Errors
/// The store fails, or an event cannot be read.
pub(super) async fn whole_log(store: &dyn Store, key: MatchKey) -> Result<Vec<StoredEvent>, StoreError> {
    store.log(key, 0, u32::MAX).await.map_err(|error| match error {
        StoreError::Damaged { revision, because } => {
            StoreError::Damaged { revision: revision.max(1), because }
        }
        error => error,
    })
}

/// Row and events are written together, so they are of one moment if they say the same.
fn leads_to(events: &[StoredEvent], head: &Head) -> bool {
    events.last().is_some_and(|last| (last.revision, last.hash) == (head.revision, head.hash))
}
