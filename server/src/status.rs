//! The single map from what can go wrong to what callers are told.

mod ending;
mod error;
mod slow;
mod transport;

use std::{any::Any, collections::HashMap, time::Duration};

use chaquete_proof::hex;
use chaquete_proto::v1::ErrorReason;
use chaquete_rules::{Awaited, Contributor, DiceSource, IllegalMove, Refusal, Seat, WinKind};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, PreconditionViolation, StatusExt};

use crate::{
    dice::CupError,
    exchange::{Unreadable, Unwritable},
    execute::{Failure, TooMuch},
    name::MatchName,
    store::State,
    table::Table,
    wire::{scalar, violations::BadRequest, words},
};

pub use ending::{ending, is_fault};
pub use error::{Error, Quota};
pub use slow::Behind;
pub use transport::{
    compressed, deadline_exceeded, malformed_timeout, too_large, unknown_method, unreadable,
};

/// The domain of all error reasons.
pub const DOMAIN: &str = "backgammon.v1";

/// When to try again what failed for a reason that passes.
const RETRY_AFTER: Duration = Duration::from_secs(1);

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::BadRequest(bad) => bad_request(&bad),
            Error::BadFilter(bad) => {
                Told::new(Code::InvalidArgument, ErrorReason::InvalidFilter, format!("filter: {bad}"))
                    .with("position", &bad.position)
                    .bad_fields(vec![FieldViolation::new("filter", bad.to_string())])
                    .status()
            }
            Error::BadPageToken(bad) => {
                Told::new(Code::InvalidArgument, ErrorReason::InvalidPageToken, bad.to_string()).status()
            }
            Error::Unparsable { field, because } => Told::new(
                Code::InvalidArgument,
                ErrorReason::UnparsableContent,
                format!("{field}: {because}"),
            )
            .bad_fields(vec![FieldViolation::new(field, because)])
            .status(),
            Error::Unreadable(Unreadable { line, column, code, because }) => Told::new(
                Code::InvalidArgument,
                ErrorReason::UnparsableContent,
                format!("content: {because}"),
            )
            .with("line", &line)
            .with("column", &column)
            .with("code", &code)
            .bad_fields(vec![FieldViolation::new("content", because)])
            .status(),
            Error::Unwritable(Unwritable::NoPlace(why)) => {
                Told::new(Code::FailedPrecondition, ErrorReason::NotRepresentable, why).status()
            }
            Error::Unwritable(why @ Unwritable::OnlyRead) => {
                let bad = FieldViolation::new("format", why.to_string());
                bad_request(&BadRequest { violations: vec![bad], unsent: 0 })
            }
            Error::Unwritable(Unwritable::Damaged(damaged)) => of_failure(Failure::Damaged(damaged)),
            Error::Failure(failure) => of_failure(failure),
            Error::NotFound(name) => not_found(&name),
            Error::NotCovered(name) => not_covered(name.as_ref()),
            Error::InvalidCredentials => {
                let message = "the credentials are missing, malformed, expired or revoked";
                Told::new(Code::Unauthenticated, ErrorReason::InvalidCredentials, message).status()
            }
            Error::AccessDenied { method, role } => {
                let message = "the role of the caller, or the scopes of its key, do not allow this call";
                Told::new(Code::PermissionDenied, ErrorReason::AccessDenied, message)
                    .with("method", &method)
                    .with("role", &without("ROLE_", role.as_str_name()))
                    .status()
            }
            Error::SeatNotHeld(seat) => {
                let message = "the caller does not hold this seat";
                Told::new(Code::PermissionDenied, ErrorReason::SeatNotHeld, message)
                    .with("seat", &seat_code(seat))
                    .status()
            }
            Error::RateLimited { exceeded, retry_after } => {
                let (of, what) = match exceeded {
                    Quota::Key => ("key", "calls of this key"),
                    Quota::Person => ("subject", "calls of this subject"),
                    Quota::Address => ("address", "calls without known credentials from this address"),
                };
                let message = format!("too many {what} in a short time");
                let mut told = Told::new(Code::ResourceExhausted, ErrorReason::RateLimited, message.clone());
                told.details.set_retry_info(Some(retry_after));
                told.details.add_quota_failure_violation(of, message);
                told.status()
            }
            Error::TooManyStreams => {
                let message = "too many streams are open for this caller or its tenant: close some";
                Told::new(Code::ResourceExhausted, ErrorReason::TooManyWatches, message).retry().status()
            }
            Error::Overloaded => {
                let message = "the server works on as many calls as it can: try again";
                Told::new(Code::Unavailable, ErrorReason::Overloaded, message).retry().status()
            }
            Error::RevisionInFuture { current } => {
                let message = format!(
                    "the match has revision {current} only: what you know of it is of another history"
                );
                Told::new(Code::OutOfRange, ErrorReason::RevisionInFuture, message)
                    .with("current_revision", &current)
                    .status()
            }
            Error::SlowConsumer(behind) => slow::told(behind).retry().status(),
            Error::Draining => Told::new(
                Code::Unavailable,
                ErrorReason::ServerDraining,
                "the server goes down: connect again",
            )
            .retry()
            .status(),
            Error::NoTokenKey => {
                let message = "this server has no key that signs tokens, so it issues none: its operator has to name one, \
                               with --token-key";
                Told::new(Code::Unimplemented, ErrorReason::Unimplemented, message)
                    .with("feature", &"MatchService.IssueToken")
                    .status()
            }
            Error::Unimplemented { feature } => unimplemented(feature),
        }
    }
}

