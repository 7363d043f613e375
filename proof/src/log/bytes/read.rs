//! Reads one JSON object whose keys are known in advance, in their order. In a log it is flat; snapshots
//! hold objects.

use super::BadEntry;
use crate::hex;

/// An object being read: each call names the key that must come next.
///
/// That a value is written in the one allowed way is looked at elsewhere: what was read is written again
/// and compared.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, BadEntry> {
        let mut reader = Self { bytes, at: 0 };
        reader.expect(b"{", "`{`")?;
        Ok(reader)
    }

    /// Nothing may follow.
    pub(crate) fn close(mut self) -> Result<(), BadEntry> {
        self.expect(b"}", "`}` after the last key")?;
        if self.rest().is_empty() { Ok(()) } else { Err(self.syntax("the end")) }
    }

    /// Whether this key comes next.
    pub(crate) fn has(&self, key: &str) -> bool {
        let rest = self.rest().strip_prefix(b",").unwrap_or(self.rest());
        rest.strip_prefix(b"\"")
            .and_then(|rest| rest.strip_prefix(key.as_bytes()))
            .is_some_and(|rest| rest.starts_with(b"\":"))
    }

    /// What is read if this key comes next.
    pub(crate) fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Self, &'static str) -> Result<T, BadEntry>,
    ) -> Result<Option<T>, BadEntry> {
        if self.has(key) { read(self, key).map(Some) } else { Ok(None) }
    }

    /// An object as a value.
    pub(crate) fn object<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Self) -> Result<T, BadEntry>,
    ) -> Result<T, BadEntry> {
        self.key(key)?;
        self.expect(b"{", "`{`")?;
        let value = read(self)?;
        self.expect(b"}", "`}` after the last key")?;
        Ok(value)
    }

    pub(crate) fn integer<T: TryFrom<i64>>(&mut self, key: &'static str) -> Result<T, BadEntry> {
        self.key(key)?;
        let rest = self.rest();
        let end = rest.iter().position(|&byte| !matches!(byte, b'-' | b'0'..=b'9')).unwrap_or(rest.len());
        let digits = str::from_utf8(&rest[..end]).unwrap_or_default();
        let value = digits.parse::<i64>().ok().and_then(|value| T::try_from(value).ok());
        self.at += end;
        value.ok_or(BadEntry::Value { key, expected: "an integer in its range" })
    }

    /// Yes is 1, no is 0.
    pub(crate) fn flag(&mut self, key: &'static str) -> Result<bool, BadEntry> {
        match self.integer(key)? {
            0_u8 => Ok(false),
            1 => Ok(true),
            _ => Err(BadEntry::Value { key, expected: "0 or 1" }),
        }
    }

    /// An integer that stands for something.
    pub(crate) fn number<T>(
        &mut self,
        key: &'static str,
        expected: &'static str,
        meaning: impl FnOnce(u32) -> Option<T>,
    ) -> Result<T, BadEntry> {
        meaning(self.integer(key)?).ok_or(BadEntry::Value { key, expected })
    }

    /// A text that stands for something.
    pub(crate) fn parsed<T>(
        &mut self,
        key: &'static str,
        expected: &'static str,
        meaning: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, BadEntry> {
        meaning(&self.text(key)?).ok_or(BadEntry::Value { key, expected })
    }

    pub(crate) fn bytes(&mut self, key: &'static str) -> Result<[u8; 32], BadEntry> {
        self.parsed(key, "64 lower-case hexadecimal digits", hex::decode)
    }

    pub(crate) fn text(&mut self, key: &'static str) -> Result<String, BadEntry> {
        self.key(key)?;
        self.expect(b"\"", "a text")?;
        let mut text = String::new();
        loop {
            match self.rest() {
                [b'"', ..] => {
                    self.at += 1;
                    return Ok(text);
                }
                [b'\\', ..] => text.push(self.escape()?),
                [b' '..=b'~', ..] => {
                    let is_plain = |byte: &&u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
                    let plain = self.rest().iter().take_while(is_plain).count();
                    text.push_str(str::from_utf8(&self.rest()[..plain]).unwrap_or_default());
                    self.at += plain;
                }
                _ => return Err(self.syntax("printable ASCII or the end of the text")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, BadEntry> {
        if let [b'\\', byte @ (b'"' | b'\\'), ..] = self.rest() {
            self.at += 2;
            return Ok(char::from(*byte));
        }
        let first = self.code_unit()?;
        let units = match first {
            0xd800..=0xdfff => vec![first, self.code_unit()?],
            _ => vec![first],
        };
        match char::decode_utf16(units).next() {
            Some(Ok(char)) => Ok(char),
            _ => Err(self.syntax("both halves of a surrogate pair")),
        }
    }

    fn code_unit(&mut self) -> Result<u16, BadEntry> {
        self.expect(b"\\u", "the escape `\\\"`, `\\\\` or `\\u`")?;
        let digits = self.rest().get(..4).and_then(|digits| str::from_utf8(digits).ok());
        let unit = digits.and_then(hex::decode).map(u16::from_be_bytes);
        let unit = unit.ok_or_else(|| self.syntax("four lower-case hexadecimal digits"))?;
        self.at += 4;
        Ok(unit)
    }

    fn key(&mut self, key: &'static str) -> Result<(), BadEntry> {
        let is_first = self.bytes[..self.at].ends_with(b"{");
        if !self.has(key) || self.rest().starts_with(b",") == is_first {
            return Err(BadEntry::Key { key, at: self.at });
        }
        self.at += key.len() + if is_first { 3 } else { 4 };
        Ok(())
    }

    fn expect(&mut self, bytes: &[u8], expected: &'static str) -> Result<(), BadEntry> {
        if !self.rest().starts_with(bytes) {
            return Err(self.syntax(expected));
        }
        self.at += bytes.len();
        Ok(())
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    const fn syntax(&self, expected: &'static str) -> BadEntry {
        BadEntry::Syntax { at: self.at, expected }
    }
}
