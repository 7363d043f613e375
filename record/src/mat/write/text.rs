//! Names and other words as every program reads them.

use chaquete_rules::Seat;

use crate::mat::head::number;

/// The longest name, in bytes.
const NAME: usize = 31;
/// The longest value of a tag, in bytes.
const VALUE: usize = 200;

/// A name that no program stumbles over: some take a colon for the score, a comma with digits for a rating,
/// and `Game ` for the next game; an empty one makes some crash.
pub(in crate::mat) fn column_name(seat: Seat, name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c }).collect();
    let plain = plain.replace(':', ".").replace("Game ", "Game.");
    let plain = plain.trim_start_matches([' ', ';', '#']);
    let mut short = shortened(plain, NAME).to_owned();
    if let Some((name, digits)) = short.rsplit_once(',')
        && number(digits).is_some()
    {
        short = format!("{name}.{digits}").trim_end().to_owned();
    }
    if short.is_empty() { format!("Player {}", seat.number()) } else { short }
}

/// The value of a tag.
pub(super) fn value(value: &str) -> String {
    let plain: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    shortened(plain.replace('"', "'").trim_start(), VALUE).to_owned()
}

/// The beginning of a text, without blanks at its end.
fn shortened(text: &str, bytes: usize) -> &str {
    text[..text.floor_char_boundary(bytes)].trim_end()
}
