//! The board without anything on it.

use chaquete_rules::{Point, Seat};

use super::layout::{self, Half, Place};
use super::lettering::{self, Anchor, Style, Weight};
use super::svg::{Attributes, Svg, rounded};
use super::{Picture, checkers, palette, seat_number};

/// How far from the field the numbers of the player who sits there are, and those of the other.
const NUMBERS: (f64, f64) = (13.0, 28.5);

const OWN: Style = Style { capital: 10.5, weight: Weight::Bold, ink: palette::FRAME_INK };
const OTHER: Style = Style { capital: 8.0, weight: Weight::Regular, ink: palette::FRAME_FADED };

impl Picture<'_> {
    pub(super) fn draw_board(&self, svg: &mut Svg) {
        let (width, height) = Self::SIZE;
        let paper: Attributes<'_> =
            &[("width", &width), ("height", &height), ("rx", &14.0), ("fill", &palette::PAPER)];
        svg.leaf("rect", paper);
        let (left, wide) = (layout::MARGIN, width - 2.0 * layout::MARGIN);
        rectangle(svg, (left, wide), layout::FRAME, 12.0, palette::FRAME);
        for left in [layout::HALVES.0, layout::HALVES.1] {
            rectangle(svg, (left, layout::QUADRANT), layout::FIELD, 2.0, palette::FIELD);
        }
        for middle in [self.view.cube_tray(), self.view.off_tray()] {
            let columns = (middle - layout::TRAY / 2.0, layout::TRAY);
            rectangle(svg, columns, layout::FIELD, 6.0, palette::TRAY);
        }
        self.draw_points(svg);
        for half in Half::BOTH {
            let own = self.view.seat(half);
            self.draw_numbers(svg, half, own, NUMBERS.0, OWN);
            self.draw_numbers(svg, half, own.opponent(), NUMBERS.1, OTHER);
        }
    }

    /// Points next to each other and points opposite each other are of different colour.
    fn draw_points(&self, svg: &mut Svg) {
        let (mut light, mut dark) = (String::new(), String::new());
        for point in Point::descending() {
            let path = if point.number() % 2 == 0 { &mut light } else { &mut dark };
            path.push_str(&self.triangle(point));
        }
        for (path, colour) in [(light, palette::LIGHT_POINT), (dark, palette::DARK_POINT)] {
            svg.leaf("path", &[("fill", &colour), ("d", &path)]);
        }
    }

    fn triangle(&self, point: Point) -> String {
        let half = self.view.half_of(self.view.bottom, Place::Point(point));
        let (middle, base) = (self.view.column(point), half.rim());
        let (left, wide) = (rounded(middle - layout::COLUMN / 2.0), layout::COLUMN);
        let tip = half.inwards() * layout::POINT_HEIGHT;
        format!("M{left} {base}h{wide}l{} {tip}z", -wide / 2.0)
    }

    /// The numbers of the points of one half as one seat counts them.
    fn draw_numbers(&self, svg: &mut Svg, half: Half, seat: Seat, distance: f64, style: Style) {
        let y = half.rim() - half.inwards() * distance;
        svg.group(&[("data-numbers-of", &seat_number(seat))], |svg| {
            for middle in [self.view.cube_tray(), self.view.off_tray()] {
                checkers::token(svg, seat, (middle, y), style.capital / 2.0);
            }
            for point in
                Point::descending().filter(|&point| self.view.half_of(seat, Place::Point(point)) == half)
            {
                let spot = (self.view.column(point), y);
                lettering::line(svg, &point.to_string(), spot, Anchor::Middle, style);
            }
        });
    }
}

fn rectangle(svg: &mut Svg, (x, width): (f64, f64), (top, bottom): (f64, f64), corner: f64, colour: &str) {
    let attributes: Attributes<'_> = &[
        ("x", &x),
        ("y", &top),
        ("width", &width),
        ("height", &(bottom - top)),
        ("rx", &corner),
        ("fill", &colour),
    ];
    svg.leaf("rect", attributes);
}
