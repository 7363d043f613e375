//! How a call ended, for those who count and log.

use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::telemetry::metrics::{Ending, Refused};

/// How a call with this status ended.
#[must_use]
pub fn ending(status: &Status) -> Ending {
    if status.code() == Code::Ok {
        return Ending::ok();
    }
    let refused = status.get_details_error_info().map(|mut info| {
        let rule = info.metadata.remove("rule");
        Refused { reason: info.reason, rule }
    });
    Ending { code: word(status.code()), refused }
}

/// Whether a call that ends like this is no fault of its caller.
#[must_use]
pub const fn is_fault(code: Code) -> bool {
    matches!(code, Code::Internal | Code::Unknown | Code::DataLoss | Code::Unavailable)
}

/// A code as the contract writes it.
const fn word(code: Code) -> &'static str {
    match code {
        Code::Ok => Ending::OK,
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    use crate::status::{Error, internal};

    use super::*;

    #[test]
    fn codes_are_written_as_in_the_contract() {
        for number in 0..=16 {
            let code = Code::from_i32(number);
            let camel_case: String = word(code)
                .split('_')
                .fold(String::new(), |name, part| name + &part[..1] + &part[1..].to_lowercase());
            assert_eq!(camel_case.to_lowercase(), format!("{code:?}").to_lowercase());
        }
    }

    #[test]
    fn mistakes_of_callers_are_no_faults() {
        let faults: Vec<_> = (0..=16).map(Code::from_i32).filter(|code| is_fault(*code)).collect();
        assert_eq!(faults, [Code::Unknown, Code::Internal, Code::Unavailable, Code::DataLoss]);
    }

    #[test]
    fn failures_say_their_reason() {
        assert_eq!(ending(&Status::ok("")), Ending::ok());
        let of = |status: &Status| ending(status).refused.map(|refused| refused.reason);
        assert_eq!(of(&Error::Draining.into()).as_deref(), Some("SERVER_DRAINING"));
        assert_eq!(of(&internal("a bug")).as_deref(), Some("INTERNAL"));
        assert_eq!(of(&Status::cancelled("enough")), None);
    }
}
