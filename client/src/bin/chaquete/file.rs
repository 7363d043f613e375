//! Files that are written: whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

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

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = draft(path);
    let mut file = File::create_new(&draft)?;
    let filled = file.write_all(bytes).and_then(|()| file.sync_all());
    let replaced = filled.and_then(|()| fs::rename(&draft, path));
    if replaced.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&draft);
    }
    replaced
}

/// A name in the same folder, which nobody else uses.
fn draft(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}
