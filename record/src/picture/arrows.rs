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
/// How much thicker the light lines below an arrow are.
const RIM: f64 = 4.0;
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

    /// The arrows, all with light rims, so that they are seen on everything; rims lie below all arrows.
    pub(super) fn draw_arrows(&self, svg: &mut Svg) {
        let Some(LastMove { seat, played, .. }) = self.last_move else { return };
        let chains: Vec<Chain> = played.chains().collect();
        let ways: Vec<Way> = (0..chains.len()).map(|index| self.way(seat, &chains, index)).collect();
        svg.group(&[("stroke", &palette::LIGHT), ("fill", &palette::LIGHT)], |svg| {
            ways.iter().for_each(|way| way.draw(svg, RIM));
        });
        for (chain, way) in chains.iter().zip(&ways) {
            let words: Vec<String> =
                chain.places().iter().map(|&number| Place::from_number(number).words()).collect();
            let attributes: Attributes<'_> = &[
                ("data-arrow", &words.join("/")),
                ("data-seat", &seat_number(seat)),
                ("stroke", &palette::MARK),
                ("fill", &palette::MARK),
            ];
            svg.group(attributes, |svg| way.draw(svg, 0.0));
        }
    }

    /// The way of a chain on the board after the move.
    fn way(&self, seat: Seat, chains: &[Chain], index: usize) -> Way {
        let places: Vec<Place> = chains[index].places().iter().copied().map(Place::from_number).collect();
        let last = places.len() - 1;
        let left = self.left_slot(seat, chains, index);
        let slot = |stop| match stop {
            0 => left,
            _ if stop == last => self.reached_slot(seat, chains, index),
            // Whoever was hit stood alone.
            _ => 0,
        };
        let spot = |(stop, &place): (usize, &Place)| self.view.checker(seat, place, slot(stop));
        Way { spots: places.iter().enumerate().map(spot).collect(), has_gap: left < STACK }
    }

    /// The place in its stack that the checker of a chain has left: above those that are still there.
    fn left_slot(&self, seat: Seat, chains: &[Chain], index: usize) -> u8 {
        let source = source(&chains[index]);
        let before = chains[..index].iter().filter(|chain| self::source(chain) == source).count();
        // A move has four chains at most.
        self.count(seat, source).saturating_add(before as u8)
    }

    /// The place in its stack that the checker of a chain has reached: those that came are on top, in such an
    /// order that arrows side by side do not cross.
    fn reached_slot(&self, seat: Seat, chains: &[Chain], index: usize) -> u8 {
        let target = target(&chains[index]);
        let is_within = self.view.half_of(seat, source(&chains[index])) == self.view.half_of(seat, target);
        let above = if is_within { &chains[index + 1..] } else { &chains[..index] };
        let above = above.iter().filter(|chain| self::target(chain) == target).count();
        // A move has four chains at most.
        self.count(seat, target).saturating_sub(1 + above as u8)
    }
}

fn source(chain: &Chain) -> Place {
    Place::from_number(chain.places().first().copied().unwrap_or(Source::Bar.number()))
}

fn target(chain: &Chain) -> Place {
    Place::from_number(chain.places().last().copied().unwrap_or(Target::Off.number()))
}

/// Where one checker went.
struct Way {
    /// Where it was, where it hit on its way, where it is.
    spots: Vec<Spot>,
    /// Whether the stack that it has left has room for it.
    has_gap: bool,
}

impl Way {
    /// Draws the way, with lines thicker by `rim`.
    fn draw(&self, svg: &mut Svg, rim: f64) {
        if let Some(&spot) = self.spots.first().filter(|_| self.has_gap) {
            draw_gap(svg, spot, rim);
        }
        for part in self.spots.windows(2) {
            draw_arrow(svg, part[0], part[1], rim);
        }
    }
}

/// A broken line round the place that a checker has left.
fn draw_gap(svg: &mut Svg, (x, y): Spot, rim: f64) {
    let attributes: Attributes<'_> = &[
        ("cx", &x),
        ("cy", &y),
        ("r", &(CHECKER - 2.0)),
        ("fill", &"none"),
        ("stroke-width", &(2.0 + rim / 2.0)),
        ("stroke-dasharray", &"5 6"),
    ];
    svg.leaf("circle", attributes);
}

fn draw_arrow(svg: &mut Svg, from: Spot, to: Spot, rim: f64) {
    let bend = bend(from, to);
    let start = towards(from, bend, CHECKER);
    let tip = towards(to, bend, TIP);
    let neck = towards(tip, bend, HEAD.0);
    let (right, down) = ((tip.0 - neck.0) / HEAD.0 * HEAD.1, (tip.1 - neck.1) / HEAD.0 * HEAD.1);
    let (one, other) = ((neck.0 - down, neck.1 + right), (neck.0 + down, neck.1 - right));
    let shaft = format!("M{}Q{} {}", pair(start), pair(bend), pair(neck));
    let head = format!("M{}L{}L{}z", pair(tip), pair(one), pair(other));
    svg.leaf("path", &[("fill", &"none"), ("stroke-width", &(4.5 + rim)), ("d", &shaft)]);
    svg.leaf("path", &[("stroke-width", &(1.0 + rim)), ("d", &head)]);
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