/// The answer to what is part of the contract, but not built in this version.
#[must_use]
pub fn unimplemented(feature: &str) -> Status {
    let message = format!("{feature} is part of the contract, but not built in this version of the server");
    Told::new(Code::Unimplemented, ErrorReason::Unimplemented, message).with("feature", &feature).status()
}

/// The answer to a call that made its handler panic. What it said is for our log only.
#[must_use]
pub fn panicked(said: Box<dyn Any + Send>) -> Status {
    let words = match said.downcast::<String>() {
        Ok(words) => *words,
        Err(said) => said
            .downcast::<&str>()
            .map_or_else(|_| "nothing readable".to_owned(), |words| (*words).to_owned()),
    };
    internal(&format!("a handler panicked: {words}"))
}

/// The answer to a fault of the server. Its cause is for our log only, under the number that the caller gets.
#[must_use]
pub fn internal(cause: &str) -> Status {
    let incident = hex::encode(&rand::random::<[u8; 8]>());
    tracing::error!(incident, cause, "a fault of the server");
    let message = format!("a fault of the server: incident {incident}");
    Told::new(Code::Internal, ErrorReason::Internal, message).with("incident", &incident).status()
}

fn bad_request(bad: &BadRequest) -> Status {
    let mut violations = bad.violations.clone();
    if bad.unsent > 0 {
        violations.push(FieldViolation::new("", format!("and {} more violations", bad.unsent)));
    }
    Told::new(Code::InvalidArgument, ErrorReason::InvalidField, bad.to_string())
        .bad_fields(violations)
        .status()
}

fn not_found(name: &str) -> Status {
    Told::new(Code::NotFound, ErrorReason::NotFound, format!("there is no {name}"))
        .with("name", &name)
        .status()
}

fn not_covered(name: Option<&MatchName>) -> Status {
    let message = "no checkpoint covers this yet: one does about a second after it was written";
    let told = Told::new(Code::NotFound, ErrorReason::NotCheckpointed, message);
    match name {
        Some(name) => told.with("name", name),
        None => told,
    }
    .retry()
    .status()
}

