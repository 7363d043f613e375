//! Files that are written, whole or not at all; and those that are read as a whole.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The text of a file that the user has named.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::File { path: path.to_owned(), error })
}

/// Writes a file, in place of one that is there. Who reads it meanwhile sees the old one or the new one, and when
/// it cannot be written the old one stays.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error| Failure::File { path: path.to_owned(), error };
    let written = match fs::metadata(path) {
        // What is no file, a pipe or a device, takes bytes, and must not be replaced.
        Ok(there) if !there.is_file() => fs::write(path, bytes),
        // A link stays one.
        Ok(_) => fs::canonicalize(path).and_then(|target| replace(&target, bytes)),
        Err(_) => replace(path, bytes),
    };
    written.map_err(failed)
}

/// What is to become of a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    Keep,
    Replace,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    Written,
    /// It was there, with the same content.
    Same,
    /// Another one is there, and was kept.
    Taken,
}

/// Writes a file, if there is none or it may be replaced.
pub(crate) fn put(path: &Path, bytes: &[u8], existing: Existing) -> Result<Put, Failure> {
    let failed = |error| Failure::File { path: path.to_owned(), error };
    match (existing, fs::metadata(path)) {
        (Existing::Keep, Ok(there)) if there.is_file() => same(path, bytes).map_err(failed),
        (Existing::Keep, Err(error)) if error.kind() == ErrorKind::NotFound => {
            create(path, bytes).map_err(failed)
        }
        // What is no file loses nothing.
        (Existing::Keep | Existing::Replace, _) => write(path, bytes).map(|()| Put::Written),
    }
}

fn same(path: &Path, bytes: &[u8]) -> io::Result<Put> {
    let mut there = Vec::new();
    File::open(path)?.take(bytes.len() as u64 + 1).read_to_end(&mut there)?;
    Ok(if there == bytes { Put::Same } else { Put::Taken })
}

fn create(path: &Path, bytes: &[u8]) -> io::Result<Put> {
    // A link is made only where there is nothing, also if somebody else makes a file at the same moment.
    let linked = with_draft(path, bytes, |draft| match fs::hard_link(draft, path) {
        // Not all file systems have links.
        Err(error) if error.kind() != ErrorKind::AlreadyExists => fs::rename(draft, path),
        linked => linked.and_then(|()| fs::remove_file(draft)),
    });
    match linked {
        Ok(()) => Ok(Put::Written),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Put::Taken),
        Err(error) => Err(error),
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    with_draft(path, bytes, |draft| fs::rename(draft, path))
}

/// Writes a draft beside a file, and puts it in its place.
fn with_draft(path: &Path, bytes: &[u8], place: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let draft = draft(path);
    let mut file = File::create_new(&draft)?;
    let filled = file.write_all(bytes).and_then(|()| file.sync_all());
    let placed = filled.and_then(|()| place(&draft));
    if placed.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&draft);
    }
    placed
}

/// A name in the same folder, which nobody else uses.
fn draft(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}
