//! GNU Backgammon position IDs, in which the case files say their results.

use chaquete_rules::{Position, Side};

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The ID of a position: the opponent's checkers as runs of ones, then the mover's, in 80 bits.
pub(crate) fn gnu_id(position: &Position) -> String {
    let counts = |side: &Side| side.points().iter().copied().chain([side.bar()]).collect::<Vec<_>>();
    let mut bits: u128 = 0;
    let mut at = 0;
    for count in [counts(position.opponent()), counts(position.mover())].concat() {
        bits |= ((1 << count) - 1) << at;
        at += u32::from(count) + 1;
    }
    let mut bytes = [0; 11];
    bytes[..10].copy_from_slice(&bits.to_le_bytes()[..10]);
    // 14 letters of six bits, the first bit of a byte its highest.
    let bit = |index: usize| bytes[index / 8] >> (7 - index % 8) & 1;
    let letter = |index: usize| (0..6).fold(0, |value, next| value << 1 | bit(6 * index + next));
    (0..14).map(|index| char::from(BASE64[usize::from(letter(index))])).collect()
}
