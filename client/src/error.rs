//! Why a call failed.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use chaquete_proto::v1::{ActionError, CubeViolation, ErrorReason, MoveViolation};
use tonic::{Code, Status, TimeoutExpired};
use tonic_types::{ErrorDetails, RpcStatusExt as _, StatusExt as _};

/// The domain of the reasons of this API.
const DOMAIN: &str = "backgammon.v1";

/// What tonic reports when a stream ended without the server's last word on it. The body has lost
/// the reason by then, so this text is all there is to tell it from an answer of the server.
const CUT_OFF: &str = "protocol error: missing grpc-status trailer";

/// What the transport makes of a server that answers with TLS where none is spoken: the first bytes of its refusal,
/// taken for the length of a frame.
const NOT_PLAIN: &str = "frame with invalid size";

/// A call that failed for good: refused by the server, or not answered in time.
#[derive(Debug)]
pub struct Error(Box<Failure>);

#[derive(Debug)]
struct Failure {
    origin: Origin,
    code: Code,
    message: String,
    reason: Option<ErrorReason>,
    metadata: BTreeMap<String, String>,
    fields: Vec<FieldViolation>,
    retry_after: Option<Duration>,
    attempts: u32,
}

/// Who says that a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The server answered with an error.
    Server,
    /// No answer came: the connection could not be made, or broke.
    Transport,
    /// This library: a deadline passed, an address is no address, or the server broke the contract.
    Client,
}

/// One field of a request that the server found missing or malformed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldViolation {
    /// The path of the field, for example `match.rules.points`.
    pub field: String,
    /// What is wrong with it.
    pub description: String,
}

impl Error {
    /// The gRPC code. A broken or impossible connection is [`Code::Unavailable`].
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Who says that the call failed.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.0.origin
    }

    /// The cause, if the server named one that this library knows. Otherwise go by [`code`](Self::code).
    #[must_use]
    pub fn reason(&self) -> Option<ErrorReason> {
        self.0.reason
    }

    /// The message for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The facts that belong to the [`reason`](Self::reason), by the names its comment gives.
    #[must_use]
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.0.metadata
    }

    /// All fields of the request that are missing or malformed.
    #[must_use]
    pub fn field_violations(&self) -> &[FieldViolation] {
        &self.0.fields
    }

    /// The rule of play that a refused move breaks.
    #[must_use]
    pub fn move_violation(&self) -> Option<MoveViolation> {
        self.rule_of(ErrorReason::IllegalMove, "MOVE_VIOLATION_", MoveViolation::from_str_name)
    }

    /// Why the cube could not be turned.
    #[must_use]
    pub fn cube_violation(&self) -> Option<CubeViolation> {
        self.rule_of(ErrorReason::CubeNotAvailable, "CUBE_VIOLATION_", CubeViolation::from_str_name)
    }

    /// The revision of the match, where the reason comes with it.
    #[must_use]
    pub fn current_revision(&self) -> Option<i32> {
        self.0.metadata.get("current_revision")?.parse().ok()
    }

    /// Where in a record the cause is, if the server named a place: line and column, from 1; column 0 is the whole
    /// line.
    #[must_use]
    pub fn place_in_record(&self) -> Option<(u32, u32)> {
        let number = |key| self.0.metadata.get(key)?.parse().ok();
        let place = Some((number("line")?, number("column")?));
        place.filter(|&(line, _)| line > 0 && self.0.reason == Some(ErrorReason::UnparsableContent))
    }

    /// How long the server asks to wait before the call is made again.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// How often the call was tried.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.0.attempts
    }

    /// Whether the same call may succeed later, and is safe to make again with the same `request_id`.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        self.0.code == Code::Unavailable
    }

    fn rule_of<R>(&self, reason: ErrorReason, prefix: &str, named: fn(&str) -> Option<R>) -> Option<R> {
        let rule = self.0.metadata.get("rule").filter(|_| self.0.reason == Some(reason))?;
        named(&format!("{prefix}{rule}"))
    }

    /// What a status says. Statuses with a source were made by the transport, not by the server.
    pub(crate) fn from_status(status: &Status) -> Self {
        if timed_out(status) {
            return Self::deadline();
        }
        if std::error::Error::source(status).is_some() || status.message().starts_with(CUT_OFF) {
            return Self::transport(status);
        }
        Self::said(status.code(), status.message(), &status.get_error_details())
    }

    /// What the server said.
    fn said(code: Code, message: &str, details: &ErrorDetails) -> Self {
        let info = details.error_info().filter(|info| info.domain == DOMAIN);
        Self(Box::new(Failure {
            origin: Origin::Server,
            code,
            message: message.to_owned(),
            reason: info.and_then(|info| known_reason(&info.reason)),
            metadata: info.map(|info| info.metadata.clone().into_iter().collect()).unwrap_or_default(),
            fields: details
                .bad_request()
                .map(|request| fields(&request.field_violations))
                .unwrap_or_default(),
            retry_after: details.retry_info().and_then(|retry| retry.retry_delay),
            attempts: 1,
        }))
    }

    /// The connection could not be made, or broke.
    pub(crate) fn transport(cause: &(dyn std::error::Error + 'static)) -> Self {
        let cause = root(cause);
        let hint = match cause.contains(NOT_PLAIN) {
            true => "; a server that protects its connections has an address with `https:`",
            false => "",
        };
        Self::own(Origin::Transport, Code::Unavailable, format!("no connection: {cause}{hint}"))
    }

    /// A stream takes no more.
    pub(crate) fn stream_ended() -> Self {
        Self::own(
            Origin::Transport,
            Code::Unavailable,
            "the stream has ended: its answers say why".to_owned(),
        )
    }

    /// No answer came in the time that a call has.
    pub(crate) fn deadline() -> Self {
        Self::own(Origin::Client, Code::DeadlineExceeded, "no answer within the deadline".to_owned())
    }

    /// An address that is none.
    pub(crate) fn bad_endpoint(endpoint: &str, cause: &tonic::transport::Error) -> Self {
        let message = format!("{endpoint:?} is not the address of a server: {}", root(cause));
        Self::own(Origin::Client, Code::InvalidArgument, message)
    }

    /// A key or token that is none.
    pub(crate) fn bad_token() -> Self {
        let message = "a key or token is one word of printable ASCII characters".to_owned();
        Self::own(Origin::Client, Code::InvalidArgument, message)
    }

    /// The server broke its contract.
    pub(crate) fn contract(message: String) -> Self {
        Self::own(Origin::Client, Code::DataLoss, message)
    }

    pub(crate) fn after(mut self, attempts: u32) -> Self {
        self.0.attempts = attempts;
        self
    }

    fn own(origin: Origin, code: Code, message: String) -> Self {
        Self(Box::new(Failure {
            origin,
            code,
            message,
            reason: None,
            metadata: BTreeMap::new(),
            fields: Vec::new(),
            retry_after: None,
            attempts: 1,
        }))
    }
}

