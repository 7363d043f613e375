//! The notation that players write moves in.
//!
//! ```text
//! move  = { separator } { chain separator { separator } }    separator = white space | ","
//! chain = place { "*" } hop { hop } [ "(" count ")" { "*" } ]
//! hop   = ( "/" | "-" ) place { "*" }
//! place = point, 1 to 24 | "bar" | "b" | "25" | "off" | "o" | "0"
//! ```

use std::fmt;

use super::written::{Hop, Written, WrittenStep};
use crate::{Source, Target};

/// The longest text that is looked at. Four steps, each written apart with spaces, take some 40 bytes.
const MAX_LEN: usize = 200;

/// What is wrong with a written move, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// What is wrong.
    pub problem: NotationProblem,
    /// Where, in bytes from 0.
    pub byte: usize,
    /// Where, in characters from 1.
    pub column: usize,
}

/// What can be wrong with a written move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotationProblem {
    /// The text is longer than any move.
    TooLong,
    /// Neither a point nor the bar nor off.
    NoPlace,
    /// A number above 25.
    NoSuchPoint,
    /// A place with nothing to go to.
    NoTarget,
    /// The bar as a target.
    ToBar,
    /// Off as a source.
    FromOff,
    /// A count that is none, or not from 1 to 4.
    BadCount,
    /// Something that cannot stand after a place.
    Unexpected,
}

impl fmt::Display for NotationProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "this is longer than any move",
            Self::NoPlace => "a place is expected here: a point from 1 to 24, `bar` or `off`",
            Self::NoSuchPoint => "there is no such point: they go from 1 to 24, 25 is the bar, 0 is off",
            Self::NoTarget => "where the checker goes is missing: write `8/5` for 8 to 5",
            Self::ToBar => "no checker moves to the bar: it can only come from there",
            Self::FromOff => "no checker that was borne off moves again",
            Self::BadCount => "a count is a number from 1 to 4 in parentheses, like `6/off(2)`",
            Self::Unexpected => {
                "after a place comes `/` and the next place, `*`, a count like `(2)`, or a space"
            }
        })
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.problem)
    }
}

impl std::error::Error for NotationError {}

/// Reads a move.
pub(super) fn parse(text: &str) -> Result<Written, NotationError> {
    let mut reader = Reader { text, at: 0 };
    if text.len() > MAX_LEN {
        return Err(reader.error_at(text.floor_char_boundary(MAX_LEN), NotationProblem::TooLong));
    }
    let mut written = Written::empty();
    reader.skip(is_separator);
    while reader.peek().is_some() {
        reader.chain(&mut written)?;
        if reader.skip(is_separator) == 0 && reader.peek().is_some() {
            return Err(reader.error(NotationProblem::Unexpected));
        }
    }
    Ok(written)
}

const fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b','
}

const fn is_star(byte: u8) -> bool {
    byte == b'*'
}

/// A place by number: 25 is the bar, 0 is off.
#[derive(Clone, Copy)]
struct Place {
    number: u8,
    byte: usize,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) -> usize {
        self.take(wanted).len()
    }

    /// Takes what is wanted, which must be ASCII.
    fn take(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii() && wanted(byte)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn error(&self, problem: NotationProblem) -> NotationError {
        self.error_at(self.at, problem)
    }

    fn error_at(&self, byte: usize, problem: NotationProblem) -> NotationError {
        NotationError { problem, byte, column: self.text[..byte].chars().count() + 1 }
    }

    fn chain(&mut self, written: &mut Written) -> Result<(), NotationError> {
        let start = self.at;
        let first = self.place()?;
        self.skip(is_star);
        // A chain of more hops than are kept is too long for any roll, but still has to be read to its end.
        let mut hops = Written::empty();
        let mut last = first;
        while self.skip_one(b"/-") {
            let next = self.place()?;
            let star = self.skip(is_star) > 0;
            hops.push(Hop { step: self.step(last, next)?, star });
            last = next;
        }
        if hops == Written::empty() {
            return Err(self.error_at(start, NotationProblem::NoTarget));
        }
        for _ in 0..self.count()? {
            hops.hops().for_each(|hop| written.push(hop));
        }
        Ok(())
    }

    fn skip_one(&mut self, of: &[u8]) -> bool {
        let found = self.peek().is_some_and(|byte| of.contains(&byte));
        self.at += usize::from(found);
        found
    }

    fn step(&self, from: Place, to: Place) -> Result<WrittenStep, NotationError> {
        let source = Source::from_number(from.number)
            .ok_or_else(|| self.error_at(from.byte, NotationProblem::FromOff))?;
        let target =
            Target::from_number(to.number).ok_or_else(|| self.error_at(to.byte, NotationProblem::ToBar))?;
        Ok(WrittenStep { source, target, die: None })
    }

    fn place(&mut self) -> Result<Place, NotationError> {
        let byte = self.at;
        let word = self.take(|byte| byte.is_ascii_alphanumeric());
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        let number = match word {
            _ if is("bar") || is("b") => 25,
            _ if is("off") || is("o") => 0,
            digits if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                match digits.parse() {
                    Ok(number @ 0..=25) => number,
                    _ => return Err(self.error_at(byte, NotationProblem::NoSuchPoint)),
                }
            }
            _ => return Err(self.error_at(byte, NotationProblem::NoPlace)),
        };
        Ok(Place { number, byte })
    }

    /// How many checkers make the move that was just read.
    fn count(&mut self) -> Result<u8, NotationError> {
        let start = self.at;
        if !self.skip_one(b"(") {
            return Ok(1);
        }
        let digits = self.take(|byte| byte.is_ascii_digit());
        match (digits.parse(), self.skip_one(b")")) {
            (Ok(count @ 1..=4), true) => {
                self.skip(is_star);
                Ok(count)
            }
            _ => Err(self.error_at(start, NotationProblem::BadCount)),
        }
    }
}
