//! The last move: an arrow for each checker on its way, a mark round what was hit.

use chaquete_rules::{Chain, Seat, Source, Target};

use super::layout::{CHECKER, MIDDLE, Place, STACK, Spot};
use super::svg::{Attributes, Svg, rounded};
use super::{LastMove, Picture, palette, seat_number};

/// Length and half the width of the head of an arrow.
const HEAD: (f64, f64) = (15.0, 8.0);
/// How far before the middle of a checker an arrow ends.
const TIP: f64 = 5.0;
/// How much an arrow within one half of the board bends, as a part of its length.
const BEND: f64 = 0.2;
/// A star of twelve rays round a checker, as turns of a ray and of the corner beside it.
const STAR: [(f64, f64); 24] = [
    (0.0, -27.5),
    (5.69, -21.25),
    (13.75, -23.82),
    (15.56, -15.56),
    (23.82, -13.75),
    (21.25, -5.69),
    (27.5, 0.0),
    (21.25, 5.69),
    (23.82, 13.75),
    (15.56, 15.56),
    (13.75, 23.82),
    (5.69, 21.25),
    (0.0, 27.5),
    (-5.69, 21.25),
    (-13.75, 23.82),
    (-15.56, 15.56),
    (-23.82, 13.75),
    (-21.25, 5.69),
    (-27.5, 0.0),
    (-21.25, -5.69),
    (-23.82, -13.75),
    (-15.56, -15.56),
    (-13.75, -23.82),
    (-5.69, -21.25),
];

impl Picture<'_> {
    /// Marks the points on which the last move hit; what stands there now is drawn upon it.
    pub(super) fn draw_hits(&self, svg: &mut Svg) {
        let Some(LastMove { seat, played, .. }) = self.last_move else { return };
        for step in played.steps().iter().filter(|step| step.hit) {
            let Target::Point(point) = step.target() else { continue };
            let (x, y) = self.view.checker(seat, Place::Point(point), 0);
            let corner = |(right, down): &(f64, f64)| format!("{} {}", rounded(x + right), rounded(y + down));
            let path = format!("M{}z", STAR.iter().map(corner).collect::<Vec<_>>().join("L"));
            let attributes: Attributes<'_> = &[
                ("data-hit", &u32::from(point.number())),
                ("fill", &palette::HIT),
                ("stroke", &palette::LIGHT),
                ("d", &path),
            ];
            svg.leaf("path", attributes);
        }
    }

    pub(super) fn draw_arrows(&self, svg: &mut Svg) {
        let Some(LastMove { seat, played, .. }) = self.last_move else { return };
        let chains: Vec<Chain> = played.chains().collect();
        for (index, chain) in chains.iter().enumerate() {
            let places: Vec<Place> = chain.places().iter().copied().map(Place::from_number).collect();
            let words = places.iter().map(|place| place.words()).collect::<Vec<_>>().join("/");
            let spots = self.spots(seat, &chains, index);
            let attributes: Attributes<'_> =
                &[("data-arrow", &words), ("data-seat", &seat_number(seat)), ("stroke-width", &4.0)];
            svg.group(attributes, |svg| {
                self.draw_gap(svg, seat, &chains, index);
                for way in spots.windows(2) {
                    draw_arrow(svg, way[0], way[1]);
                }
            });
        }
    }

    /// Where the checker of a chain was, hit on its way, and is now.
    fn spots(&self, seat: Seat, chains: &[Chain], index: usize) -> Vec<Spot> {
        let places = chains[index].places();
        let last = places.len() - 1;
        let spot = |(stop, &number): (usize, &u8)| {
            let place = Place::from_number(number);
            let slot = match stop {
                0 => self.left_slot(seat, chains, index),
                _ if stop == last => self.reached_slot(seat, chains, index),
                _ => 0,
            };
            self.view.checker(seat, place, slot)
        };
        places.iter().enumerate().map(spot).collect()
    }

    /// The place in its stack that the checker of a chain has left: above those that are still there.
    fn left_slot(&self, seat: Seat, chains: &[Chain], index: usize) -> u8 {
        let from = |chain: &&Chain| chain.places().first() == chains[index].places().first();
        let before = chains[..index].iter().filter(from).count();
        let source = chains[index].places().first().copied().unwrap_or(Source::Bar.number());
        // A move has four chains at most.
        self.count(seat, Place::from_number(source)).saturating_add(before as u8)
    }

    /// The place in its stack that the checker of a chain has reached: those that came are on top.
    fn reached_slot(&self, seat: Seat, chains: &[Chain], index: usize) -> u8 {
        let to = |chain: &&Chain| chain.places().last() == chains[index].places().last();
        let after = chains[index..].iter().filter(to).count();
        let target = chains[index].places().last().copied().unwrap_or(Target::Off.number());
        // A move has four chains at most.
        self.count(seat, Place::from_number(target)).saturating_sub(after as u8)
    }

    /// A broken line round the place that the checker has left, where the stack has room for it.
    fn draw_gap(&self, svg: &mut Svg, seat: Seat, chains: &[Chain], index: usize) {
        let slot = self.left_slot(seat, chains, index);
        if slot >= STACK {
            return;
        }
        let Some(&number) = chains[index].places().first() else { return };
        let (x, y) = self.view.checker(seat, Place::from_number(number), slot);
        for (colour, width) in [(palette::LIGHT, 4.0), (palette::MARK, 2.0)] {
            let attributes: Attributes<'_> = &[
                ("cx", &x),
                ("cy", &y),
                ("r", &(CHECKER - 2.0)),
                ("fill", &"none"),
                ("stroke", &colour),
                ("stroke-width", &width),
                ("stroke-dasharray", &"5 6"),
            ];
            svg.leaf("circle", attributes);
        }
    }
}

