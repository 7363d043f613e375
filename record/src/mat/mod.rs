//! Match files (`.mat`): the text that most backgammon programs and servers write.
//!
//! # Reading
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

//!
//! # Importing
//!
//! Everything that is odd about a file is told with line and column, and what became of it
//! ([`Oddity`](crate::Oddity)). What was meant is certain in most cases, and is repaired: moves left out because
//! they were forced, or bore off all they could; `Losses`, `Concedes`, `????`; points that were capped; players who
//! change columns; lines glued together; a double in the Crawford game, which is void; a match that does not begin at
//! 0-0, which gets games without a play before it. What is not certain is refused
//! ([`Transcript::obstacle`](crate::Transcript::obstacle)), never guessed:
//!
//! - scores that do not follow from one game to the next, and a winner or points that contradict the play;
//! - a match that begins one point away from its end with nothing to tell whether the Crawford game has been played:
//!   whoever knows it can set [`Game::crawford`](crate::sheet::Game::crawford);
//! - a merged move that can be played in two ways with different hits, against its star;
//! - an illegal play, also one that the opponent has answered. Over the board it would stand; but a match is the
//!   fold of what the rules decided, and they decide no illegal move. It is told with its line, and all that was
//!   played before it is there;
//! - a position that was set up.
//!
//! # Writing
//!
//! [`write()`] gives the layout that GNU Backgammon and eXtreme Gammon read, and says what it could not hold
//! ([`Remark`](crate::Remark)). Moves are written die by die, so that nothing is left to be found out: what has no
//! remark is read again as the same match, event by event.
//!
//! ```
//! use chaquete_record::{Transcript, mat};
//!
//! let text = b"1 point match\n Game 1\n Ann : 0    Bob : 0\n 1) 31: 8/5 6/5     64: 24/14\n Wins 1";
//! let chronicle = Transcript::of(&mat::read(text)?).chronicle()?;
//! let (written, remarks) = mat::write(&chronicle)?;
//! assert!(written.contains("  1) 31: 8/5 6/5                 64: 24/18 18/14\n"));
//! assert!(remarks.is_empty());
//! assert_eq!(Transcript::of(&mat::read(written.as_bytes())?).chronicle()?, chronicle);
//! # Ok::<(), Box<dyn std::error::Error>>(())
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
