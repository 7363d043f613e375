//! What was found out about one log.

use chaquete_proof::log::{Hash, StoredEvent, read_export};
use chaquete_proof::verify::{Check, Outcome, Report, verify};
use serde_json::{Value, json};
use uuid::Uuid;

/// What was found out about the log of a match.
#[derive(Debug)]
pub(super) struct Verdict {
    /// The match, or the file.
    pub(super) name: String,
    /// The full name of the match, as the log's first line says.
    pub(super) of: Option<String>,
    /// Its uid.
    pub(super) uid: Option<Uuid>,
    pub(super) report: Report,
    /// The hash after each event, for whoever has noted one of them.
    hashes: Vec<Hash>,
    /// What does not fit what was noted earlier.
    contradiction: Option<String>,
}

impl Verdict {
    /// Verifies an exported log.
    pub(super) fn of(name: String, content: &[u8]) -> Self {
        match read_export(content) {
            Ok(exported) => {
                let report = verify(&exported.facts.uid, &exported.events, Some(&exported.facts));
                let hash = |event: &StoredEvent| event.hash;
                let hashes = exported.events.iter().map(hash).collect();
                let (of, uid) = (Some(exported.facts.name), Some(exported.facts.uid));
                Self { name, of, uid, report, hashes, contradiction: None }
            }
            // The first line has the facts, so event 1 is in line 2.
            Err(bad) => Self::unread(name, bad.line.saturating_sub(1), &bad.to_string()),
        }
    }

    /// The log cannot be had.
    pub(super) fn unreadable(name: String, because: &str) -> Self {
        Self::unread(name, 0, because)
    }

    fn unread(name: String, revision: u32, because: &str) -> Self {
        let report = Report::unreadable(revision, because);
        Self { name, of: None, uid: None, report, hashes: Vec::new(), contradiction: None }
    }

    /// It does not fit what was noted earlier, in this way; the first is what is told.
    pub(super) fn contradict(&mut self, because: String) {
        self.contradiction.get_or_insert(because);
    }

    /// What the match is called in journals.
    pub(super) fn match_name(&self) -> &str {
        self.of.as_deref().unwrap_or(&self.name)
    }

    /// The hash after this event.
    pub(super) fn hash_at(&self, revision: u32) -> Option<Hash> {
        self.hashes.get(revision.checked_sub(1)? as usize).copied()
    }

    pub(super) fn events(&self) -> u64 {
        self.hashes.len() as u64
    }

    pub(super) fn passed(&self) -> bool {
        self.report.passed() && self.contradiction.is_none()
    }

    /// What is wrong, a line each.
    pub(super) fn complaints(&self) -> Vec<String> {
        let failed = self.report.checks().into_iter().filter_map(|(check, outcome)| match outcome {
            Outcome::Failed { first_bad_revision: 0, detail } => {
                Some(format!("{}: {}: {detail}", self.name, words(check)))
            }
            Outcome::Failed { first_bad_revision, detail } => {
                Some(format!("{}: {}, event {first_bad_revision}: {detail}", self.name, words(check)))
            }
            Outcome::Passed | Outcome::Skipped { .. } => None,
        });
        let earlier = self.contradiction.iter().map(|what| format!("{}: {what}", self.name));
        failed.chain(earlier).collect()
    }

    pub(super) fn json(&self) -> Value {
        let checks: Vec<_> = self.report.checks().into_iter().map(json_of).collect();
        json!({
            "match": self.match_name(),
            "source": self.name,
            "revision": self.report.revision,
            "log_hash": self.report.log_hash.map(|hash| hash.to_string()),
            "passed": self.passed(),
            "contradiction": self.contradiction,
            "checks": checks,
        })
    }
}

fn json_of((check, outcome): (Check, &Outcome)) -> Value {
    let check = code(check);
    match outcome {
        Outcome::Passed => json!({ "check": check, "outcome": "passed" }),
        Outcome::Failed { first_bad_revision, detail } => {
            json!({ "check": check, "outcome": "failed", "first_bad_revision": first_bad_revision, "detail": detail })
        }
        Outcome::Skipped { why } => json!({ "check": check, "outcome": "skipped", "detail": why }),
    }
}

/// A check, as programs call it.
pub(super) const fn code(check: Check) -> &'static str {
    match check {
        Check::HashChain => "hash_chain",
        Check::RulesReplay => "rules_replay",
        Check::State => "state",
        Check::DiceProof => "dice_proof",
        Check::Clocks => "clocks",
    }
}

/// A check, as people call it.
pub(super) const fn words(check: Check) -> &'static str {
    match check {
        Check::HashChain => "hash chain",
        Check::RulesReplay => "rules",
        Check::State => "result",
        Check::DiceProof => "dice",
        Check::Clocks => "clocks",
    }
}
