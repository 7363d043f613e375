//! The base64 text that both GNU Backgammon ids are written in.

use thiserror::Error;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Why a text is not an id of GNU Backgammon at all. Columns count characters from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IdTextError {
    /// The text has another length than the id.
    #[error("the id has {expected} characters, not {found}")]
    Length {
        /// Characters of such an id.
        expected: usize,
        /// Characters found.
        found: usize,
    },
    /// A character that no id contains.
    #[error("column {column}: {found:?} is none of the characters A-Z a-z 0-9 + / of an id")]
    Character {
        /// Where it stands.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// The last character holds bits that the id does not have: it was copied wrong.
    #[error("column {column}: the last character can only be A, Q, g or w")]
    SpareBits {
        /// Where the last character stands.
        column: usize,
    },
}

/// The characters that hold this many bytes, without padding.
const fn text_len(bytes: usize) -> usize {
    (bytes * 8).div_ceil(6)
}

/// The text of the bytes, first bit of the first byte first, without padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let bit = |index: usize| bytes.get(index / 8).is_some_and(|byte| byte >> (7 - index % 8) & 1 == 1);
    (0..text_len(bytes.len()))
        .map(|char_index| {
            let six = (0..6).fold(0, |value, offset| value << 1 | usize::from(bit(char_index * 6 + offset)));
            char::from(ALPHABET[six])
        })
        .collect()
}

/// The bytes of the text.
pub(crate) fn decode<const N: usize>(text: &str) -> Result<[u8; N], IdTextError> {
    let expected = text_len(N);
    let found = text.chars().count();
    if found != expected {
        return Err(IdTextError::Length { expected, found });
    }
    let mut bytes = [0; N];
    for (char_index, character) in text.chars().enumerate() {
        let column = char_index + 1;
        let six = ALPHABET
            .iter()
            .position(|&known| char::from(known) == character)
            .ok_or(IdTextError::Character { column, found: character })?;
        for offset in (0..6).filter(|offset| six >> (5 - offset) & 1 == 1) {
            let index = char_index * 6 + offset;
            let byte = bytes.get_mut(index / 8).ok_or(IdTextError::SpareBits { column })?;
            *byte |= 1 << (7 - index % 8);
        }
    }
    Ok(bytes)
}
