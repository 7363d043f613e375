//! The newest checkpoint in a file outside the store: whoever puts an old backup in the store's place has no old file.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use chaquete_proof::tree::{Checkpoint, Note};
use tokio::task::spawn_blocking;

use super::{CheckpointError, LogKeys, Proofs};
use crate::key_file::directory;

/// Why a store does not go with the checkpoint that was kept.
#[derive(Debug, thiserror::Error)]
pub enum BadFile {
    /// It cannot be read, or cannot be written beside.
    #[error("the checkpoint file {} cannot be used: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It holds no checkpoint of this log.
    #[error("the file {} holds no checkpoint that was signed by one of the log keys", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The store knows less than was signed.
    #[error(
        "the store is older than the checkpoint in {}: its tree has {has} leaves, and {signed} were signed. An old \
         backup was restored, or something was removed. If it is to be served all the same, move the file away",
        path.display()
    )]
    Behind {
        /// The file.
        path: PathBuf,
        /// How many leaves the store has.
        has: u64,
        /// How many there were.
        signed: u64,
    },
    /// The store knows something else than was signed.
    #[error(
        "the store contradicts the checkpoint in {}: its first {signed} leaves are others than those that were signed",
        path.display()
    )]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// How many leaves were signed.
        signed: u64,
    },
}

/// Checks that the tree of a store begins with the one of the checkpoint in a file. Before the first checkpoint there is
/// no file.
pub(super) async fn check(path: &Path, keys: &LogKeys, proofs: &Proofs) -> Result<(), CheckpointError> {
    let failed = |error| BadFile::File { path: path.to_owned(), error };
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // It will have to be made: better to hear now that it cannot be.
            fs::metadata(directory(path)).map_err(failed)?;
            return Ok(());
        }
        text => text.map_err(failed)?,
    };
    let signed = read(&text, keys).ok_or_else(|| BadFile::Foreign { path: path.to_owned() })?;
    let has = proofs.size().await?;
    if has < signed.size {
        return Err(BadFile::Behind { path: path.to_owned(), has, signed: signed.size }.into());
    }
    if proofs.root(signed.size).await? != Some(signed.root) {
        return Err(BadFile::Contradiction { path: path.to_owned(), signed: signed.size }.into());
    }
    Ok(())
}

/// The checkpoint that a note of this log says.
fn read(text: &str, keys: &LogKeys) -> Option<Checkpoint> {
    let note: Note = text.parse().ok()?;
    note.signed_by(keys.verifiers()).ok()?;
    note.text().parse().ok().filter(|checkpoint: &Checkpoint| checkpoint.origin == keys.name())
}

/// Puts a note in the place of the one in the file: there is always one of them in full.
pub(super) async fn write(path: &Path, note: String) -> io::Result<()> {
    let path = path.to_owned();
    let written = spawn_blocking(move || {
        let draft = path.with_added_extension("new");
        let mut file = fs::File::create(&draft)?;
        file.write_all(note.as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, &path)?;
        fs::File::open(directory(&path))?.sync_all()
    });
    written.await.map_err(io::Error::other)?
}
