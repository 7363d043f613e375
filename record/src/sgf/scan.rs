//! The text of a file in pieces.

use crate::excerpt::excerpt;

use super::error::{SgfError, SgfProblem};
use super::plain;

/// Where something stands, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Place {
    pub(super) const fn error(self, problem: SgfProblem) -> SgfError {
        SgfError { line: self.line, column: self.column, problem }
    }
}

/// A piece of a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// A value, with its property and the place where that begins; whether it is the first one.
    Value { property: Property<'a>, value: Value<'a>, first: bool },
}

/// The name of a property: its capital letters. Where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'a> {
    pub(super) place: Place,
    pub(super) name: &'a str,
}

/// What stands between two brackets, and where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'a> {
    pub(super) place: Place,
    /// With its escapes.
    pub(super) raw: &'a str,
}

impl Value<'_> {
    /// The value in one line.
    pub(super) fn line(self) -> String {
        plain(&self.text())
    }

    /// The value without escapes. An escaped line end is none.
    pub(super) fn text(self) -> String {
        let mut text = String::with_capacity(self.raw.len());
        let mut characters = self.raw.chars().peekable();
        while let Some(character) = characters.next() {
            match (character, characters.peek()) {
                ('\\', Some('\n' | '\r')) => {
                    let end = characters.next();
                    characters.next_if(|&next| Some(next) != end && (next == '\n' || next == '\r'));
                }
                ('\\', Some(_)) => text.extend(characters.next()),
                _ => text.push(character),
            }
        }
        text
    }

    pub(super) fn error(self, property: &'static str, expected: &'static str) -> SgfError {
        self.place.error(SgfProblem::BadValue { property, expected, found: excerpt(self.raw) })
    }
}

/// Reads a file piece by piece.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// The next byte.
    at: usize,
    place: Place,
    /// How many trees are open.
    pub(super) depth: u32,
    property: Option<Property<'a>>,
    /// Whether a tree has begun.
    has_begun: bool,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, place: Place { line: 1, column: 1 }, depth: 0, property: None, has_begun: false }
    }

    /// The next piece and where it begins; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(Place, Piece<'a>)>, SgfError> {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || self.is_before_trees(byte)) {
            self.skip();
        }
        let Some(byte) = self.peek() else {
            return if self.depth == 0 { Ok(None) } else { Err(self.place.error(SgfProblem::CutOff)) };
        };
        let (place, first) = (self.place, self.depth > 0 && byte.is_ascii_alphabetic());
        if first {
            self.property = Some(self.name());
            while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
                self.skip();
            }
        }
        let piece = match (self.peek(), self.property) {
            (Some(b'['), Some(property)) if self.depth > 0 => {
                Piece::Value { property, value: self.value()?, first }
            }
            _ if first => return Err(self.unexpected()),
            (Some(b'('), _) => self.structure(Piece::Open),
            (Some(b')'), _) if self.depth > 0 => self.structure(Piece::Close),
            (Some(b';'), _) if self.depth > 0 => self.structure(Piece::Node),
            _ => return Err(self.unexpected()),
        };
        Ok(Some((place, piece)))
    }

    /// Before the first tree words can stand that are none of it.
    const fn is_before_trees(&self, byte: u8) -> bool {
        !self.has_begun && !matches!(byte, b'(' | b')' | b';' | b'[')
    }

    fn structure(&mut self, piece: Piece<'a>) -> Piece<'a> {
        self.skip();
        self.property = None;
        match piece {
            Piece::Open => {
                self.depth += 1;
                self.has_begun = true;
            }
            Piece::Close => self.depth -= 1,
            Piece::Node | Piece::Value { .. } => {}
        }
        piece
    }

    fn name(&mut self) -> Property<'a> {
        let (place, start) = (self.place, self.at);
        while self.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            self.skip();
        }
        Property { place, name: &self.text[start..self.at] }
    }

    fn value(&mut self) -> Result<Value<'a>, SgfError> {
        self.skip();
        let (place, start) = (self.place, self.at);
        loop {
            match self.peek() {
                None => return Err(self.place.error(SgfProblem::CutOff)),
                Some(b']') => break,
                Some(b'\\') => self.skip(),
                Some(_) => {}
            }
            self.skip();
        }
        let raw = &self.text[start..self.at];
        self.skip();
        Ok(Value { place, raw })
    }

    fn unexpected(&self) -> SgfError {
        match self.text[self.at..].chars().next() {
            Some(found) => self.place.error(SgfProblem::Unexpected { found }),
            None => self.place.error(SgfProblem::CutOff),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes on to the next character.
    fn skip(&mut self) {
        let ends_line = match self.peek() {
            None => return,
            Some(b'\r') => self.text.as_bytes().get(self.at + 1) != Some(&b'\n'),
            Some(byte) => byte == b'\n',
        };
        self.at += 1;
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        // At most 16 MiB of text: the numbers fit.
        self.place = if ends_line {
            Place { line: self.place.line + 1, column: 1 }
        } else {
            Place { column: self.place.column + 1, ..self.place }
        };
    }
}
