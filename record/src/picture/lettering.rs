//! Text, drawn as paths.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::glyphs::{GLYPHS, Glyph, Height, MARKS, UNKNOWN};
use super::svg::{Svg, rounded};

/// How high a capital of the alphabet is in its own units.
const CAPITAL: f64 = 10.0;
/// The empty place after a letter in these units, which does not count at the end of a text.
const GAP: f64 = 2.5;
/// How far a mark above a capital is higher than one above a small letter.
const CAPITAL_RISE: f64 = 3.3;
/// Of a text of anybody no more is looked at.
const MAX_LETTERS: usize = 64;

/// How a text looks.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// How high a capital is.
    pub(super) capital: f64,
    /// How thick its strokes are.
    pub(super) weight: Weight,
    /// Its colour.
    pub(super) ink: &'static str,
}

impl Style {
    /// The style in which a text has room: smaller, if it would be wider.
    pub(super) fn within(self, text: &str, room: f64) -> Self {
        let part = room / width(text, self);
        Self { capital: self.capital * part.min(1.0), ..self }
    }
}

/// How thick strokes are.
#[derive(Clone, Copy)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// Which part of a text is where it is said to be.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Text with a box for each letter that pictures cannot draw by themselves: see [`Picture`](super::Picture).
#[must_use]
pub fn drawable(text: &str) -> Cow<'_, str> {
    if is_drawable(text) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|letter| if Letter::of(letter).is_some() { letter } else { UNKNOWN }).collect()
}

pub(super) fn is_drawable(text: &str) -> bool {
    text.chars().all(|letter| Letter::of(letter).is_some())
}

/// Draws a line of text; `y` is the middle of its capitals.
pub(super) fn line(svg: &mut Svg, text: &str, (x, y): (f64, f64), anchor: Anchor, style: Style) {
    let (width, path) = path(text);
    let scale = style.capital / CAPITAL;
    let left = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - width * scale / 2.0,
        Anchor::End => x - width * scale,
    };
    let top = y - style.capital / 2.0;
    let place = format!("translate({} {})scale({})", rounded(left), rounded(top), rounded(scale));
    let thickness = match style.weight {
        Weight::Regular => 1.25,
        Weight::Bold => 1.75,
    };
    svg.leaf(
        "path",
        &[
            ("data-text", &text),
            ("transform", &place),
            ("fill", &"none"),
            ("stroke", &style.ink),
            ("stroke-width", &thickness),
            ("d", &path),
        ],
    );
}

/// Draws a name of anybody, cut where it would be wider than this. One with letters that are not drawn is left
/// to the fonts of whoever shows the picture.
pub(super) fn name(svg: &mut Svg, text: &str, (x, y): (f64, f64), width: f64, style: Style) {
    if is_drawable(text) {
        return line(svg, &fitted(text, width * CAPITAL / style.capital), (x, y), Anchor::Start, style);
    }
    let short: String = text.chars().take(MAX_LETTERS).collect();
    let height = 2.4 * style.capital;
    // What is wider than the inner picture is cut off.
    let frame: super::svg::Attributes<'_> =
        &[("x", &x), ("y", &(y - height / 2.0)), ("width", &width), ("height", &height)];
    svg.element("svg", frame, |svg| {
        let look: super::svg::Attributes<'_> = &[
            ("y", &((height + style.capital) / 2.0)),
            ("font-family", &"system-ui, sans-serif"),
            ("font-size", &(style.capital / 0.72)),
            ("fill", &style.ink),
        ];
        svg.words("text", look, &short);
    });
}

/// How wide a text is drawn.
pub(super) fn width(text: &str, style: Style) -> f64 {
    path(text).0 * style.capital / CAPITAL
}

/// The text, or what of it has room together with three dots; `room` in units of the alphabet.
fn fitted(text: &str, room: f64) -> Cow<'_, str> {
    let is_short = text.char_indices().nth(MAX_LETTERS).is_none();
    if is_short && path(text).0 <= room {
        return Cow::Borrowed(text);
    }
    let mut kept = String::from("…");
    let mut end = 0;
    for (at, letter) in text.char_indices().take(MAX_LETTERS) {
        kept.insert(end, letter);
        if path(&kept).0 > room {
            return Cow::Owned(format!("{}…", text[..at].trim_end()));
        }
        end += letter.len_utf8();
    }
    Cow::Owned(kept)
}

