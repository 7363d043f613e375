//! Bytes as text: lower-case hexadecimal, and nothing else.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Two lower-case digits a byte.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|half| DIGITS[usize::from(half)] as char)
        .collect()
}

/// Bytes from lower-case digits: there is one way to write them.
#[must_use]
pub fn decode_all(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks();
    let bytes = pairs.iter().map(|[high, low]| Some(half(*high)? << 4 | half(*low)?));
    if rest.is_empty() { bytes.collect() } else { None }
}

/// Exactly `N` bytes, and likewise.
#[must_use]
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(text.as_bytes().as_chunks().0) {
        *byte = half(*high)? << 4 | half(*low)?;
    }
    Some(bytes)
}

const fn half(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_way_to_write_bytes() {
        assert_eq!(encode(&[0x00, 0x9a, 0xff]), "009aff");
        assert_eq!(decode("009aff"), Some([0x00, 0x9a, 0xff]));
        assert_eq!(decode_all("009aff"), Some(vec![0x00, 0x9a, 0xff]));
        for wrong in ["009Aff", "009af", "009aff0", "009af ", "0x9aff", "é9aff"] {
            assert_eq!(decode::<3>(wrong), None, "{wrong}");
            assert!(decode_all(wrong).is_none_or(|bytes| bytes.len() != 3), "{wrong}");
        }
    }
}
