//! One case: a position, a roll, and what is said about them.

use chaquete_rules::{Dice, LegalMoves};
use serde_json::Value;

use super::numbers::position;

/// The legal moves of the position `p` and the roll `d` of a case.
pub(crate) fn legal_moves(case: &Value) -> LegalMoves {
    let p: Vec<i8> = serde_json::from_value(case["p"].clone()).unwrap();
    let d: [u8; 2] = serde_json::from_value(case["d"].clone()).unwrap();
    LegalMoves::new(position(&p.try_into().unwrap()).unwrap(), Dice::new(d[0], d[1]).unwrap())
}
