//! Test data of the rules: positions as 26 numbers, GNU Backgammon position IDs, the case files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use chaquete_rules::{Dice, LegalMoves, Point, Position, Setup, Side, SideSetup};
use serde_json::Value;

/// A position from the mover's view: 25 the mover's bar, 1 to 24 the points, the opponent's checkers
/// negative, 0 minus those of the opponent on the bar. What is missing to 15 is off.
pub type Numbers = [i8; 26];

/// The position that the numbers say.
pub fn position(p: &Numbers) -> Position {
    let count = |value: i8| value.max(0) as u8;
    let mut mover = SideSetup { bar: count(p[25]), ..SideSetup::default() };
    let mut opponent = SideSetup { bar: count(-p[0]), ..SideSetup::default() };
    for point in 1..=24 {
        mover.points[point - 1] = count(p[point]);
        opponent.points[24 - point] = count(-p[point]);
    }
    Setup { mover, opponent, checkers: 15 }.position().unwrap()
}

/// The numbers of a position.
pub fn numbers(position: &Position) -> Numbers {
    let mut p = [0; 26];
    for point in Point::descending() {
        let own = position.mover().on(point) as i8;
        p[usize::from(point.number())] = own - position.opposing(point) as i8;
    }
    p[25] = position.mover().bar() as i8;
    p[0] = -(position.opponent().bar() as i8);
    p
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The GNU Backgammon position ID: the opponent's checkers as runs of ones, then the mover's.
pub fn gnu_id(position: &Position) -> String {
    let counts = |side: &Side| side.points().iter().copied().chain([side.bar()]).collect::<Vec<_>>();
    let mut bits: u128 = 0;
    let mut at = 0;
    for count in [counts(position.opponent()), counts(position.mover())].concat() {
        bits |= ((1 << count) - 1) << at;
        at += u32::from(count) + 1;
    }
    // 80 bits are 13 letters of six and one of two.
    let bytes = &bits.to_le_bytes()[..10];
    let letter = |six: u32| {
        let at =
            |bit: u32| u32::from(bytes.get((bit / 8) as usize).is_some_and(|b| b & (0x80 >> (bit % 8)) != 0));
        BASE64[(0..6).fold(0, |value, bit| value << 1 | at(6 * six + bit)) as usize] as char
    };
    (0..14).map(letter).collect()
}

/// A file of test data in this project.
pub fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/rules").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file of the full case collection, which lives beside the project and may be missing.
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases").join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {name} of the full case collection is not here; the checked-in sample was run");
    None
}

/// One JSON value a line.
pub fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// A case of a file of plays: a position, a roll, and what can be played.
pub struct Case {
    pub position: Position,
    pub dice: Dice,
    pub value: Value,
}

impl Case {
    pub fn new(value: Value) -> Self {
        let p: Vec<i8> = serde_json::from_value(value["p"].clone()).unwrap();
        let d: [u8; 2] = serde_json::from_value(value["d"].clone()).unwrap();
        let position = position(&p.try_into().unwrap());
        Self { position, dice: Dice::new(d[0], d[1]).unwrap(), value }
    }

    pub fn legal(&self) -> LegalMoves {
        LegalMoves::new(self.position, self.dice)
    }

    pub fn text(&self, field: &str) -> &str {
        self.value[field].as_str().unwrap()
    }

    pub fn texts(&self, field: &str) -> BTreeSet<String> {
        serde_json::from_value(self.value[field].clone()).unwrap()
    }

    /// Checks the legal moves against the results `r` and the number of dice `n` of the case. Without a
    /// legal move `r` holds the position itself.
    pub fn check_results(&self) {
        let legal = self.legal();
        let mut results: Vec<_> = legal.iter().map(|legal| gnu_id(&legal.after.turned())).collect();
        if legal.is_empty() {
            results.push(gnu_id(&self.position.turned()));
        }
        let different: BTreeSet<_> = results.iter().cloned().collect();
        assert_eq!(different.len(), results.len(), "a result comes twice: {}", self.value);
        assert_eq!(different, self.texts("r"), "{}", self.value);
        assert_eq!(legal.dice_used(), self.value["n"], "{}", self.value);
    }
}
