//! The checked-in test data.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The cases of a file of `tests/data/formats`.
pub(crate) fn cases(file: &str) -> Vec<Value> {
    let path = root().join("tests/data/formats").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// A text of a case.
pub(crate) fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("no text {key} in {case}"))
}

/// A number of a case.
pub(crate) fn number(case: &Value, key: &str) -> u32 {
    let number = case[key].as_u64().and_then(|number| u32::try_from(number).ok());
    number.unwrap_or_else(|| panic!("no number {key} in {case}"))
}
