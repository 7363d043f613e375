//! Dice and cube.

use chaquete_rules::{CubeValue, Die, Seat};

use super::layout::{MIDDLE, Spot};
use super::lettering::{self, Anchor, Style, Weight};
use super::svg::{Attributes, Svg};
use super::{Picture, checkers, palette, seat_number};
use crate::Stage;

/// How wide a die is.
const DIE: f64 = 38.0;
/// How far from the middle of a die its outer pips are.
const PIP: f64 = 9.5;
/// How wide the cube is.
const CUBE: f64 = 42.0;
/// How far from the rim the middle of a cube lies that somebody has.
const OWNED: f64 = 30.0;

impl Picture<'_> {
    /// The dice, at the right hand of the one who rolled them.
    pub(super) fn draw_dice(&self, svg: &mut Svg) {
        let Some(dice) = self.position.dice() else { return };
        let seat = self.position.on_roll;
        let middle = self.view.half(seat).right_hand();
        svg.group(&[("data-dice", &dice.to_string()), ("data-seat", &seat_number(seat))], |svg| {
            for (die, x) in [(dice.first, middle - 0.65 * DIE), (dice.second, middle + 0.65 * DIE)] {
                draw_die(svg, seat, die, (x, MIDDLE));
            }
        });
    }

    /// The cube, unless there is none. One that is offered lies before the one who has to answer.
    pub(super) fn draw_cube(&self, svg: &mut Svg) {
        if self.position.cube_limit == Some(CubeValue::ONE) {
            return;
        }
        let cube = self.position.cube;
        let owner = cube.owner.map_or("none".to_owned(), |seat| seat.number().to_string());
        match (self.position.stage, self.position.seat_to_act()) {
            (Stage::Offered(_), Some(seat)) => {
                // An offer is above the value of the cube, and may be above its limit.
                let value = 2 * cube.value.get();
                let spot = (self.view.half(seat).right_hand(), MIDDLE);
                let attributes: Attributes<'_> =
                    &[("data-cube", &value), ("data-owner", &owner), ("data-offered-to", &seat_number(seat))];
                svg.group(attributes, |svg| draw_cube_at(svg, value, spot));
            }
            _ => {
                let value = cube.value.get();
                let y = match cube.owner.map(|seat| self.view.half(seat)) {
                    None => MIDDLE,
                    Some(half) => half.rim() + half.inwards() * OWNED,
                };
                let attributes: Attributes<'_> = &[("data-cube", &value), ("data-owner", &owner)];
                svg.group(attributes, |svg| draw_cube_at(svg, value, (self.view.cube_tray(), y)));
            }
        }
    }
}

fn draw_cube_at(svg: &mut Svg, value: u32, spot: Spot) {
    square(svg, spot, CUBE, palette::LIGHT, palette::DARK);
    let value = value.to_string();
    let capital = match value.len() {
        1 => 20.0,
        2 => 17.0,
        3 => 12.5,
        _ => 9.5,
    };
    let style = Style { capital, weight: Weight::Bold, ink: palette::DARK };
    lettering::line(svg, &value, spot, Anchor::Middle, style);
}

fn draw_die(svg: &mut Svg, seat: Seat, die: Die, (x, y): Spot) {
    let (face, ink) = checkers::colours(seat);
    svg.group(&[("data-die", &u32::from(die.pips())), ("fill", &ink)], |svg| {
        square(svg, (x, y), DIE, face, ink);
        for &(right, down) in pips(die) {
            let (x, y) = (x + PIP * right, y + PIP * down);
            svg.leaf("circle", &[("cx", &x), ("cy", &y), ("r", &3.7)]);
        }
    });
}

/// Where the pips of a die are, from its middle.
fn pips(die: Die) -> &'static [(f64, f64)] {
    match die.pips() {
        1 => &[(0.0, 0.0)],
        2 => &[(-1.0, 1.0), (1.0, -1.0)],
        3 => &[(-1.0, 1.0), (0.0, 0.0), (1.0, -1.0)],
        4 => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)],
        5 => &[(-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
        _ => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
    }
}

fn square(svg: &mut Svg, (x, y): Spot, width: f64, face: &str, rim: &str) {
    let attributes: Attributes<'_> = &[
        ("x", &(x - width / 2.0)),
        ("y", &(y - width / 2.0)),
        ("width", &width),
        ("height", &width),
        ("rx", &7.0),
        ("fill", &face),
        ("stroke", &rim),
        ("stroke-width", &1.5),
    ];
    svg.leaf("rect", attributes);
}
