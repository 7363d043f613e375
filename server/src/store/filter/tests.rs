mod engines;

use sqlx::{Encode, Postgres, QueryBuilder, Sqlite, Type};

use super::{
    sql::{Dialect, push_filter},
    *,
};

fn is(comparison: Comparison) -> Filter {
    Filter::Is(comparison)
}

fn player(subject: &str) -> Filter {
    is(Comparison::Player(subject.to_owned()))
}

fn key(key: &str) -> LabelKey {
    LabelKey::new(key).unwrap()
}

fn sql<DB: Dialect>(filter: &Filter) -> String
where
    String: for<'t> Encode<'t, DB> + Type<DB>,
    i64: for<'t> Encode<'t, DB> + Type<DB>,
{
    let mut sql = QueryBuilder::<DB>::new("");
    push_filter(&mut sql, filter);
    sql.into_string()
}

#[test]
fn what_callers_write_is_never_in_the_text() {
    let ask = |value: &str| {
        let label = is(Comparison::Label(key("event"), value.to_owned()));
        let winner = is(Comparison::Winner(value.to_owned()));
        Filter::Or(vec![player(value), label.negated(), winner])
    };
    let plain = ask("ann");
    assert!(!sql::<Sqlite>(&plain).contains("ann") && !sql::<Postgres>(&plain).contains("event"));
    for value in ["')) OR TRUE --", "\"; DROP TABLE matches; --", "?1", "$1", "\\' OR 1=1", "%", "\0"] {
        assert_eq!(sql::<Sqlite>(&ask(value)), sql::<Sqlite>(&plain));
        assert_eq!(sql::<Postgres>(&ask(value)), sql::<Postgres>(&plain));
    }
}

#[test]
fn engines_are_asked_for_labels_each_in_its_own_words() {
    let label = is(Comparison::Label(key("event"), "spring".to_owned()));
    let no_label = is(Comparison::Has(Optional::Label(key("event")))).negated();
    let both = Filter::And(vec![label, no_label]);
    assert_eq!(
        sql::<Sqlite>(&both),
        "((CASE WHEN json_valid(labels) THEN labels ->> ? END = ?) AND \
         ((CASE WHEN json_valid(labels) THEN labels ->> ? END IS NOT NULL) IS NOT TRUE))"
    );
    assert_eq!(
        sql::<Postgres>(&both),
        "((labels @> jsonb_build_object($1, $2)) AND ((labels ? $3) IS NOT TRUE))"
    );
}

#[test]
fn the_state_of_running_matches_is_seen_in_the_text() {
    let paused = is(Comparison::Stage(Stage::Paused));
    assert_eq!(sql::<Postgres>(&paused), "(state = 'active' AND waiting = 'paused')");
}

#[test]
fn what_is_required_is_found_wherever_it_must_hold() {
    let stage = |stage| is(Comparison::Stage(stage));
    let both = Filter::And(vec![
        is(Comparison::Imported),
        Filter::And(vec![stage(Stage::Paused), player("ann"), player("bob")]),
    ]);
    assert_eq!(both.required_player(), Some("ann"));
    assert_eq!(both.required_stage(), Some(Stage::Paused));
    assert_eq!(player("ann").required_player(), Some("ann"));
    let optional = [
        Filter::EVERY,
        player("ann").negated(),
        Filter::Or(vec![player("ann"), stage(Stage::Active)]),
        Filter::And(vec![Filter::Or(vec![both.clone(), is(Comparison::Imported)]), both.negated()]),
    ];
    for filter in optional {
        assert_eq!((filter.required_player(), filter.required_stage()), (None, None), "{filter:?}");
    }
}
