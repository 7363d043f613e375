//! The records to be replayed.

use std::collections::HashMap;
use std::path::PathBuf;

use chaquete_record::mat;

use crate::failure::Failure;
use crate::format::Format;
use crate::inputs;

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
    let mut copies: HashMap<Vec<u8>, u32> = HashMap::new();
    let files = inputs::files(paths, &[Format::Mat])?;
    files.into_iter().map(|path| source(path, &mut copies)).collect()
}

fn source(path: PathBuf, copies: &mut HashMap<Vec<u8>, u32>) -> Result<Source, Failure> {
    let content = inputs::read(&path, mat::MAX_BYTES)?;
    let seen = copies.entry(content.clone()).or_default();
    let copy = *seen;
    *seen += 1;
    Ok(Source { path, content, copy })
}
