//! PNG.

use std::fmt;
use std::str::FromStr;

use chaquete_record::picture::{Picture, drawable};
use chaquete_rules::BySeat;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

/// How many pixels a PNG is wide; its height follows. Memory for it grows with the square: 61 MB at the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PngWidth(u16);

/// Why a number or text is no [`PngWidth`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a picture is from {min} to {max} pixels wide", min = PngWidth::MIN, max = PngWidth::MAX)]
pub struct PngWidthError;

/// Why there is no PNG of a picture.
#[derive(Debug, Error)]
pub enum PngError {
    /// The picture was not understood.
    #[error("the picture could not be drawn: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// There is no room for so many pixels.
    #[error("no picture can be so large")]
    TooLarge,
    /// The pixels could not be packed.
    #[error("the picture could not be packed: {0}")]
    Encoding(String),
}

impl PngWidth {
    /// The least number of pixels: still a board, but without letters that can be read.
    pub const MIN: u16 = 100;
    /// The largest number of pixels.
    pub const MAX: u16 = 4096;

    /// So many pixels.
    ///
    /// # Errors
    /// If they are too few or too many.
    pub const fn new(pixels: u16) -> Result<Self, PngWidthError> {
        if pixels >= Self::MIN && pixels <= Self::MAX { Ok(Self(pixels)) } else { Err(PngWidthError) }
    }

    /// How many pixels.
    #[must_use]
    pub const fn pixels(self) -> u16 {
        self.0
    }
}

impl Default for PngWidth {
    /// 1140 pixels: sharp on a screen and in print, and a whole multiple of half a unit.
    fn default() -> Self {
        Self(1140)
    }
}

impl FromStr for PngWidth {
    type Err = PngWidthError;

    fn from_str(text: &str) -> Result<Self, PngWidthError> {
        Self::new(text.parse().map_err(|_| PngWidthError)?)
    }
}

impl fmt::Display for PngWidth {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// The picture as PNG. No font is used, so it does not depend on where it is made; letters of names that a
/// picture cannot draw by itself become boxes.
///
/// ```
/// use chaquete_client::picture::{PngWidth, png};
/// use chaquete_record::picture::{Picture, View};
/// use chaquete_rules::{BySeat, Seat};
///
/// let position = "4HPwATDgc/ABMA".parse()?;
/// let names = BySeat::new("Alice", "Bob");
/// let picture = Picture { position, names, last_move: None, view: View::of(Seat::One) };
/// let bytes = png(&picture, PngWidth::default())?;
/// assert!(bytes.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// What kept it from being drawn, of which none is expected.
pub fn png(picture: &Picture<'_>, width: PngWidth) -> Result<Vec<u8>, PngError> {
    let names = BySeat::from_fn(|seat| drawable(picture.names[seat]));
    let drawn = Picture { names: BySeat::new(&names.one, &names.two), ..*picture };
    let tree = Tree::from_str(&drawn.svg(), &Options::default())?;
    let scale = f32::from(width.pixels()) / tree.size().width();
    // At most the width, for no picture is higher than it is wide.
    let height = (tree.size().height() * scale).round() as u32;
    let mut pixels = Pixmap::new(width.pixels().into(), height).ok_or(PngError::TooLarge)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chaquete_record::picture::View;
    use chaquete_rules::Seat;

    fn start(names: BySeat<&'static str>) -> Picture<'static> {
        let position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:3:0:7:10".parse().expect("a position");
        Picture { position, names, last_move: None, view: View::of(Seat::One) }
    }

    fn pixels(width: u16) -> Pixmap {
        let width = PngWidth::new(width).expect("a width");
        let bytes = png(&start(BySeat::new("Alice", "Bob")), width).expect("a picture");
        Pixmap::decode_png(&bytes).expect("a PNG")
    }

    /// The colour at a place of the picture, in its own units.
    fn colour(pixels: &Pixmap, x: u32, y: u32) -> String {
        let at = |along: u32| along * pixels.width() / 760;
        let colour = pixels.pixel(at(x), at(y)).expect("a pixel").demultiply();
        format!("#{:02x}{:02x}{:02x}", colour.red(), colour.green(), colour.blue())
    }

    #[test]
    fn it_is_as_large_as_it_should_be() {
        for (width, height) in [(100, 92), (760, 700), (1140, 1050), (4096, 3773)] {
            let pixels = pixels(width);
            assert_eq!((pixels.width(), pixels.height()), (width.into(), height));
        }
    }

    #[test]
    fn what_should_be_seen_is_seen() {
        for width in [380, 760, 1520] {
            let pixels = pixels(width);
            // A light checker on the 24-point, a dark one inside its ring, the field, the frame, the paper.
            for (x, y, expected) in [
                (646, 126, "#fffaf0"),
                (646, 546, "#24272d"),
                (620, 336, "#ebdfc8"),
                (380, 336, "#3f2d24"),
                (30, 690, "#faf6ee"),
            ] {
                assert_eq!(colour(&pixels, x, y), expected, "{x}, {y} at {width}");
            }
        }
    }

    #[test]
    fn names_are_drawn_without_fonts() {
        let with = |name| png(&start(BySeat::new(name, "Bob")), PngWidth::default()).expect("a picture");
        assert_ne!(with("Alice"), with("Alicf"));
        assert_eq!(with("王"), with("□"));
        assert_eq!(with("Alice"), with("Alice"));
    }

    #[test]
    fn a_width_is_bounded() {
        for (text, right) in [("100", true), ("4096", true), ("99", false), ("4097", false)] {
            assert_eq!(text.parse::<PngWidth>().is_ok(), right, "{text}");
        }
        for text in ["", "0", "-5", "1e3", "99999999999", "800x600"] {
            assert_eq!(text.parse::<PngWidth>(), Err(PngWidthError), "{text}");
        }
        assert_eq!(PngWidthError.to_string(), "a picture is from 100 to 4096 pixels wide");
    }
}
