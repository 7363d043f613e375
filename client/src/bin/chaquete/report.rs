//! What is said about records, line by line.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::path::Path;

use chaquete_client::proto::ImportWarning;
use chaquete_record::{Oddity, Repair, Unplayable};

/// A place in a record: line and column, from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Nowhere,
    Line(u32),
    Column(u32, u32),
}

impl Place {
    /// The place of a line and a column that are 0 where none is meant.
    pub(crate) const fn of(line: u32, column: u32) -> Self {
        match (line, column) {
            (0, _) => Self::Nowhere,
            (line, 0) => Self::Line(line),
            (line, column) => Self::Column(line, column),
        }
    }
}

/// Something that is said about a record.
#[derive(Debug)]
pub(crate) struct Note {
    place: Place,
    code: Cow<'static, str>,
    text: String,
    /// What became of it.
    pub(crate) repair: Repair,
}

impl Note {
    /// Why a record is refused.
    pub(crate) fn refusal(place: Place, code: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { place, code: code.into(), text: text.into(), repair: Repair::Refused }
    }

    /// The note as a line about a file.
    pub(crate) fn about<'a>(&'a self, path: &'a Path) -> impl Display + 'a {
        About { note: self, path }
    }
}

impl From<&Oddity> for Note {
    fn from(oddity: &Oddity) -> Self {
        Self {
            place: Place::of(oddity.line, oddity.column),
            code: oddity.kind.code().into(),
            text: oddity.kind.to_string(),
            repair: oddity.kind.repair(),
        }
    }
}

impl From<&Unplayable> for Note {
    fn from(obstacle: &Unplayable) -> Self {
        let text = match obstacle {
            Unplayable::Halted(halt) => halt.fault.to_string(),
            Unplayable::Undecided(oddity) => oddity.kind.to_string(),
        };
        let (line, column) = obstacle.place();
        Self::refusal(Place::of(line, column), obstacle.code(), text)
    }
}

impl From<ImportWarning> for Note {
    fn from(warning: ImportWarning) -> Self {
        let ImportWarning { line, column, text, code, repaired } = warning;
        let number = |number: i32| u32::try_from(number).unwrap_or_default();
        let place = Place::of(number(line), number(column));
        let repair = if repaired { Repair::Repaired } else { Repair::Kept };
        Self { place, code: code.into(), text, repair }
    }
}

struct About<'a> {
    note: &'a Note,
    path: &'a Path,
}

impl Display for About<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Note { place, code, text, repair } = self.note;
        write!(f, "{}:", self.path.display())?;
        match place {
            Place::Nowhere => {}
            Place::Line(line) => write!(f, "{line}:")?,
            Place::Column(line, column) => write!(f, "{line}:{column}:")?,
        }
        write!(f, " {code} {text} ({})", repair.code().to_ascii_lowercase())
    }
}

/// How many records came to what, and how many oddities they had.
#[derive(Debug, Default)]
pub(crate) struct Oddities {
    all: usize,
    repaired: usize,
}

impl Oddities {
    pub(crate) fn add(&mut self, notes: &[Note]) {
        let odd = notes.iter().filter(|note| note.repair != Repair::Refused);
        self.all += odd.clone().count();
        self.repaired += odd.filter(|note| note.repair == Repair::Repaired).count();
    }
}

impl Display for Oddities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { all, repaired } = self;
        write!(f, "{all} oddities, {repaired} of them repaired")
    }
}
