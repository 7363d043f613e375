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

/// The text of at most 16 bytes, first bit of the first byte first, without padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let number = bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte));
    let letters: [u8; text_len(16)] = letters(number);
    letters[..text_len(bytes.len())].iter().copied().map(char::from).collect()
}

/// The first characters of the text of a number whose lowest byte comes first.
pub(crate) fn letters<const N: usize>(number: u128) -> [u8; N] {
    let bits = number.swap_bytes();
    std::array::from_fn(|index| {
        let six = match 6 * index {
            before @ ..=122 => bits >> (122 - before),
            before => bits << (before - 122),
        };
        ALPHABET[six as usize % 64]
    })
}

/// The bytes of the text.
pub(crate) fn decode<const N: usize>(text: &str) -> Result<[u8; N], IdTextError> {
    let expected = text_len(N);
    let found = text.chars().count();
    if found != expected {
        return Err(IdTextError::Length { expected, found });
    }
    let mut bits = 0_u128;
    for (before, character) in text.chars().enumerate() {
        let six = six(character).ok_or(IdTextError::Character { column: before + 1, found: character })?;
        bits = bits << 6 | u128::from(six);
    }
    let spare = 6 * expected - 8 * N;
    if bits & ((1 << spare) - 1) != 0 {
        return Err(IdTextError::SpareBits { column: expected });
    }
    let bytes = (bits >> spare).to_be_bytes();
    Ok(std::array::from_fn(|index| bytes[16 - N + index]))
}

/// The six bits that a character stands for.
const fn six(character: char) -> Option<u8> {
    let (first, number) = match character {
        'A'..='Z' => ('A', 0),
        'a'..='z' => ('a', 26),
        '0'..='9' => ('0', 52),
        '+' => ('+', 62),
        '/' => ('/', 63),
        _ => return None,
    };
    Some(character as u8 - first as u8 + number)
}
