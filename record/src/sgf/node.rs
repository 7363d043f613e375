//! What a node says that is a move.

use chaquete_rules::{Dice, Seat, Source, Target, Written, WrittenStep};

use crate::excerpt::excerpt;
use crate::sheet::{Cell, Entry, Play};

use super::error::{SgfError, SgfProblem};
use super::scan::Value;

/// The value of a property `W` or `B`. A double that answers a double is a beaver.
pub(super) fn cell(value: Value<'_>, seat: Seat, before: Option<&Entry>) -> Result<Cell, SgfError> {
    match value.raw.trim() {
        word if word.eq_ignore_ascii_case("double") => Ok(match before {
            Some(Entry { seat: by, cell: Cell::Doubles { .. } | Cell::Raccoons { .. }, .. })
                if *by != seat =>
            {
                Cell::Beavers { value: None }
            }
            Some(Entry { seat: by, cell: Cell::Beavers { .. }, .. }) if *by != seat => {
                Cell::Raccoons { value: None }
            }
            _ => Cell::Doubles { value: None },
        }),
        word if word.eq_ignore_ascii_case("take") => Ok(Cell::Takes),
        word if word.eq_ignore_ascii_case("drop") => Ok(Cell::Drops),
        text => roll(text, seat).map_err(|problem| value.place.error(problem)),
    }
}

fn roll(text: &str, seat: Seat) -> Result<Cell, SgfProblem> {
    let bad_move = || SgfProblem::BadMove { found: excerpt(text) };
    let (digits, letters) = text.split_at_checked(2).ok_or_else(bad_move)?;
    let dice = dice(digits).ok_or_else(|| SgfProblem::BadDice { found: excerpt(digits) })?;
    if letters.is_empty() {
        return Ok(Cell::Roll { dice, play: Play::CannotMove });
    }
    let (steps, odd) = letters.as_bytes().as_chunks::<2>();
    let step = |&[from, to]: &[u8; 2]| -> Option<WrittenStep> {
        let source = place(from, seat).and_then(Source::from_number)?;
        let target = place(to, seat).and_then(Target::from_number)?;
        Some(WrittenStep { source, target, die: None })
    };
    let steps: Option<Vec<_>> = steps.iter().map(step).collect();
    match steps.filter(|steps| odd.is_empty() && steps.len() <= MAX_STEPS) {
        Some(steps) => {
            let written = Written::from_steps(steps);
            Ok(Cell::Roll { dice, play: Play::Written { text: letters.to_owned(), written } })
        }
        None => Err(bad_move()),
    }
}

const MAX_STEPS: usize = 4;
const BAR: u8 = b'y';
const OFF: u8 = b'z';

/// Two digits.
pub(super) fn dice(text: &str) -> Option<Dice> {
    match text.as_bytes() {
        [first, second] => Dice::new(first.wrapping_sub(b'0'), second.wrapping_sub(b'0')),
        _ => None,
    }
}

/// The number of a place as the seat sees it: the points are named from White's.
fn place(letter: u8, seat: Seat) -> Option<u8> {
    match letter {
        b'a'..=b'x' => Some(match seat {
            Seat::One => letter - b'a' + 1,
            Seat::Two => b'x' - letter + 1,
        }),
        BAR => Some(25),
        OFF => Some(0),
        _ => None,
    }
}

/// The letter of a place, by its number as the seat sees it.
pub(super) const fn letter(number: u8, seat: Seat) -> char {
    let letter = match (number, seat) {
        (0, _) => OFF,
        (25, _) => BAR,
        (point, Seat::One) => b'a' + point - 1,
        (point, Seat::Two) => b'x' - (point - 1),
    };
    letter as char
}