/// An arrow with a light rim, so that it is seen on everything.
fn draw_arrow(svg: &mut Svg, from: Spot, to: Spot) {
    let bend = bend(from, to);
    let start = towards(from, bend, CHECKER);
    let tip = towards(to, bend, TIP);
    let neck = towards(tip, bend, HEAD.0);
    let (right, down) = ((tip.0 - neck.0) / HEAD.0 * HEAD.1, (tip.1 - neck.1) / HEAD.0 * HEAD.1);
    let shaft = format!("M{}Q{} {}", pair(start), pair(bend), pair(neck));
    let (one, other) = ((neck.0 - down, neck.1 + right), (neck.0 + down, neck.1 - right));
    let head = format!("M{}L{}L{}z", pair(tip), pair(one), pair(other));
    for (colour, rim) in [(palette::LIGHT, 4.0), (palette::MARK, 0.0)] {
        let line: Attributes<'_> =
            &[("fill", &"none"), ("stroke", &colour), ("stroke-width", &(4.5 + rim)), ("d", &shaft)];
        svg.leaf("path", line);
        let area: Attributes<'_> =
            &[("fill", &colour), ("stroke", &colour), ("stroke-width", &(1.0 + rim)), ("d", &head)];
        svg.leaf("path", area);
    }
}

/// The point towards which a line bends: one within a half of the board gives way to what stands between.
fn bend(from: Spot, to: Spot) -> Spot {
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    let is_within = (from.1 - MIDDLE) * (to.1 - MIDDLE) > 0.0;
    if !is_within {
        return middle;
    }
    let inwards = if middle.1 < MIDDLE { 1.0 } else { -1.0 };
    (middle.0, middle.1 + inwards * BEND * distance(from, to))
}

/// So far from one spot, in the direction of another.
fn towards(from: Spot, to: Spot, length: f64) -> Spot {
    let part = length / distance(from, to).max(1.0);
    (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
}

/// With a root only: unlike angles it is the same number on every machine.
fn distance(from: Spot, to: Spot) -> f64 {
    ((to.0 - from.0).powi(2) + (to.1 - from.1).powi(2)).sqrt()
}

fn pair((x, y): Spot) -> String {
    format!("{} {}", rounded(x), rounded(y))
}
