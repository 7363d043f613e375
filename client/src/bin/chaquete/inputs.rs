//! The files that are read, and those in folders.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::format::Format;

/// All files of a command, and of its folders those of these formats, in the order of their names.
pub(crate) fn files(paths: &[PathBuf], formats: &'static [Format]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if is_standard_input(path) {
            files.push(path.clone());
        } else if metadata(path)?.is_dir() {
            files.extend(in_folder(path, formats)?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn metadata(path: &Path) -> Result<fs::Metadata, Failure> {
    fs::metadata(path).map_err(|error| Failure::File { path: path.to_owned(), error })
}

fn in_folder(folder: &Path, formats: &'static [Format]) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::File { path: folder.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if Format::of_path(&path).is_some_and(|format| formats.contains(&format)) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Failure::NoFiles { path: folder.to_owned(), formats });
    }
    files.sort();
    Ok(files)
}

/// Reads a file, or standard input for `-`. Of one that is longer than `limit` bytes only so much is read that it
/// can be seen.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    let content = if is_standard_input(path) {
        read_from(io::stdin().lock(), limit)
    } else {
        File::open(path).and_then(|file| read_from(file, limit))
    };
    content.map_err(|error| Failure::File { path: path.to_owned(), error })
}

fn read_from(source: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    source.take(limit as u64 + 1).read_to_end(&mut content)?;
    Ok(content)
}

pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}
