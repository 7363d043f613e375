//! A folder of matches that have ended, each a file.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use crate::{
    log::{export, initial_hash, next_hash},
    name::MatchName,
    store::{StoredEvent, StoredMatch},
};

/// A folder for exports. Nobody else may write exports into it as long as this is there.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Of the folder itself: locked, and synchronised after every file.
    handle: File,
}

/// A match that is in a folder of exports for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It was written.
    Written,
    /// It was there.
    Already,
}

/// Why a match is not in a folder of exports.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Another one uses the folder.
    #[error("{} is being exported to by another process", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// The folder must be there, the file must be one that can be read and written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// What is read is not what was written.
    #[error("{} was written, but is not read back as it should be", path.display())]
    NotAsWritten {
        /// The file.
        path: PathBuf,
    },
    /// There is a file of this name that is no export of an earlier state of the match.
    #[error("{} is there and holds something else", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
    /// The name of the match is none, so it is no name of a file either.
    #[error("its name is not of the usual form, so no file is named after it")]
    Name,
}

impl Folder {
    /// Takes a folder that is there. None is made: it may be the place of a disk that is not mounted.
    ///
    /// # Errors
    /// It is not there, or another process writes exports into it.
    pub fn take(path: &Path) -> Result<Self, ExportError> {
        let failed = |source| ExportError::File { path: path.to_owned(), source };
        if !fs::metadata(path).map_err(failed)?.is_dir() {
            return Err(failed(io::ErrorKind::NotADirectory.into()));
        }
        let handle = File::open(path).map_err(failed)?;
        match handle.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), handle }),
            Err(TryLockError::WouldBlock) => Err(ExportError::Busy { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// Sees to it that a match with its whole log is in the folder, and stays there whatever happens to the machine.
    /// What is there already is left as it is if it is the same. It waits for the disk.
    ///
    /// # Errors
    /// See [`ExportError`].
    pub fn keep(&self, row: &StoredMatch, events: &[StoredEvent]) -> Result<Kept, ExportError> {
        let path = self.path.join(file_name(row).ok_or(ExportError::Name)?);
        let export = export(&row.facts(), events);
        let kept = match fs::read(&path) {
            Ok(there) if is_whole(&there, row) => Kept::Already,
            Ok(there) if !is_earlier(&there, &export) => return Err(ExportError::InTheWay { path }),
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(ExportError::File { path, source });
            }
            _ => Kept::Written,
        };
        let failed = |source| ExportError::File { path: path.clone(), source };
        if kept == Kept::Written {
            self.write(&path, &export).map_err(failed)?;
        }
        // Also of what was there: whoever wrote it may not have lived to do it.
        self.handle.sync_all().map_err(failed)?;
        let there = fs::read(&path).map_err(failed)?;
        if is_whole(&there, row) { Ok(kept) } else { Err(ExportError::NotAsWritten { path }) }
    }

    /// Writes under another name first, so that under its own there is never a part of it.
    fn write(&self, path: &Path, export: &[u8]) -> io::Result<()> {
        let unfinished = self.path.join(".unfinished");
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
        file.write_all(export)?;
        file.sync_all()?;
        fs::rename(unfinished, path)
    }
}

/// A name for the file that no other match has, nor one of the same name that comes later. Names of the usual form
/// hold no dot.
fn file_name(row: &StoredMatch) -> Option<String> {
    let MatchName { tenant, id } =
        MatchName::parse(&row.name.to_string()).filter(|usual| *usual == row.name)?;
    Some(format!("{tenant}.{id}.{}.bglog", row.key.uid))
}

/// Whether these bytes are the export of this match: its facts, and a log that leads to its head.
fn is_whole(bytes: &[u8], row: &StoredMatch) -> bool {
    let Some(lines) = bytes.strip_suffix(b"\n") else { return false };
    let mut lines = lines.split(|byte| *byte == b'\n');
    let has_facts = lines.next() == Some(&*row.facts().write());
    let start = (0, initial_hash(&row.key.uid));
    let end = lines.fold(start, |(revision, hash), line| (revision + 1, next_hash(&hash, line)));
    has_facts && end == (row.head.revision, row.head.hash)
}

/// Whether these bytes are the export of the same match before it has moved on: its events are the first of these.
fn is_earlier(there: &[u8], export: &[u8]) -> bool {
    let events = |bytes: &[u8]| bytes.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
    let (Some(there_from), Some(from)) = (events(there), events(export)) else { return false };
    let there = &there[there_from..];
    there.ends_with(b"\n") && export[from..].starts_with(there)
}

#[cfg(test)]
mod tests;
