//! Matches written in each format: read again they are the same match.

use std::path::Path;

use chaquete_record::{Chronicle, Remark, Sheet, Transcript, mat, sgf};

use crate::data::{files, sample, shared_corpus};

/// A format of files.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    /// The file of a match, and what it could not hold.
    write: fn(&Chronicle) -> (String, Vec<Remark>),
    /// What a file says, or what is wrong with it.
    read: fn(&str) -> Result<Sheet, String>,
    /// How GNU Backgammon reads one.
    pub(crate) gnubg: &'static str,
    /// What it makes of a roll that was not played and can be played in one way only.
    pub(crate) forced: Forced,
}

/// What becomes of a roll that can be played in one way only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forced {
    /// It is played.
    Played,
    /// It stays as it is.
    Kept,
}

pub(crate) const MAT: Format = Format {
    write: |chronicle| mat::write(chronicle).unwrap(),
    read: |text| mat::read(text.as_bytes()).map_err(|error| error.to_string()),
    gnubg: "import mat",
    forced: Forced::Played,
};

pub(crate) const SGF: Format = Format {
    write: |chronicle| sgf::write(chronicle).unwrap(),
    read: |text| sgf::read(text.as_bytes()).map_err(|error| error.to_string()),
    gnubg: "load match",
    forced: Forced::Kept,
};

impl Format {
    /// The file of a match, and the codes of what it could not hold.
    pub(crate) fn export(self, chronicle: &Chronicle) -> (String, Vec<&'static str>) {
        let (text, remarks) = (self.write)(chronicle);
        (text, remarks.iter().map(|remark| remark.kind.code()).collect())
    }

    /// The match that a file tells, if it can be played.
    pub(crate) fn transcript(self, text: &str) -> Transcript {
        Transcript::of(&(self.read)(text).unwrap_or_else(|error| panic!("{error}\n{text}")))
    }
}

/// The match that a match file tells.
pub(crate) fn import(name: &str, bytes: &[u8]) -> Chronicle {
    let sheet = mat::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    Transcript::of(&sheet).chronicle().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Writes a match and reads it again; gives the codes of what the file could not hold.
fn there_and_back(format: Format, name: &str, chronicle: &Chronicle) -> Vec<&'static str> {
    let (text, remarks) = format.export(chronicle);
    let again = format.transcript(&text).chronicle();
    let again = again.unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert_eq!(again.events()[1..], chronicle.events()[1..], "{name}\n{text}");
    assert_eq!(again.facts(), chronicle.facts(), "{name}");
    // What was agreed comes back, but for what the file says that it does not hold.
    if !remarks.iter().any(|code| code.starts_with("TERM_") || *code == "NAME_CHANGED") {
        assert_eq!(again.terms(), chronicle.terms(), "{name}");
    }
    remarks
}

fn all_of(format: Format, folder: &Path) -> usize {
    let files = files(folder);
    for (name, bytes) in &files {
        let remarks = there_and_back(format, name, &import(name, bytes));
        let nameless = String::from_utf8_lossy(bytes).lines().any(|line| line.starts_with("  : 0"));
        let known = |code| {
            ["MATCH_UNFINISHED", "TERM_CUBE_LIMIT"].contains(&code) || nameless && code == "NAME_CHANGED"
        };
        assert!(remarks.iter().all(|&code| known(code)), "{name}: {remarks:?}");
    }
    files.len()
}

#[test]
fn the_sample_is_written_and_read_as_the_same() {
    assert_eq!([MAT, SGF].map(|format| all_of(format, &sample())), [14, 14]);
}

#[test]
fn the_whole_corpus_is_written_and_read_as_the_same() {
    let Some(folder) = shared_corpus() else { return };
    assert_eq!([MAT, SGF].map(|format| all_of(format, &folder)), [135, 135]);
}