fn of_failure(failure: Failure) -> Status {
    let message = failure.to_string();
    let told = |code, reason| Told::new(code, reason, message.clone());
    match failure {
        Failure::NotFound(name) => not_found(&name.to_string()),
        Failure::Exists(name) => {
            told(Code::AlreadyExists, ErrorReason::MatchExists).with("name", &name).status()
        }
        Failure::TooManyMatches(tenant) => told(Code::ResourceExhausted, ErrorReason::TooManyMatches)
            .with("tenant", &tenant)
            .retry()
            .status(),
        Failure::Refused { refusal, table } => of_refusal(&refusal, &table),
        Failure::RevisionMismatch { expected, current } => told(Code::Aborted, ErrorReason::RevisionMismatch)
            .with("expected_revision", &expected)
            .with("current_revision", &current)
            .status(),
        Failure::Contended { current } => told(Code::Aborted, ErrorReason::RevisionMismatch)
            .with("current_revision", &current)
            .retry()
            .status(),
        Failure::NoDice(CupError::UnknownKey(key_id) | CupError::WrongKey(key_id)) => {
            tracing::error!(key_id, "the dice of a match cannot be rolled: {message}");
            told(Code::Unavailable, ErrorReason::DiceUnavailable).with("key_id", &key_id).retry().status()
        }
        Failure::NoDice(CupError::NoSeed) => {
            told(Code::Unavailable, ErrorReason::DiceUnavailable).retry().status()
        }
        Failure::RequestIdReused(id) => {
            told(Code::InvalidArgument, ErrorReason::RequestIdReused).with("request_id", &id).status()
        }
        Failure::TooMuch(much) => {
            let field = match much {
                TooMuch::Labels(_) => "match.labels",
                TooMuch::Annotations(_) => "match.annotations",
            };
            let bad = FieldViolation::new(field, message);
            bad_request(&BadRequest { violations: vec![bad], unsent: 0 })
        }
        Failure::Unavailable(cause) => {
            tracing::error!(cause, "the store is not available");
            let message = "the store is not available: try again with the same request_id";
            Told::new(Code::Unavailable, ErrorReason::StorageUnavailable, message).retry().status()
        }
        Failure::Damaged(damaged) => {
            tracing::error!(revision = damaged.revision, cause = damaged.because, "a log is damaged");
            let message = match damaged.revision {
                0 => "what is kept of this match beside its log is damaged".to_owned(),
                revision => format!("the log of this match is damaged from revision {revision} on"),
            };
            Told::new(Code::DataLoss, ErrorReason::LogCorrupt, message)
                .with("first_bad_revision", &damaged.revision)
                .status()
        }
        Failure::UidTaken(uid) => {
            told(Code::AlreadyExists, ErrorReason::MatchExists).with("uid", &uid).status()
        }
        Failure::NotImportable(unreadable) => Error::Unreadable(unreadable).into(),
        Failure::Internal(cause) => internal(&cause),
    }
}

