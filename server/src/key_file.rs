//! Files that hold secret keys: read only if nobody else can, made whole or not at all.

use std::{
    fmt::Display,
    fs, io,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    str::FromStr,
};

use chaquete_proof::hex;
use rand::{TryRng, rngs::SysRng};

/// Keys that are kept in a file, as a text.
pub(crate) trait Keys: FromStr<Err: Display> {
    /// What they are, for people.
    const WHAT: &str;
    /// What becomes of it if others have them.
    const DANGER: &str;

    /// The text of a file with a new key.
    fn new_text() -> io::Result<String>;
}

/// Why there are no keys, from a file or a new one; `E` is why a text is none.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError<E> {
    /// The file cannot be read.
    #[error("cannot read the {what} from {path}: {error}")]
    Read {
        /// What was to be read.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Others can read the file, or a group can change it.
    #[error("the {what} in {path} are open to others (mode {mode:04o}): {danger}; set the mode to 0600")]
    Open {
        /// What is open to others.
        what: &'static str,
        /// What becomes of it.
        danger: &'static str,
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The file holds something else.
    #[error("the file {path} holds no {what}: {error}")]
    Malformed {
        /// What it does not hold.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: E,
    },
    /// There is no randomness for a new key.
    #[error("cannot make {what}: {error}")]
    Random {
        /// What was to be made.
        what: &'static str,
        /// Why.
        error: io::Error,
    },
    /// A new file cannot be made.
    #[error("cannot make {what} in {path}: {error}")]
    Make {
        /// What was to be made.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// The keys in a file.
///
/// # Errors
/// There is no such file, others can read it, or it holds no keys.
pub(crate) fn read<K: Keys>(path: &Path) -> Result<K, KeyFileError<K::Err>> {
    let text = read_text(path, K::WHAT, K::DANGER)?;
    text.parse().map_err(|error| KeyFileError::Malformed { what: K::WHAT, path: path.to_owned(), error })
}

/// The text of a file that is nobody else's business.
///
/// # Errors
/// There is no such file, others can read it, or it holds no text.
pub(crate) fn read_text<E>(
    path: &Path,
    what: &'static str,
    danger: &'static str,
) -> Result<String, KeyFileError<E>> {
    let failed = |error| KeyFileError::Read { what, path: path.to_owned(), error };
    let file = fs::File::open(path).map_err(failed)?;
    let mode = file.metadata().map_err(failed)?.permissions().mode() & 0o777;
    // A group may read it: that is how orchestrators hand secrets to a process that is not root.
    if mode & 0o027 != 0 {
        return Err(KeyFileError::Open { what, danger, path: path.to_owned(), mode });
    }
    io::read_to_string(file).map_err(failed)
}

/// The keys in a file, which is made with a new key if there is none.
///
/// # Errors
/// As [`read`], or the file cannot be made.
pub(crate) fn read_or_make<K: Keys>(path: &Path) -> Result<K, KeyFileError<K::Err>> {
    match read(path) {
        Err(KeyFileError::Read { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
            let made = K::new_text().and_then(|text| make(path, &text));
            made.map_err(|error| KeyFileError::Make { what: K::WHAT, path: path.to_owned(), error })?;
            read(path)
        }
        keys => keys,
    }
}

/// Makes a file. It is there in full or not at all, and never takes the place of another: a key that was used must not
/// be lost.
fn make(path: &Path, text: &str) -> io::Result<()> {
    let directory = directory(path);
    let draft = directory.join(format!(".key-{}", hex::encode(&random::<8>()?)));
    let linked = write_private(&draft, text).and_then(|()| match fs::hard_link(&draft, path) {
        // Another process was faster; its key is as good.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let removed = fs::remove_file(&draft);
    linked.and(removed)?;
    fs::File::open(directory)?.sync_all()
}

/// The lines of such a text that hold keys, with their numbers from 1. Empty lines and those that begin with `#` are passed
/// over.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines()).map(|(line, text)| (line, text.trim_end()));
    lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
}

/// Where a file lies.
pub(crate) fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())?;
    file.sync_all()
}

/// Bytes from the generator of the operating system.
pub(crate) fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}
