//! What came of all logs.

use std::fmt::{self, Display};

use chaquete_proof::verify::{Check, Outcome};
use serde_json::{Value, json};

use super::journal::Before;
use super::verdict::{Verdict, code, words};

/// How often a check came to what.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

/// What came of all logs.
#[derive(Debug, Default)]
pub(super) struct Report {
    before: Before,
    matches: u64,
    events: u64,
    checks: [Counts; 5],
    /// Those that are not in order.
    failed: Vec<Value>,
    /// How many logs are in the server's tree to their end, if that was asked.
    pub(super) covered: Option<u64>,
    /// Matches that were in order in an earlier audit and are not there any more.
    pub(super) missing: Vec<String>,
}

impl Report {
    pub(super) fn after(before: Before) -> Self {
        Self { before, ..Self::default() }
    }

    pub(super) fn add(&mut self, verdict: &Verdict) {
        self.matches += 1;
        self.events += verdict.events();
        for (counts, (_, outcome)) in self.checks.iter_mut().zip(verdict.report.checks()) {
            *match outcome {
                Outcome::Passed => &mut counts.passed,
                Outcome::Failed { .. } => &mut counts.failed,
                Outcome::Skipped { .. } => &mut counts.skipped,
            } += 1;
        }
        if !verdict.passed() {
            self.failed.push(verdict.json());
        }
    }

    pub(super) const fn is_clean(&self) -> bool {
        self.failed.is_empty() && self.missing.is_empty() && self.before.failed.is_empty()
    }

    pub(super) fn json(&self) -> Value {
        let counts = |(check, counts): (Check, &Counts)| {
            let Counts { passed, failed, skipped } = counts;
            (code(check).to_owned(), json!({ "passed": passed, "failed": failed, "skipped": skipped }))
        };
        let checks: serde_json::Map<_, _> = CHECKS.into_iter().zip(&self.checks).map(counts).collect();
        json!({
            "format": "bgaudit/1",
            "matches": self.matches,
            "events": self.events,
            "checks": checks,
            "failed": self.failed,
            "covered": self.covered,
            "before": { "matches": self.before.matches, "failed": self.before.failed },
            "missing": self.missing,
        })
    }
}

const CHECKS: [Check; 5] =
    [Check::HashChain, Check::RulesReplay, Check::State, Check::DiceProof, Check::Clocks];

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before, matches, events, checks, failed, covered, missing } = self;
        writeln!(f, "{matches} matches, {events} events: {} not in order", failed.len())?;
        for (check, counts) in CHECKS.into_iter().zip(checks) {
            let Counts { passed, failed, skipped } = counts;
            writeln!(f, "  {:<10} {passed} in order, {failed} not, {skipped} not to be known", words(check))?;
        }
        if let Some(covered) = covered {
            writeln!(f, "  checkpoint {covered} covered to their end")?;
        }
        if before.matches > 0 {
            let failed = before.failed.len();
            writeln!(f, "{} matches were verified before, {failed} of them not in order", before.matches)?;
        }
        for name in missing {
            writeln!(f, "{name}: it was there, and is not any more")?;
        }
        if !missing.is_empty() {
            writeln!(f, "{} matches are missing", missing.len())?;
        }
        Ok(())
    }
}
