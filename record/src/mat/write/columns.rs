//! The two columns of a game.

use std::fmt::Write as _;

use chaquete_rules::Seat;

/// The width of the left column.
const LEFT: usize = 27;
/// The right cell where there is none. Without two blanks before the end of the line GNU Backgammon takes the right cell
/// of the line before for this one's.
const NO_CELL: &str = " ";
/// Where the words of the left and of the right winner stand in a line of their own.
const WINS: [usize; 2] = [6, 34];

/// The lines of a game as they fill up.
#[derive(Debug, Default)]
pub(super) struct Columns {
    text: String,
    row: u32,
    left: Option<String>,
}

impl Columns {
    /// Puts the next cell in the column of its player.
    pub(super) fn put(&mut self, seat: Seat, cell: String) {
        if seat == Seat::One {
            self.flush();
            self.row += 1;
            self.left = Some(cell);
        } else {
            if self.left.is_none() {
                self.row += 1;
            }
            let left = self.left.take().unwrap_or_default();
            self.line(&left, &cell);
        }
    }

    fn line(&mut self, left: &str, right: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:3}) {left:LEFT$} {right}", self.row);
    }

    fn flush(&mut self) {
        if let Some(left) = self.left.take() {
            self.line(&left, NO_CELL);
        }
    }

    /// Writes who has won: beside the other's cell if that says that the game was given up.
    pub(super) fn win(&mut self, seat: Seat, beside: bool, words: &str) {
        if seat == Seat::Two && beside && self.left.is_some() {
            self.put(seat, format!(" {words}"));
            return;
        }
        self.flush();
        let indent = WINS[usize::from(seat.number()) - 1];
        let _ = writeln!(self.text, "{:indent$}{words}", "");
    }

    /// All lines.
    pub(super) fn finish(mut self) -> String {
        self.flush();
        self.text
    }
}
