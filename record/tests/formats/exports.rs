//! Matches written as match files: read again they are the same match.

use std::path::Path;

use chaquete_record::{Chronicle, Remark, Transcript, mat};

use crate::data::{files, sample, shared_corpus};

/// The match that a file tells.
pub(crate) fn import(name: &str, bytes: &[u8]) -> Chronicle {
    let sheet = mat::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    Transcript::of(&sheet).chronicle().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The match file of a match, and what it could not hold.
pub(crate) fn export(chronicle: &Chronicle) -> (String, Vec<&'static str>) {
    let (text, remarks) = mat::write(chronicle).unwrap();
    (text, remarks.iter().map(|remark: &Remark| remark.kind.code()).collect())
}

/// Writes a match and reads it again; gives the codes of what the file could not hold.
fn there_and_back(name: &str, chronicle: &Chronicle) -> Vec<&'static str> {
    let (text, remarks) = export(chronicle);
    let sheet = mat::read(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    let transcript = Transcript::of(&sheet);
    let again = transcript.chronicle().unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert_eq!(again.events(), chronicle.events(), "{name}\n{text}");
    assert_eq!(again.facts(), chronicle.facts(), "{name}");
    remarks
}

fn all_of(folder: &Path) -> usize {
    let files = files(folder);
    for (name, bytes) in &files {
        let remarks = there_and_back(name, &import(name, bytes));
        let nameless = String::from_utf8_lossy(bytes).lines().any(|line| line.starts_with("  : 0"));
        let known = |code| code == "MATCH_UNFINISHED" || nameless && code == "NAME_CHANGED";
        assert!(remarks.into_iter().all(known), "{name}");
    }
    files.len()
}

#[test]
fn the_sample_is_written_and_read_as_the_same() {
    assert_eq!(all_of(&sample()), 14);
}

#[test]
fn the_whole_corpus_is_written_and_read_as_the_same() {
    let Some(folder) = shared_corpus() else { return };
    assert_eq!(all_of(&folder), 135);
}
