//! The file of a store: where it is, who may read it, who serves it.

use std::{
    ffi::OsString,
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use crate::store::OpenError;

/// A file that this process serves, and no other.
#[derive(Debug)]
pub(super) struct OwnFile {
    /// Where it is, absolute and without symbolic links.
    pub(super) path: PathBuf,
    /// Held for as long as anything is open: the file beside the database, and the database itself.
    _locks: [File; 2],
}

impl OwnFile {
    /// Takes the file, creating it and its directory if they are missing; nobody else may read what is
    /// created, for there are names of people and seeds of dice in it.
    pub(super) fn take(path: &Path) -> Result<Self, OpenError> {
        let path = locate(path).map_err(|source| OpenError::Directory { path: path.to_owned(), source })?;
        // This first: opening and closing the database of another store in this process would take that
        // store's own locks away (POSIX drops them all with the first descriptor that is closed).
        let beside = lock_beside(&path)?;
        refuse_links(&path)?;
        let database = lock_itself(&path)?;
        Ok(Self { path, _locks: [beside, database] })
    }
}

/// A file with several names would be found under one of them without the write-ahead log of another.
fn refuse_links(database: &Path) -> Result<(), OpenError> {
    match fs::metadata(database) {
        Ok(found) if found.is_file() && found.nlink() > 1 => {
            Err(OpenError::Linked { path: database.to_owned(), links: found.nlink() })
        }
        // Whatever else is wrong with it shows when it is opened.
        _ => Ok(()),
    }
}

/// Two servers must not serve the same file: each keeps matches in memory and wakes only its own watchers.
///
/// SQLite's own locks cannot say so: they are held for one transaction, and its exclusive locking mode would
/// lock readers out, our own pool and an operator's `sqlite3` as well. So this is a file of its own beside the
/// database, locked for as long as the store is open. The kernel frees the lock with the process, however it
/// ends; the file stays, because removing it could pull it from under the next server's feet.
fn lock_beside(database: &Path) -> Result<File, OpenError> {
    let mut path = OsString::from(database);
    path.push(".lock");
    let path = PathBuf::from(path);
    let file = open(&path).map_err(|source| OpenError::File { path: path.clone(), source })?;
    lock(&file, path, database)?;
    Ok(file)
}

/// The same file can be reached by other paths: it was moved while it is served, or is mounted elsewhere. So the
/// database itself is locked as well. On Linux such a lock (`flock`) and those of SQLite (`fcntl`) do not see
/// each other; elsewhere they do, and SQLite would wait for us for ever.
fn lock_itself(database: &Path) -> Result<File, OpenError> {
    let path = database.to_owned();
    let file = open(database).map_err(|source| OpenError::File { path: path.clone(), source })?;
    if cfg!(target_os = "linux") {
        lock(&file, path, database)?;
    }
    Ok(file)
}

fn lock(file: &File, path: PathBuf, database: &Path) -> Result<(), OpenError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => OpenError::Locked { path: database.to_owned() },
        TryLockError::Error(source) => OpenError::File { path, source },
    })
}

/// The one path of a file that may have several, so that all who mean it meet at the same lock.
fn locate(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        found => return found,
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    Ok(fs::canonicalize(directory)?.join(name))
}

/// Opens a file for reading and writing. SQLite gives the files that it puts beside it the same mode.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}
