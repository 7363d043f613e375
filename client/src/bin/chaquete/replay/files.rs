//! The records to be replayed.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A record, read.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) content: Vec<u8>,
    /// How many records before this one have the same content.
    pub(super) copy: u32,
}

/// Reads all files, and the match files of all folders in the order of their names.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(match_files(path)?);
        } else {
            files.push(path.clone());
        }
    }
    let mut copies: HashMap<Vec<u8>, u32> = HashMap::new();
    files.into_iter().map(|path| source(path, &mut copies)).collect()
}

fn source(path: PathBuf, copies: &mut HashMap<Vec<u8>, u32>) -> Result<Source, Failure> {
    let content = fs::read(&path).map_err(|error| Failure::File { path: path.clone(), error })?;
    let seen = copies.entry(content.clone()).or_default();
    let copy = *seen;
    *seen += 1;
    Ok(Source { path, content, copy })
}

fn match_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::File { path: folder.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mat")) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Failure::NoFiles { path: folder.to_owned() });
    }
    files.sort();
    Ok(files)
}