/// The width of a text and its path, in units of the alphabet.
fn path(text: &str) -> (f64, String) {
    let mut path = String::new();
    let mut x = 0.0;
    for letter in text.chars() {
        let Some(letter) = Letter::of(letter).or_else(|| Letter::of(UNKNOWN)) else { continue };
        letter.write(&mut path, x);
        x += letter.glyph.2;
    }
    (f64::max(x - GAP, 0.0), path)
}

/// A letter and the mark it carries.
#[derive(Clone, Copy)]
struct Letter {
    glyph: Glyph,
    mark: Option<(&'static str, f64)>,
}

impl Letter {
    fn of(letter: char) -> Option<Self> {
        if let Some(glyph) = plain(letter) {
            return Some(Self { glyph, mark: None });
        }
        MARKS.iter().find_map(|&(path, height, pairs)| {
            let carrier = pairs.chars().skip_while(|&composed| composed != letter).nth(1)?;
            let rise = match height {
                Height::Above if carrier.is_uppercase() => CAPITAL_RISE,
                Height::Above | Height::Below => 0.0,
            };
            Some(Self { glyph: plain(carrier)?, mark: Some((path, rise)) })
        })
    }

    /// Writes the path of the letter as it begins at `x`.
    fn write(&self, path: &mut String, x: f64) {
        let (_, width, _, strokes) = self.glyph;
        if !strokes.is_empty() {
            let _ = write!(path, "M{} 0{strokes}", rounded(x));
        }
        if let Some((mark, rise)) = self.mark {
            let _ = write!(path, "M{} {}{mark}", rounded(x + width / 2.0), rounded(-rise));
        }
    }
}

fn plain(letter: char) -> Option<Glyph> {
    let at = GLYPHS.binary_search_by_key(&letter, |glyph| glyph.0).ok()?;
    Some(GLYPHS[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_found_by_halves() {
        assert!(GLYPHS.is_sorted_by_key(|glyph| glyph.0));
        assert!((' '..='~').all(|letter| plain(letter).is_some()));
    }

    #[test]
    fn composed_letters_are_made_of_known_ones() {
        for (_, _, pairs) in MARKS {
            let letters: Vec<char> = pairs.chars().collect();
            for pair in letters.chunks(2) {
                assert!(
                    plain(pair[0]).is_none() && Letter::of(pair[0]).is_some_and(|one| one.mark.is_some())
                );
                assert_eq!(Letter::of(pair[0]).map(|one| one.glyph.0), Some(pair[1]));
            }
        }
        assert_eq!(Letter::of('é').map(|one| one.glyph.0), Some('e'));
    }

    #[test]
    fn marks_are_above_letters_of_each_height() {
        let rise = |letter| Letter::of(letter).and_then(|letter| letter.mark).map(|(_, rise)| rise);
        assert_eq!(
            [rise('é'), rise('É'), rise('ç'), rise('Ç')],
            [Some(0.0), Some(CAPITAL_RISE), Some(0.0), Some(0.0)]
        );
        assert_eq!(rise('e'), None);
    }

    #[test]
    fn what_is_not_drawn_becomes_a_box() {
        assert_eq!(drawable("Zoë Ångström-Łódź"), "Zoë Ångström-Łódź");
        assert_eq!(drawable("Eva 王"), "Eva □");
    }

    #[test]
    fn a_long_text_is_written_smaller() {
        let style = Style { capital: 10.0, weight: Weight::Regular, ink: "#000000" };
        assert!(style.within("", 50.0).capital == 10.0 && style.within("1 / 5", 50.0).capital == 10.0);
        let long = style.within("4294967295 / 255", 50.0);
        assert!((width("4294967295 / 255", long) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_name_is_cut_where_its_room_ends() {
        let room = 100.0;
        assert_eq!(fitted("Alice", room), "Alice");
        let cut = fitted("Wilhelmina van Oranje", room);
        assert!(
            cut.ends_with('…') && "Wilhelmina van Oranje".starts_with(cut.trim_end_matches('…')),
            "{cut}"
        );
        assert!(path(&cut).0 <= room);
        assert!(path(&fitted(&"i".repeat(100_000), 1e9)).0 < 1_000.0);
    }
}
