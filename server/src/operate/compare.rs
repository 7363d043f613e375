//! What is stored of a match beside its log, compared with what the log says.

use std::{fmt::Debug, sync::Arc};

use crate::{
    store::{Agreed, Head, Standing, Store, StoreError, StoredEvent, StoredMatch},
    table::{Damaged, Table},
};

/// A match whose log is good.
#[derive(Debug)]
pub(super) struct Examined {
    /// What is stored of it.
    pub(super) row: StoredMatch,
    /// What should be: the snapshot is there only if another one is needed.
    pub(super) right: StoredMatch,
    /// What is not as it should be, in words.
    pub(super) differences: Vec<String>,
    /// The log.
    pub(super) events: Vec<StoredEvent>,
}

/// What was found out about a match.
#[derive(Debug)]
pub(super) enum Verdict {
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
pub(super) async fn examine(store: &dyn Store, mut row: StoredMatch) -> Result<Verdict, StoreError> {
    loop {
        let verdict = damage_is_a_verdict(examine_row(store, row.clone()).await)?;
        if matches!(&verdict, Verdict::Good(examined) if examined.differences.is_empty()) {
            return Ok(verdict);
        }
        // The match may have moved on since its row was read: then it is looked at again.
        match store.find(&row.name).await {
            Ok(Some(now)) if now == row => return Ok(verdict),
            Ok(Some(now)) => row = now,
            Ok(None) => return Ok(Verdict::Gone),
            Err(error) => return damage_is_a_verdict(Err(error)),
        }
    }
}

async fn examine_row(store: &dyn Store, row: StoredMatch) -> Result<Verdict, StoreError> {
    let events = store.log(row.key, 0, u32::MAX).await?;
    let (right, mut differences) = match compare(&row, &events) {
        Ok(compared) => compared,
        Err(damaged) => return Ok(Verdict::Damaged(damaged.to_string())),
    };
    if differences.is_empty() {
        let missing = store.missing_from(&row).await?;
        differences
            .extend(missing.iter().map(|player| format!("it is missing from the matches of {player}")));
    }
    Ok(Verdict::Good(Box::new(Examined { row, right, differences, events })))
}

fn damage_is_a_verdict(result: Result<Verdict, StoreError>) -> Result<Verdict, StoreError> {
    match result {
        Err(error @ StoreError::Damaged { .. }) => Ok(Verdict::Damaged(error.to_string())),
        result => result,
    }
}

/// What should be stored of a match with this log, and how what is stored differs, in words. The snapshot is there
/// only if the one that is stored does not say what the log says.
///
/// # Errors
/// The log fails its hash chain, is no log of a match, or has lost its end: then nobody can say what should be
/// stored.
fn compare(row: &StoredMatch, log: &[StoredEvent]) -> Result<(StoredMatch, Vec<String>), Damaged> {
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
    let differences = differences(row, &right).into_iter().flatten().chain(snapshot_differs).collect();
    Ok((right, differences))
}

fn ends_before(log: &[StoredEvent], what: &str) -> Damaged {
    let because = format!("the log ends before its {what}");
    Damaged { revision: log.last().map_or(1, |last| last.revision.saturating_add(1)), because }
}

/// How a row differs from what its log says, by columns.
fn differences(row: &StoredMatch, right: &StoredMatch) -> [Option<String>; 15] {
    let Agreed { subjects, points, variant } = &row.agreed;
    let Head { revision, hash, state, create_time, update_time, end_time, deadline } = &row.head;
    let Standing { waiting, seat_to_act, winner, reason } = &row.standing;
    [
        differ("subject_one", &subjects.one, &right.agreed.subjects.one),
        differ("subject_two", &subjects.two, &right.agreed.subjects.two),
        differ("points", points, &right.agreed.points),
        differ("variant", variant, &right.agreed.variant),
        differ("revision", revision, &right.head.revision),
        differ("hash", hash, &right.head.hash),
        differ("state", state, &right.head.state),
        differ("create_time", create_time, &right.head.create_time),
        differ("update_time", update_time, &right.head.update_time),
        differ("end_time", end_time, &right.head.end_time),
        differ("deadline", deadline, &right.head.deadline),
        differ("waiting", waiting, &right.standing.waiting),
        differ("seat_to_act", seat_to_act, &right.standing.seat_to_act),
        differ("winner", winner, &right.standing.winner),
        differ("reason", reason, &right.standing.reason),
    ]
}

fn differ<T: PartialEq + Debug>(column: &str, stored: &T, right: &T) -> Option<String> {
    (stored != right).then(|| format!("{column} is {stored:?}, by the log {right:?}"))
}

#[cfg(test)]
mod tests;
