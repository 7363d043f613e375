//! The secret keys that dice come from, and the file they are kept in.

use std::{fmt, io, path::Path, str::FromStr};

use chaquete_proof::hex;

use crate::key_file;

/// A secret key. Whoever has it knows every roll of every match that commits to it, so it is never shown.
#[derive(Clone)]
pub struct DiceKey {
    id: String,
    secret: [u8; 32],
}

impl DiceKey {
    /// A key; its id is public.
    ///
    /// # Errors
    /// [`BadKeys::Id`], if the id is not 1 to 32 letters, digits, dots, hyphens or underscores.
    pub fn new(id: &str, secret: [u8; 32]) -> Result<Self, BadKeys> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        if !(1..=32).contains(&id.len()) || !id.bytes().all(is_allowed) {
            return Err(BadKeys::Id { line: 1 });
        }
        Ok(Self { id: id.to_owned(), secret })
    }

    /// The id by which commitments name the key.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl fmt::Debug for DiceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiceKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The keys that dice come from: the first for new epochs, the others for epochs that began with them.
///
/// As a text, one key a line: its id, a space, and 64 lower-case hexadecimal digits. Empty lines and lines
/// that begin with `#` are passed over.
#[derive(Clone, Debug)]
pub struct DiceKeys {
    /// Never empty.
    keys: Vec<DiceKey>,
}

/// Why a text is no keys. The text itself is never shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadKeys {
    /// There is no key.
    #[error("there is no key in it")]
    None,
    /// A line is no key.
    #[error("line {line}: not a key id, a space and 64 lower-case hexadecimal digits")]
    Line {
        /// Number of the line, from 1.
        line: usize,
    },
    /// An id has characters or a length that ids do not have.
    #[error("line {line}: a key id is 1 to 32 letters, digits, dots, hyphens or underscores")]
    Id {
        /// Number of the line, from 1.
        line: usize,
    },
    /// Two keys have the same id.
    #[error("line {line}: another key has the same id")]
    Repeated {
        /// Number of the line, from 1.
        line: usize,
    },
}

impl DiceKeys {
    /// The place of the current key.
    pub(super) const CURRENT: usize = 0;

    /// One key.
    #[must_use]
    pub fn single(key: DiceKey) -> Self {
        Self { keys: vec![key] }
    }

    /// A new key from the generator of the operating system, kept nowhere but in memory.
    ///
    /// # Errors
    /// The operating system has no randomness to give.
    pub fn generate() -> Result<Self, KeyFileError> {
        new_key().map(Self::single).map_err(|error| KeyFileError::Random { what: "dice keys", error })
    }

    /// The key that new epochs begin with.
    #[must_use]
    pub fn current(&self) -> &DiceKey {
        &self.keys[Self::CURRENT]
    }

    /// The place of a key.
    pub(super) fn position(&self, id: &str) -> Option<usize> {
        self.keys.iter().position(|key| key.id == id)
    }

    /// The secret of the key at a place.
    pub(super) fn secret(&self, place: usize) -> &[u8; 32] {
        &self.keys[place].secret
    }
}

impl FromStr for DiceKeys {
    type Err = BadKeys;

    fn from_str(text: &str) -> Result<Self, BadKeys> {
        let mut keys: Vec<DiceKey> = Vec::new();
        for (line, text) in key_file::lines(text) {
            let (id, secret) = text.split_once(' ').ok_or(BadKeys::Line { line })?;
            let secret = hex::decode(secret).ok_or(BadKeys::Line { line })?;
            let key = DiceKey::new(id, secret).map_err(|_| BadKeys::Id { line })?;
            if keys.iter().any(|other| other.id == key.id) {
                return Err(BadKeys::Repeated { line });
            }
            keys.push(key);
        }
        if keys.is_empty() { Err(BadKeys::None) } else { Ok(Self { keys }) }
    }
}

/// Why there are no keys, from a file or a new one.
pub type KeyFileError = key_file::KeyFileError<BadKeys>;

impl DiceKeys {
    /// The keys in a file.
    ///
    /// # Errors
    /// There is no such file, others can read it, or it holds no keys.
    pub fn read(path: &Path) -> Result<Self, KeyFileError> {
        key_file::read(path)
    }

    /// The keys in a file, which is made with a new key if there is none.
    ///
    /// # Errors
    /// As [`DiceKeys::read`], or the file cannot be made.
    pub fn read_or_make(path: &Path) -> Result<Self, KeyFileError> {
        key_file::read_or_make(path)
    }
}

impl key_file::Keys for DiceKeys {
    const WHAT: &str = "dice keys";
    const DANGER: &str = "whoever reads them foresees every roll";

    fn new_text() -> io::Result<String> {
        let DiceKey { id, secret } = new_key()?;
        Ok(format!(
            "# Every roll of the matches beside this file follows from this key. Keep it secret, and keep it.\n\
             {id} {}\n",
            hex::encode(&secret)
        ))
    }
}

fn new_key() -> io::Result<DiceKey> {
    Ok(DiceKey { id: hex::encode(&key_file::random::<4>()?), secret: key_file::random()? })
}

#[cfg(test)]
mod tests;
