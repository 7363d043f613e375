//! The text of a filter as a row of characters, and the smallest things in it.

use super::{BadFilter, Read};

/// What is not read yet.
pub(super) struct Scanner<'a> {
    rest: &'a str,
    position: usize,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { rest: text, position: 0 }
    }

    /// How many characters have been read.
    pub(super) const fn position(&self) -> usize {
        self.position
    }

    /// The next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// The next word, which is not read by that.
    pub(super) fn peek_word(&self) -> &'a str {
        self.split(is_word).0
    }

    /// Reads this, if it comes next.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(token) else { return false };
        self.rest = rest;
        self.position += token.chars().count();
        true
    }

    /// Reads white space, and says whether there was any.
    pub(super) fn space(&mut self) -> bool {
        !self.take(char::is_whitespace).is_empty()
    }

    /// Reads a word; there may be none.
    pub(super) fn word(&mut self) -> &'a str {
        self.take(is_word)
    }

    /// Reads a value without quotes; there may be none.
    pub(super) fn bare_value(&mut self) -> &'a str {
        self.take(|c| is_word(c) || matches!(c, '.' | ':' | '*'))
    }

    /// Reads a text in quotes, if one comes next.
    pub(super) fn quoted(&mut self) -> Read<Option<String>> {
        let begin = self.position;
        let Some(quote @ ('"' | '\'')) = self.peek() else { return Ok(None) };
        self.step();
        let mut text = String::new();
        loop {
            let at = self.position;
            match self.step() {
                Some(c) if c == quote => return Ok(Some(text)),
                Some('\\') => text.push(self.escaped(at)?),
                Some('*') => return Err(BadFilter::at(at, NO_WILDCARDS)),
                Some(c) if c.is_control() => {
                    return Err(BadFilter::at(at, "there are no control characters in texts"));
                }
                Some(c) => text.push(c),
                None => return Err(BadFilter::at(begin, "the quote at the end of this text is missing")),
            }
        }
    }

    fn escaped(&mut self, backslash: usize) -> Read<char> {
        self.step()
            .filter(|c| matches!(c, '"' | '\'' | '\\' | '*'))
            .ok_or_else(|| BadFilter::at(backslash, "`\\` stands only before `\"`, `'`, `\\` and `*`"))
    }

    fn step(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next()?;
        self.rest = characters.as_str();
        self.position += 1;
        Some(next)
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let (taken, rest) = self.split(belongs);
        self.rest = rest;
        self.position += taken.chars().count();
        taken
    }

    /// What belongs together from here on, and the rest.
    fn split(&self, belongs: impl Fn(char) -> bool) -> (&'a str, &'a str) {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        self.rest.split_at(end)
    }
}

/// A later version may give the bare character a meaning, so that it must not have another now.
pub(super) const NO_WILDCARDS: &str =
    "`*` stands only alone, as in `labels.event:*`; as a character of a text it is written `\\*`, in quotes";

/// Whether a character belongs to a word: all that has no meaning of its own does.
fn is_word(c: char) -> bool {
    !c.is_whitespace()
        && !c.is_control()
        && !matches!(c, '(' | ')' | '"' | '\'' | '\\' | '=' | '<' | '>' | '!' | ':' | ',' | '.' | '*')
}
