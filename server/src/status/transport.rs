//! Answers to calls that reach no service, or whose callers have stopped waiting. They repeat nothing of a request
//! but the path it asked for.

use chaquete_proto::v1::ErrorReason;
use tonic::{Code, Status};
use tonic_types::FieldViolation;

use super::Told;

/// How much of a path is repeated: answers must not grow with what callers make up.
const MAX_PATH: usize = 256;

/// The answer to a request that is not one message of its method.
#[must_use]
pub fn unreadable() -> Status {
    bad_request(
        "",
        "the request cannot be read: it is not one whole message of this method, in valid protobuf with text in \
         UTF-8, and not nested deeper than 100 messages",
    )
}

/// The answer to a request that is too large.
#[must_use]
pub fn too_large(limit: usize) -> Status {
    bad_request("", &format!("the request is larger than {limit} bytes"))
}

/// The answer to a `grpc-timeout` that cannot be read.
#[must_use]
pub fn malformed_timeout() -> Status {
    bad_request(
        "grpc-timeout",
        "the metadata grpc-timeout is not up to eight digits and one of H, M, S, m, u, n",
    )
}

/// The answer to a request that is compressed.
#[must_use]
pub fn compressed() -> Status {
    absent("grpc-encoding", "this server does not take compressed requests")
}

/// The answer to a call of what is not in the contract.
#[must_use]
pub fn unknown_method(path: &str) -> Status {
    let path: String = path.chars().take(MAX_PATH).collect();
    absent(&path, &format!("this server has no method {path}"))
}

/// The answer when the deadline of a call has passed.
#[must_use]
pub fn deadline_exceeded() -> Status {
    let message = "the deadline passed before the answer was ready: the action may still be carried out; repeat it \
                   with the same request_id";
    Told::new(Code::DeadlineExceeded, ErrorReason::DeadlineExceeded, message).status()
}

fn bad_request(field: &str, because: &str) -> Status {
    Told::new(Code::InvalidArgument, ErrorReason::InvalidField, because)
        .bad_fields(vec![FieldViolation::new(field, because)])
        .status()
}

fn absent(feature: &str, message: &str) -> Status {
    Told::new(Code::Unimplemented, ErrorReason::Unimplemented, message).with("feature", &feature).status()
}
