//! The secret keys that dice come from, and the file they are kept in.

use std::{
    fmt, fs, io,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    str::FromStr,
};

use rand::{TryRng, rngs::SysRng};

use chaquete_proof::hex;

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
        new_key().map(Self::single).map_err(KeyFileError::Random)
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
        let lines = (1..).zip(text.lines()).map(|(line, text)| (line, text.trim_end()));
        for (line, text) in lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
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
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file cannot be read.
    #[error("cannot read the dice keys from {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Others can read the file, or a group can change it.
    #[error(
        "the dice keys in {path} are open to others (mode {mode:04o}): whoever reads them foresees every \
         roll; set the mode to 0600"
    )]
    Open {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The file holds something else.
    #[error("the file {path} holds no dice keys: {error}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: BadKeys,
    },
    /// There is no randomness for a new key.
    #[error("cannot make a dice key: {0}")]
    Random(io::Error),
    /// A new file cannot be made.
    #[error("cannot make a dice key in {path}: {error}")]
    Make {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl DiceKeys {
    /// The keys in a file.
    ///
    /// # Errors
    /// There is no such file, others can read it, or it holds no keys.
    pub fn read(path: &Path) -> Result<Self, KeyFileError> {
        let failed = |error| KeyFileError::Read { path: path.to_owned(), error };
        let file = fs::File::open(path).map_err(failed)?;
        let mode = file.metadata().map_err(failed)?.permissions().mode() & 0o777;
        // A group may read it: that is how orchestrators hand secrets to a process that is not root.
        if mode & 0o027 != 0 {
            return Err(KeyFileError::Open { path: path.to_owned(), mode });
        }
        let text = io::read_to_string(file).map_err(failed)?;
        text.parse().map_err(|error| KeyFileError::Malformed { path: path.to_owned(), error })
    }

    /// The keys in a file, which is made with a new key if there is none.
    ///
    /// # Errors
    /// As [`DiceKeys::read`], or the file cannot be made.
    pub fn read_or_make(path: &Path) -> Result<Self, KeyFileError> {
        match Self::read(path) {
            Err(KeyFileError::Read { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                make(path).map_err(|error| KeyFileError::Make { path: path.to_owned(), error })?;
                Self::read(path)
            }
            keys => keys,
        }
    }
}

/// Makes a file with a new key. It is there in full or not at all, and never takes the place of another: a
/// key that a match has committed to must not be lost.
fn make(path: &Path) -> io::Result<()> {
    let DiceKey { id, secret } = new_key()?;
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let draft = directory.join(format!(".dice-key-{}", hex::encode(&random::<8>()?)));
    let text = format!(
        "# Every roll of the matches beside this file follows from this key. Keep it secret, and keep it.\n\
         {id} {}\n",
        hex::encode(&secret)
    );
    let linked = write_private(&draft, &text).and_then(|()| match fs::hard_link(&draft, path) {
        // Another process was faster; its key is as good.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let removed = fs::remove_file(&draft);
    linked.and(removed)?;
    fs::File::open(directory)?.sync_all()
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())?;
    file.sync_all()
}

fn new_key() -> io::Result<DiceKey> {
    Ok(DiceKey { id: hex::encode(&random::<4>()?), secret: random()? })
}

/// Bytes from the generator of the operating system.
fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
