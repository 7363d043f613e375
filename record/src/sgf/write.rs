//! The writer: one tree a game.

use chaquete_rules::{
    CubeValue, Dice, Event, GameEndReason, GameResult, Length, Match, MoneyRules, Move, Score, Seat, Variant,
};

use crate::{Chronicle, Facts, NoWord};

use super::node::letter;

const HEAD: &str = concat!("(;FF[4]GM[6]CA[UTF-8]AP[Chaquete:", env!("CARGO_PKG_VERSION"), "]");

/// Writes a match as GNU Backgammon would. White is seat one.
///
/// Some things have no place in the format and are left out: offers of resignation that were declined, equal
/// opening dice that were rolled again, the dice of automatic doubles, the limit of the cube, times, and games
/// that were decided before anybody played when the match began. How a game ended other than by play is
/// written as a resignation.
///
/// # Errors
/// What the format has no word for, so that others would read another match.
pub fn write(chronicle: &Chronicle) -> Result<String, NoWord> {
    let rules = &chronicle.terms().rules;
    let no_word = |what| Err(NoWord { form: "an SGF file", what });
    if rules.initial.is_some() {
        return no_word("games that begin with another board");
    }
    if rules.variant == Variant::LongGammon {
        return no_word("LongGammon");
    }
    let mut writer = Writer { chronicle, text: String::new(), games: 0, tree: None };
    chronicle.replay(|before, event| writer.event(before, event));
    writer.end_tree(None);
    Ok(writer.text)
}

struct Writer<'c> {
    chronicle: &'c Chronicle,
    text: String,
    games: u32,
    tree: Option<Tree>,
}

/// A game that is being written.
struct Tree {
    score: Score,
    crawford: bool,
    automatic_doubles: u32,
    nodes: String,
    /// The roll that is not yet played.
    rolled: Option<(Seat, Dice)>,
}

impl Writer<'_> {
    fn event(&mut self, before: &Match, event: &Event) {
        if let Event::GameStarted { crawford, .. } = *event {
            self.end_tree(None);
            let score = before.score();
            let nodes = String::new();
            self.tree = Some(Tree { score, crawford, automatic_doubles: 0, nodes, rolled: None });
            return;
        }
        let opening = self.chronicle.terms().rules.opening;
        let Some(tree) = &mut self.tree else { return };
        match *event {
            Event::DiceRolled { automatic_double: true, .. } => tree.automatic_doubles += 1,
            Event::DiceRolled { seat, roll, .. } => {
                let seat = seat.or_else(|| opening.first_seat(roll.dice));
                tree.rolled = seat.map(|seat| (seat, roll.dice));
            }
            Event::MoveMade { mv, .. } => tree.play(&mv),
            Event::TurnForfeited { .. } => tree.play(&Move::EMPTY),
            Event::DoubleOffered { seat, .. } | Event::DoubleBeavered { seat, .. } => {
                tree.node(seat, "double");
            }
            Event::DoubleAccepted { seat, .. } => tree.node(seat, "take"),
            Event::DoubleDeclined { seat } => tree.node(seat, "drop"),
            Event::GameEnded(result) => self.end_tree(Some(result)),
            _ => {}
        }
    }

    fn end_tree(&mut self, result: Option<GameResult>) {
        let Some(mut tree) = self.tree.take() else { return };
        // Of a game in which nobody did anything there is nothing to tell, but who won it later in a match.
        let is_empty = tree.nodes.is_empty() && tree.rolled.is_none();
        let is_before =
            self.games == 0 && result.is_some_and(|result| result.reason == GameEndReason::Adjudicated);
        if is_empty && (is_before || result.is_none()) {
            return;
        }
        if let Some((seat, dice)) = tree.rolled.take() {
            tree.nodes += &format!("\n;PL[{}]DI[{}{}]", colour(seat), dice.first, dice.second);
        }
        self.head(&tree);
        if let Some(result) = result {
            self.text += &end(&result);
        }
        self.text += &tree.nodes;
        self.text += ")\n";
        self.games += 1;
    }

    fn head(&mut self, tree: &Tree) {
        let (terms, names) = (self.chronicle.terms(), self.chronicle.names());
        let length = match terms.rules.length {
            Length::Points { points, .. } => points.get(),
            Length::Money(_) => 0,
        };
        let Score { one, two } = tree.score;
        self.text += HEAD;
        self.text += &format!("MI[length:{length}][game:{}][ws:{one}][bs:{two}]", self.games);
        self.property("PW", &names.one);
        self.property("PB", &names.two);
        if self.games == 0 {
            self.facts();
        }
        let words = rule_words(self.chronicle, tree.crawford);
        if !words.is_empty() {
            self.text += &format!("RU[{}]", words.join(":"));
        }
        if tree.automatic_doubles > 0 {
            self.text += &format!("CV[{}]", 1_u64 << tree.automatic_doubles.min(63));
        }
    }

    fn facts(&mut self) {
        let Facts { event, round, site, date, transcriber } = self.chronicle.facts();
        let date = date.map(|date| date.to_string());
        let facts = [("DT", &date), ("EV", event), ("RO", round), ("PC", site), ("AN", transcriber)];
        for (name, value) in facts {
            if let Some(value) = value {
                self.property(name, value);
            }
        }
    }

    /// A property with a text as its value: brackets and backslashes in it are escaped.
    fn property(&mut self, name: &str, value: &str) {
        self.text += name;
        self.text.push('[');
        for character in value.chars() {
            if matches!(character, ']' | '\\') {
                self.text.push('\\');
            }
            self.text.push(character);
        }
        self.text.push(']');
    }
}

impl Tree {
    fn node(&mut self, seat: Seat, value: &str) {
        self.nodes += &format!("\n;{}[{value}]", colour(seat));
    }

    fn play(&mut self, mv: &Move) {
        let Some((seat, dice)) = self.rolled.take() else { return };
        let places = mv.steps().iter().flat_map(|step| [step.source.number(), step.target().number()]);
        let letters: String = places.map(|number| letter(number, seat)).collect();
        self.node(seat, &format!("{}{}{letters}", dice.first, dice.second));
    }
}

const fn colour(seat: Seat) -> char {
    match seat {
        Seat::One => 'W',
        Seat::Two => 'B',
    }
}

fn end(result: &GameResult) -> String {
    let played = matches!(result.reason, GameEndReason::BorneOff | GameEndReason::DoubleDeclined);
    match result.win {
        Some(win) => format!("RE[{}+{}{}]", colour(win.seat), result.points, if played { "" } else { "R" }),
        None => "RE[Void]".to_owned(),
    }
}

/// The rules as GNU Backgammon names them, in its order.
fn rule_words(chronicle: &Chronicle, crawford_game: bool) -> Vec<&'static str> {
    let rules = &chronicle.terms().rules;
    let is_crawford = matches!(rules.length, Length::Points { crawford: true, .. });
    let is_jacoby = matches!(rules.length, Length::Money(MoneyRules { jacoby: true, .. }));
    let variant = match rules.variant {
        Variant::Nackgammon => Some("Nackgammon"),
        Variant::Hypergammon => Some("Hypergammon3"),
        Variant::Standard | Variant::LongGammon => None,
    };
    let words = [
        (rules.max_cube == CubeValue::ONE).then_some("NoCube"),
        is_crawford.then_some("Crawford"),
        crawford_game.then_some("CrawfordGame"),
        is_jacoby.then_some("Jacoby"),
        variant,
    ];
    words.into_iter().flatten().collect()
}
