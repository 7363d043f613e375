//! Filters as texts, in one of the many ways in which each can be written.

use prost_types::Timestamp;

use crate::{
    store::{Comparison, Filter, Optional, Relation, TimeOf},
    wire::{filter::meaning::stage_name, scalar, words},
};

/// The text of a filter; which one, the choices say.
pub(super) fn write(filter: &Filter, choices: &[u8]) -> String {
    Writer { choices: choices.iter().copied().cycle() }.top(filter)
}

struct Writer<I> {
    choices: I,
}

impl<I: Iterator<Item = u8>> Writer<I> {
    fn choose<T: Copy, const N: usize>(&mut self, among: [T; N]) -> T {
        among[usize::from(self.choices.next().unwrap()) % N]
    }

    fn top(&mut self, filter: &Filter) -> String {
        match filter {
            Filter::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.part(part)).collect();
                parts.join(self.choose([" AND ", " ", "\n", "  AND\t"]))
            }
            other => self.part(other),
        }
    }

    /// A part of what holds if all of its parts do.
    fn part(&mut self, filter: &Filter) -> String {
        match filter {
            Filter::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.term(part)).collect();
                parts.join(self.choose([" OR ", "\tOR  "]))
            }
            other => self.term(other),
        }
    }

    fn term(&mut self, filter: &Filter) -> String {
        match filter {
            Filter::Not(negated) => self.negation(negated),
            Filter::Is(comparison) if self.choose([true, true, false]) => self.comparison(comparison, false),
            other => self.group(other),
        }
    }

    fn group(&mut self, filter: &Filter) -> String {
        let [open, close] = self.choose([["(", ")"], ["( ", " )"]]);
        format!("{open}{}{close}", self.top(filter))
    }

    fn negation(&mut self, negated: &Filter) -> String {
        let sign = self.choose(["NOT ", "-", "NOT  "]);
        match negated {
            Filter::Is(comparison) if has_opposite(comparison) && self.choose([true, false]) => {
                self.comparison(comparison, true)
            }
            Filter::Is(comparison) if self.choose([true, false]) => {
                format!("{sign}{}", self.comparison(comparison, false))
            }
            other => format!("{sign}{}", self.group(other)),
        }
    }

    fn comparison(&mut self, comparison: &Comparison, is_opposite: bool) -> String {
        let space = self.choose(["", " "]);
        let equal = if is_opposite { "!=" } else { self.choose(["=", ":"]) };
        let (field, operator, value) = match comparison {
            Comparison::Has(Optional::Label(key)) if self.choose([true, false]) => {
                ("labels".to_owned(), ":", self.text(key.as_str()))
            }
            Comparison::Has(optional) => (self.optional(optional), ":", "*".to_owned()),
            Comparison::Stage(stage) => ("state".to_owned(), equal, self.text(stage_name(*stage))),
            Comparison::Player(subject) => ("players.subject".to_owned(), ":", self.text(subject)),
            Comparison::Label(key, value) => (self.label(key.as_str()), equal, self.text(value)),
            Comparison::Points(relation, points) => {
                ("rules.points".to_owned(), order(*relation, equal), self.text(&points.to_string()))
            }
            Comparison::Variant(variant) => {
                ("rules.variant".to_owned(), equal, self.text(words::variant(*variant).as_str_name()))
            }
            Comparison::Winner(subject) => ("result.winner_subject".to_owned(), equal, self.text(subject)),
            Comparison::Reason(reason) => {
                ("result.reason".to_owned(), equal, self.text(words::match_end(*reason).as_str_name()))
            }
            Comparison::SeatToAct(seat) => {
                ("current_game.seat_to_act".to_owned(), equal, self.text(words::seat(*seat).as_str_name()))
            }
            Comparison::Imported => {
                let value = self.choose(["true", "'true'"]);
                ("imported".to_owned(), equal, value.to_owned())
            }
            Comparison::Time(of, relation, time) => {
                let time = self.time(scalar::timestamp(*time));
                (time_field(*of).to_owned(), order(*relation, equal), self.text(&time))
            }
        };
        format!("{field}{space}{operator}{space}{value}")
    }

    fn optional(&mut self, optional: &Optional) -> String {
        match optional {
            Optional::Label(key) => self.label(key.as_str()),
            Optional::Points => "rules.points".to_owned(),
            Optional::Winner => "result.winner_subject".to_owned(),
            Optional::Reason => "result.reason".to_owned(),
            Optional::SeatToAct => "current_game.seat_to_act".to_owned(),
            Optional::EndTime => "end_time".to_owned(),
        }
    }

    fn label(&mut self, key: &str) -> String {
        let quote = self.choose(["", "\"", "'"]);
        format!("labels.{quote}{key}{quote}")
    }

    fn text(&mut self, text: &str) -> String {
        let is_word = text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:+|/@~%".contains(c));
        let quote = self.choose(['"', '\'']);
        if is_word && !["AND", "OR", "NOT"].contains(&text) && self.choose([true, false]) {
            return text.to_owned();
        }
        let escapes_both = self.choose([true, false]);
        let escape = |c| match c {
            '\\' | '*' => format!("\\{c}"),
            '"' | '\'' if c == quote || escapes_both => format!("\\{c}"),
            other => other.to_string(),
        };
        format!("{quote}{}{quote}", text.chars().map(escape).collect::<String>())
    }

    /// A moment as a clock of some zone shows it.
    fn time(&mut self, moment: Timestamp) -> String {
        let (zone, minutes) =
            self.choose([("Z", 0), ("z", 0), ("+00:00", 0), ("-03:30", -210), ("+23:59", 1_439)]);
        let there = Timestamp { seconds: moment.seconds + minutes * 60, ..moment };
        there.to_string().replace('Z', zone)
    }
}

/// Whether there is an operator for what is not so.
const fn has_opposite(comparison: &Comparison) -> bool {
    match comparison {
        Comparison::Points(relation, _) | Comparison::Time(_, relation, _) => {
            matches!(relation, Relation::Equal)
        }
        Comparison::Player(_) | Comparison::Has(_) => false,
        _ => true,
    }
}

const fn order(relation: Relation, equal: &'static str) -> &'static str {
    match relation {
        Relation::Less => "<",
        Relation::AtMost => "<=",
        Relation::Equal => equal,
        Relation::AtLeast => ">=",
        Relation::Greater => ">",
    }
}

const fn time_field(of: TimeOf) -> &'static str {
    match of {
        TimeOf::Creation => "create_time",
        TimeOf::Update => "update_time",
        TimeOf::End => "end_time",
    }
}
