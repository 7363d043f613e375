//! The characters of a file, whatever its bytes.

/// How the bytes of a file were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// Because the file is no UTF-8: only names and comments can differ.
    Latin1,
}

const BOM: char = '\u{feff}';

/// The text of a file and how it was read.
pub(crate) fn decode(bytes: &[u8]) -> (String, Encoding) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.trim_start_matches(BOM).to_owned(), Encoding::Utf8),
        // Every byte is a character of Latin-1.
        Err(_) => (bytes.iter().copied().map(char::from).collect(), Encoding::Latin1),
    }
}
