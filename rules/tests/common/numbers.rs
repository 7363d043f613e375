//! Positions as 26 numbers, the form of the case files.

use chaquete_rules::{Position, Setup, SideSetup};

/// A position from the mover's view: 25 the mover's bar, 1 to 24 the points, the opponent's checkers
/// negative, 0 minus those of the opponent on the bar. What is missing to 15 is off.
pub(crate) type Numbers = [i8; 26];

/// The position that the numbers say, if it is one.
pub(crate) fn position(p: &Numbers) -> Option<Position> {
    let count = |value: i8| value.max(0) as u8;
    let mut mover = SideSetup { bar: count(p[25]), ..SideSetup::default() };
    let mut opponent = SideSetup { bar: count(-p[0]), ..SideSetup::default() };
    for (index, &checkers) in p[1..25].iter().enumerate() {
        mover.points[index] = count(checkers);
        opponent.points[23 - index] = count(-checkers);
    }
    Setup { mover, opponent, checkers: 15 }.position().ok()
}
