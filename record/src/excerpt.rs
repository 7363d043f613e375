//! What an error shows of a text it complains about.

/// The longest text that is shown whole, in characters.
const SHOWN: usize = 60;

/// The text, or as much of its beginning as an error should carry.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
