//! What went wrong in a replay, and where in the record.

use std::fmt;

use chaquete_record::{Fault as RecordFault, Halt, OddityKind};

use crate::Error;

/// Something that went wrong with a line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line in the record, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What went wrong.
    pub fault: Fault,
}

/// What can go wrong with a recorded match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The file is no match file, or of a match that cannot be played.
    Unreadable {
        /// The stable code of the problem.
        rule: &'static str,
        /// The problem.
        message: String,
    },
    /// The games are not those of one match from 0-0: the rest is left out.
    NotOneMatch {
        /// The stable code of the oddity.
        rule: &'static str,
        /// The oddity.
        message: String,
    },
    /// The record cannot be followed under the rules: the rest is left out.
    Unplayable {
        /// The stable code of the rule.
        rule: &'static str,
        /// Why not.
        message: String,
    },
    /// The server refused an action.
    Refused {
        /// The rule, or else the reason, or else the code of the error.
        rule: String,
        /// What the server said.
        message: String,
    },
    /// What the server made of a game or match is not what it should be.
    Mismatch {
        /// What differs.
        what: &'static str,
        /// As it should be.
        expected: String,
        /// As it is.
        found: String,
    },
}

impl Finding {
    pub(super) fn of_halt(halt: &Halt) -> Self {
        let rule = match &halt.fault {
            RecordFault::Refused(refusal) => refusal.code(),
            other => other.code(),
        };
        let fault = Fault::Unplayable { rule, message: halt.fault.to_string() };
        Self { line: halt.line, column: halt.column, fault }
    }

    pub(super) fn not_one_match(line: u32, oddity: OddityKind) -> Self {
        let fault = Fault::NotOneMatch { rule: oddity.code(), message: oddity.to_string() };
        Self { line, column: 1, fault }
    }

    pub(super) fn of_refusal(line: u32, column: u32, error: &Error) -> Self {
        let fault = Fault::Refused { rule: rule_of_error(error), message: error.message().to_owned() };
        Self { line, column, fault }
    }

    pub(super) fn mismatch(
        line: u32,
        what: &'static str,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Self {
        let fault = Fault::Mismatch { what, expected: expected.to_string(), found: found.to_string() };
        Self { line, column: 1, fault }
    }
}

impl Fault {
    /// The rule that was broken, as a stable code.
    #[must_use]
    pub fn rule(&self) -> &str {
        match self {
            Self::Unreadable { rule, .. }
            | Self::NotOneMatch { rule, .. }
            | Self::Unplayable { rule, .. } => rule,
            Self::Refused { rule, .. } => rule,
            Self::Mismatch { .. } => "MISMATCH",
        }
    }
}

fn rule_of_error(error: &Error) -> String {
    match (error.metadata().get("rule"), error.reason()) {
        (Some(rule), _) => rule.clone(),
        (None, Some(reason)) => reason.as_str_name().trim_start_matches("ERROR_REASON_").to_owned(),
        (None, None) => format!("{:?}", error.code()),
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { message, .. } => write!(out, "not readable: {message}"),
            Self::NotOneMatch { message, .. } => write!(out, "not one match: {message}"),
            Self::Unplayable { message, .. } => write!(out, "not playable: {message}"),
            Self::Refused { message, .. } => write!(out, "refused: {message}"),
            Self::Mismatch { what, expected, found } => {
                write!(out, "{what}: {expected} expected, {found} found")
            }
        }
    }
}
