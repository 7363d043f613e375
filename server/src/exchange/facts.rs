//! Where and when a match was played, as annotations.

use std::collections::BTreeMap;

use chaquete_record::{Date, Facts};

use crate::clock::Millis;

/// Annotations by their keys.
type Annotations = BTreeMap<String, String>;

/// A fact that is a text.
type Text = fn(&mut Facts) -> &mut Option<String>;

/// The keys, each with the fact that it is of.
const TEXTS: [(&str, Text); 4] = [
    ("event", |facts| &mut facts.event),
    ("round", |facts| &mut facts.round),
    ("site", |facts| &mut facts.site),
    ("transcriber", |facts| &mut facts.transcriber),
];
const DATE: &str = "date";

/// The longest fact that is kept, in bytes: no annotation may be longer than that many times over.
const LONGEST: usize = 256;

/// What is to be kept of the facts of a record: as much as could be given as an annotation.
pub(super) fn annotations(mut facts: Facts) -> Annotations {
    let date = facts.date.map(|date| (DATE.to_owned(), date.to_string()));
    let texts = TEXTS.map(|(key, fact)| Some((key.to_owned(), fact(&mut facts).take()?)));
    let fits =
        |(_, value): &(String, String)| !value.is_empty() && value.len() <= LONGEST && !value.contains('\0');
    texts.into_iter().flatten().chain(date).filter(fits).collect()
}

/// The facts of a match, by its annotations; it was played when it was created, if they do not say when.
pub(super) fn facts(annotations: &Annotations, created: Millis) -> Facts {
    let date = annotations.get(DATE).and_then(|date| Date::read(date));
    let mut facts = Facts { date: date.or_else(|| day(created)), ..Facts::default() };
    for (key, fact) in TEXTS {
        *fact(&mut facts) = annotations.get(key).cloned();
    }
    facts
}

/// The day of a moment, in UTC.
fn day(moment: Millis) -> Option<Date> {
    const DAY: Millis = 24 * 60 * 60 * 1_000;
    Date::on_day(moment.div_euclid(DAY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_back_from_annotations() {
        let known = Facts {
            event: Some("Spring Open".to_owned()),
            round: Some("Final".to_owned()),
            site: Some("Lisbon".to_owned()),
            date: Date::new(2024, 2, 29),
            transcriber: Some("Ana".to_owned()),
        };
        assert_eq!(facts(&annotations(known.clone()), 0), known);
        let long =
            Facts { event: Some("x".repeat(LONGEST + 1)), site: Some(String::new()), ..Facts::default() };
        assert!(annotations(long).is_empty());
        let zero = Facts { event: Some("Spring\0Open".to_owned()), ..Facts::default() };
        assert!(annotations(zero).is_empty(), "no annotation may hold it");
    }

    #[test]
    fn a_match_of_today_was_played_when_it_was_created() {
        let date = |moment| facts(&Annotations::new(), moment).date;
        assert_eq!(date(0), Date::new(1970, 1, 1));
        assert_eq!(date(1_767_225_600_000), Date::new(2026, 1, 1));
        assert_eq!(date(1_767_225_599_999), Date::new(2025, 12, 31));
        assert_eq!(date(-1), Date::new(1969, 12, 31));
    }
}
