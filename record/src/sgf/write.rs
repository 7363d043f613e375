//! The writer: one tree a game.

use std::fmt::Write as _;

use chaquete_rules::{
    CubeValue, Dice, GameEndReason, GameResult, Length, MatchRules, MoneyRules, Seat, Variant,
};

use crate::played::{PlayedGame, PlayedMatch, Word};
use crate::remark::{Remark, RemarkKind, Term};
use crate::sheet::{CUBE_LIMIT, Facts, MAX_BEAVERS};
use crate::{Chronicle, NoWord};

use super::node::letter;
use super::plain;

const HEAD: &str = concat!("(;FF[4]GM[6]CA[UTF-8]AP[Chaquete:", env!("CARGO_PKG_VERSION"), "]");

/// Writes a match as GNU Backgammon would, and says what the file could not hold. White is seat one.
///
/// Games before the first roll of a match that were won without a play are told by its score alone.
///
/// # Errors
/// If the games begin from a board of their own: other programs would read another match.
pub fn write(chronicle: &Chronicle) -> Result<(String, Vec<Remark>), NoWord> {
    let rules = &chronicle.terms().rules;
    if rules.initial.is_some_and(|board| board != rules.variant.start()) {
        return Err(NoWord { form: "an SGF file", what: "games that begin from a board of their own" });
    }
    let played = PlayedMatch::of(chronicle);
    let mut writer = Writer { chronicle, text: String::new(), remarks: Vec::new() };
    writer.remark_head();
    for (index, game) in to_write(&played.games).enumerate() {
        writer.game(index, game);
    }
    writer.remarks.extend(played.remarks);
    Ok((writer.text, writer.remarks))
}

/// The games that there is something to tell of; the last one, if there is none.
fn to_write(games: &[PlayedGame]) -> impl Iterator<Item = &PlayedGame> {
    let is_before = |game: &&PlayedGame| game.is_untouched() && game.result.is_some_and(is_adjudicated);
    let told = games.iter().skip_while(is_before);
    let mut told = told.filter(|game| !game.is_untouched() || game.result.is_some()).peekable();
    let last = if told.peek().is_none() { games.last() } else { None };
    told.chain(last)
}

fn is_adjudicated(result: GameResult) -> bool {
    result.reason == GameEndReason::Adjudicated
}

struct Writer<'c> {
    chronicle: &'c Chronicle,
    text: String,
    remarks: Vec<Remark>,
}

impl Writer<'_> {
    fn remark_head(&mut self) {
        let terms = self.chronicle.terms();
        let mut kinds = RemarkKind::of_terms(terms);
        for seat in Seat::BOTH {
            let written = plain(&self.chronicle.names()[seat]);
            if written != self.chronicle.names()[seat] {
                kinds.push(RemarkKind::NameChanged { seat, written });
            }
        }
        for (fact, value) in facts(self.chronicle.facts()) {
            if plain(value) != *value {
                kinds.push(RemarkKind::FactChanged { fact });
            }
        }
        if let Length::Money(MoneyRules { max_beavers, .. }) = terms.rules.length
            && max_beavers != MAX_BEAVERS
        {
            kinds.push(RemarkKind::Term(Term::Beavers));
        }
        if ![1, CUBE_LIMIT].contains(&terms.rules.max_cube.get()) {
            kinds.push(RemarkKind::Term(Term::CubeLimit));
        }
        self.remarks.extend(kinds.into_iter().map(|kind| Remark { game: None, kind }));
    }

    fn game(&mut self, index: usize, game: &PlayedGame) {
        self.head(index, game);
        if game.automatic_doubles > 0 {
            self.put(format_args!("CV[{}]", 1_u64 << game.automatic_doubles.min(63)));
            let kind = RemarkKind::AutomaticDoubleDice;
            self.remarks.push(Remark { game: Some(game.number), kind });
        }
        if let Some(result) = &game.result {
            self.end(result);
        }
        for word in &game.words {
            self.word(word);
        }
        self.text += ")\n";
    }

    fn head(&mut self, index: usize, game: &PlayedGame) {
        let chronicle = self.chronicle;
        let rules = &chronicle.terms().rules;
        let length = match rules.length {
            Length::Points { points, .. } => points.get(),
            Length::Money(_) => 0,
        };
        self.text += HEAD;
        let (white, black) = (game.start.one, game.start.two);
        self.put(format_args!("MI[length:{length}][game:{index}][ws:{white}][bs:{black}]"));
        self.property("PW", &chronicle.names().one);
        self.property("PB", &chronicle.names().two);
        if index == 0 {
            if let Some(date) = chronicle.facts().date {
                self.put(format_args!("DT[{date}]"));
            }
            for (name, value) in facts(chronicle.facts()) {
                self.property(name, value);
            }
        }
        let words = rule_words(rules, game.crawford);
        if !words.is_empty() {
            self.put(format_args!("RU[{}]", words.join(":")));
        }
    }

    /// A property with a text as its value: brackets and backslashes in it are escaped.
    fn property(&mut self, name: &str, value: &str) {
        self.text += name;
        self.text.push('[');
        for character in plain(value).chars() {
            if matches!(character, ']' | '\\') {
                self.text.push('\\');
            }
            self.text.push(character);
        }
        self.text.push(']');
    }

    fn end(&mut self, result: &GameResult) {
        let Some(win) = result.win else { return };
        let is_played = matches!(result.reason, GameEndReason::BorneOff | GameEndReason::DoubleDeclined);
        let resigned = if is_played { "" } else { "R" };
        self.put(format_args!("RE[{}+{}{resigned}]", colour(win.seat), result.points));
    }

    fn word(&mut self, word: &Word) {
        match *word {
            Word::Rolled { seat, dice: Dice { first, second }, ref mv } => {
                let places =
                    mv.steps().iter().flat_map(|step| [step.source.number(), step.target().number()]);
                let letters: String = places.map(|number| letter(number, seat)).collect();
                self.put(format_args!("\n;{}[{first}{second}{letters}]", colour(seat)));
            }
            Word::Unplayed { seat, dice: Dice { first, second } } => {
                self.put(format_args!("\n;PL[{}]DI[{first}{second}]", colour(seat)));
            }
            Word::Doubled { seat, .. } | Word::Beavered { seat, .. } => self.cube_word(seat, "double"),
            Word::Took { seat } => self.cube_word(seat, "take"),
            Word::Dropped { seat } => self.cube_word(seat, "drop"),
        }
    }

    fn cube_word(&mut self, seat: Seat, word: &str) {
        self.put(format_args!("\n;{}[{word}]", colour(seat)));
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(text);
    }
}

const fn colour(seat: Seat) -> char {
    match seat {
        Seat::One => 'W',
        Seat::Two => 'B',
    }
}

/// The facts that are texts, by their properties.
fn facts(facts: &Facts) -> impl Iterator<Item = (&'static str, &String)> {
    let all = [("EV", &facts.event), ("RO", &facts.round), ("PC", &facts.site), ("AN", &facts.transcriber)];
    all.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
}

/// The rules as GNU Backgammon names them, in its order.
fn rule_words(rules: &MatchRules, crawford_game: bool) -> Vec<&'static str> {
    let is_crawford = matches!(rules.length, Length::Points { crawford: true, .. });
    let is_jacoby = matches!(rules.length, Length::Money(MoneyRules { jacoby: true, .. }));
    let variant = match rules.variant {
        Variant::Standard => None,
        Variant::Nackgammon => Some("Nackgammon"),
        Variant::Hypergammon => Some("Hypergammon3"),
        // Only we know it.
        Variant::LongGammon => Some("LongGammon"),
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
