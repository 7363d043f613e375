//! A board as a picture: SVG text.
//!
//! A [`Picture`] shows a [`GamePosition`] as a printed diagram does: points with the numbers of both sides,
//! checkers, bar, checkers borne off, cube, dice, pip counts, score, whose turn it is, and the last move as arrows.
//! Seat one has the light checkers; those of seat two are dark and have a ring, so that colour is not needed.
//!
//! The text is the same for the same picture everywhere. It needs no font, no style sheet and no other file,
//! runs no script and has no ids, so it can stand in a web page any number of times. `<title>` and `<desc>` say
//! the position in words. What is drawn can be found by attributes:
//!
//! | attribute | is at | says |
//! |---|---|---|
//! | `data-place`, `data-seat`, `data-count` | a stack | point, `bar` or `off`; whose; how many |
//! | `data-cube`, `data-owner`, `data-offered-to` | the cube | its value; a seat or `none` |
//! | `data-dice`, `data-seat` | the dice | as they were rolled; whose |
//! | `data-arrow`, `data-seat` | an arrow | the places of one checker on its way; whose |
//! | `data-hit` | a mark round a checker | the point that was hit on, in the mover's numbering |
//! | `data-text` | every word and number | what is drawn there |
//!
//! ```
//! use chaquete_record::picture::{Picture, View};
//! use chaquete_rules::{BySeat, Seat};
//!
//! let picture = Picture {
//!     position: "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:3:0:7:10".parse()?,
//!     names: BySeat::new("Alice", "Bob"),
//!     last_move: None,
//!     view: View::of(Seat::One),
//! };
//! let svg = picture.svg();
//! assert!(svg.contains("<title>Backgammon: Alice to play 3-1</title>"));
//! # Ok::<(), chaquete_record::GamePositionError>(())
//! ```

mod arrows;
mod board;
mod checkers;
mod cube;
mod glyphs;
mod layout;
mod lettering;
mod palette;
mod players;
mod svg;
mod words;

use chaquete_rules::{BySeat, Dice, Move, Seat};

use crate::GamePosition;
use svg::Svg;

pub use lettering::drawable;

/// A board to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// What it shows.
    pub position: GamePosition,
    /// Who plays; an empty name is that of the seat. A picture has letters of its own for most names in Latin
    /// script. A name with others is left to the fonts of whoever shows it; where there are none, as in PNG,
    /// [`drawable`] makes boxes of those letters.
    pub names: BySeat<&'a str>,
    /// The move that led to the position.
    pub last_move: Option<LastMove>,
    /// From where it is seen.
    pub view: View,
}

/// A move, shown by arrows on the board that it led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastMove {
    /// Whose move it was.
    pub seat: Seat,
    /// The dice, if they are known.
    pub dice: Option<Dice>,
    /// What was played; nothing, where nothing could be.
    pub played: Move,
}

/// From where a board is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The seat at the bottom: its home is in the lower half.
    pub bottom: Seat,
    /// Where both home boards are.
    pub home: HomeSide,
}

/// The side of a picture at which the home boards are, and checkers are borne off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HomeSide {
    /// At the left.
    Left,
    /// At the right.
    Right,
}

impl View {
    /// The usual view of a seat: itself at the bottom, the home boards at the right.
    #[must_use]
    pub const fn of(bottom: Seat) -> Self {
        Self { bottom, home: HomeSide::Right }
    }
}

impl Picture<'_> {
    /// How many units each picture is wide and high.
    pub const SIZE: (f64, f64) = (layout::WIDTH, layout::HEIGHT);

    /// The picture as a text of SVG, some 25 kB. It has no size of its own, only a shape: it fills what it is
    /// put in.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        let shape = format!("0 0 {} {}", layout::WIDTH, layout::HEIGHT);
        let root: svg::Attributes<'_> = &[
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("viewBox", &shape),
            ("role", &"img"),
            ("stroke-linecap", &"round"),
            ("stroke-linejoin", &"round"),
        ];
        svg.element("svg", root, |svg| {
            svg.words("title", &[], &format!("Backgammon: {}", self.caption()));
            svg.words("desc", &[], &self.description());
            self.draw_board(svg);
            self.draw_hits(svg);
            self.draw_checkers(svg);
            self.draw_arrows(svg);
            self.draw_dice(svg);
            self.draw_cube(svg);
            self.draw_players(svg);
        });
        svg.finish()
    }

    /// How a seat is called.
    fn name(&self, seat: Seat) -> &str {
        match (self.names[seat], seat) {
            ("", Seat::One) => "Seat one",
            ("", Seat::Two) => "Seat two",
            (name, _) => name,
        }
    }
}

/// The number of a seat as an attribute has it.
fn seat_number(seat: Seat) -> u32 {
    seat.number().into()
}
