//! How far an export into a folder has come: kept in the folder, so that it goes on there.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use chaquete_client::proto::ExportMatchesRequest;

use crate::failure::Failure;
use crate::file;
use crate::format::Format;

/// The name of the file that keeps it.
const FILE: &str = ".chaquete-export";

/// The place that an export has reached.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    /// What is exported: an export of something else has other places.
    what: String,
}

impl Place {
    pub(super) fn of(folder: &Path, request: &ExportMatchesRequest, format: Format) -> Self {
        let ExportMatchesRequest { parent, filter, .. } = request;
        let (filter, format) = (filter.escape_debug(), format.ending());
        Self { path: folder.join(FILE), what: format!("{parent}\nfilter {filter}\nformat {format}\nafter ") }
    }

    /// Whether an export was made into the folder before.
    pub(super) fn is_kept(&self) -> bool {
        self.path.exists()
    }

    /// The token of the place where the last export goes on; empty if there was none.
    pub(super) fn read(&self) -> Result<String, Failure> {
        let failed = |error| Failure::File { path: self.path.clone(), error };
        let kept = match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(String::new()),
            kept => kept.map_err(failed)?,
        };
        let token = kept.strip_prefix(&self.what).and_then(|rest| rest.strip_suffix('\n'));
        token.map(str::to_owned).ok_or_else(|| Failure::OtherExport { path: self.path.clone() })
    }

    /// Keeps a place. What comes before it must be in the folder for good.
    pub(super) fn keep(&self, token: &str) -> Result<(), Failure> {
        file::write(&self.path, format!("{}{token}\n", self.what).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_that_of_one_export() {
        let folder = std::env::temp_dir().join(format!("chaquete-place-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let request = |filter: &str| ExportMatchesRequest {
            parent: "tenants/club".to_owned(),
            filter: filter.to_owned(),
            ..ExportMatchesRequest::default()
        };
        let place = |filter: &str, format| Place::of(&folder, &request(filter), format);
        let first = place("labels.a = \"b\nc\"", Format::Mat);
        assert!(!first.is_kept());
        assert_eq!(first.read().expect("none"), "");
        first.keep("a token").expect("kept");
        assert!(first.is_kept());
        assert_eq!(first.read().expect("a place"), "a token");
        for other in [place("", Format::Mat), place("labels.a = \"b\nc\"", Format::Sgf)] {
            assert!(matches!(other.read(), Err(Failure::OtherExport { .. })), "{other:?}");
        }
        fs::write(folder.join(FILE), b"").expect("a file");
        assert!(matches!(first.read(), Err(Failure::OtherExport { .. })), "a file that nobody wrote");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
