//! What came of a run.

use std::collections::BTreeMap;

use super::{Plan, Played};

/// The figures of many replayed matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Matches played, whole or in part.
    pub matches: usize,
    /// Games that ended on the server.
    pub games: usize,
    /// Actions acknowledged.
    pub actions: usize,
    /// Oddities of the records by their code.
    pub oddities: BTreeMap<&'static str, usize>,
    /// What went wrong, by its rule.
    pub faults: BTreeMap<String, usize>,
    /// Matches that the server did not answer to the end.
    pub interrupted: usize,
}

impl Summary {
    /// Counts the oddities of a record, and what keeps it from being played.
    pub fn add_plan(&mut self, plan: &Plan) {
        for oddity in &plan.oddities {
            *self.oddities.entry(oddity.kind.code()).or_default() += 1;
        }
        self.add_findings(&plan.findings);
    }

    /// Counts what became of a match.
    pub fn add_played(&mut self, played: &Played) {
        self.matches += usize::from(played.actions > 0);
        self.games += played.games;
        self.actions += played.actions;
        self.interrupted += usize::from(played.interrupted.is_some());
        self.add_findings(&played.findings);
    }

    /// Counts findings.
    pub fn add_findings(&mut self, findings: &[super::Finding]) {
        for finding in findings {
            *self.faults.entry(finding.fault.rule().to_owned()).or_default() += 1;
        }
    }

    /// Whether everything was played and nothing went wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.interrupted == 0
    }
}
