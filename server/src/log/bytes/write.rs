//! Writes one flat JSON object, in the one way the format allows.

use std::borrow::Cow;

use crate::log::hex;

/// An object being written: keys in the order of the calls.
pub(super) struct Object {
    text: String,
}

impl Object {
    pub(super) fn open() -> Self {
        let mut text = String::with_capacity(256);
        text.push('{');
        Self { text }
    }

    /// The bytes of the object. All of them are printable ASCII.
    pub(super) fn close(mut self) -> Vec<u8> {
        self.text.push('}');
        self.text.into_bytes()
    }

    fn key(&mut self, key: &str) {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        self.text.push('"');
        self.text.push_str(key);
        self.text.push_str("\":");
    }

    pub(super) fn integer(&mut self, key: &str, value: impl Into<i64>) {
        self.key(key);
        self.text.push_str(&value.into().to_string());
    }

    /// Yes is 1, no is 0.
    pub(super) fn flag(&mut self, key: &str, value: bool) {
        self.integer(key, value);
    }

    pub(super) fn bytes(&mut self, key: &str, value: &[u8]) {
        self.text(key, &hex::encode(value));
    }

    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        self.text.push('"');
        self.text.push_str(&escaped(value));
        self.text.push('"');
    }
}

fn escaped(value: &str) -> Cow<'_, str> {
    let is_plain = |char: char| matches!(char, ' '..='~') && char != '"' && char != '\\';
    if value.chars().all(is_plain) {
        return Cow::Borrowed(value);
    }
    let mut escaped = String::with_capacity(value.len() * 2);
    for char in value.chars() {
        match char {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            ' '..='~' => escaped.push(char),
            _ => {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    escaped.push_str("\\u");
                    escaped.push_str(&hex::encode(&unit.to_be_bytes()));
                }
            }
        }
    }
    Cow::Owned(escaped)
}
