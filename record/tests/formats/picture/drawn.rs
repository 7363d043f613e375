//! What is found in a picture.

use std::str::FromStr;

use chaquete_record::picture::Picture;
use roxmltree::{Document, Node};

pub(crate) type Spot = (f64, f64);

/// A picture, read.
#[derive(Debug)]
pub(crate) struct Drawn {
    pub(crate) stacks: Vec<Stack>,
    pub(crate) numbers: Vec<Number>,
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) gaps: Vec<Spot>,
    /// Points that were hit on, and the middle of each mark.
    pub(crate) hits: Vec<(u8, Spot)>,
    pub(crate) cube: Option<Cube>,
    pub(crate) dice: Option<Dice>,
    /// Every line of text by the seat in whose strip it is, 0 elsewhere.
    pub(crate) texts: Vec<(u8, String)>,
    pub(crate) title: String,
    pub(crate) description: String,
}

#[derive(Debug)]
pub(crate) struct Stack {
    pub(crate) seat: u8,
    pub(crate) place: String,
    pub(crate) count: u8,
    /// Middles of the checkers: discs, or bars in the tray.
    pub(crate) spots: Vec<Spot>,
    pub(crate) number: Option<String>,
}

/// A number at a point, in the numbering of a seat.
#[derive(Debug)]
pub(crate) struct Number {
    pub(crate) seat: u8,
    pub(crate) number: String,
    /// Its upper left corner.
    pub(crate) spot: Spot,
}

#[derive(Debug)]
pub(crate) struct Arrow {
    pub(crate) seat: u8,
    pub(crate) places: Vec<String>,
    /// Where its parts begin and where their tips are.
    pub(crate) parts: Vec<(Spot, Spot)>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Cube {
    pub(crate) value: u32,
    pub(crate) owner: String,
    pub(crate) offered_to: Option<u8>,
    pub(crate) spot: Spot,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Dice {
    pub(crate) seat: u8,
    pub(crate) words: String,
    /// The pips that are drawn on each die, from left to right.
    pub(crate) pips: Vec<usize>,
    pub(crate) spots: Vec<Spot>,
}

impl Drawn {
    pub(crate) fn of(picture: &Picture<'_>) -> Self {
        let svg = picture.svg();
        let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
        let all = || document.descendants();
        Self {
            stacks: all().filter(|node| node.has_attribute("data-count")).map(stack).collect(),
            numbers: all().filter(|node| node.has_attribute("data-numbers-of")).flat_map(numbers).collect(),
            arrows: all().filter(|node| node.has_attribute("data-arrow")).map(arrow).collect(),
            gaps: all().filter(|node| node.has_attribute("data-arrow")).flat_map(gaps).collect(),
            hits: all().filter(|node| node.has_attribute("data-hit")).map(hit).collect(),
            cube: all().find(|node| node.has_attribute("data-cube")).map(cube),
            dice: all().find(|node| node.has_attribute("data-dice")).map(dice),
            texts: all().filter(|node| node.has_attribute("data-text")).map(line).collect(),
            title: words(&document, "title"),
            description: words(&document, "desc"),
        }
    }

    /// The checkers of a seat at a place; none where nothing is drawn.
    pub(crate) fn stack(&self, seat: u8, place: &str) -> Option<&Stack> {
        let mut found = self.stacks.iter().filter(|stack| stack.seat == seat && stack.place == place);
        let stack = found.next();
        assert!(found.next().is_none(), "seat {seat} twice at {place}");
        stack
    }

    /// What is written in the strip of a seat.
    pub(crate) fn strip(&self, seat: u8) -> Vec<&str> {
        self.texts.iter().filter(|(of, _)| *of == seat).map(|(_, text)| text.as_str()).collect()
    }
}

pub(crate) fn value<T: FromStr<Err: std::fmt::Debug>>(node: Node<'_, '_>, name: &str) -> T {
    node.attribute(name).unwrap_or_else(|| panic!("no {name} at {node:?}")).parse().unwrap()
}

fn elements<'a>(node: Node<'a, 'a>, tag: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children().filter(move |child| child.has_tag_name(("http://www.w3.org/2000/svg", tag)))
}

fn words(document: &Document<'_>, tag: &str) -> String {
    let node = document.root_element().children().find(|node| node.tag_name().name() == tag);
    node.and_then(|node| node.text()).unwrap_or_default().to_owned()
}

fn circle(node: Node<'_, '_>) -> Spot {
    (value(node, "cx"), value(node, "cy"))
}

fn rectangle(node: Node<'_, '_>) -> Spot {
    let middle = |start, size| value::<f64>(node, start) + value::<f64>(node, size) / 2.0;
    (middle("x", "width"), middle("y", "height"))
}

fn stack(node: Node<'_, '_>) -> Stack {
    Stack {
        seat: value(node, "data-seat"),
        place: value(node, "data-place"),
        count: value(node, "data-count"),
        // Rings are in a group of their own.
        spots: elements(node, "circle").map(circle).chain(elements(node, "rect").map(rectangle)).collect(),
        number: elements(node, "path").map(|path| value(path, "data-text")).next(),
    }
}

fn numbers<'a>(node: Node<'a, 'a>) -> impl Iterator<Item = Number> {
    elements(node, "path").map(move |path| Number {
        seat: value(node, "data-numbers-of"),
        number: value(path, "data-text"),
        spot: pair(path.attribute("transform").unwrap().strip_prefix("translate(").unwrap()),
    })
}

