//! The full case collection, which lives beside the project and may be missing.

use std::fs;
use std::path::Path;

/// A file of the full collection, if it is here.
pub(crate) fn full(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases").join(name);
    if !path.exists() {
        eprintln!("SKIPPED: the full {name} is not here; the checked-in sample is all that was run");
        return None;
    }
    Some(fs::read_to_string(path).unwrap())
}
