//! Writes one JSON object, in the one way the format allows. In a log it is flat; snapshots hold objects.

use std::borrow::Cow;

use crate::hex;

/// An object being written: keys in the order of the calls.
pub(crate) struct Object {
    text: String,
}

impl Object {
    pub(crate) fn open() -> Self {
        let mut text = String::with_capacity(256);
        text.push('{');
        Self { text }
    }

    /// The bytes of the object. All of them are printable ASCII.
    pub(crate) fn close(mut self) -> Vec<u8> {
        self.text.push('}');
        self.text.into_bytes()
    }

    /// What has been written.
    pub(crate) fn written(&self) -> &[u8] {
        self.text.as_bytes()
    }

    fn key(&mut self, key: &str) {
        if !self.text.ends_with('{') {
            self.text.push(',');
        }
        self.text.push('"');
        self.text.push_str(key);
        self.text.push_str("\":");
    }

    /// An object as a value.
    pub(crate) fn object(&mut self, key: &str, write: impl FnOnce(&mut Self)) {
        self.key(key);
        self.text.push('{');
        write(self);
        self.text.push('}');
    }

    pub(crate) fn integer(&mut self, key: &str, value: impl Into<i64>) {
        self.key(key);
        self.text.push_str(&value.into().to_string());
    }

    /// Left out if there is none.
    pub(crate) fn optional(&mut self, key: &str, value: Option<impl Into<i64>>) {
        if let Some(value) = value {
            self.integer(key, value);
        }
    }

    /// Yes is 1, no is 0.
    pub(crate) fn flag(&mut self, key: &str, value: bool) {
        self.integer(key, value);
    }

    pub(crate) fn bytes(&mut self, key: &str, value: &[u8]) {
        self.text(key, &hex::encode(value));
    }

    pub(crate) fn text(&mut self, key: &str, value: &str) {
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
