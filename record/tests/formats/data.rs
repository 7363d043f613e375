//! The checked-in test data.

use std::fs;
use std::io::Write as _;
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

/// The match files of a folder, by name.
pub(crate) fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "mat"))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// The sample of real matches that is checked in.
pub(crate) fn sample() -> PathBuf {
    root().join("tests/data/corpus")
}

/// All real matches, if they are here.
pub(crate) fn shared_corpus() -> Option<PathBuf> {
    let folder = root().join("../shared/corpus");
    if folder.is_dir() {
        return Some(folder);
    }
    skipped("the whole corpus is not here; a sample of it is in tests/data/corpus");
    None
}

/// Says what was left out, past the capture of the test harness, so that it is seen.
pub(crate) fn skipped(why: &str) {
    std::io::stderr().write_all(format!("SKIPPED: {why}\n").as_bytes()).unwrap();
}
