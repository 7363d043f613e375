//! What can go wrong in a call.

use std::time::Duration;

use chaquete_proto::access::Role;
use chaquete_rules::Seat;

use crate::{
    exchange::{Unreadable, Unwritable},
    execute::Failure,
    name::MatchName,
    table::Damaged,
    wire::{filter::BadFilter, page::BadPageToken, position::Unconvertible, violations::BadRequest},
};

use super::Behind;

/// What can go wrong in a call.
#[derive(Debug)]
pub enum Error {
    /// Fields are missing or malformed.
    BadRequest(BadRequest),
    /// The filter of a list cannot be understood.
    BadFilter(BadFilter),
    /// The page token is not of this list.
    BadPageToken(BadPageToken),
    /// A position identifier does not parse.
    Unparsable {
        /// The field that holds it.
        field: &'static str,
        /// What is wrong.
        because: String,
    },
    /// Nothing can be made of a record.
    Unreadable(Unreadable),
    /// The match cannot be written in the format asked for.
    Unwritable(Unwritable),
    /// The call failed on its way through the house.
    Failure(Failure),
    /// There is no such resource.
    NotFound(String),
    /// No checkpoint covers this yet: the log of a match, or anything at all.
    NotCovered(Option<MatchName>),
    /// The credentials are missing, malformed, expired or revoked.
    InvalidCredentials,
    /// The role, or the scopes of the key, do not allow the method, or not this call of it.
    AccessDenied {
        /// The method, as `Service.Method`.
        method: String,
        /// The role of the caller.
        role: Role,
    },
    /// The caller acts for seats of its own only, and this is not one of them.
    SeatNotHeld(Seat),
    /// Too many calls came in a short time.
    RateLimited {
        /// Whose calls were counted.
        exceeded: Quota,
        /// When there is room for one more.
        retry_after: Duration,
    },
    /// The caller, or its tenant, has too many streams open.
    TooManyStreams,
    /// The server works on as many calls as it can.
    Overloaded,
    /// The caller knows revisions that do not exist.
    RevisionInFuture {
        /// The revision of the match.
        current: u32,
    },
    /// The caller of a stream reads too slowly.
    SlowConsumer(Behind),
    /// The server is going down.
    Draining,
    /// The server has no key that signs tokens.
    NoTokenKey,
    /// Part of the contract, but not built.
    Unimplemented {
        /// The method or option.
        feature: &'static str,
    },
}

/// What is counted by a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    /// Calls of a service key.
    Key,
    /// Calls of a player or spectator.
    Person,
    /// Calls of those who are not known, from one address.
    Address,
}

impl From<BadRequest> for Error {
    fn from(bad: BadRequest) -> Self {
        Self::BadRequest(bad)
    }
}

impl From<BadFilter> for Error {
    fn from(bad: BadFilter) -> Self {
        Self::BadFilter(bad)
    }
}

impl From<BadPageToken> for Error {
    fn from(bad: BadPageToken) -> Self {
        Self::BadPageToken(bad)
    }
}

impl From<Unconvertible> for Error {
    fn from(unconvertible: Unconvertible) -> Self {
        match unconvertible {
            Unconvertible::BadRequest(bad) => Self::BadRequest(bad),
            Unconvertible::Unparsable { field, because } => Self::Unparsable { field, because },
        }
    }
}

impl From<Unreadable> for Error {
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable)
    }
}

impl From<Unwritable> for Error {
    fn from(unwritable: Unwritable) -> Self {
        Self::Unwritable(unwritable)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Damaged> for Error {
    fn from(damaged: Damaged) -> Self {
        Self::Failure(Failure::Damaged(damaged))
    }
}