fn line(node: Node<'_, '_>) -> (u8, String) {
    let strip = node.ancestors().find(|above| above.has_attribute("data-player"));
    (strip.map_or(0, |strip| value(strip, "data-player")), value(node, "data-text"))
}

/// The two numbers that a text begins with.
fn pair(text: &str) -> Spot {
    let mut numbers = text.split(|c: char| !(c.is_ascii_digit() || "-.".contains(c)));
    let mut next = || numbers.next().unwrap().parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    (next(), next())
}

fn arrow(node: Node<'_, '_>) -> Arrow {
    let paths: Vec<Spot> =
        elements(node, "path").map(|path| pair(&value::<String>(path, "d")[1..])).collect();
    // Each part is a shaft, and a head that begins at the tip.
    let parts = paths.chunks_exact(2).map(|part| (part[0], part[1])).collect();
    let places = value::<String>(node, "data-arrow").split('/').map(str::to_owned).collect();
    Arrow { seat: value(node, "data-seat"), places, parts }
}

fn gaps<'a>(arrow: Node<'a, 'a>) -> impl Iterator<Item = Spot> {
    elements(arrow, "circle").map(circle)
}

fn hit(node: Node<'_, '_>) -> (u8, Spot) {
    let path: String = value(node, "d");
    let corners: Vec<Spot> = path.trim_matches(['M', 'z']).split('L').map(pair).collect();
    let mean = |pick: fn(&Spot) -> f64| corners.iter().map(pick).sum::<f64>() / corners.len() as f64;
    (value(node, "data-hit"), (mean(|spot| spot.0).round(), mean(|spot| spot.1).round()))
}

fn cube(node: Node<'_, '_>) -> Cube {
    let digits: String = elements(node, "path").map(|path| value::<String>(path, "data-text")).collect();
    assert_eq!(digits, value::<String>(node, "data-cube"));
    Cube {
        value: digits.parse().unwrap(),
        owner: value(node, "data-owner"),
        offered_to: node.attribute("data-offered-to").map(|seat| seat.parse().unwrap()),
        spot: elements(node, "rect").map(rectangle).next().unwrap(),
    }
}

fn dice(node: Node<'_, '_>) -> Dice {
    let dies: Vec<_> = elements(node, "g").collect();
    Dice {
        seat: value(node, "data-seat"),
        words: value(node, "data-dice"),
        pips: dies.iter().map(|die| elements(*die, "circle").count()).collect(),
        spots: dies.iter().map(|die| elements(*die, "rect").map(rectangle).next().unwrap()).collect(),
    }
}
