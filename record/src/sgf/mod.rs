//! Smart Game Format (`.sgf`, `FF[4]GM[6]`), as GNU Backgammon writes and reads it.
//!
//! One tree a game, one after the other. White is seat one. Only the first variation of a tree is read.
//! Analysis and statistics are passed over.
//!
//! ```
//! use chaquete_record::{Transcript, sgf};
//! use chaquete_rules::{Score, Seat};
//!
//! let file = r"(;FF[4]GM[6]MI[length:7][game:0][ws:0][bs:0]PW[Ann \[12\]]PB[Bob]RU[Crawford]RE[W+2R]
//! ;W[31hefe]
//! ;B[double];W[take]
//! ;B[64aggk])
//! ";
//! let transcript = Transcript::of(&sgf::read(file.as_bytes())?);
//! assert_eq!(transcript.names.one, "Ann [12]");
//! assert_eq!(transcript.score, Score::new(2, 0));
//!
//! let (again, remarks) = sgf::write(&transcript.chronicle()?)?;
//! assert_eq!(remarks[0].kind.code(), "MATCH_UNFINISHED");
//! assert_eq!(Transcript::of(&sgf::read(again.as_bytes())?).score, Score::new(2, 0));
//!
//! let error = sgf::read(file.replace("31hefe", "31he1z").as_bytes()).unwrap_err();
//! assert_eq!(error.problem.code(), "BAD_MOVE");
//! assert_eq!((error.line, error.column), (2, 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod node;
mod read;
mod root;
mod scan;
mod write;

pub use error::{SgfError, SgfProblem};
pub use read::read;
pub use write::write;

/// The largest file that is read, in bytes: a long match with all its analysis fits.
pub const MAX_BYTES: usize = 16 << 20;
/// The most games that are read.
pub const MAX_GAMES: usize = 2000;
/// The most moves that are read.
pub const MAX_ENTRIES: usize = 200_000;
/// The most values that the first node of a game can have.
pub const MAX_ROOT: usize = 1000;

/// A name or a fact in one line.
fn plain(text: &str) -> String {
    let one_line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    one_line.trim().to_owned()
}
