//! `rebuild`: what is stored beside the logs, brought in line with them.

use std::{collections::HashSet, fmt};

use super::{Mode, name_of};
use crate::{
    audit::{Examined, Verdict, examine},
    store::{Filter, OrderBy, Pages, Row, Store, StoreError, StoredMatch},
};

/// A match of which not all is as its log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its name; of a damaged row whatever can be read.
    pub name: String,
    /// What is wrong with it, and what became of that.
    pub fate: Fate,
}

/// What became of a match of which not all is as its log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It differs from its log in this, and was left so.
    Differs(Vec<String>),
    /// It differed from its log in this, and does not any more.
    Mended(Vec<String>),
    /// Its row cannot be read, or its log is none, so nothing can be said of the rest; it was left as it is.
    Damaged(String),
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differs(what) => write!(f, "differs: {}", what.join("; ")),
            Self::Mended(what) => write!(f, "mended: {}", what.join("; ")),
            Self::Damaged(because) => write!(f, "damaged, and left as it is: {because}"),
        }
    }
}

/// How many matches a rebuild has found, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rebuilt {
    /// All that it has looked at.
    pub matches: u64,
    /// Those that were mended.
    pub mended: u64,
    /// Those that differ from their logs and were left so.
    pub differing: u64,
    /// Those that are damaged and were left so.
    pub damaged: u64,
}

impl Rebuilt {
    /// Whether all matches are as their logs say now.
    #[must_use]
    pub const fn is_well(&self) -> bool {
        self.differing == 0 && self.damaged == 0
    }

    fn count(&mut self, fate: &Fate) {
        *match fate {
            Fate::Differs(_) => &mut self.differing,
            Fate::Mended(_) => &mut self.mended,
            Fate::Damaged(_) => &mut self.damaged,
        } += 1;
    }
}

impl fmt::Display for Rebuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { matches, mended, differing, damaged } = self;
        write!(f, "{matches} matches: {mended} mended, {differing} differ, {damaged} damaged")
    }
}

/// Folds the log of every match of every tenant, from its first event, and compares what is stored beside it. What
/// differs is told, and mended if `mode` says so; so is damage, which stays as it is.
///
/// Matches may be played meanwhile: one that moves on is looked at again.
///
/// # Errors
/// The store fails. What was mended until then stays mended, and the whole can be run again.
pub async fn rebuild(
    store: &dyn Store,
    mode: Mode,
    mut tell: impl FnMut(&Finding),
) -> Result<Rebuilt, StoreError> {
    let mut rebuilt = Rebuilt::default();
    // A match whose create_time is mended has another place in the list, and may come once more.
    let mut mended = HashSet::new();
    let mut pages = Pages::new(OrderBy::CreateTime, Filter::EVERY);
    loop {
        let page = pages.next(store).await?;
        if page.is_empty() {
            return Ok(rebuilt);
        }
        for listed in page {
            let uid = listed.row.as_ref().ok().map(|row| row.key.uid);
            if uid.is_some_and(|uid| mended.contains(&uid)) {
                continue;
            }
            rebuilt.matches += 1;
            let Some(finding) = rebuild_one(store, mode, listed.row).await? else { continue };
            if matches!(finding.fate, Fate::Mended(_)) {
                mended.extend(uid);
            }
            rebuilt.count(&finding.fate);
            tell(&finding);
        }
    }
}

/// What is wrong with one match, if anything is.
async fn rebuild_one(store: &dyn Store, mode: Mode, row: Row) -> Result<Option<Finding>, StoreError> {
    let (name, fate) = match row {
        Ok(row) => (row.name.to_string(), fate(store, mode, row).await?),
        Err(bad) => (name_of(&bad), Some(Fate::Damaged(bad.because))),
    };
    Ok(fate.map(|fate| Finding { name, fate }))
}

/// What becomes of a match; `None`: all of it is as its log says, or it is gone.
async fn fate(store: &dyn Store, mode: Mode, mut row: StoredMatch) -> Result<Option<Fate>, StoreError> {
    loop {
        let Examined { row: seen, right, differences, .. } = match examine(store, row).await? {
            Verdict::Good(examined) if examined.differences.is_empty() => return Ok(None),
            Verdict::Good(examined) => *examined,
            Verdict::Damaged(because) => return Ok(Some(Fate::Damaged(because))),
            Verdict::Gone => return Ok(None),
        };
        if mode == Mode::Check {
            return Ok(Some(Fate::Differs(differences)));
        }
        match store.mend(right, seen.head.seen()).await {
            Ok(()) => return Ok(Some(Fate::Mended(differences))),
            // It has moved on since, so it is looked at again.
            Err(StoreError::Conflict) => row = seen,
            Err(error @ (StoreError::Damaged { .. } | StoreError::Unfit(_))) => {
                return Ok(Some(Fate::Damaged(error.to_string())));
            }
            Err(error) => return Err(error),
        }
    }
}
