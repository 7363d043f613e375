//! The lines of a file, whatever its bytes and line ends.

use crate::encoding::{self, Encoding};

use super::error::{MatError, MatProblem};
use super::{MAX_BYTES, MAX_LINE};

const TAB: usize = 8;

/// The text of a file and how it was read.
pub(super) fn decode(bytes: &[u8]) -> Result<(String, Encoding), MatError> {
    if bytes.len() > MAX_BYTES {
        let problem = MatProblem::FileTooLarge { found: bytes.len() };
        return Err(MatError { line: 1, column: 1, problem });
    }
    Ok(encoding::decode(bytes))
}

/// One line, without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) number: u32,
    pub(super) text: &'a str,
}

impl<'a> Line<'a> {
    /// The lines of a text: they end with CR LF, LF or CR.
    pub(super) fn all(text: &'a str) -> impl Iterator<Item = Result<Self, MatError>> {
        // At most 2 MiB of text: the number fits.
        (1..).zip(text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))).map(
            |(number, text)| {
                let line = Self { number, text };
                let too_long = MatProblem::LineTooLong { found: text.len() };
                if text.len() <= MAX_LINE { Ok(line) } else { Err(line.error(0, too_long)) }
            },
        )
    }

    pub(super) fn error(self, byte: usize, problem: MatProblem) -> MatError {
        MatError { line: self.number, column: self.column(byte), problem }
    }

    /// The column of a byte, in characters from 1.
    pub(super) fn column(self, byte: usize) -> u32 {
        // At most as long as a line: the number fits.
        self.text[..byte].chars().count() as u32 + 1
    }

    /// How far right a byte stands when the line is printed, from 0.
    pub(super) fn indent(self, byte: usize) -> usize {
        self.text[..byte].chars().fold(0, |indent, character| match character {
            '\t' => (indent / TAB + 1) * TAB,
            _ => indent + 1,
        })
    }

    /// The words of the line and where they begin, in bytes.
    pub(super) fn words(self) -> impl Iterator<Item = Word<'a>> {
        let start = self.text.as_ptr() as usize;
        self.text.split_whitespace().map(move |text| Word { start: text.as_ptr() as usize - start, text })
    }
}

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub(super) start: usize,
    pub(super) text: &'a str,
}

impl Word<'_> {
    pub(super) const fn end(self) -> usize {
        self.start + self.text.len()
    }
}
