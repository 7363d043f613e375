//! SVG as text: what is written is well formed whatever is put in.

use std::fmt::Write as _;

/// What an attribute can be.
pub(super) trait Value {
    /// Writes the value as it stands between quotes.
    fn write(&self, text: &mut String);
}

impl Value for f64 {
    fn write(&self, text: &mut String) {
        let _ = write!(text, "{}", rounded(*self));
    }
}

impl Value for u32 {
    fn write(&self, text: &mut String) {
        let _ = write!(text, "{self}");
    }
}

impl Value for str {
    fn write(&self, text: &mut String) {
        escape(self, text);
    }
}

impl Value for String {
    fn write(&self, text: &mut String) {
        escape(self, text);
    }
}

impl<T: Value + ?Sized> Value for &T {
    fn write(&self, text: &mut String) {
        (**self).write(text);
    }
}

/// Names and values.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a dyn Value)];

/// A picture while it is drawn.
#[derive(Default)]
pub(super) struct Svg {
    text: String,
}

impl Svg {
    /// An element with nothing in it.
    pub(super) fn leaf(&mut self, tag: &str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.text.push_str("/>\n");
    }

    /// An element with other elements in it.
    pub(super) fn element(&mut self, tag: &str, attributes: Attributes<'_>, content: impl FnOnce(&mut Self)) {
        self.start(tag, attributes);
        self.text.push_str(">\n");
        content(self);
        self.end(tag);
    }

    /// A group.
    pub(super) fn group(&mut self, attributes: Attributes<'_>, content: impl FnOnce(&mut Self)) {
        self.element("g", attributes, content);
    }

    /// An element with text in it.
    pub(super) fn words(&mut self, tag: &str, attributes: Attributes<'_>, words: &str) {
        self.start(tag, attributes);
        self.text.push('>');
        escape(words, &mut self.text);
        self.end(tag);
    }

    /// All that was drawn.
    pub(super) fn finish(self) -> String {
        self.text
    }

    fn start(&mut self, tag: &str, attributes: Attributes<'_>) {
        let _ = write!(self.text, "<{tag}");
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"");
            value.write(&mut self.text);
            self.text.push('"');
        }
    }

    fn end(&mut self, tag: &str) {
        let _ = writeln!(self.text, "</{tag}>");
    }
}

/// A number as it is written: hundredths of a unit are finer than any eye.
pub(super) fn rounded(number: f64) -> f64 {
    // The sum makes 0 of -0.
    (number * 100.0).round() / 100.0 + 0.0
}

/// Text of anybody as it stands in XML, in an element as well as between quotes.
fn escape(words: &str, text: &mut String) {
    for letter in words.chars() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\'' => text.push_str("&apos;"),
            '\t' | '\n' | '\r' => text.push(' '),
            // XML has no way at all to write these.
            '\0'..=' ' if letter != ' ' => text.push(char::REPLACEMENT_CHARACTER),
            '\u{fffe}' | '\u{ffff}' => text.push(char::REPLACEMENT_CHARACTER),
            _ => text.push(letter),
        }
    }
}
