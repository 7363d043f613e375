mod refused;
mod written;

use chaquete_rules::{MatchEndReason, Seat, Variant};
use proptest::{prelude::*, sample::select};

use super::*;
use crate::store::{Comparison, LabelKey, Optional, Relation, Stage, TimeOf, any_filter};

fn is(comparison: Comparison) -> Filter {
    Filter::Is(comparison)
}

fn stage(stage: Stage) -> Filter {
    is(Comparison::Stage(stage))
}

fn player(subject: &str) -> Filter {
    is(Comparison::Player(subject.to_owned()))
}

fn points(relation: Relation, points: i32) -> Filter {
    is(Comparison::Points(relation, points))
}

fn key(key: &str) -> LabelKey {
    LabelKey::new(key).unwrap()
}

fn label(name: &str, value: &str) -> Filter {
    is(Comparison::Label(key(name), value.to_owned()))
}

fn has(optional: Optional) -> Filter {
    is(Comparison::Has(optional))
}

fn time(of: TimeOf, relation: Relation, time: i64) -> Filter {
    is(Comparison::Time(of, relation, time))
}

fn all(parts: impl Into<Vec<Filter>>) -> Filter {
    Filter::And(parts.into())
}

fn any_of(parts: impl Into<Vec<Filter>>) -> Filter {
    Filter::Or(parts.into())
}

fn assert_reads<const N: usize>(cases: [(&str, Filter); N]) {
    for (text, filter) in cases {
        assert_eq!(read_filter(text), Ok(filter), "{text}");
    }
}

#[test]
fn the_example_of_the_contract_is_read() {
    let text = r#"state = "MATCH_STATE_ACTIVE" AND players.subject:"u-17" AND labels.event = "spring" AND create_time >= "2026-01-01T00:00:00Z""#;
    let created = time(TimeOf::Creation, Relation::AtLeast, 1_767_225_600_000);
    assert_reads([(text, all([stage(Stage::Active), player("u-17"), label("event", "spring"), created]))]);
}

#[test]
fn the_examples_of_the_documentation_are_read() {
    let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/api.md"));
    let (_, section) = page.split_once("## Filtering lists").unwrap();
    let (examples, _) = section.split_once("```text\n").unwrap().1.split_once("```").unwrap();
    assert_eq!(examples.lines().count(), 7);
    for example in examples.lines() {
        assert!(read_filter(example).is_ok(), "{example}: {:?}", read_filter(example));
    }
}

