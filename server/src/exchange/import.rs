//! A record as what can be stored.

use std::collections::BTreeMap;

use chaquete_record::{Oddity, Sheet, Transcript, mat, oldmoves, sgf};
use chaquete_rules::{BySeat, Event};

use super::{Format, facts::annotations};
use crate::log::{self, BadExport, Exported};

/// What a record tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A match that was played again under the rules.
    Match {
        /// The names of the players.
        names: BySeat<String>,
        /// Where and when it was played.
        annotations: BTreeMap<String, String>,
        /// Everything that happened, from its creation on.
        events: Vec<Event>,
        /// What is odd about the record.
        oddities: Vec<Oddity>,
    },
    /// A log that is to be stored as it is.
    Log(Box<Exported>),
}

/// Why nothing can be made of a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{because}")]
pub struct Unreadable {
    /// The line, from 1; 0: it is about the whole record.
    pub line: u32,
    /// The column in characters, from 1; 0: it is about the whole line.
    pub column: u32,
    /// What is wrong, as a code that stays the same.
    pub code: &'static str,
    /// What is wrong, and where.
    pub because: String,
}

/// The most events that an imported match may have: more than the longest sessions that were ever recorded.
const MAX_EVENTS: usize = 50_000;

/// Reads a record and plays it again under the rules. This takes as long as it takes: some milliseconds for a match.
///
/// # Errors
/// The record cannot be read, or what it says cannot be played.
pub fn read(format: Format, content: &[u8]) -> Result<Told, Unreadable> {
    match format {
        Format::Mat => {
            let read = mat::read(content);
            let place = |error: &mat::MatError| (error.line, error.column, error.problem.code());
            play(&read.map_err(|error| unreadable(place(&error), &error))?)
        }
        Format::Sgf => {
            let read = sgf::read(content);
            let place = |error: &sgf::SgfError| (error.line, error.column, error.problem.code());
            play(&read.map_err(|error| unreadable(place(&error), &error))?)
        }
        Format::Oldmoves => {
            let read = oldmoves::read(content);
            let place = |error: &oldmoves::OldmovesError| (error.line, error.column, error.problem.code());
            play(&read.map_err(|error| unreadable(place(&error), &error))?)
        }
        Format::Log => log::read_export(content).map(Box::new).map(Told::Log).map_err(Unreadable::from),
        Format::Ogxm => Err(unreadable((0, 0, "ONLY_WRITTEN"), &"the format is for exports only")),
    }
}

fn play(sheet: &Sheet) -> Result<Told, Unreadable> {
    let transcript = Transcript::of(sheet);
    let chronicle = transcript.chronicle().map_err(|unplayable| {
        let (line, column) = unplayable.place();
        Unreadable { line, column, code: unplayable.code(), because: unplayable.to_string() }
    })?;
    let events = chronicle.events().to_vec();
    if events.len() > MAX_EVENTS {
        let because =
            format!("it tells of {} events: no match may have more than {MAX_EVENTS}", events.len());
        return Err(Unreadable { line: 0, column: 0, code: "TOO_LONG", because });
    }
    Ok(Told::Match {
        names: chronicle.names().clone(),
        annotations: annotations(chronicle.facts().clone()),
        events,
        oddities: transcript.oddities,
    })
}

fn unreadable((line, column, code): (u32, u32, &'static str), because: &dyn std::fmt::Display) -> Unreadable {
    Unreadable { line, column, code, because: because.to_string() }
}

impl From<BadExport> for Unreadable {
    fn from(bad: BadExport) -> Self {
        unreadable((bad.line, 0, "UNREADABLE"), &bad)
    }
}
