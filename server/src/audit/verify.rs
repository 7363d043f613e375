//! One match verified: its log, and what is stored beside it.

use chaquete_proof::verify::{Outcome, Report, verify};

use super::{
    Auditor,
    compare::{compare, missing},
    compute,
    moment::{Moment, Read, read, whole_log},
};
use crate::{
    execute::Failure,
    name::MatchName,
    store::{BadRow, MatchKey, Row, StoreError, StoredEvent, StoredMatch},
    table::Damaged,
};

/// A match that was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Its name, if that can be read.
    pub name: Option<MatchName>,
    /// What was found out.
    pub report: Report,
}

impl Auditor {
    /// Verifies the match of this name. Damage is in the report.
    ///
    /// # Errors
    /// There is none, or the store fails.
    pub async fn verify(&self, name: MatchName) -> Result<Verified, Failure> {
        let verified = self.run(move |this| async move {
            let Some(row) = this.store.find_row(&name).await? else { return Err(Failure::NotFound(name)) };
            this.verify_now(row).await?.ok_or(Failure::NotFound(name))
        });
        verified.await
    }

    /// Verifies the match of this row, which was just read; `None`: it is gone.
    ///
    /// # Errors
    /// The store fails.
    pub async fn verify_row(&self, row: Row) -> Result<Option<Verified>, Failure> {
        self.run(move |this| async move { this.verify_now(row).await }).await
    }

    async fn verify_now(&self, row: Row) -> Result<Option<Verified>, Failure> {
        let (name, report) = match row {
            Ok(row) => (Some(row.name.clone()), self.report(row).await?),
            Err(bad) => (bad.name.clone(), Some(self.report_bad(*bad).await?)),
        };
        let Some(report) = report else { return Ok(None) };
        if let Some(name) = &name {
            self.settle(name, &report);
        }
        Ok(Some(Verified { name, report }))
    }

    /// A match whose log is bad is not played on, until it was found good again.
    fn settle(&self, name: &MatchName, report: &Report) {
        match report.first_bad() {
            Some((revision, because)) => {
                self.tables.freeze(name, Damaged { revision, because: because.to_owned() });
            }
            None => self.tables.thaw(name),
        }
    }

    async fn report(&self, row: StoredMatch) -> Result<Option<Report>, Failure> {
        let moment = match read(&*self.store, row).await? {
            Read::There(moment) => *moment,
            Read::Damaged { revision: 0, because } => return Ok(Some(without_log(because))),
            Read::Damaged { revision, because } => return Ok(Some(Report::unreadable(revision, &because))),
            Read::Gone => return Ok(None),
        };
        let (row, mut report) = compute(move || look(moment)).await?;
        if report.state == Outcome::Passed {
            let missing = missing(&*self.store, &row).await?;
            if !missing.is_empty() {
                report.state = Outcome::failed(0, missing.join("; "));
            }
        }
        Ok(Some(report))
    }

    /// Of a match whose row is damaged the log may be good all the same.
    async fn report_bad(&self, bad: BadRow) -> Result<Report, Failure> {
        let (Some(name), Some(uid)) = (&bad.name, bad.uid) else { return Ok(without_log(bad.because)) };
        let report = match whole_log(&*self.store, MatchKey::new(name, uid)).await {
            Ok(events) => compute(move || verify(&uid, &events, None)).await?,
            Err(StoreError::Damaged { revision, because }) => Report::unreadable(revision, &because),
            Err(error) => return Err(error.into()),
        };
        Ok(Report { state: Outcome::failed(0, bad.because), ..report })
    }
}

/// Verifies what was read.
fn look(Moment { row, events }: Moment) -> (StoredMatch, Report) {
    let mut report = verify(&row.key.uid, &events, Some(&row.facts()));
    if report.state == Outcome::Passed {
        report.state = beside(&row, &events, &report);
    }
    (row, report)
}

/// Whether the rest of the row, and the snapshot, are as the log says too.
fn beside(row: &StoredMatch, events: &[StoredEvent], report: &Report) -> Outcome {
    match compare(row, events) {
        Ok((_, differences)) if differences.is_empty() => Outcome::Passed,
        Ok((_, differences)) => Outcome::failed(0, differences.join("; ")),
        // It has been told already, by the check that it belongs to; the facts were as the log says.
        Err(_) if report.first_bad().is_some() => Outcome::Passed,
        Err(damaged) => Outcome::failed(damaged.revision, damaged.because),
    }
}

/// The report of a match of whose row so little can be read that its log is not found.
fn without_log(because: String) -> Report {
    let unread = || Outcome::skipped("the row of the match cannot be read, so its log is not found");
    Report {
        revision: 0,
        log_hash: None,
        hash_chain: unread(),
        rules_replay: unread(),
        state: Outcome::failed(0, because),
        dice_proof: unread(),
        clocks: unread(),
    }
}
