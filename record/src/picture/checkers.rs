//! Checkers: on points and bar, borne off.

use chaquete_rules::Seat;

use super::layout::{self, CHECKER, MIDDLE, Place, STACK, Spot};
use super::lettering::{self, Anchor, Style, Weight};
use super::svg::{Attributes, Svg};
use super::{Picture, palette, seat_number};

/// The ring of a dark checker, as a part of its radius.
const RING: f64 = 0.62;

/// How far from the middle of the board the number of checkers borne off is.
const COUNT_OFF: f64 = 18.0;

impl Picture<'_> {
    pub(super) fn draw_checkers(&self, svg: &mut Svg) {
        for seat in Seat::BOTH {
            for place in Place::all() {
                self.draw_stack(svg, seat, place);
            }
        }
    }

    /// How many checkers a seat has at a place.
    pub(super) fn count(&self, seat: Seat, place: Place) -> u8 {
        let side = self.position.board.side(seat);
        match place {
            Place::Point(point) => side.on(point),
            Place::Bar => side.bar(),
            Place::Off => side.off(),
        }
    }

    fn draw_stack(&self, svg: &mut Svg, seat: Seat, place: Place) {
        let count = self.count(seat, place);
        if count == 0 {
            return;
        }
        let (face, rim) = colours(seat);
        let attributes: Attributes<'_> = &[
            ("data-seat", &seat_number(seat)),
            ("data-place", &place.words()),
            ("data-count", &u32::from(count)),
            ("fill", &face),
            ("stroke", &rim),
            ("stroke-width", &1.5),
        ];
        svg.group(attributes, |svg| match place {
            Place::Off => self.draw_borne_off(svg, seat, count),
            Place::Point(_) | Place::Bar => self.draw_standing(svg, seat, place, count),
        });
    }

    fn draw_standing(&self, svg: &mut Svg, seat: Seat, place: Place, count: u8) {
        let spots: Vec<Spot> =
            (0..count.min(STACK)).map(|index| self.view.checker(seat, place, index)).collect();
        for &spot in &spots {
            circle(svg, spot, CHECKER);
        }
        let number = spots.last().filter(|_| count > STACK);
        // The checker with the number has no ring: it would cross the digits.
        ring(svg, seat, &spots[..spots.len() - usize::from(number.is_some())], CHECKER);
        if let Some(&spot) = number {
            let style = Style { capital: 14.0, weight: Weight::Bold, ink: colours(seat).1 };
            lettering::line(svg, &count.to_string(), spot, Anchor::Middle, style);
        }
    }

    fn draw_borne_off(&self, svg: &mut Svg, seat: Seat, count: u8) {
        let (width, height) = layout::BORNE_OFF;
        for index in 0..count {
            let (x, y) = self.view.checker(seat, Place::Off, index);
            let attributes: Attributes<'_> = &[
                ("x", &(x - width / 2.0)),
                ("y", &(y - height / 2.0)),
                ("width", &width),
                ("height", &height),
                ("rx", &3.0),
            ];
            svg.leaf("rect", attributes);
        }
        let spot = (self.view.off_tray(), MIDDLE - self.view.half(seat).inwards() * COUNT_OFF);
        let style = Style { capital: 12.0, weight: Weight::Bold, ink: palette::FRAME_INK };
        lettering::line(svg, &count.to_string(), spot, Anchor::Middle, style);
    }
}

/// The face of what belongs to a seat, and what is drawn upon and round it.
pub(super) fn colours(seat: Seat) -> (&'static str, &'static str) {
    match seat {
        Seat::One => (palette::LIGHT, palette::DARK),
        Seat::Two => (palette::DARK, palette::LIGHT),
    }
}

/// A small checker that stands for its seat.
pub(super) fn token(svg: &mut Svg, seat: Seat, spot: Spot, radius: f64) {
    let (face, rim) = colours(seat);
    svg.group(&[("fill", &face), ("stroke", &rim), ("stroke-width", &1.2)], |svg| {
        circle(svg, spot, radius);
        ring(svg, seat, &[spot], radius);
    });
}

fn circle(svg: &mut Svg, (x, y): Spot, radius: f64) {
    svg.leaf("circle", &[("cx", &x), ("cy", &y), ("r", &radius)]);
}

/// The rings by which the checkers of seat two are known.
fn ring(svg: &mut Svg, seat: Seat, spots: &[Spot], radius: f64) {
    if seat == Seat::Two && !spots.is_empty() {
        svg.group(&[("fill", &"none")], |svg| {
            for &spot in spots {
                circle(svg, spot, radius * RING);
            }
        });
    }
}
