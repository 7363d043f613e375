//! Values as arrays, one a column.

use std::collections::BTreeMap;

use sqlx::{Postgres, postgres::PgArguments, query::Query};
use uuid::Uuid;

use crate::store::{MatchKey, StoredEvent};

/// A statement that is being given its values.
type Statement<'q> = Query<'q, Postgres, PgArguments>;

/// SQL that keeps the events of the matches in a CTE. `IS TRUE` keeps it from becoming a join, which for want of an
/// index would compare each event with each match: so the matches are hashed once.
macro_rules! is_among {
    ($matches:literal) => {
        concat!("((event.bucket, event.uid) IN (SELECT bucket, uid FROM ", $matches, ")) IS TRUE")
    };
}
pub(super) use is_among;

/// Events by columns.
#[derive(Default)]
pub(super) struct Events<'a> {
    buckets: Vec<i16>,
    uids: Vec<Uuid>,
    revisions: Vec<i64>,
    hashes: Vec<&'a [u8]>,
    request_ids: Vec<Option<Uuid>>,
    events: Vec<&'a str>,
}

impl<'a> Events<'a> {
    pub(super) fn new(
        logs: impl Iterator<Item = (MatchKey, &'a [StoredEvent])>,
    ) -> Result<Self, sqlx::Error> {
        let mut columns = Self::default();
        for (key, event) in logs.flat_map(|(key, log)| log.iter().map(move |event| (key, event))) {
            columns.buckets.push(key.bucket.into());
            columns.uids.push(key.uid);
            columns.revisions.push(event.revision.into());
            columns.hashes.push(event.hash.as_bytes().as_slice());
            columns.request_ids.push(event.request_id);
            columns.events.push(text(&event.bytes)?);
        }
        Ok(columns)
    }

    pub(super) fn bind_to(self, query: Statement<'a>) -> Statement<'a> {
        query
            .bind(self.buckets)
            .bind(self.uids)
            .bind(self.revisions)
            .bind(self.hashes)
            .bind(self.request_ids)
            .bind(self.events)
    }
}

/// Texts of which some may be missing.
pub(super) fn texts<'a>(
    texts: impl Iterator<Item = Option<&'a [u8]>>,
) -> Result<Vec<Option<&'a str>>, sqlx::Error> {
    texts.map(|bytes| bytes.map(text).transpose()).collect()
}

/// A text that was kept as bytes.
pub(super) fn text(bytes: &[u8]) -> Result<&str, sqlx::Error> {
    std::str::from_utf8(bytes).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

/// Facts as a JSON object.
pub(super) fn json(facts: &BTreeMap<String, String>) -> Result<String, sqlx::Error> {
    serde_json::to_string(facts).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}
