//! `retain`: matches that ended long ago are exported, and only then dropped.

use std::fmt;

use super::{
    Mode,
    export::{ExportError, Folder, Kept},
    name_of,
};
use crate::{
    audit::{Verdict, examine},
    clock::{Clock, Millis},
    store::{Comparison, Filter, OrderBy, Pages, Relation, Row, Store, StoreError, StoredMatch, TimeOf},
};

/// In milliseconds.
const DAY: Millis = 24 * 60 * 60 * 1000;

/// A match that ended long ago and was left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Its name; of a damaged row whatever can be read.
    pub name: String,
    /// Why.
    pub because: String,
}

/// Why it did not go on.
#[derive(Debug, thiserror::Error)]
pub enum RetainError {
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder fails.
    #[error("cannot export: {0}")]
    Export(#[from] ExportError),
    /// The store does not let us.
    #[error(
        "{name} was exported, but may not be dropped: {because} (on Postgres only the role that ran the migrations \
         may drop matches)"
    )]
    Denied {
        /// The match.
        name: String,
        /// What the store says.
        because: String,
    },
}

/// How many matches ended long ago, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retained {
    /// All of them.
    pub matches: u64,
    /// Those that were exported now, and not before.
    pub exported: u64,
    /// Those that were dropped.
    pub dropped: u64,
    /// Those that cannot be exported or dropped.
    pub left: u64,
}

impl fmt::Display for Retained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { matches, exported, dropped, left } = self;
        write!(f, "{matches} matches ended before: {exported} exported, {dropped} dropped, {left} left")
    }
}

/// What became of a match.
enum Outcome {
    Dropped(Kept),
    /// It could have been.
    Spared,
    Left(String),
    Gone,
}

/// Exports every match that ended more than so many days ago to a folder, and drops each once its export is there
/// for good. One that is not as its log says is left and told.
///
/// Whenever this is ended, nothing is lost, and it can be run again: what was exported and not dropped is found in
/// the folder, and dropped then.
///
/// # Errors
/// The store or the folder fails.
pub async fn retain(
    store: &dyn Store,
    days: u32,
    clock: &dyn Clock,
    folder: &Folder,
    mode: Mode,
    mut tell: impl FnMut(&Left),
) -> Result<Retained, RetainError> {
    let before = clock.now() - Millis::from(days) * DAY;
    let long_ago = Filter::Is(Comparison::Time(TimeOf::End, Relation::Less, before));
    let mut pages = Pages::new(OrderBy::EndTime, long_ago);
    let mut retained = Retained::default();
    loop {
        let page = pages.next(store).await?;
        if page.is_empty() {
            return Ok(retained);
        }
        for listed in page {
            retained.matches += 1;
            let name = listed.row.as_ref().map_or_else(|bad| name_of(bad), |row| row.name.to_string());
            match retain_one(store, listed.row, before, folder, mode).await? {
                Outcome::Dropped(kept) => {
                    retained.exported += u64::from(kept == Kept::Written);
                    retained.dropped += 1;
                }
                Outcome::Spared => {}
                Outcome::Gone => retained.matches -= 1,
                Outcome::Left(because) => {
                    retained.left += 1;
                    tell(&Left { name, because });
                }
            }
        }
    }
}

async fn retain_one(
    store: &dyn Store,
    row: Row,
    before: Millis,
    folder: &Folder,
    mode: Mode,
) -> Result<Outcome, RetainError> {
    let row = match row {
        Ok(row) => row,
        Err(bad) => return Ok(Outcome::Left(bad.because)),
    };
    let examined = match examine(store, row).await? {
        Verdict::Good(examined) if examined.differences.is_empty() => *examined,
        Verdict::Good(examined) => {
            let differences = examined.differences.join("; ");
            return Ok(Outcome::Left(format!("it is not as its log says, rebuild it first: {differences}")));
        }
        Verdict::Damaged(because) => return Ok(Outcome::Left(because)),
        Verdict::Gone => return Ok(Outcome::Gone),
    };
    // Now it is the log that says when it ended.
    if examined.row.head.end_time.is_none_or(|end_time| end_time >= before) {
        return Ok(Outcome::Gone);
    }
    if mode == Mode::Check {
        return Ok(Outcome::Spared);
    }
    match folder.keep(&examined.row, &examined.events) {
        Ok(kept) => drop_exported(store, &examined.row, kept).await,
        Err(error @ (ExportError::InTheWay { .. } | ExportError::Name)) => {
            Ok(Outcome::Left(error.to_string()))
        }
        Err(error) => Err(error.into()),
    }
}

/// Drops a match that is exported as it is stored.
async fn drop_exported(store: &dyn Store, row: &StoredMatch, kept: Kept) -> Result<Outcome, RetainError> {
    match store.drop_ended(row.key, row.head.seen()).await {
        Ok(()) => Ok(Outcome::Dropped(kept)),
        // Dropped by somebody else, or by an attempt that got no answer.
        Err(StoreError::Conflict) if store.find(&row.name).await?.is_none_or(|now| now.key != row.key) => {
            Ok(Outcome::Dropped(kept))
        }
        Err(StoreError::Conflict) => {
            Ok(Outcome::Left("it has moved on while it was exported: run this again".to_owned()))
        }
        Err(StoreError::Denied(because)) => Err(RetainError::Denied { name: row.name.to_string(), because }),
        Err(error) => Err(error.into()),
    }
}
