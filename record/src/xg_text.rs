//! The text of eXtreme Gammon around an XGID: names, score, a drawn board, pip counts, analysis.

use chaquete_rules::Seat;
use thiserror::Error;

use crate::{GamePosition, GamePositionError, Xgid};

/// The largest text that is read, in bytes: analysis of hundreds of plays fits.
pub(crate) const MAX_BYTES: usize = 1 << 16;
const XGID: &str = "XGID=";

/// Why a text with an XGID in it is no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum XgTextError {
    /// The text is too long.
    #[error("the text has {found} bytes; no text of one position has more than {MAX_BYTES}")]
    TooLong {
        /// Its size.
        found: usize,
    },
    /// There is more than one position in it.
    #[error("line {line}: a second XGID; the text must be that of one position")]
    SecondXgid {
        /// The line of the second, from 1.
        line: usize,
    },
    /// The XGID is none.
    #[error("line {line}: {error}")]
    Xgid {
        /// Its line, from 1.
        line: usize,
        /// What is wrong with it.
        error: Box<GamePositionError>,
    },
    /// The pip counts are not those of the XGID.
    #[error("line {line}: the pip counts {found_x} and {found_o} are not those of the XGID, {x} and {o}")]
    PipCounts {
        /// Their line, from 1.
        line: usize,
        /// The pip count of X written.
        found_x: u16,
        /// The pip count of O written.
        found_o: u16,
        /// The pip count of X by the XGID.
        x: u16,
        /// The pip count of O by the XGID.
        o: u16,
    },
}

/// Whether the text is one around an XGID.
pub(crate) fn is_one(text: &str) -> bool {
    text.contains('\n') && text.lines().any(|line| line.trim_start().starts_with(XGID))
}

/// Reads the position of the XGID. The rest is in the language of the user and not read, but for the pip
/// counts: they must be those of the XGID, or the text is patched together.
pub(crate) fn read(text: &str, checkers: u8) -> Result<GamePosition, GamePositionError> {
    if text.len() > MAX_BYTES {
        return Err(XgTextError::TooLong { found: text.len() }.into());
    }
    let lines = || (1..).zip(text.lines().map(str::trim));
    let mut xgids = lines().filter(|(_, line)| line.starts_with(XGID));
    let (line, xgid) = xgids.next().unwrap_or((1, ""));
    if let Some((line, _)) = xgids.find(|(_, other)| *other != xgid) {
        return Err(XgTextError::SecondXgid { line }.into());
    }
    let position = Xgid::parse(xgid, checkers)
        .map_err(GamePositionError::from)
        .and_then(GamePosition::try_from)
        .map_err(|error| XgTextError::Xgid { line, error: Box::new(error) })?;
    let [x, o] = Seat::BOTH.map(|seat| position.board.side(seat).pip_count());
    match lines().find_map(|(line, text)| Some((line, pip_counts(text)?))) {
        Some((line, [found_x, found_o])) if [found_x, found_o] != [x, o] => {
            Err(XgTextError::PipCounts { line, found_x, found_o, x, o }.into())
        }
        _ => Ok(position),
    }
}

/// The pip counts in a line like `Pip count  X: 111  O: 52 X-O: 3-6/7`, in any language.
fn pip_counts(line: &str) -> Option<[u16; 2]> {
    let counts = &line[line.find("X:")?..line.find("X-O:")?.max(line.find("X:")?)];
    let mut words = counts.split_whitespace();
    let (x, found_x, o, found_o) = (words.next()?, words.next()?, words.next()?, words.next()?);
    if x == "X:" && o == "O:" { Some([found_x.parse().ok()?, found_o.parse().ok()?]) } else { None }
}
