//! What a condition means, in other words than those of an engine.

use std::collections::BTreeMap;

use chaquete_rules::{MatchEndReason, Seat, Variant};
use proptest::{option, prelude::*, sample::select};

use super::{
    Comparison, Filter, Optional, Relation, Stage, TimeOf,
    arbitrary::{KEYS, SUBJECTS, TIMES, VALUES},
};
use crate::{
    clock::Millis,
    log::Word as _,
    store::{State, words::seat_number},
};

/// What is stored of a match, as far as filters ask for it.
#[derive(Clone, Debug)]
pub(in crate::store) struct Stored {
    pub(in crate::store) stage: Stage,
    pub(in crate::store) subjects: [&'static str; 2],
    pub(in crate::store) labels: BTreeMap<&'static str, &'static str>,
    pub(in crate::store) points: Option<i32>,
    pub(in crate::store) variant: Variant,
    pub(in crate::store) winner: Option<Seat>,
    pub(in crate::store) reason: Option<MatchEndReason>,
    pub(in crate::store) seat_to_act: Option<Seat>,
    pub(in crate::store) imported: bool,
    pub(in crate::store) times: (Millis, Millis, Option<Millis>),
}

prop_compose! {
    /// Any match that the table takes, whether it can be played or not.
    pub(in crate::store) fn stored()(
        stage in select(&Stage::ALL[..]),
        subject_one in select(&SUBJECTS[..]),
        subject_two in select(&SUBJECTS[..]),
        labels in prop::collection::btree_map(select(&KEYS[..]), select(&VALUES[..]), 0..4),
        points in option::of(1..4_i32),
        variant in select(&Variant::ALL[..]),
        winner in option::of(select(&Seat::BOTH[..])),
        reason in option::of(select(MatchEndReason::ALL)),
        seat_to_act in option::of(select(&Seat::BOTH[..])),
        imported in any::<bool>(),
        create_time in select(&TIMES[..]),
        update_time in select(&TIMES[..]),
        end_time in select(&TIMES[..]),
    ) -> Stored {
        let subjects = [subject_one, subject_two];
        let end_time = (stage.stored().0 != State::Active).then_some(end_time);
        let times = (create_time, update_time, end_time);
        Stored { stage, subjects, labels, points, variant, winner, reason, seat_to_act, imported, times }
    }
}

/// A running match of this player against bob, with this label.
pub(in crate::store) fn of(subject: &'static str, event: &'static str) -> Stored {
    Stored {
        stage: Stage::Active,
        subjects: [subject, "bob"],
        labels: [("event", event)].into(),
        points: None,
        variant: Variant::Standard,
        winner: None,
        reason: None,
        seat_to_act: None,
        imported: false,
        times: (0, 0, None),
    }
}

/// Whether a condition holds of a match.
pub(in crate::store) fn holds(filter: &Filter, stored: &Stored) -> bool {
    match filter {
        Filter::And(parts) => parts.iter().all(|part| holds(part, stored)),
        Filter::Or(parts) => parts.iter().any(|part| holds(part, stored)),
        Filter::Not(negated) => !holds(negated, stored),
        Filter::Is(comparison) => is(comparison, stored),
    }
}

fn is(comparison: &Comparison, stored: &Stored) -> bool {
    let winner = stored.winner.map(|seat| stored.subjects[usize::from(seat_number(seat)) - 1]);
    match comparison {
        Comparison::Stage(stage) => stored.stage == *stage,
        Comparison::Player(subject) => stored.subjects.contains(&subject.as_str()),
        Comparison::Label(key, value) => stored.labels.get(key.as_str()) == Some(&value.as_str()),
        Comparison::Points(relation, points) => compares(stored.points, *relation, *points),
        Comparison::Variant(variant) => stored.variant == *variant,
        Comparison::Winner(subject) => winner == Some(subject),
        Comparison::Reason(reason) => stored.reason == Some(*reason),
        Comparison::SeatToAct(seat) => stored.seat_to_act == Some(*seat),
        Comparison::Imported => stored.imported,
        Comparison::Time(TimeOf::Creation, relation, time) => {
            compares(Some(stored.times.0), *relation, *time)
        }
        Comparison::Time(TimeOf::Update, relation, time) => compares(Some(stored.times.1), *relation, *time),
        Comparison::Time(TimeOf::End, relation, time) => compares(stored.times.2, *relation, *time),
        Comparison::Has(Optional::Label(key)) => stored.labels.contains_key(key.as_str()),
        Comparison::Has(Optional::Points) => stored.points.is_some(),
        Comparison::Has(Optional::Winner) => stored.winner.is_some(),
        Comparison::Has(Optional::Reason) => stored.reason.is_some(),
        Comparison::Has(Optional::SeatToAct) => stored.seat_to_act.is_some(),
        Comparison::Has(Optional::EndTime) => stored.times.2.is_some(),
    }
}

fn compares<T: Ord + Copy>(stored: Option<T>, relation: Relation, with: T) -> bool {
    stored.is_some_and(|stored| match relation {
        Relation::Less => stored < with,
        Relation::AtMost => stored <= with,
        Relation::Equal => stored == with,
        Relation::AtLeast => stored >= with,
        Relation::Greater => stored > with,
    })
}
