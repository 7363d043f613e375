//! Verification, as callers ask for it and are told of it.

use chaquete_proof::verify::{Check, Outcome, Report};
use chaquete_proto::v1;

use super::scalar::number;
use crate::audit::Verified;

/// How many matches are looked up at once to be looked at: they come with their snapshots.
const PAGE: i32 = 32;

/// The list of the matches that are to be looked at, in order of their creation. What is wrong with it shows when it is
/// read.
#[must_use]
pub fn all_matches(parent: &str, filter: &str) -> v1::ListMatchesRequest {
    v1::ListMatchesRequest {
        parent: parent.to_owned(),
        filter: filter.to_owned(),
        page_size: PAGE,
        order_by: "create_time".to_owned(),
        ..v1::ListMatchesRequest::default()
    }
}

/// What was found out about a match.
#[must_use]
pub fn report(verified: &Verified) -> v1::VerificationReport {
    let Verified { name, report } = verified;
    v1::VerificationReport {
        r#match: name.as_ref().map(ToString::to_string).unwrap_or_default(),
        revision: number(report.revision),
        passed: report.passed(),
        checks: checks(report),
        log_hash: report.log_hash.map(|hash| hash.as_bytes().to_vec()).unwrap_or_default(),
    }
}

fn checks(report: &Report) -> Vec<v1::VerificationCheck> {
    report.checks().into_iter().map(|(check, outcome)| told(check, outcome)).collect()
}

fn told(check: Check, outcome: &Outcome) -> v1::VerificationCheck {
    let (outcome, first_bad_revision, detail) = match outcome {
        Outcome::Passed => (v1::VerificationOutcome::Passed, 0, ""),
        Outcome::Failed { first_bad_revision, detail } => {
            (v1::VerificationOutcome::Failed, *first_bad_revision, detail.as_str())
        }
        Outcome::Skipped { why } => (v1::VerificationOutcome::Skipped, 0, why.as_str()),
    };
    v1::VerificationCheck {
        kind: kind(check).into(),
        outcome: outcome.into(),
        first_bad_revision: number(first_bad_revision),
        detail: detail.to_owned(),
    }
}

const fn kind(check: Check) -> v1::VerificationKind {
    match check {
        Check::HashChain => v1::VerificationKind::HashChain,
        Check::RulesReplay => v1::VerificationKind::RulesReplay,
        Check::State => v1::VerificationKind::State,
        Check::DiceProof => v1::VerificationKind::DiceProof,
        Check::Clocks => v1::VerificationKind::Clocks,
    }
}
