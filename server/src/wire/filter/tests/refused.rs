//! Texts that are no filters, and what is told of them.

use crate::{
    store::{Comparison, Filter},
    wire::filter::{BadFilter, read_filter},
};

/// What is told of a text that is no filter.
fn bad(text: &str) -> (usize, String) {
    let BadFilter { position, because } = read_filter(text).expect_err(text);
    (position, because)
}

#[test]
fn the_first_error_is_told_with_its_place() {
    const FIELD: &str = "one of these fields is expected: state, players.subject, labels.KEY, rules.points";
    const OPERATOR: &str = "an operator is expected";
    const VALUE: &str = "one value is expected";
    const KEYWORD: &str = "AND, OR and NOT stand between comparisons, in capitals";
    for (text, position, because) in [
        // Fields.
        ("prod", 0, FIELD),
        ("  State = MATCH_STATE_ACTIVE", 2, FIELD),
        ("state.x = MATCH_STATE_ACTIVE", 0, FIELD),
        ("players.0.subject:ann", 0, FIELD),
        ("players.subject.x:ann", 0, FIELD),
        ("players . subject:ann", 0, FIELD),
        ("rules.points. = 7", 0, FIELD),
        ("name = x", 0, FIELD),
        ("'state' = MATCH_STATE_ACTIVE", 0, FIELD),
        ("\"état\" = x", 0, FIELD),
        ("7 < rules.points", 0, FIELD),
        ("= x", 0, FIELD),
        ("imported = true x", 16, FIELD),
        ("regex(state, '.*')", 0, FIELD),
        ("labels.", 7, "the key of a label is expected"),
        ("labels. = x", 7, "the key of a label is expected"),
        ("labels.Event = x", 7, "the key of a label is expected"),
        ("labels.größe = x", 7, "the key of a label is expected"),
        ("labels.'a b' = x", 7, "the key of a label is expected"),
        ("labels.'$.x\"' = x", 7, "the key of a label is expected"),
        ("labels:Event", 7, "the key of a label is expected"),
        ("labels:*", 7, "the key of a label is expected"),
        // Operators.
        ("imported", 8, OPERATOR),
        ("NOT imported", 12, OPERATOR),
        ("imported true", 9, OPERATOR),
        ("imported ! true", 9, OPERATOR),
        ("imported, true", 8, OPERATOR),
        ("state(imported)", 5, OPERATOR),
        ("state < MATCH_STATE_ACTIVE", 6, "`=`, `!=` or `:` is expected: this field has no order"),
        ("imported >= true", 9, "`=`, `!=` or `:` is expected: this field has no order"),
        ("labels.event > spring", 13, "`=`, `!=` or `:` is expected: this field has no order"),
        ("result.winner_subject <= ann", 22, "`=`, `!=` or `:` is expected: this field has no order"),
        ("rules.variant > VARIANT_STANDARD", 14, "`=`, `!=` or `:` is expected"),
        ("current_game.seat_to_act < SEAT_TWO", 25, "`=`, `!=` or `:` is expected"),
        ("result.reason < MATCH_END_REASON_TIMEOUT", 14, "`=`, `!=` or `:` is expected"),
        ("players.subject = ann", 16, "`:` is expected: a match has several of these"),
        ("players.subject != ann", 16, "`:` is expected: a match has several of these"),
        ("labels = event", 7, "`:` is expected: a match has several of these"),
        ("labels.event = *", 13, "`:` is expected before `*`"),
        ("rules.points > *", 13, "`:` is expected before `*`"),
        // Values.
        ("imported =", 10, VALUE),
        ("imported == true", 10, VALUE),
        ("imported = )", 11, VALUE),
        ("state = (MATCH_STATE_ACTIVE OR MATCH_STATE_PAUSED)", 8, VALUE),
        ("labels.event = AND imported = true", 15, VALUE),
        ("labels.event = \\", 15, VALUE),
        ("imported = TRUE", 11, "`true` or `false` is expected"),
        ("imported = 1", 11, "`true` or `false` is expected"),
        ("rules.points = x", 15, "a whole number of 32 bits is expected"),
        ("rules.points = ''", 15, "a whole number of 32 bits is expected"),
        ("rules.points = 7.0", 15, "a whole number of 32 bits is expected"),
        ("rules.points = 2147483648", 15, "a whole number of 32 bits is expected"),
        (
            "state = ACTIVE",
            8,
            "one of these values is expected: MATCH_STATE_PENDING, MATCH_STATE_ACTIVE, MATCH_",
        ),
        ("state = match_state_active", 8, "one of these values is expected"),
        ("state = MATCH_STATE_UNSPECIFIED", 8, "one of these values is expected"),
        ("state = ''", 8, "one of these values is expected"),
        ("state != 2", 9, "one of these values is expected"),
        ("rules.variant = standard", 16, "one of these values is expected: VARIANT_STANDARD, VARIANT_NACK"),
        ("result.reason = timeout", 16, "one of these values is expected: MATCH_END_REASON_POINTS_REACHED, "),
        ("current_game.seat_to_act = 1", 27, "one of these values is expected: SEAT_ONE, SEAT_TWO"),
        ("labels.event = ''", 15, "no such value is empty"),
        ("players.subject:''", 16, "no such value is empty"),
        ("result.winner_subject = \"\"", 24, "no such value is empty"),
        ("labels.event = spring*", 15, "`*` stands only alone"),
        ("labels.event:**", 13, "`*` stands only alone"),
        ("labels.event = '*.foo'", 16, "`*` stands only alone"),
        ("labels.event = 'x", 15, "the quote at the end of this text is missing"),
        ("labels.event = 'x\"", 15, "the quote at the end of this text is missing"),
        ("labels.event = 'x\\'", 15, "the quote at the end of this text is missing"),
        ("labels.event = 'größe\\n'", 21, "`\\` stands only before"),
        ("labels.event = '\\", 16, "`\\` stands only before"),
        ("labels.event = 'a\nb'", 17, "there are no control characters in texts"),
        ("labels.event = 'a\0b'", 17, "there are no control characters in texts"),
        // How they are put together.
        ("AND imported = true", 0, KEYWORD),
        ("imported = true AND", 19, FIELD),
        ("imported = true and imported = true", 16, KEYWORD),
        ("imported = true AND OR imported = true", 20, KEYWORD),
        ("imported = true OR", 18, FIELD),
        ("NOT", 3, FIELD),
        ("NOT NOT imported = true", 4, KEYWORD),
        ("--imported = true", 1, FIELD),
        ("- imported = true", 1, FIELD),
        ("NOT(imported = true)", 3, "a space is expected"),
        ("imported = true AND(imported = true)", 19, "a space is expected"),
        ("(imported = true)(imported = true)", 17, "a space is expected"),
        ("labels.a='x'labels.b='y'", 12, "a space is expected"),
        ("imported = true, imported = true", 15, "a space is expected"),
        ("()", 1, FIELD),
        ("(", 1, FIELD),
        ("(imported = true", 16, "the `)` of an open `(` is missing"),
        ("imported = true)", 15, "no `(` belongs to this `)`"),
        (") imported = true", 0, FIELD),
        ("imported = true; DROP TABLE matches", 11, "`true` or `false` is expected"),
        ("größe = 1", 0, FIELD),
        ("labels.x = größe 語", 17, FIELD),
    ] {
        let (at, told) = bad(text);
        assert_eq!(at, position, "{text}: {told}");
        assert!(told.starts_with(because), "{text}: {told}");
    }
}

