//! What is stored of a match beside its log, compared with what the log says.

use std::sync::Arc;

use super::moment::{Moment, Read, read};
use crate::{
    log::differ,
    store::{Store, StoreError, StoredEvent, StoredMatch},
    table::{Damaged, Table},
};

/// A match whose log is good.
#[derive(Debug)]
pub(crate) struct Examined {
    /// What is stored of it.
    pub(crate) row: StoredMatch,
    /// What should be: the snapshot is there only if another one is needed.
    pub(crate) right: StoredMatch,
    /// What is not as it should be, in words.
    pub(crate) differences: Vec<String>,
    /// The log.
    pub(crate) events: Vec<StoredEvent>,
}

/// What was found out about a match.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Its log is good, whatever is beside it.
    Good(Box<Examined>),
    /// What is stored of it cannot be read, or its log is none; why.
    Damaged(String),
    /// It is not there any more.
    Gone,
}

/// Looks at a match, of which this was stored a moment ago.
///
/// # Errors
/// The store fails. Damage is a verdict.
pub(crate) async fn examine(store: &dyn Store, row: StoredMatch) -> Result<Verdict, StoreError> {
    let Moment { row, events } = match read(store, row).await? {
        Read::There(moment) => *moment,
        Read::Damaged { revision, because } => {
            return Ok(Verdict::Damaged(StoreError::Damaged { revision, because }.to_string()));
        }
        Read::Gone => return Ok(Verdict::Gone),
    };
    let (right, mut differences) = match compare(&row, &events) {
        Ok(compared) => compared,
        Err(damaged) => return Ok(Verdict::Damaged(damaged.to_string())),
    };
    if differences.is_empty() {
        differences = missing(store, &row).await?;
    }
    Ok(Verdict::Good(Box::new(Examined { row, right, differences, events })))
}

/// In whose lists a match is missing, in words.
pub(super) async fn missing(store: &dyn Store, row: &StoredMatch) -> Result<Vec<String>, StoreError> {
    let missing = store.missing_from(row).await?;
    Ok(missing.iter().map(|player| format!("it is missing from the matches of {player}")).collect())
}

/// What should be stored of a match with this log, and how what is stored differs, in words. The snapshot is there
/// only if the one that is stored does not say what the log says.
///
/// # Errors
/// The log fails its hash chain, is no log of a match, or has lost its end: then nobody can say what should be
/// stored.
pub(super) fn compare(row: &StoredMatch, log: &[StoredEvent]) -> Result<(StoredMatch, Vec<String>), Damaged> {
    let kept = row.snapshot.as_deref().map(|bytes| Table::restore(row, bytes));
    let kept_revision = kept.iter().flatten().map(|kept| kept.head.revision).next();
    let middle = kept_revision.map_or(log.len(), |revision| revision as usize);
    let (before, after) = log.split_at_checked(middle).ok_or_else(|| ends_before(log, "snapshot"))?;
    let mut table = Table::fold(row.name.clone(), row.key, Arc::new(row.about.clone()), before)?;
    let snapshot_differs = match kept {
        None => None,
        Some(Ok(kept)) => (kept.snapshot() != table.snapshot())
            .then(|| "the snapshot does not say what the log says".to_owned()),
        Some(Err(bad)) => Some(format!("snapshot: {bad}")),
    };
    table.extend(after)?;
    // One of the two would be damage to the row. Both are the mark of a log that was longer.
    if row.head.revision > table.head.revision && row.head.hash != table.head.hash {
        return Err(ends_before(log, "head"));
    }
    let mut right = table.stored();
    right.snapshot = snapshot_differs.is_some().then(|| table.snapshot());
    let differences = differences(row, &right).into_iter().chain(snapshot_differs).collect();
    Ok((right, differences))
}

fn ends_before(log: &[StoredEvent], what: &str) -> Damaged {
    let because = format!("the log ends before its {what}");
    Damaged { revision: log.last().map_or(1, |last| last.revision.saturating_add(1)), because }
}

/// How a row differs from what its log says, by columns.
fn differences(row: &StoredMatch, right: &StoredMatch) -> Vec<String> {
    let more = [
        differ("deadline", &row.head.deadline, &right.head.deadline),
        differ("waiting", &row.standing.waiting, &right.standing.waiting),
        differ("seat_to_act", &row.standing.seat_to_act, &right.standing.seat_to_act),
    ];
    let mut differences = row.facts().differences(&right.facts());
    differences.extend(more.into_iter().flatten());
    differences
}

#[cfg(test)]
mod tests;
