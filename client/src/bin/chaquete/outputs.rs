//! Where records are written.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};

use crate::args::Destination;
use crate::failure::Failure;
use crate::file::{self, Existing, Put};
use crate::out;

/// Where records are written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    StandardOutput,
    File(PathBuf),
    /// Into a folder, each under a name of its own.
    Folder(PathBuf),
}

impl Target {
    /// Where so many records go by what was asked for: into this folder if nothing was.
    pub(crate) fn of(out: Option<&Destination>, count: usize) -> Result<Self, Failure> {
        match out {
            None => Ok(Self::Folder(PathBuf::from("."))),
            Some(Destination::StandardOutput) if count == 1 => Ok(Self::StandardOutput),
            Some(Destination::StandardOutput) => {
                Err(Failure::Usage("only one record can go to standard output"))
            }
            Some(Destination::File(path)) if count == 1 && !is_folder(path) => Ok(Self::File(path.clone())),
            Some(Destination::File(path)) => Ok(Self::Folder(path.clone())),
        }
    }
}

fn is_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir()
}

/// Writes records, none in place of another.
pub(crate) struct Outputs {
    target: Target,
    existing: Existing,
    /// What was written into the folder, where files are replaced: none may take the place of one of the same run.
    names: HashSet<OsString>,
}

impl Outputs {
    /// Makes the folder if it is not there.
    pub(crate) fn new(target: Target, existing: Existing) -> Result<Self, Failure> {
        if let Target::Folder(folder) = &target {
            fs::create_dir_all(folder).map_err(|error| Failure::File { path: folder.clone(), error })?;
        }
        Ok(Self { target, existing, names: HashSet::new() })
    }

    /// Whether records go where figures would be in their way.
    pub(crate) fn is_standard_output(&self) -> bool {
        self.target == Target::StandardOutput
    }

    /// Writes a record, which is called `name` in a folder; says where, and what became of it.
    pub(crate) fn put(&mut self, name: &OsStr, content: &[u8]) -> Result<(PathBuf, Put), Failure> {
        let (path, existing) = match &self.target {
            Target::StandardOutput => {
                out::bytes(content)?;
                return Ok((PathBuf::from("-"), Put::Written));
            }
            Target::File(path) => (path.clone(), self.existing),
            Target::Folder(folder) => {
                let may_replace = self.existing == Existing::Replace && self.names.insert(name.to_owned());
                (folder.join(name), if may_replace { Existing::Replace } else { Existing::Keep })
            }
        };
        let put = file::put(&path, content, existing)?;
        Ok((path, put))
    }
}

/// That a file was not written, since another is there.
pub(crate) struct Taken<'a>(pub(crate) &'a Path);

impl Display for Taken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: another file is there and is kept: --force replaces it", self.0.display())
    }
}