#[test]
fn every_field_is_compared() {
    assert_reads([
        ("", Filter::EVERY),
        (" \t\r\n ", Filter::EVERY),
        ("state = MATCH_STATE_PENDING", stage(Stage::Pending)),
        ("state='MATCH_STATE_PAUSED'", stage(Stage::Paused)),
        ("state:MATCH_STATE_COMPLETED", stage(Stage::Completed)),
        ("state != MATCH_STATE_CANCELLED", stage(Stage::Cancelled).negated()),
        ("players.subject:u-17", player("u-17")),
        ("players.subject : auth0|5/a+b@c:d~", player("auth0|5/a+b@c:d~")),
        ("labels.event=spring", label("event", "spring")),
        ("labels.event:'spring'", label("event", "spring")),
        ("labels.event != größe", label("event", "größe").negated()),
        ("labels.a.b-c_d = v1.2.3", label("a.b-c_d", "v1.2.3")),
        ("labels.'a.b-c_d' = -5", label("a.b-c_d", "-5")),
        (r#"labels."a".b:x"#, label("a.b", "x")),
        ("labels.0 = true", label("0", "true")),
        ("labels:event", has(Optional::Label(key("event")))),
        ("labels:'a.b'", has(Optional::Label(key("a.b")))),
        ("labels.event:*", has(Optional::Label(key("event")))),
        ("rules.points < 7", points(Relation::Less, 7)),
        ("rules.points<=7", points(Relation::AtMost, 7)),
        ("rules.points = '7'", points(Relation::Equal, 7)),
        ("rules.points:7", points(Relation::Equal, 7)),
        ("rules.points>=7", points(Relation::AtLeast, 7)),
        ("rules.points > -1", points(Relation::Greater, -1)),
        ("rules.points != 7", points(Relation::Equal, 7).negated()),
        ("rules.points:*", has(Optional::Points)),
        ("rules.variant = VARIANT_LONGGAMMON", is(Comparison::Variant(Variant::LongGammon))),
        ("result.winner_subject = ann", is(Comparison::Winner("ann".to_owned()))),
        ("result.winner_subject:*", has(Optional::Winner)),
        ("result.reason:MATCH_END_REASON_TIMEOUT", is(Comparison::Reason(MatchEndReason::Timeout))),
        ("result.reason:*", has(Optional::Reason)),
        ("current_game.seat_to_act = SEAT_TWO", is(Comparison::SeatToAct(Seat::Two))),
        ("current_game.seat_to_act:*", has(Optional::SeatToAct)),
        ("imported = true", is(Comparison::Imported)),
        ("imported = false", is(Comparison::Imported).negated()),
        ("imported != true", is(Comparison::Imported).negated()),
        ("imported != false", is(Comparison::Imported)),
        ("imported:*", is(Comparison::Imported)),
        ("update_time < 1970-01-01T00:00:01Z", time(TimeOf::Update, Relation::Less, 1_000)),
        ("end_time:*", has(Optional::EndTime)),
        ("state:*", Filter::EVERY),
        ("players.subject:*", Filter::EVERY),
        ("rules.variant:*", Filter::EVERY),
        ("create_time:*", Filter::EVERY),
        ("update_time:*", Filter::EVERY),
    ]);
}

#[test]
fn texts_have_two_kinds_of_quotes_and_four_escapes() {
    assert_reads([
        (r#"labels.k = "it's""#, label("k", "it's")),
        (r#"labels.k = 'say "x"'"#, label("k", r#"say "x""#)),
        (r#"labels.k = "a\"b\'c\\d\*e""#, label("k", r#"a"b'c\d*e"#)),
        (r#"labels.k = ' AND (NOT) '"#, label("k", " AND (NOT) ")),
        ("labels.k = 'größe 語 🎲'", label("k", "größe 語 🎲")),
        ("labels.k = 'AND'", label("k", "AND")),
    ]);
}

/// `a`, `b` and so on as terms of the examples of AIP-160.
fn with_terms(text: &str) -> String {
    let term = |word: &str| match word.trim_matches(['(', ')', '-']) {
        letter if letter.len() == 1 => word.replace(letter, &format!("labels.k = {letter}")),
        _ => word.to_owned(),
    };
    text.split(' ').map(term).collect::<Vec<_>>().join(" ")
}

#[test]
fn terms_are_put_together_as_aip_160_says() {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|letter| move || label("k", letter));
    for (text, filter) in [
        ("a AND b", all([a(), b()])),
        ("a OR b OR c", any_of([a(), b(), c()])),
        ("a AND b OR c", all([a(), any_of([b(), c()])])),
        ("a OR b AND c", all([any_of([a(), b()]), c()])),
        ("a b OR c", all([a(), any_of([b(), c()])])),
        ("a b AND c AND d", all([a(), b(), c(), d()])),
        ("(a b) AND c AND d", all([all([a(), b()]), c(), d()])),
        ("(a AND b) OR c", any_of([all([a(), b()]), c()])),
        ("NOT a", a().negated()),
        ("-a", a().negated()),
        ("a -b", all([a(), b().negated()])),
        ("NOT a OR b", any_of([a().negated(), b()])),
        ("NOT (a OR b)", any_of([a(), b()]).negated()),
        ("-(a b)", all([a(), b()]).negated()),
        ("NOT (NOT a)", a()),
        ("( ( a ) )", a()),
    ] {
        assert_reads([(with_terms(text).as_str(), filter)]);
    }
}

#[test]
fn times_have_any_offset_and_count_in_milliseconds() {
    let read = |text: &str| match read_filter(&format!("end_time = {text}")) {
        Ok(Filter::Is(Comparison::Time(TimeOf::End, Relation::Equal, time))) => time,
        other => panic!("{text}: {other:?}"),
    };
    // Seconds as `date --date=... +%s` tells them.
    for (text, millis) in [
        ("1970-01-01T00:00:00Z", 0),
        ("\"2026-01-01T00:00:00Z\"", 1_767_225_600_000),
        ("2012-04-21T11:30:00-04:00", 1_335_022_200_000),
        ("2026-01-31t19:30:00.125+01:00", 1_769_884_200_125),
        ("2026-03-01T00:14:59.5+05:45", 1_772_303_399_500),
        ("2024-02-29T23:59:59.999000000z", 1_709_251_199_999),
        ("1969-12-31T23:59:59.999Z", -1),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        // A leap second is not counted.
        ("2016-12-31T23:59:60Z", 1_483_228_799_000),
    ] {
        assert_eq!(read(text), millis, "{text}");
    }
}

#[test]
fn times_finer_than_milliseconds_divide_them_exactly() {
    let between = |operator| read_filter(&format!("end_time {operator} 1970-01-01T00:00:00.0070001Z"));
    assert_eq!(between("<"), Ok(time(TimeOf::End, Relation::Less, 8)));
    assert_eq!(between("<="), Ok(time(TimeOf::End, Relation::AtMost, 7)));
    assert_eq!(between(">="), Ok(time(TimeOf::End, Relation::AtLeast, 8)));
    assert_eq!(between(">"), Ok(time(TimeOf::End, Relation::Greater, 7)));
    for operator in ["=", "!=", ":"] {
        assert!(between(operator).unwrap_err().because.contains("whole milliseconds"));
    }
    let before_1970 = read_filter("end_time < 1969-12-31T23:59:59.9985Z");
    assert_eq!(before_1970, Ok(time(TimeOf::End, Relation::Less, -1)));
}

/// Texts of pieces that make sense, mostly in orders that do not.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => select(vec![
            "state", "players", ".", "subject", "labels", "rules.points", "imported", "end_time", "key", " ",
            " ", " ", "=", "!=", "<", ":", "*", "AND", "OR", "NOT", "-", "(", ")", "true", "7", "'", "\"",
            "\\", ",", "MATCH_STATE_ACTIVE", "2026-01-01T00:00:00Z", "imported = true", " AND ", " OR ",
            "labels.k:*", "é", "\0",
        ])
        .prop_map(str::to_owned),
        1 => "\\PC",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn what_is_written_is_read(filter in any_filter(), choices in prop::collection::vec(any::<u8>(), 64)) {
        let text = written::write(&filter, &choices);
        if text.chars().count() <= MAX_LENGTH {
            prop_assert_eq!(read_filter(&text), Ok(filter), "{}", text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_place_in_it(text in prop_oneof![pieces(), ".{0,100}"]) {
        match read_filter(&text) {
            Ok(filter) => prop_assert_eq!(read_filter(&written::write(&filter, &[0])), Ok(filter)),
            Err(bad) => {
                prop_assert!(bad.position <= text.chars().count(), "{}", bad);
                prop_assert!((10..400).contains(&bad.because.len()), "{}", bad);
            }
        }
    }
}
