//! The keys that sign checkpoints, and the file they are kept in.

use std::{io, path::Path, str::FromStr};

use chaquete_proof::{
    hex,
    tree::{LogKey, Note, VerifierKey},
};

use crate::key_file;

/// The keys of a log: the first signs, the others have signed before.
///
/// As a text, one key a line: the name of the log, a space, and 64 lower-case hexadecimal digits. Empty lines and lines
/// that begin with `#` are passed over.
#[derive(Clone, Debug)]
pub struct LogKeys {
    /// Never empty, all of one name.
    keys: Vec<LogKey>,
    /// What others check with, in the same order.
    verifiers: Vec<VerifierKey>,
}

/// Why a text is no keys. The text itself is never shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLogKeys {
    /// There is no key.
    #[error("there is no key in it")]
    None,
    /// A line is no key.
    #[error("line {line}: not the name of a log, a space and 64 lower-case hexadecimal digits")]
    Line {
        /// Number of the line, from 1.
        line: usize,
    },
    /// A key has another name than the first.
    #[error("line {line}: another name than that of the first key; a log keeps its name")]
    Name {
        /// Number of the line, from 1.
        line: usize,
    },
    /// A key is there twice.
    #[error("line {line}: this key is there already")]
    Repeated {
        /// Number of the line, from 1.
        line: usize,
    },
}

/// Why there are no keys, from a file or a new one.
pub type LogKeyFileError = key_file::KeyFileError<BadLogKeys>;

impl LogKeys {
    /// One key.
    #[must_use]
    pub fn single(key: LogKey) -> Self {
        Self { verifiers: vec![key.verifier()], keys: vec![key] }
    }

    /// A new key of a new log, kept nowhere but in memory.
    ///
    /// # Errors
    /// The operating system has no randomness to give.
    pub fn generate() -> Result<Self, LogKeyFileError> {
        let text = <Self as key_file::Keys>::new_text();
        let text = text.map_err(|error| LogKeyFileError::Random { what: "log keys", error })?;
        let path = Path::new("memory").to_owned();
        text.parse().map_err(|error| LogKeyFileError::Malformed { what: "log keys", path, error })
    }

    /// The keys in a file.
    ///
    /// # Errors
    /// There is no such file, others can read it, or it holds no keys.
    pub fn read(path: &Path) -> Result<Self, LogKeyFileError> {
        key_file::read(path)
    }

    /// The keys in a file, which is made with a new key of a new log if there is none.
    ///
    /// # Errors
    /// As [`LogKeys::read`], or the file cannot be made.
    pub fn read_or_make(path: &Path) -> Result<Self, LogKeyFileError> {
        key_file::read_or_make(path)
    }

    /// The name of the log.
    #[must_use]
    pub fn name(&self) -> &str {
        self.verifiers[0].name()
    }

    /// The key that is to sign.
    #[must_use]
    pub fn current(&self) -> &LogKey {
        &self.keys[0]
    }

    /// What others check with, that of the current key first.
    #[must_use]
    pub fn verifiers(&self) -> &[VerifierKey] {
        &self.verifiers
    }

    /// The key that has signed a note first, if it is one of these.
    #[must_use]
    pub fn leader_of(&self, note: &str) -> Option<&VerifierKey> {
        note.parse::<Note>().ok()?.led_by(&self.verifiers).ok()
    }

    /// The key that this one belongs to.
    pub(super) fn find(&self, verifier: &VerifierKey) -> Option<&LogKey> {
        let place = self.verifiers.iter().position(|known| known == verifier)?;
        self.keys.get(place)
    }

    fn add(&mut self, key: LogKey, line: usize) -> Result<(), BadLogKeys> {
        let verifier = key.verifier();
        if verifier.name() != self.name() {
            return Err(BadLogKeys::Name { line });
        }
        if self.verifiers.contains(&verifier) {
            return Err(BadLogKeys::Repeated { line });
        }
        self.keys.push(key);
        self.verifiers.push(verifier);
        Ok(())
    }
}

impl FromStr for LogKeys {
    type Err = BadLogKeys;

    fn from_str(text: &str) -> Result<Self, BadLogKeys> {
        let mut keys: Option<Self> = None;
        for (line, text) in key_file::lines(text) {
            let (name, secret) = text.split_once(' ').ok_or(BadLogKeys::Line { line })?;
            let secret = hex::decode(secret).ok_or(BadLogKeys::Line { line })?;
            let key = LogKey::new(name, secret).map_err(|_| BadLogKeys::Line { line })?;
            match &mut keys {
                Some(keys) => keys.add(key, line)?,
                None => keys = Some(Self::single(key)),
            }
        }
        keys.ok_or(BadLogKeys::None)
    }
}

impl key_file::Keys for LogKeys {
    const WHAT: &str = "log keys";
    const DANGER: &str = "whoever reads them can sign another history";

    fn new_text() -> io::Result<String> {
        let (name, secret): ([u8; 8], [u8; 32]) = (key_file::random()?, key_file::random()?);
        Ok(format!(
            "# Signs the checkpoints of the logs beside this file. Keep it secret, and keep it.\nchaquete/{} {}\n",
            hex::encode(&name),
            hex::encode(&secret)
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    fn key(name: &str, digit: &str) -> String {
        format!("{name} {}", digit.repeat(64))
    }

    #[test]
    fn keys_are_read_from_lines() {
        let text = format!("# new\n{}\n\n{}\r\n", key("example.com/log", "a"), key("example.com/log", "b"));
        let keys: LogKeys = text.parse().unwrap();
        assert_eq!((keys.name(), keys.verifiers().len()), ("example.com/log", 2));
        assert_eq!(keys.current().verifier(), keys.verifiers()[0]);
        let other: LogKeys = key("example.com/log", "c").parse().unwrap();
        assert!(keys.find(&keys.verifiers()[1]).is_some() && keys.find(&other.verifiers()[0]).is_none());
        assert!(!format!("{keys:?}").contains("aaaa"));
    }

    #[test]
    fn what_is_wrong_with_keys_is_said() {
        for (text, error) in [
            (String::new(), BadLogKeys::None),
            ("log".to_owned(), BadLogKeys::Line { line: 1 }),
            (key("a+b", "a"), BadLogKeys::Line { line: 1 }),
            (key("log", "A"), BadLogKeys::Line { line: 1 }),
            (format!("{}\n{}", key("log", "a"), key("other", "b")), BadLogKeys::Name { line: 2 }),
            (format!("{}\n{}", key("log", "a"), key("log", "a")), BadLogKeys::Repeated { line: 2 }),
        ] {
            assert_eq!(text.parse::<LogKeys>().unwrap_err(), error, "{text}");
        }
    }

    #[test]
    fn a_file_is_made_once_and_only_for_us() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log-key");
        let made = LogKeys::read_or_make(&path).unwrap();
        assert_eq!(LogKeys::read_or_make(&path).unwrap().verifiers(), made.verifiers());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let open = LogKeys::read(&path).unwrap_err();
        assert!(open.to_string().contains("log keys") && open.to_string().contains("0600"), "{open}");
        assert_ne!(LogKeys::generate().unwrap().name(), made.name());
    }
}
