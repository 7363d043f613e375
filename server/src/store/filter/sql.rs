//! Conditions as SQL. What callers write is in parameters only: text of a statement is all our own.
//!
//! A comparison with what a match does not have is NULL. `AND` and `OR` make no more of that than of `FALSE`, and
//! a negation asks whether its condition `IS NOT TRUE`. So comparisons stay plain enough for indexes, and every
//! condition holds or does not.

use sqlx::{Database, Encode, Postgres, QueryBuilder, Sqlite, Type};

use super::{Comparison, Filter, LabelKey, Optional, Relation, Stage, TimeOf};
use crate::{
    log::Word as _,
    store::{State, words::seat_number},
};

/// An engine, in what differs from others.
pub(in crate::store) trait Dialect: Database {
    /// How it keeps labels.
    const LABELS: Labels;
}

/// How labels are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Labels {
    /// As text that is JSON, perhaps.
    Text,
    /// As `jsonb`, with an index over all labels.
    Jsonb,
}

impl Dialect for Sqlite {
    const LABELS: Labels = Labels::Text;
}

impl Dialect for Postgres {
    const LABELS: Labels = Labels::Jsonb;
}

/// Adds a condition on the columns of `matches`, in parentheses.
pub(in crate::store) fn push_filter<DB>(sql: &mut QueryBuilder<DB>, filter: &Filter)
where
    DB: Dialect,
    String: for<'t> Encode<'t, DB> + Type<DB>,
    i64: for<'t> Encode<'t, DB> + Type<DB>,
{
    let mut condition = Condition { labels: DB::LABELS, pieces: Vec::new() };
    condition.filter(filter);
    for piece in condition.pieces {
        match piece {
            Piece::Sql(text) => sql.push(text),
            Piece::Text(value) => sql.push_bind(value),
            Piece::Number(value) => sql.push_bind(value),
        };
    }
}

/// A piece of a statement.
enum Piece {
    /// Text of ours.
    Sql(&'static str),
    /// A parameter.
    Text(String),
    /// A parameter.
    Number(i64),
}

/// A condition that is being written.
struct Condition {
    labels: Labels,
    pieces: Vec<Piece>,
}

impl Condition {
    fn sql(&mut self, text: &'static str) -> &mut Self {
        self.pieces.push(Piece::Sql(text));
        self
    }

    fn text(&mut self, value: &str) -> &mut Self {
        self.pieces.push(Piece::Text(value.to_owned()));
        self
    }

    fn number(&mut self, value: i64) -> &mut Self {
        self.pieces.push(Piece::Number(value));
        self
    }

    fn filter(&mut self, filter: &Filter) -> &mut Self {
        self.sql("(");
        match filter {
            Filter::And(parts) => self.joined(parts, " AND ", "TRUE"),
            Filter::Or(parts) => self.joined(parts, " OR ", "FALSE"),
            Filter::Not(negated) => self.filter(negated).sql(" IS NOT TRUE"),
            Filter::Is(comparison) => self.comparison(comparison),
        };
        self.sql(")")
    }

    fn joined(&mut self, parts: &[Filter], operator: &'static str, of_none: &'static str) -> &mut Self {
        let Some((first, others)) = parts.split_first() else { return self.sql(of_none) };
        self.filter(first);
        others.iter().fold(self, |condition, part| condition.sql(operator).filter(part))
    }

    fn comparison(&mut self, comparison: &Comparison) -> &mut Self {
        match comparison {
            Comparison::Stage(stage) => self.stage(*stage),
            Comparison::Player(subject) => self.text(subject).sql(" IN (subject_one, subject_two)"),
            Comparison::Label(key, value) => self.label(key, value),
            Comparison::Points(relation, points) => {
                self.sql("points").sql(operator(*relation)).number((*points).into())
            }
            Comparison::Variant(variant) => self.sql("variant = ").text(variant.word()),
            Comparison::Winner(subject) => {
                self.sql("CASE winner WHEN 1 THEN subject_one WHEN 2 THEN subject_two END = ").text(subject)
            }
            Comparison::Reason(reason) => self.sql("reason = ").text(reason.word()),
            Comparison::SeatToAct(seat) => self.sql("seat_to_act = ").number(seat_number(*seat).into()),
            Comparison::Imported => self.sql("imported"),
            Comparison::Time(of, relation, time) => {
                self.sql(time_column(*of)).sql(operator(*relation)).number(*time)
            }
            Comparison::Has(optional) => self.present(optional),
        }
    }

    /// The state is told in the text: an engine that does not see it does not use an index of running matches.
    fn stage(&mut self, stage: Stage) -> &mut Self {
        let (state, waiting) = stage.stored();
        self.sql("state = '").sql(state.word()).sql("'");
        match (state, waiting) {
            (_, Some(waiting)) => self.sql(" AND waiting = '").sql(waiting.word()).sql("'"),
            (State::Active, None) => self.sql(" AND waiting IS NULL"),
            (State::Completed | State::Cancelled, None) => self,
        }
    }

    fn label(&mut self, key: &LabelKey, value: &str) -> &mut Self {
        match self.labels {
            Labels::Text => self.label_value(key).sql(" = ").text(value),
            // The one question that the index answers.
            Labels::Jsonb => {
                self.sql("labels @> jsonb_build_object(").text(key.as_str()).sql(", ").text(value).sql(")")
            }
        }
    }

    /// The value of a label of which the labels are text. Labels that are damaged are none, and no reason to fail: the other
    /// matches have theirs.
    fn label_value(&mut self, key: &LabelKey) -> &mut Self {
        self.sql("CASE WHEN json_valid(labels) THEN labels ->> ").text(key.as_str()).sql(" END")
    }

    fn present(&mut self, optional: &Optional) -> &mut Self {
        match (optional, self.labels) {
            (Optional::Label(key), Labels::Text) => self.label_value(key).sql(" IS NOT NULL"),
            (Optional::Label(key), Labels::Jsonb) => self.sql("labels ? ").text(key.as_str()),
            (Optional::Points, _) => self.sql("points IS NOT NULL"),
            (Optional::Winner, _) => self.sql("winner IS NOT NULL"),
            (Optional::Reason, _) => self.sql("reason IS NOT NULL"),
            (Optional::SeatToAct, _) => self.sql("seat_to_act IS NOT NULL"),
            (Optional::EndTime, _) => self.sql("end_time IS NOT NULL"),
        }
    }
}

const fn operator(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => " < ",
        Relation::AtMost => " <= ",
        Relation::Equal => " = ",
        Relation::AtLeast => " >= ",
        Relation::Greater => " > ",
    }
}

const fn time_column(of: TimeOf) -> &'static str {
    match of {
        TimeOf::Creation => "create_time",
        TimeOf::Update => "update_time",
        TimeOf::End => "end_time",
    }
}
