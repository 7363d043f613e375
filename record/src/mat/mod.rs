//! Match files (`.mat`): the text that most backgammon programs and servers write.
//!
//! No two of them write it alike. The reader takes every dialect that was met in some two thousand files of
//! five servers and programs, and keeps what the file says with line and column, as a [`Sheet`](crate::Sheet). It does not judge: whether
//! the match can be played is for a [`Transcript`](crate::Transcript) to find out.
//!
//! ```
//! use chaquete_record::{mat, sheet::Cell};
//!
//! let text = "
//!  7 point match
//!
//!  Game 1
//!  Alice : 0                       Bob : 0
//!   1) 31: 8/5 6/5                  Doubles => 2
//!   2)  Drops                       Wins 1 point
//! ";
//! let sheet = mat::read(text.as_bytes())?;
//! let game = &sheet.games[0];
//! assert_eq!(game.names.two.text, "Bob");
//! assert_eq!(game.entries[1].cell, Cell::Doubles { value: Some(2) });
//! assert_eq!((game.entries[1].line, game.entries[1].column), (6, 35));
//!
//! let error = mat::read(text.replace("8/5", "8/26").as_bytes()).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 6, column 12: in the move \"8/26 6/5\": there is no such point: they go from 1 to 24, 25 is the \
//!      bar, 0 is off"
//! );
//! # Ok::<(), mat::MatError>(())
//! ```

mod cell;
mod error;
mod head;
mod line;
mod read;
mod terms;
mod write;

pub use error::{MatError, MatProblem};
pub use read::read;
pub use write::{MatWriteError, write};

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 2 << 20;
/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 4096;
/// The most games that are read.
pub const MAX_GAMES: usize = 2000;
