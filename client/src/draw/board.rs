//! The board.

use std::fmt::Write as _;

use chaquete_proto::v1::{Board, Cube, Seat, Side};

/// How many checkers of a stack are drawn before it is counted.
const ROWS: usize = 5;

/// Points in a quadrant.
const QUADRANT: usize = 6;

/// The board with both seats' numbers, bar, checkers borne off, and the cube beside its owner's side.
///
/// ```
/// use chaquete_client::draw;
/// use chaquete_client::proto::{Board, Cube};
///
/// let empty = draw::board(&Board::default(), &Cube { value: 1, owner: 0 });
/// assert!(empty.lines().nth(8).is_some_and(|middle| middle.contains("BAR") && middle.ends_with("[1]")));
/// ```
#[must_use]
pub fn board(board: &Board, cube: &Cube) -> String {
    let table = Table::new(board);
    let mut text = String::new();
    // A stack's checker nearest the rim is in row 0 of its half.
    numbers(&mut text, 'O', |column| 12 - column);
    numbers(&mut text, 'X', |column| 13 + column);
    rim(&mut text);
    for row in 0..ROWS {
        let note = match row {
            0 => format!("  off {}", table.two.off),
            2 if cube.owner() == Seat::Two => format!("  [{}]", cube.value),
            _ => String::new(),
        };
        table.row(&mut text, Half::Upper, row, &note);
    }
    let centred =
        if cube.owner() == Seat::Unspecified { format!("  [{}]", cube.value) } else { String::new() };
    let _ = writeln!(text, "   |{:19}|BAR|{:19}|{centred}", "", "");
    for row in (0..ROWS).rev() {
        let note = match row {
            0 => format!("  off {}", table.one.off),
            2 if cube.owner() == Seat::One => format!("  [{}]", cube.value),
            _ => String::new(),
        };
        table.row(&mut text, Half::Lower, row, &note);
    }
    rim(&mut text);
    numbers(&mut text, 'X', |column| 12 - column);
    numbers(&mut text, 'O', |column| 13 + column);
    text
}

/// The upper half has seat one's points 13 to 24, the lower one its points 12 to 1.
#[derive(Clone, Copy)]
enum Half {
    Upper,
    Lower,
}

/// Both sides, out of a board of which nothing is taken for granted.
struct Table {
    one: Side,
    two: Side,
}

impl Table {
    fn new(board: &Board) -> Self {
        Self { one: board.one.clone().unwrap_or_default(), two: board.two.clone().unwrap_or_default() }
    }

    fn row(&self, text: &mut String, half: Half, row: usize, note: &str) {
        text.push_str("   |");
        for column in 0..2 * QUADRANT {
            if column == QUADRANT {
                let _ = write!(text, " |{}|", self.bar(half, row));
            }
            text.push_str(&self.point(half, column, row));
        }
        let _ = writeln!(text, " |{note}");
    }

    /// The cell of a point in one row: three characters.
    fn point(&self, half: Half, column: usize, row: usize) -> String {
        let point = match half {
            Half::Upper => 13 + column,
            Half::Lower => 12 - column,
        };
        let one = checkers(&self.one, point);
        let two = checkers(&self.two, 25 - point);
        if one > 0 { stack('X', one, row) } else { stack('O', two, row) }
    }

    /// The bar: checkers wait in the half of the home board that they must enter.
    fn bar(&self, half: Half, row: usize) -> String {
        // Stacks on the bar grow from the middle to the rim.
        let from_middle = ROWS - 1 - row;
        match half {
            Half::Upper => stack('X', self.one.bar, from_middle),
            Half::Lower => stack('O', self.two.bar, from_middle),
        }
    }
}

fn checkers(side: &Side, point: usize) -> i32 {
    side.points.get(point - 1).copied().unwrap_or_default()
}

/// One row of a stack: a checker, in the last row the count of a stack that is too high, or nothing.
fn stack(checker: char, count: i32, row: usize) -> String {
    let count = usize::try_from(count).unwrap_or_default();
    if row >= count {
        "   ".to_owned()
    } else if row == ROWS - 1 && count > ROWS {
        format!("{count:>2} ")
    } else {
        format!(" {checker} ")
    }
}

fn numbers(text: &mut String, checker: char, number: impl Fn(usize) -> usize) {
    let _ = write!(text, " {checker}  ");
    for column in 0..2 * QUADRANT {
        if column == QUADRANT {
            text.push_str("     ");
        }
        let _ = write!(text, "{:>2} ", number(column));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
}

fn rim(text: &mut String) {
    let half = "-".repeat(3 * QUADRANT + 1);
    let _ = writeln!(text, "   +{half}+---+{half}+");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(points: &[(usize, i32)], bar: i32, off: i32) -> Option<Side> {
        let mut all = vec![0; 24];
        for &(point, count) in points {
            all[point - 1] = count;
        }
        Some(Side { points: all, bar, off, pip_count: 0 })
    }

    const START: &[(usize, i32)] = &[(24, 2), (13, 5), (8, 3), (6, 5)];

    #[test]
    fn the_start() {
        let start = Board { one: side(START, 0, 0), two: side(START, 0, 0) };
        let drawn = board(&start, &Cube { value: 1, owner: Seat::Unspecified.into() });
        assert_eq!(
            format!("\n{drawn}"),
            "
 O  12 11 10  9  8  7       6  5  4  3  2  1
 X  13 14 15 16 17 18      19 20 21 22 23 24
   +-------------------+---+-------------------+
   | X           O     |   | O              X  |  off 0
   | X           O     |   | O              X  |
   | X           O     |   | O                 |
   | X                 |   | O                 |
   | X                 |   | O                 |
   |                   |BAR|                   |  [1]
   | O                 |   | X                 |
   | O                 |   | X                 |
   | O           X     |   | X                 |
   | O           X     |   | X              O  |
   | O           X     |   | X              O  |  off 0
   +-------------------+---+-------------------+
 X  12 11 10  9  8  7       6  5  4  3  2  1
 O  13 14 15 16 17 18      19 20 21 22 23 24
"
        );
    }

    #[test]
    fn bar_off_high_stacks_and_the_cube_of_seat_one() {
        let position =
            Board { one: side(&[(6, 7), (2, 3), (1, 1)], 2, 2), two: side(&[(24, 1), (3, 11)], 1, 2) };
        let drawn = board(&position, &Cube { value: 4, owner: Seat::One.into() });
        assert_eq!(
            format!("\n{drawn}"),
            "
 O  12 11 10  9  8  7       6  5  4  3  2  1
 X  13 14 15 16 17 18      19 20 21 22 23 24
   +-------------------+---+-------------------+
   |                   |   |          O        |  off 2
   |                   |   |          O        |
   |                   |   |          O        |
   |                   | X |          O        |
   |                   | X |         11        |
   |                   |BAR|                   |
   |                   | O | 7                 |
   |                   |   | X                 |
   |                   |   | X           X     |  [4]
   |                   |   | X           X     |
   |                   |   | X           X  X  |  off 2
   +-------------------+---+-------------------+
 X  12 11 10  9  8  7       6  5  4  3  2  1
 O  13 14 15 16 17 18      19 20 21 22 23 24
"
        );
    }

    #[test]
    fn the_cube_of_seat_two_lies_on_its_side() {
        let drawn = board(&Board::default(), &Cube { value: 2, owner: Seat::Two.into() });
        assert!(drawn.lines().nth(5).expect("a line").ends_with("[2]"));
        assert_eq!(drawn.matches('[').count(), 1);
    }
}
