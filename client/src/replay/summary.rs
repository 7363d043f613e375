//! What came of a run.

use std::collections::BTreeMap;

use super::{Plan, Played};

/// How much was played, or is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Matches, whole or in part.
    pub matches: usize,
    /// Games that end.
    pub games: usize,
    /// Actions, the creations of matches included.
    pub actions: usize,
}

/// The figures of many replayed matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// What the records ask for.
    pub planned: Counts,
    /// What was done.
    pub played: Counts,
    /// Actions that were in the log before.
    pub found: usize,
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
        if !plan.games.is_empty() {
            self.planned.matches += 1;
            self.planned.games += plan.games.iter().filter(|game| game.result.is_some()).count();
            self.planned.actions += plan.requests();
        }
        for oddity in &plan.oddities {
            *self.oddities.entry(oddity.kind.code()).or_default() += 1;
        }
        self.add_findings(&plan.findings);
    }

    /// Counts what became of a match.
    pub fn add_played(&mut self, played: &Played) {
        self.played.matches += usize::from(played.actions > 0);
        self.played.games += played.games;
        self.played.actions += played.actions;
        self.found += played.found;
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
