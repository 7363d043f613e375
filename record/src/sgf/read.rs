//! The reader: piece after piece, without a tree in memory.

use chaquete_rules::{Dice, Seat};

use crate::encoding::{self, Encoding};
use crate::excerpt::excerpt;
use crate::oddity::OddityKind;
use crate::sheet::{Cell, Comment, Entry, Game, MAX_BEAVERS, Play, Sheet};

use super::error::{SgfError, SgfProblem};
use super::root::{self, Root, Terms};
use super::scan::{Piece, Place, Property, Scanner, Value};
use super::{MAX_BYTES, MAX_ENTRIES, MAX_GAMES, MAX_ROOT, node};

const START: Place = Place { line: 1, column: 1 };

/// Reads an SGF file.
///
/// # Errors
/// The first thing that cannot be read, with its place.
pub fn read(bytes: &[u8]) -> Result<Sheet, SgfError> {
    if bytes.len() > MAX_BYTES {
        return Err(START.error(SgfProblem::FileTooLarge { found: bytes.len() }));
    }
    let (text, encoding) = encoding::decode(bytes);
    let mut scanner = Scanner::new(&text);
    let mut reader = Reader::new();
    while let Some((place, piece)) = scanner.next()? {
        match piece {
            Piece::Open if scanner.depth == 1 => reader.tree = Tree::new(place),
            Piece::Open => reader.variation(place)?,
            Piece::Close => {
                reader.end_node()?;
                reader.tree.part = Part::Over;
                if scanner.depth == 0 {
                    reader.end_tree()?;
                }
            }
            Piece::Node => reader.begin_node()?,
            Piece::Value { property, value, first } => reader.value(property, value, first)?,
        }
    }
    reader.sheet(encoding)
}

struct Reader<'a> {
    sheet: Sheet,
    terms: Option<Terms>,
    tree: Tree<'a>,
    entries: usize,
    max_beavers: u32,
}

/// One game as far as it is read.
struct Tree<'a> {
    place: Place,
    part: Part,
    properties: Vec<(Property<'a>, Value<'a>)>,
    root: Option<Root>,
    node: Node,
    entries: Vec<Entry>,
    comments: Vec<Comment>,
    has_variations: bool,
}

/// Which part of a tree is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Start,
    Root,
    Moves,
    Over,
}

/// What a node says beside moves.
#[derive(Default)]
struct Node {
    player: Option<Seat>,
    dice: Option<(Place, Dice)>,
    set_up: Option<Place>,
}

impl Tree<'_> {
    const fn new(place: Place) -> Self {
        Self {
            place,
            part: Part::Start,
            properties: Vec::new(),
            root: None,
            node: Node { player: None, dice: None, set_up: None },
            entries: Vec::new(),
            comments: Vec::new(),
            has_variations: false,
        }
    }
}

impl<'a> Reader<'a> {
    fn new() -> Self {
        Self {
            sheet: Sheet::blank(),
            terms: None,
            tree: Tree::new(START),
            entries: 0,
            max_beavers: MAX_BEAVERS,
        }
    }

    fn sheet(mut self, encoding: Encoding) -> Result<Sheet, SgfError> {
        let terms = self.terms.ok_or_else(|| START.error(SgfProblem::NoGame))?;
        if encoding == Encoding::Latin1 {
            self.sheet.note(1, 1, OddityKind::NotUtf8);
        }
        let automatic_doubles = self.sheet.games.iter().map(|game| game.automatic_doubles).max();
        self.sheet.rules = terms.rules(self.max_beavers, automatic_doubles.unwrap_or(0));
        self.number_games();
        Ok(self.sheet)
    }

    /// GNU Backgammon counts the games from 0.
    fn number_games(&mut self) {
        let is_from_0 = self.sheet.games.first().is_some_and(|game| game.number == 0);
        let mut next = None;
        for index in 0..self.sheet.games.len() {
            let game = &mut self.sheet.games[index];
            game.number = game.number.saturating_add(is_from_0.into());
            let (line, column, found) = (game.line, game.column, game.number);
            if let Some(expected) = next.filter(|&next| next != found) {
                self.sheet.note(line, column, OddityKind::GameNumber { expected, found });
            }
            next = Some(found.saturating_add(1));
        }
    }

    /// The first variation goes on; its end is the end of all that is read of the tree.
    fn variation(&mut self, place: Place) -> Result<(), SgfError> {
        if self.tree.part == Part::Over && !self.tree.has_variations {
            self.tree.has_variations = true;
            self.sheet.note(place.line, place.column, OddityKind::Variations);
        }
        self.end_node()
    }

    fn begin_node(&mut self) -> Result<(), SgfError> {
        self.end_node()?;
        self.tree.part = match self.tree.part {
            Part::Start => Part::Root,
            Part::Root => Part::Moves,
            part => part,
        };
        Ok(())
    }