fn of_refusal(refusal: &Refusal, table: &Table) -> Status {
    let current = table.head.revision;
    let refused = |reason| Told::new(Code::FailedPrecondition, reason, refusal.to_string());
    match *refusal {
        Refusal::MatchNotActive => {
            refused(ErrorReason::MatchNotActive).with("state", &state_code(table.head.state)).status()
        }
        Refusal::WrongPhase { action, phase } => refused(ErrorReason::WrongPhase)
            .with("phase", &phase)
            .with("action", &action)
            .with("current_revision", &current)
            .precondition("PHASE", &table.name)
            .status(),
        Refusal::NotYourTurn { seat, seat_to_act } => refused(ErrorReason::NotYourTurn)
            .with("seat", &seat_code(seat))
            .with("seat_to_act", &seat_code(seat_to_act))
            .with("current_revision", &current)
            .status(),
        Refusal::IllegalMove(IllegalMove { violation, step }) => refused(ErrorReason::IllegalMove)
            .with("rule", &violation.code())
            .with("step", &step)
            .precondition("RULE", &table.name)
            .status(),
        Refusal::CubeNotAvailable(violation) => {
            refused(ErrorReason::CubeNotAvailable).with("rule", &violation.code()).status()
        }
        Refusal::ResignationNotAvailable { kind, declined } => refused(ErrorReason::ResignationNotAvailable)
            .with("kind", &kind_code(kind))
            .with("declined_kind", &kind_code(declined))
            .status(),
        Refusal::MatchPaused => refused(ErrorReason::MatchPaused).status(),
        Refusal::MatchNotPaused => refused(ErrorReason::MatchNotPaused).status(),
        Refusal::NotAwaited { by, awaited } => {
            let told = refused(ErrorReason::EntropyNotAwaited).with("contributor", &contributor_code(by));
            told.with("awaited", &awaited.map_or("NOTHING", Awaited::code)).status()
        }
        Refusal::WrongOpening { by } => {
            refused(ErrorReason::WrongOpening).with("contributor", &contributor_code(by)).status()
        }
        Refusal::TimeExpired { .. } | Refusal::ContributionsLate => {
            refused(ErrorReason::TimeExpired).status()
        }
        Refusal::TimeNotExpired { flag } => {
            let told = refused(ErrorReason::TimeNotExpired);
            match flag {
                Some(flag) => told.with("flag_time", &scalar::timestamp(flag)).status(),
                None => told.status(),
            }
        }
        // Only the server itself credits time.
        Refusal::NothingToCredit => internal(refusal.code()),
        Refusal::SessionNotClosable => refused(ErrorReason::SessionNotClosable).status(),
        Refusal::DiceNotAccepted => refused(ErrorReason::DiceNotAccepted)
            .with("dice_source", &source_code(table.state.terms().dice))
            .status(),
    }
}

/// A value of an enum of the contract without the prefix of the enum.
fn without<'a>(prefix: &str, name: &'a str) -> &'a str {
    name.strip_prefix(prefix).unwrap_or(name)
}

const fn contributor_code(by: Contributor) -> &'static str {
    match by {
        Contributor::SeatOne => "ONE",
        Contributor::SeatTwo => "TWO",
        Contributor::Creator => "CREATOR",
    }
}

fn seat_code(seat: Seat) -> &'static str {
    without("SEAT_", words::seat(seat).as_str_name())
}

fn state_code(state: State) -> &'static str {
    without("MATCH_STATE_", words::match_state(state, None).as_str_name())
}

fn kind_code(kind: WinKind) -> &'static str {
    without("WIN_KIND_", words::win_kind(kind).as_str_name())
}

fn source_code(source: DiceSource) -> &'static str {
    without("DICE_SOURCE_", words::dice_source(source).as_str_name())
}

/// What a caller is told.
struct Told {
    code: Code,
    reason: ErrorReason,
    message: String,
    metadata: HashMap<String, String>,
    details: ErrorDetails,
}

impl Told {
    fn new(code: Code, reason: ErrorReason, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, reason, message, metadata: HashMap::new(), details: ErrorDetails::new() }
    }

    /// Adds what a program needs to know. A known JSON transcoder crashes on an empty value, so none is sent.
    fn with(mut self, key: &str, value: &impl ToString) -> Self {
        let value = value.to_string();
        if !value.is_empty() {
            self.metadata.insert(key.to_owned(), value);
        }
        self
    }

    fn retry(mut self) -> Self {
        self.details.set_retry_info(Some(RETRY_AFTER));
        self
    }

    fn bad_fields(mut self, violations: Vec<FieldViolation>) -> Self {
        self.details.set_bad_request(violations);
        self
    }

    fn precondition(mut self, kind: &str, name: &MatchName) -> Self {
        let violation = PreconditionViolation::new(kind, name.to_string(), self.message.clone());
        self.details.set_precondition_failure(vec![violation]);
        self
    }

    fn status(mut self) -> Status {
        let reason = without("ERROR_REASON_", self.reason.as_str_name());
        self.details.set_error_info(reason, DOMAIN, self.metadata);
        Status::with_error_details(self.code, self.message, self.details)
    }
}

#[cfg(test)]
mod tests;
