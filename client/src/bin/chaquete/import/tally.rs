//! What came of all records of an import.

use std::fmt::{self, Display};
use std::process::ExitCode;

use super::one::Outcome;
use crate::report::Oddities;

pub(super) struct Tally {
    records: usize,
    /// Whether nothing is stored.
    is_check: bool,
    sound: usize,
    there: usize,
    refused: usize,
    oddities: Oddities,
}

impl Tally {
    pub(super) fn new(records: usize, is_check: bool) -> Self {
        Self { records, is_check, sound: 0, there: 0, refused: 0, oddities: Oddities::default() }
    }

    pub(super) fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Imported { .. } | Outcome::Sound { .. } => self.sound += 1,
            Outcome::There { .. } => self.there += 1,
            Outcome::Refused { .. } => self.refused += 1,
            Outcome::Failed(_) => {}
        }
        self.oddities.add(outcome.notes());
    }

    pub(super) fn exit_code(&self) -> ExitCode {
        if self.refused > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS }
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { records, is_check, sound, there, refused, oddities } = self;
        let verb = if *is_check { "can be imported" } else { "imported" };
        write!(f, "{records} records: {sound} {verb}, {there} already there, {refused} refused")?;
        let left = records - sound - there - refused;
        if left > 0 {
            write!(f, ", {left} not done")?;
        }
        write!(f, "; {oddities}")
    }
}
