//! The head of a match file.

use std::fmt::Write as _;

use chaquete_rules::{BySeat, Length, MatchRules, MoneyRules, Seat, Terms, Variant};

use super::text;
use crate::chronicle::Chronicle;
use crate::remark::{Remark, RemarkKind, Term};
use crate::sheet::MAX_BEAVERS;

/// The head as it fills up.
pub(super) struct Head {
    text: String,
    pub(super) names: BySeat<String>,
    remarks: Vec<Remark>,
}

impl Head {
    pub(super) fn of(chronicle: &Chronicle) -> Self {
        let names = BySeat::from_fn(|seat| text::column_name(seat, &chronicle.names()[seat]));
        let mut head = Self { text: String::new(), names, remarks: Vec::new() };
        for seat in Seat::BOTH {
            let written = head.names[seat].clone();
            if written != chronicle.names()[seat] {
                head.remark(RemarkKind::NameChanged { seat, written });
            }
        }
        head.facts(chronicle);
        head.rules(&chronicle.terms().rules);
        head.remark_terms(chronicle.terms());
        head
    }

    fn remark(&mut self, kind: RemarkKind) {
        self.remarks.push(Remark { game: None, kind });
    }

    pub(super) fn tag(&mut self, key: &str, value: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "; [{key} \"{}\"]", text::value(value));
    }

    fn facts(&mut self, chronicle: &Chronicle) {
        let facts = chronicle.facts();
        let date = facts.date.map(|date| date.separated_by('.'));
        let all = [
            ("Site", &facts.site),
            ("Event", &facts.event),
            ("Round", &facts.round),
            ("EventDate", &date),
            ("Transcriber", &facts.transcriber),
        ];
        for (key, value) in all {
            let Some(value) = value else { continue };
            if text::value(value) != *value {
                self.remark(RemarkKind::FactChanged { fact: key });
            }
            self.tag(key, value);
        }
        for seat in Seat::BOTH {
            self.tag(&format!("Player {}", seat.number()), &chronicle.names()[seat]);
        }
    }

    fn rules(&mut self, rules: &MatchRules) {
        self.tag("Variation", variation(rules.variant));
        let on = |is_on: bool| if is_on { "On" } else { "Off" };
        match rules.length {
            Length::Points { crawford, .. } => self.tag("Crawford", on(crawford)),
            Length::Money(money) => {
                self.tag("Jacoby", on(money.jacoby));
                self.tag("Beaver", on(money.max_beavers > 0));
            }
        }
        self.tag("CubeLimit", &rules.max_cube.to_string());
    }

    fn remark_terms(&mut self, terms: &Terms) {
        RemarkKind::of_terms(terms).into_iter().for_each(|kind| self.remark(kind));
        if let Length::Money(MoneyRules { max_beavers, .. }) = terms.rules.length
            && ![0, MAX_BEAVERS].contains(&max_beavers)
        {
            self.remark(RemarkKind::Term(Term::Beavers));
        }
    }

    /// The text down to the match length, and what could not be written of it.
    pub(super) fn finish(mut self, length: Length) -> (String, Vec<Remark>) {
        let points = match length {
            Length::Points { points, .. } => points.get(),
            Length::Money(_) => 0,
        };
        let _ = writeln!(self.text, "\n {points} point match");
        (self.text, self.remarks)
    }
}

const fn variation(variant: Variant) -> &'static str {
    match variant {
        Variant::Standard => "Backgammon",
        Variant::Nackgammon => "NackGammon",
        Variant::Hypergammon => "HyperGammon (3)",
        Variant::LongGammon => "LongGammon",
    }
}
