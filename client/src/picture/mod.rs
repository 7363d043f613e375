//! Pictures of boards: what of a match they show, and PNG. How they look is a matter of
//! [`chaquete_record::picture`].

mod last_move;
mod png;
mod position;

pub use last_move::last_move;
pub use png::{PngError, PngWidth, PngWidthError, png};
pub use position::{PositionError, position};
