//! What a comparison means: which fields there are, and what each can be compared with.

use std::str::FromStr as _;

use chaquete_rules::{MatchEndReason, Seat, Variant};
use prost_types::Timestamp;

use super::{Placed, Read};
use crate::{
    clock::Millis,
    log::Word as _,
    store::{Comparison, Filter, LabelKey, Optional, Relation, Stage, TimeOf},
    wire::words,
};

/// What is compared.
pub(super) enum Field {
    Stage,
    Player,
    /// All labels of a match.
    Labels,
    /// The label of a key.
    Label(LabelKey),
    Points,
    Variant,
    Winner,
    Reason,
    SeatToAct,
    Imported,
    Time(TimeOf),
}

const FIELDS: [(&str, Field); 12] = [
    ("state", Field::Stage),
    ("players.subject", Field::Player),
    ("labels", Field::Labels),
    ("rules.points", Field::Points),
    ("rules.variant", Field::Variant),
    ("result.winner_subject", Field::Winner),
    ("result.reason", Field::Reason),
    ("current_game.seat_to_act", Field::SeatToAct),
    ("imported", Field::Imported),
    ("create_time", Field::Time(TimeOf::Creation)),
    ("update_time", Field::Time(TimeOf::Update)),
    ("end_time", Field::Time(TimeOf::End)),
];

impl Field {
    /// The field of this name, other than a single label.
    pub(super) fn named(name: &str) -> Option<Self> {
        FIELDS.into_iter().find_map(|(known, field)| (known == name).then_some(field))
    }

    /// The names of all fields.
    pub(super) fn names() -> String {
        FIELDS.map(|(name, _)| if name == "labels" { "labels.KEY" } else { name }).join(", ")
    }
}

/// How it is compared.
pub(super) enum Operator {
    Is(Relation),
    IsNot,
    Has,
}

/// What it is compared with.
pub(super) enum Value {
    /// `*`: whatever is there.
    Any,
    Text(String),
}

/// What the key of a label must be.
pub(super) const KEY: &str =
    "the key of a label is expected: 1 to 63 small letters, digits, `_`, `.` and `-`";

/// What a comparison means. What is not equal differs, so also what is not there.
pub(super) fn meaning(field: Field, operator: &Placed<Operator>, value: &Placed<Value>) -> Read<Filter> {
    let value = match (&value.it, &operator.it) {
        (Value::Text(text), _) => Placed { at: value.at, it: text.as_str() },
        (Value::Any, Operator::Has) => return presence(field).ok_or_else(|| value.bad(KEY)),
        (Value::Any, _) => return Err(operator.bad("`:` is expected before `*`")),
    };
    check_operator(&field, operator)?;
    match operator.it {
        Operator::Has => compared(field, Relation::Equal, &value),
        Operator::Is(relation) => compared(field, relation, &value),
        Operator::IsNot => compared(field, Relation::Equal, &value).map(Filter::negated),
    }
}

fn check_operator(field: &Field, operator: &Placed<Operator>) -> Read<()> {
    match (field, &operator.it) {
        (_, Operator::Has) | (Field::Points | Field::Time(_), _) => Ok(()),
        (Field::Player | Field::Labels, _) => {
            Err(operator.bad("`:` is expected: a match has several of these"))
        }
        (_, Operator::IsNot | Operator::Is(Relation::Equal)) => Ok(()),
        (_, Operator::Is(_)) => Err(operator.bad("`=`, `!=` or `:` is expected: this field has no order")),
    }
}

fn compared(field: Field, relation: Relation, value: &Placed<&str>) -> Read<Filter> {
    Ok(Filter::Is(match field {
        Field::Stage => Comparison::Stage(one_of(value, &Stage::ALL, stage_name)?),
        Field::Player => Comparison::Player(text(value)?),
        Field::Labels => Comparison::Has(Optional::Label(key(value)?)),
        Field::Label(key) => Comparison::Label(key, text(value)?),
        Field::Points => Comparison::Points(relation, number(value)?),
        Field::Variant => {
            Comparison::Variant(one_of(value, &Variant::ALL, |it| words::variant(it).as_str_name())?)
        }
        Field::Winner => Comparison::Winner(text(value)?),
        Field::Reason => {
            Comparison::Reason(one_of(value, MatchEndReason::ALL, |it| words::match_end(it).as_str_name())?)
        }
        Field::SeatToAct => {
            Comparison::SeatToAct(one_of(value, &Seat::BOTH, |it| words::seat(it).as_str_name())?)
        }
        Field::Imported if flag(value)? => Comparison::Imported,
        Field::Imported => return Ok(Filter::Is(Comparison::Imported).negated()),
        Field::Time(of) => Comparison::Time(of, relation, moment(value, relation)?),
    }))
}

