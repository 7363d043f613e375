//! Any filter that can be written, its values mostly such that some matches have them.

use chaquete_rules::{MatchEndReason, Seat, Variant};
use proptest::{prelude::*, sample::select};

use super::{Comparison, Filter, LabelKey, Optional, Relation, Stage, TimeOf};
use crate::{clock::Millis, log::Word as _};

/// What players are called, in filters and in matches.
pub(crate) const SUBJECTS: [&str; 4] = ["ann", "bob", "u-17", "it's \"\\*%_"];

/// Keys of labels, in filters and in matches.
pub(crate) const KEYS: [&str; 5] = ["event", "a.b-c_d", "0", "true", "-"];

/// Values of labels, in filters and in matches.
pub(crate) const VALUES: [&str; 6] = ["spring", "5", "null", "größe 語 🎲", "') OR TRUE --", "it's \"\\*%_"];

/// Times, in filters and in matches.
pub(crate) const TIMES: [Millis; 4] = [-1, 0, 1, 1_767_225_600_125];

fn text(known: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![4 => select(known).prop_map(str::to_owned), 1 => "\\PC{1,12}"]
}

fn label_key() -> impl Strategy<Value = LabelKey> {
    let key = prop_oneof![4 => select(&KEYS[..]).prop_map(str::to_owned), 1 => "[a-z0-9_.-]{1,63}"];
    key.prop_map(|key| LabelKey::new(&key).expect("a key"))
}

fn relation() -> impl Strategy<Value = Relation> {
    select(vec![Relation::Less, Relation::AtMost, Relation::Equal, Relation::AtLeast, Relation::Greater])
}

fn time() -> impl Strategy<Value = (TimeOf, Relation, Millis)> {
    // The years 0001 to 9998, so that it has four digits wherever it is told.
    let moment = prop_oneof![4 => select(&TIMES[..]), 1 => -62_135_596_800_000..253_370_764_800_000_i64];
    (select(vec![TimeOf::Creation, TimeOf::Update, TimeOf::End]), relation(), moment)
}

fn optional() -> impl Strategy<Value = Optional> {
    prop_oneof![
        label_key().prop_map(Optional::Label),
        select(vec![
            Optional::Points,
            Optional::Winner,
            Optional::Reason,
            Optional::SeatToAct,
            Optional::EndTime,
        ]),
    ]
}

fn comparison() -> impl Strategy<Value = Comparison> {
    prop_oneof![
        select(&Stage::ALL[..]).prop_map(Comparison::Stage),
        text(&SUBJECTS).prop_map(Comparison::Player),
        (label_key(), text(&VALUES)).prop_map(|(key, value)| Comparison::Label(key, value)),
        (relation(), prop_oneof![4 => 0..4_i32, 1 => any::<i32>()])
            .prop_map(|(relation, points)| Comparison::Points(relation, points)),
        select(&Variant::ALL[..]).prop_map(Comparison::Variant),
        text(&SUBJECTS).prop_map(Comparison::Winner),
        select(MatchEndReason::ALL).prop_map(Comparison::Reason),
        select(&Seat::BOTH[..]).prop_map(Comparison::SeatToAct),
        Just(Comparison::Imported),
        time().prop_map(|(of, relation, time)| Comparison::Time(of, relation, time)),
        optional().prop_map(Comparison::Has),
    ]
}

/// Any filter of at most 32 comparisons.
pub(crate) fn filter() -> impl Strategy<Value = Filter> {
    let leaf = comparison().prop_map(Filter::Is);
    leaf.prop_recursive(5, 30, 4, |part| {
        prop_oneof![
            2 => prop::collection::vec(part.clone(), 2..4).prop_map(Filter::And),
            2 => prop::collection::vec(part.clone(), 2..4).prop_map(Filter::Or),
            1 => part.prop_map(Filter::negated),
        ]
    })
    .prop_filter("at most 32 comparisons", |filter| comparisons(filter) <= 32)
}

fn comparisons(filter: &Filter) -> usize {
    match filter {
        Filter::And(parts) | Filter::Or(parts) => parts.iter().map(comparisons).sum(),
        Filter::Not(negated) => comparisons(negated),
        Filter::Is(_) => 1,
    }
}