#[test]
fn times_are_those_of_rfc_3339() {
    for wrong in [
        "2026",
        "2026-01-01",
        "2026-01-01T00:00Z",
        "2026-01-01T00:00:00",
        "'2026-01-01 00:00:00Z'",
        "'2026-01-01T00:00:00 Z'",
        "2026-01-01T00:00:00+0100",
        "2026-01-01T00:00:00+01",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00.0000000001Z",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:61Z",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00+00:60",
        "+12026-01-01T00:00:00Z",
        "-2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00ZZ",
        "1767225600000",
        "now",
        "''",
    ] {
        let (position, because) = bad(&format!("create_time < {wrong}"));
        assert_eq!(position, 14, "{wrong}");
        assert!(because.starts_with("a time of RFC 3339 is expected"), "{wrong}: {because}");
    }
}

#[test]
fn filters_are_bounded() {
    let long = |length: usize| format!("labels.k = '{}'", "é".repeat(length - 13));
    assert!(read_filter(&long(2_000)).is_ok());
    assert_eq!(bad(&long(2_001)), (2_000, "a filter has at most 2,000 characters".to_owned()));

    let keyed = |length: usize| format!("labels.{}:*", "k".repeat(length));
    assert!(read_filter(&keyed(63)).is_ok());
    assert_eq!(bad(&keyed(64)).0, 7);

    let many = |count: usize| vec!["imported = true"; count].join(" OR ");
    assert!(read_filter(&many(32)).is_ok());
    assert_eq!(bad(&many(33)), (32 * 19, "a filter has at most 32 comparisons".to_owned()));

    let deep = |depth: usize| format!("{}imported = true{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(read_filter(&deep(32)), Ok(Filter::Is(Comparison::Imported)));
    let too_deep = (32, "a filter has at most 32 parentheses within each other".to_owned());
    assert_eq!(bad(&deep(33)), too_deep);
    assert_eq!(bad(&"(".repeat(2_000)), too_deep);
    // One after the other they are not within each other.
    assert!(read_filter(&vec!["(imported = true)"; 32].join(" AND ")).is_ok());
    assert_eq!(bad(&"-(".repeat(1_000)), (65, too_deep.1));
}
