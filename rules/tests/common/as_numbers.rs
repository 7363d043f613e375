//! The way back from a position to its 26 numbers.

use chaquete_rules::{Point, Position};

use super::numbers::Numbers;

/// The numbers of a position.
pub(crate) fn as_numbers(position: &Position) -> Numbers {
    let mut p = [0; 26];
    for point in Point::descending() {
        let own = position.mover().on(point) as i8;
        p[usize::from(point.number())] = own - position.opposing(point) as i8;
    }
    p[25] = position.mover().bar() as i8;
    p[0] = -(position.opponent().bar() as i8);
    p
}
