//! Callers of streams that read too slowly.

use chaquete_proto::v1::ErrorReason;
use tonic::Code;

use super::Told;

/// What a caller is behind with that reads too slowly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Events of a match.
    Events {
        /// The last revision that was sent.
        last: u32,
    },
    /// Matches that have changed.
    Matches,
    /// Answers to actions.
    Answers,
    /// Reports of matches that were verified.
    Reports,
}

/// The answer to a caller that is.
pub(super) fn told(behind: Behind) -> Told {
    let told = |message: &str| Told::new(Code::Unavailable, ErrorReason::SlowConsumer, message);
    match behind {
        Behind::Events { last } => {
            told(&format!("read too slowly; go on after revision {last}")).with("last_revision", &last)
        }
        Behind::Matches => told("read too slowly; go on from the last resume_token"),
        Behind::Answers => {
            told("read too slowly; send again what was not answered, with the same request_ids")
        }
        Behind::Reports => told("read too slowly; begin again, with a filter for what was not verified"),
    }
}