/// Whether it was this side that gave up waiting: tonic reports that as `CANCELLED`.
fn timed_out(status: &Status) -> bool {
    let mut cause = std::error::Error::source(status);
    while let Some(error) = cause {
        if error.is::<TimeoutExpired>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// The last cause says what happened ("connection refused"); those above it only say "transport error".
fn root(error: &(dyn std::error::Error + 'static)) -> String {
    let mut last = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    last.to_string()
}

fn known_reason(name: &str) -> Option<ErrorReason> {
    ErrorReason::from_str_name(&format!("ERROR_REASON_{name}"))
}

fn fields(violations: &[tonic_types::FieldViolation]) -> Vec<FieldViolation> {
    violations
        .iter()
        .map(|violation| FieldViolation {
            field: violation.field.clone(),
            description: violation.description.clone(),
        })
        .collect()
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.message)?;
        // A server may have put them all into its message.
        for violation in self.0.fields.iter().filter(|one| !self.0.message.contains(&one.description)) {
            write!(out, "; {}: {}", violation.field, violation.description)?;
        }
        match (self.0.origin, self.0.reason) {
            (Origin::Server, Some(reason)) => {
                write!(out, " ({})", reason.as_str_name().trim_start_matches("ERROR_REASON_"))
            }
            (Origin::Server, None) => write!(out, " ({:?})", self.0.code),
            (Origin::Transport | Origin::Client, _) => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// The failure of one action on a stream: the same as that of its own call.
impl From<ActionError> for Error {
    fn from(error: ActionError) -> Self {
        let ActionError { code, message, details } = error;
        let status = tonic_types::Status { code, message, details };
        Self::said(Code::from_i32(status.code), &status.message, &status.get_error_details())
    }
}
