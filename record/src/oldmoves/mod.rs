//! Listings of moves as the server FIBS gives them to the command `oldmoves`.
//!
//! Seat one is the player who is X in the first game. O's moves ascend from 1 to 24; they are read as that
//! player sees them.
//!
//! ```
//! use chaquete_record::{Transcript, oldmoves};
//! use chaquete_rules::Score;
//!
//! let text = "Score is 0-0 in a 5 point match.
//! Alice is X - Bob is O
//! X: (3 1) 8-5 6-5
//! O: (6 1) 12-18 17-18
//! X: doubles
//! O: rejects
//! X: wins 1 point
//! ";
//! let transcript = Transcript::of(&oldmoves::read(text.as_bytes())?);
//! assert_eq!(transcript.score, Score::new(1, 0));
//!
//! let error = oldmoves::read(text.replace("6-5", "6-5-").as_bytes()).unwrap_err();
//! assert_eq!((error.line, error.column, error.problem.code()), (3, 18, "BAD_MOVE"));
//! # Ok::<(), oldmoves::OldmovesError>(())
//! ```

mod error;
mod line;
mod read;

pub use error::{OldmovesError, OldmovesProblem};
pub use read::read;

/// The largest text that is read, in bytes.
pub const MAX_BYTES: usize = 2 << 20;
/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 1024;
/// The most games that are read.
pub const MAX_GAMES: usize = 2000;
