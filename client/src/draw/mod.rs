//! Boards, matches and events as text for a terminal.
//!
//! Seat one plays `X` and is drawn at the bottom, moving from the upper right by the left to its home
//! at the lower right; seat two plays `O` against it.

mod board;
mod ending;
mod event;
mod position;
mod sheet;
mod time;
mod words;

pub use board::board;
pub use event::event;
pub use position::position;
pub use sheet::sheet;
pub use time::{moment, span};
pub use words::{dice, match_state, rules, score, seat_name, variant};