pub(super) fn stage_name(stage: Stage) -> &'static str {
    let (state, waiting) = stage.stored();
    words::match_state(state, waiting).as_str_name()
}

/// Whether a match has this field; `None` for all labels at once.
fn presence(field: Field) -> Option<Filter> {
    let optional = match field {
        Field::Labels => return None,
        Field::Imported => return Some(Filter::Is(Comparison::Imported)),
        Field::Stage | Field::Player | Field::Variant | Field::Time(TimeOf::Creation | TimeOf::Update) => {
            return Some(Filter::EVERY);
        }
        Field::Label(key) => Optional::Label(key),
        Field::Points => Optional::Points,
        Field::Winner => Optional::Winner,
        Field::Reason => Optional::Reason,
        Field::SeatToAct => Optional::SeatToAct,
        Field::Time(TimeOf::End) => Optional::EndTime,
    };
    Some(Filter::Is(Comparison::Has(optional)))
}

fn one_of<T: Copy>(value: &Placed<&str>, all: &[T], name: impl Fn(T) -> &'static str) -> Read<T> {
    let found = all.iter().copied().find(|&it| name(it) == value.it);
    found.ok_or_else(|| {
        let names: Vec<_> = all.iter().copied().map(name).collect();
        value.bad(format!("one of these values is expected: {}", names.join(", ")))
    })
}

fn key(value: &Placed<&str>) -> Read<LabelKey> {
    LabelKey::new(value.it).ok_or_else(|| value.bad(KEY))
}

fn text(value: &Placed<&str>) -> Read<String> {
    let is_some = !value.it.is_empty();
    is_some
        .then(|| value.it.to_owned())
        .ok_or_else(|| value.bad("no such value is empty: to ask whether there is one, write `:*`"))
}

fn number(value: &Placed<&str>) -> Read<i32> {
    value.it.parse().map_err(|_| value.bad("a whole number of 32 bits is expected"))
}

fn flag(value: &Placed<&str>) -> Read<bool> {
    value.it.parse().map_err(|_| value.bad("`true` or `false` is expected"))
}

/// The moment that divides milliseconds as the text does with this relation: a text may be finer.
fn moment(value: &Placed<&str>, relation: Relation) -> Read<Millis> {
    let timestamp = is_rfc_3339(value.it).then(|| Timestamp::from_str(value.it).ok()).flatten();
    let Timestamp { seconds, nanos } = timestamp.ok_or_else(|| {
        value
            .bad("a time of RFC 3339 is expected, like 2026-01-31T18:30:00.125Z or 2026-01-31T19:30:00+01:00")
    })?;
    let before = seconds * 1_000 + i64::from(nanos / 1_000_000);
    let is_finer = nanos % 1_000_000 != 0;
    match relation {
        Relation::Equal if is_finer => {
            Err(value.bad("whole milliseconds are expected: no time of a match is finer"))
        }
        Relation::Less | Relation::AtLeast => Ok(before + i64::from(is_finer)),
        Relation::AtMost | Relation::Equal | Relation::Greater => Ok(before),
    }
}

/// Whether a text has the form of a time of RFC 3339. The library that reads it knows more forms than that.
fn is_rfc_3339(text: &str) -> bool {
    let form = text.to_ascii_uppercase().replace(|c: char| c.is_ascii_digit(), "0");
    let Some(rest) = form.strip_prefix("0000-00-00T00:00:00") else { return false };
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches('0');
            if !(1..=9).contains(&(fraction.len() - zone.len())) {
                return false;
            }
            zone
        }
        None => rest,
    };
    matches!(zone, "Z" | "+00:00" | "-00:00")
}
