//! A stored match as a record.

use chaquete_record::{Chronicle, Remark, mat, ogxm, sgf};
use chaquete_rules::{BySeat, Event};

use super::{Format, facts::facts};
use crate::{
    log,
    store::StoredEvent,
    table::{Damaged, Table},
};

/// A match as a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The record.
    pub content: Vec<u8>,
    /// What its format could not hold, for people.
    pub remarks: Vec<String>,
}

/// Why a match cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The format has no place for something, and without it it would be another match.
    #[error("{0}")]
    NoPlace(String),
    /// Nobody writes this format.
    #[error("the format is for imports only")]
    OnlyRead,
    /// The log is damaged.
    #[error("{0}")]
    Damaged(#[from] Damaged),
}

/// Writes a match with its whole log.
///
/// # Errors
/// See [`Unwritable`].
pub fn export(format: Format, table: &Table, events: &[StoredEvent]) -> Result<Record, Unwritable> {
    let text = |(text, remarks): (String, Vec<Remark>)| (text.into_bytes(), remarks);
    let no_place = |why: &dyn std::fmt::Display| Unwritable::NoPlace(why.to_string());
    let (content, remarks) = match format {
        Format::Log => (log::export(&table.stored().facts(), events), Vec::new()),
        Format::Mat => text(mat::write(&chronicle(table, events)?).map_err(|why| no_place(&why))?),
        Format::Sgf => text(sgf::write(&chronicle(table, events)?).map_err(|why| no_place(&why))?),
        Format::Ogxm => ogxm::write(&chronicle(table, events)?).map_err(|why| no_place(&why))?,
        Format::Oldmoves => return Err(Unwritable::OnlyRead),
    };
    Ok(Record { content, remarks: remarks.iter().map(Remark::to_string).collect() })
}

/// The match as writers need it. Names are those for people, or the subjects.
fn chronicle(table: &Table, events: &[StoredEvent]) -> Result<Chronicle, Damaged> {
    let damaged = |revision: u32, because: String| Damaged { revision, because };
    let event = |stored: &StoredEvent| -> Result<Event, Damaged> {
        let entry = log::decode(&stored.bytes).map_err(|bad| damaged(stored.revision, bad.to_string()))?;
        Ok(entry.event)
    };
    let told = events.iter().map(event).collect::<Result<Vec<_>, _>>()?;
    let subjects = &table.state.terms().players;
    let name = |display: &String, subject: &String| {
        if display.is_empty() { subject.clone() } else { display.clone() }
    };
    let display = &table.about.display_names;
    let names = BySeat::new(name(&display.one, &subjects.one), name(&display.two, &subjects.two));
    let facts = facts(&table.about.notes.annotations, table.head.create_time);
    Chronicle::new(names, facts, told).map_err(|error| damaged(1, error.to_string()))
}
