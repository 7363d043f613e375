//! What Postgres says, in our words.

use sqlx::error::{DatabaseError, ErrorKind};

use crate::store::StoreError;

/// Classes of errors (the first two characters of a code): what cannot be a value, and what a table refuses.
const UNFIT: [&str; 2] = ["22", "23"];

/// A page of a table or of an index cannot be.
const CORRUPTED: [&str; 2] = ["XX001", "XX002"];

/// What passes: serialisation failure, deadlock, a lock that was not to be had, a server that only reads (it was
/// the primary, or is about to be).
const PASSING: [&str; 4] = ["40001", "40P01", "55P03", "25006"];

/// What ends a connection: shutdown by an operator, a crash, a server that is starting or stopping.
const ENDING: [&str; 4] = ["57P01", "57P02", "57P03", "57P05"];

/// A role that may not do what was asked.
const DENIED: [&str; 1] = ["42501"];

/// The reason for which a statement failed.
#[expect(clippy::needless_pass_by_value, reason = "this is how `map_err` hands it over")]
pub(super) fn store_error(error: sqlx::Error) -> StoreError {
    match &error {
        // The only key that a write can violate without being overtaken is the request id of an event.
        sqlx::Error::Database(database) if database.kind() == ErrorKind::UniqueViolation => {
            StoreError::Conflict
        }
        sqlx::Error::Database(database) if has_code(database.as_ref(), &CORRUPTED) => {
            damaged(error.to_string())
        }
        sqlx::Error::Database(database) if has_code(database.as_ref(), &DENIED) => {
            StoreError::Denied(database.message().to_owned())
        }
        sqlx::Error::Database(database)
            if UNFIT.iter().any(|class| code(database.as_ref()).starts_with(class)) =>
        {
            StoreError::Unfit(error.to_string())
        }
        // What cannot be sent, since no such value exists there.
        sqlx::Error::Encode(_) => StoreError::Unfit(error.to_string()),
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => damaged(error.to_string()),
        _ => StoreError::Unavailable(error.to_string()),
    }
}

/// Damage that is not one event's.
pub(super) fn damaged(because: String) -> StoreError {
    StoreError::Damaged { revision: 0, because }
}

/// Whether nothing was done, and the same can be done again as it is.
pub(super) fn is_passing(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|database| has_code(database, &PASSING))
}

/// Whether the connection has ended, or may be in any state.
pub(super) fn ends_connection(error: &sqlx::Error) -> bool {
    error.as_database_error().is_none_or(|database| {
        // A server that only reads will not write: another may.
        has_code(database, &ENDING) || code(database).starts_with("08") || code(database) == "25006"
    })
}

fn has_code(database: &dyn DatabaseError, codes: &[&str]) -> bool {
    codes.contains(&code(database).as_ref())
}

fn code(database: &dyn DatabaseError) -> std::borrow::Cow<'_, str> {
    database.code().unwrap_or_default()
}
