//! Playing recorded matches through the API: both seats, cube and resignations, with the dice of the
//! record.
//!
//! A [`Plan`] has all requests of a recorded match before the first is sent. [`play`] sends them and
//! compares each game with what the rules and the record make of it. Every request has an id that
//! follows from the record and the [`RunId`], so a replay that was interrupted, on either side, goes on
//! by being played again.

mod compare;
mod finding;
mod identity;
mod plan;
mod play;
mod summary;
mod wire;

pub use finding::{Fault, Finding};
pub use identity::{RunId, RunIdError};
pub use plan::{Plan, PlannedAction, PlannedGame};
pub use play::{Acknowledged, Played, play};
pub use summary::{Counts, Summary};
