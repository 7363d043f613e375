//! The password of a store, from a file: what is in a URL others can see.

use std::{convert::Infallible, fmt::Write};

use super::StoreArgs;
use crate::{
    key_file::{self, KeyFileError},
    store,
};

/// Why there is no password.
#[derive(Debug, thiserror::Error)]
pub(super) enum PasswordError {
    /// The file cannot be read, or others can read it.
    #[error(transparent)]
    File(#[from] KeyFileError<Infallible>),
    /// The store asks for none.
    #[error("--store-password-file: only Postgres asks for a password")]
    NotAsked,
}

impl StoreArgs {
    /// Reads the password, if it is in a file, and makes it part of the URL.
    pub(super) fn take_password(&mut self) -> Result<(), PasswordError> {
        let Some(file) = &self.store_password_file else { return Ok(()) };
        let url = self.url();
        if !store::is_shared(&url) {
            return Err(PasswordError::NotAsked);
        }
        let text =
            key_file::read_text(file, "password of the store", "whoever has it can write to the store")?;
        self.store = Some(with_password(&url, text.trim_end_matches(['\r', '\n'])));
        Ok(())
    }
}

/// As a parameter, which is heeded more than what stands before the host.
fn with_password(url: &str, password: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    let mut url = format!("{url}{separator}password=");
    for byte in password.bytes() {
        if byte.is_ascii_alphanumeric() {
            url.push(byte.into());
        } else {
            // A text takes whatever is written to it.
            let _written = write!(url, "%{byte:02X}");
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Shown;

    #[test]
    fn a_password_may_hold_anything_and_is_not_shown() {
        for (url, password, whole) in [
            ("postgres://app@db/chaquete", "s3cret", "postgres://app@db/chaquete?password=s3cret"),
            (
                "postgres://app@db/chaquete?sslmode=require",
                "a&b=?/ü",
                "postgres://app@db/chaquete?sslmode=require&password=a%26b%3D%3F%2F%C3%BC",
            ),
        ] {
            assert_eq!(with_password(url, password), whole);
            assert_eq!(Shown(whole).to_string(), url);
        }
    }
}
