//! Uids of matches, as an argument: the one place that makes them.

use uuid::Uuid;

use crate::{clock::Millis, name::MatchName};

/// Makes uids.
pub trait Uids: Send + Sync {
    /// The uid of a match of this name that is created at this moment. No other match may ever have it.
    fn uid(&self, name: &MatchName, time: Millis) -> Uuid;
}

/// UUIDv7, made from the time and the operating system's generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomUids;

impl Uids for RandomUids {
    fn uid(&self, _: &MatchName, time: Millis) -> Uuid {
        let random: [u8; 10] = rand::random();
        uuid::Builder::from_unix_timestamp_millis(time.unsigned_abs(), &random).into_uuid()
    }
}
