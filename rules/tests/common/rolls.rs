//! Positions from real play and hard ones, one roll each.

use std::{env, fs};

use chaquete_rules::{Dice, Position};

use super::files::{data, lines};
use super::numbers::position;

/// The rolls of the file that `CHAQUETE_BENCH_POSITIONS` names, or of the sample.
pub(crate) fn rolls() -> Vec<(Position, Dice)> {
    let text = match env::var_os("CHAQUETE_BENCH_POSITIONS") {
        Some(path) => fs::read_to_string(path).unwrap(),
        None => data("bench_positions.jsonl"),
    };
    lines(&text)
        .map(|case| {
            let p: Vec<i8> = serde_json::from_value(case["p"].clone()).unwrap();
            let d: [u8; 2] = serde_json::from_value(case["d"].clone()).unwrap();
            (position(&p.try_into().unwrap()).unwrap(), Dice::new(d[0], d[1]).unwrap())
        })
        .collect()
}
