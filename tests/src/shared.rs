//! Where the project lies, and the larger test data that lie beside it on some machines.

use std::path::{Path, PathBuf};

/// The folder of the project.
///
/// # Panics
/// This crate lies nowhere.
#[must_use]
pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate lies in the project")
}

/// A file or folder of the larger test data, if they are here.
#[must_use]
pub fn shared(path: &str) -> Option<PathBuf> {
    let path = project().parent()?.join("shared").join(path);
    path.exists().then_some(path)
}

/// The same, and says so where a test has to do without.
#[must_use]
pub fn shared_or_say(path: &str) -> Option<PathBuf> {
    let found = shared(path);
    if found.is_none() {
        eprintln!("SKIPPED: there is no ../shared/{path} on this machine");
    }
    found
}