    fn end_node(&mut self) -> Result<(), SgfError> {
        if self.tree.part == Part::Root && self.tree.root.is_none() {
            self.end_root()?;
        }
        let Node { player, dice, set_up } = std::mem::take(&mut self.tree.node);
        match (set_up, dice, player) {
            (Some(place), ..) | (None, Some((place, _)), None) => self.push(place, Seat::One, Cell::SetUp),
            // Rolled, and not played before the file was written.
            (None, Some((place, dice)), Some(seat)) => {
                self.push(place, seat, Cell::Roll { dice, play: Play::Unplayed })
            }
            (None, None, _) => Ok(()),
        }
    }

    fn end_root(&mut self) -> Result<(), SgfError> {
        let properties = std::mem::take(&mut self.tree.properties);
        if !root::is_backgammon(&properties) {
            return Err(self.tree.place.error(SgfProblem::NotBackgammon));
        }
        if self.sheet.games.len() == MAX_GAMES {
            return Err(self.tree.place.error(SgfProblem::TooManyGames));
        }
        let root = Root::read(&properties)?;
        if *self.terms.get_or_insert(root.terms) != root.terms {
            return Err(self.tree.place.error(SgfProblem::OtherMatch));
        }
        self.tree.root = Some(root);
        properties.into_iter().try_for_each(|(property, value)| self.move_value(property, value))
    }

    fn end_tree(&mut self) -> Result<(), SgfError> {
        let place = self.tree.place;
        let Some(root) = self.tree.root.take() else { return Ok(()) };
        if let Some(end) = root.end {
            let cell = Cell::Wins { points: end.points, and_the_match: false };
            self.push(end.place, end.winner, cell)?;
        }
        let crawford = root.crawford();
        if self.sheet.games.is_empty() {
            self.sheet.facts = root.facts;
        }
        self.sheet.games.push(Game {
            line: place.line,
            column: place.column,
            // As many games as numbers of 32 bits.
            number: root.number.unwrap_or(self.sheet.games.len() as u32 + 1),
            names: root.names,
            start: root.score,
            crawford,
            automatic_doubles: root.automatic_doubles,
            entries: std::mem::take(&mut self.tree.entries),
            comments: std::mem::take(&mut self.tree.comments),
        });
        Ok(())
    }

    fn value(&mut self, property: Property<'a>, value: Value<'a>, first: bool) -> Result<(), SgfError> {
        match (self.tree.part, property.name) {
            (Part::Start, _) => Err(property.place.error(SgfProblem::NoGame)),
            (Part::Over, _) => Ok(()),
            (Part::Root | Part::Moves, "W" | "B") if !first => {
                Err(value.place.error(SgfProblem::TooManyValues))
            }
            (Part::Root, _) if self.tree.properties.len() == MAX_ROOT => {
                Err(property.place.error(SgfProblem::RootTooLong))
            }
            (Part::Root, _) => {
                self.tree.properties.push((property, value));
                Ok(())
            }
            (Part::Moves, "CV") => {
                self.tree.node.set_up = Some(property.place);
                Ok(())
            }
            (Part::Moves, _) => self.move_value(property, value),
        }
    }

    /// What can stand in any node.
    fn move_value(&mut self, property: Property<'_>, value: Value<'_>) -> Result<(), SgfError> {
        let node = &mut self.tree.node;
        match property.name {
            "W" => return self.play(property.place, Seat::One, value),
            "B" => return self.play(property.place, Seat::Two, value),
            "C" | "GC" => {
                self.tree.comments.push(Comment { line: property.place.line, text: value.text() });
            }
            "AE" | "AW" | "AB" | "CP" | "CO" => node.set_up = Some(property.place),
            "PL" => {
                node.player = Some(match value.raw.trim() {
                    "W" | "w" | "White" | "white" => Seat::One,
                    "B" | "b" | "Black" | "black" => Seat::Two,
                    _ => return Err(value.error("PL", "W or B")),
                });
            }
            "DI" => {
                let bad_dice = || value.place.error(SgfProblem::BadDice { found: excerpt(value.raw) });
                let dice = node::dice(value.raw.trim()).ok_or_else(bad_dice)?;
                node.dice = Some((property.place, dice));
            }
            _ => {}
        }
        Ok(())
    }

    fn play(&mut self, place: Place, seat: Seat, value: Value<'_>) -> Result<(), SgfError> {
        let cell = node::cell(value, seat, self.tree.entries.last())?;
        if matches!(cell, Cell::Beavers { .. } | Cell::Raccoons { .. }) {
            let is_beaver =
                |entry: &&Entry| matches!(entry.cell, Cell::Beavers { .. } | Cell::Raccoons { .. });
            let before = self.tree.entries.iter().rev().take_while(is_beaver).count();
            // At most as many as there are entries: the number fits.
            self.max_beavers = self.max_beavers.max(before as u32 + 1);
        }
        self.push(place, seat, cell)
    }

    fn push(&mut self, place: Place, seat: Seat, cell: Cell) -> Result<(), SgfError> {
        self.entries += 1;
        if self.entries > MAX_ENTRIES {
            return Err(place.error(SgfProblem::TooManyEntries));
        }
        self.tree.entries.push(Entry { line: place.line, column: place.column, seat, cell });
        Ok(())
    }
}
