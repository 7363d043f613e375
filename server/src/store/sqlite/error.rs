//! What SQLite says, in our words.

use sqlx::error::{DatabaseError, ErrorKind};

use crate::store::StoreError;

/// SQLITE_CORRUPT: a page of the file cannot be.
const CORRUPT: u32 = 11;
/// SQLITE_TOOBIG: a row is larger than any can be.
const TOO_BIG: u32 = 18;
/// SQLITE_CONSTRAINT: the tables do not take such a row.
const CONSTRAINT: u32 = 19;
/// SQLITE_NOTADB: the file is something else.
const NOT_A_DATABASE: u32 = 26;

/// The reason for which a statement failed.
#[expect(clippy::needless_pass_by_value, reason = "this is how `map_err` hands it over")]
pub(super) fn store_error(error: sqlx::Error) -> StoreError {
    match &error {
        // The only key that a write can violate without being overtaken is the request id of an event.
        sqlx::Error::Database(database) if database.kind() == ErrorKind::UniqueViolation => {
            StoreError::Conflict
        }
        sqlx::Error::Database(database) => match primary_code(database.as_ref()) {
            // A length that was damaged may be any.
            Some(CORRUPT | NOT_A_DATABASE | TOO_BIG) => damaged(error.to_string()),
            Some(CONSTRAINT) => StoreError::Unfit(error.to_string()),
            _ => StoreError::Unavailable(error.to_string()),
        },
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => damaged(error.to_string()),
        _ => StoreError::Unavailable(error.to_string()),
    }
}

/// Damage that is not one event's.
pub(super) fn damaged(because: String) -> StoreError {
    StoreError::Damaged { revision: 0, because }
}

/// Whether what was opened is no database, or one that is damaged.
pub(super) fn is_not_a_database(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(primary_code)
        .is_some_and(|code| matches!(code, CORRUPT | NOT_A_DATABASE))
}

/// The primary result code: the driver gives the extended one, whose lowest byte it is.
fn primary_code(error: &dyn DatabaseError) -> Option<u32> {
    Some(error.code()?.parse::<u32>().ok()? & 0xff)
}
