//! What filters find, by the engines and by a few lines of Rust.

use std::cell::{Cell, RefCell};

use proptest::{prelude::*, test_runner::TestRunner};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, QueryBuilder, SqliteConnection};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use super::{arbitrary, key, player, push_filter};
use crate::{
    log::Word,
    store::{
        Comparison, Filter, Optional,
        filter::oracle::{Stored, holds, of, stored},
        migrate, open,
        suite::cluster::Cluster,
        words::seat_number,
    },
};

/// An engine with the tables of a store.
trait Engine {
    /// Any uid, and any hash.
    const KEY: [&str; 2];

    fn execute(&mut self, statements: String);

    /// The revisions of the matches that a filter finds.
    fn find(&mut self, filter: &Filter) -> Vec<i32>;
}

const FIND: &str = "SELECT revision FROM matches WHERE ";

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

struct Sqlite {
    runtime: Runtime,
    connection: SqliteConnection,
    _folder: TempDir,
}

impl Sqlite {
    fn start() -> Self {
        let (runtime, folder) = (runtime(), tempfile::tempdir().unwrap());
        let url = format!("sqlite:{}", folder.path().join("chaquete.db").display());
        let connection = runtime.block_on(async {
            open(&url).await.unwrap().close().await;
            SqliteConnection::connect(&url).await.unwrap()
        });
        Self { runtime, connection, _folder: folder }
    }
}

impl Engine for Sqlite {
    const KEY: [&str; 2] = ["randomblob(16)", "zeroblob(32)"];

    fn execute(&mut self, statements: String) {
        let statements = sqlx::raw_sql(AssertSqlSafe(statements));
        self.runtime.block_on(statements.execute(&mut self.connection)).unwrap();
    }

    fn find(&mut self, filter: &Filter) -> Vec<i32> {
        let mut select = QueryBuilder::new(FIND);
        push_filter(&mut select, filter);
        let found = select.push(" ORDER BY revision").build_query_scalar().fetch_all(&mut self.connection);
        self.runtime.block_on(found).unwrap()
    }
}

struct Postgres {
    runtime: Runtime,
    connection: PgConnection,
}

impl Postgres {
    /// `None`: it is not installed.
    fn start() -> Option<Self> {
        let runtime = runtime();
        let connection = runtime.block_on(async {
            let database = Cluster::shared_or_say().await?.empty_database().await.unwrap();
            migrate(database.url()).await.unwrap();
            Some(PgConnection::connect(database.url()).await.unwrap())
        })?;
        let mut postgres = Self { runtime, connection };
        postgres.execute("SET search_path = chaquete".to_owned());
        Some(postgres)
    }
}

impl Engine for Postgres {
    const KEY: [&str; 2] = ["gen_random_uuid()", "decode(repeat('00', 32), 'hex')"];

    fn execute(&mut self, statements: String) {
        let statements = sqlx::raw_sql(AssertSqlSafe(statements));
        self.runtime.block_on(statements.execute(&mut self.connection)).unwrap();
    }

    fn find(&mut self, filter: &Filter) -> Vec<i32> {
        let mut select = QueryBuilder::new(FIND);
        push_filter(&mut select, filter);
        let found = select.push(" ORDER BY revision").build_query_scalar().fetch_all(&mut self.connection);
        self.runtime.block_on(found).unwrap()
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn or_null(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "NULL".to_owned(), |value| value.to_string())
}

/// Stores these matches and no others; their revisions are their places, from 1.
fn store<E: Engine>(engine: &mut E, matches: &[Stored]) {
    let [uid, hash] = E::KEY;
    let row = |(revision, stored): (usize, &Stored)| {
        let (state, waiting) = stored.stage.stored();
        let columns = [
            format!("0, {uid}, 'tenant', 'm-{revision}', '', '', '{{}}', {hash}, {revision}"),
            quoted(state.word()),
            or_null(waiting.map(|waiting| quoted(waiting.word()))),
            quoted(stored.subjects[0]),
            quoted(stored.subjects[1]),
            quoted(&serde_json::to_string(&stored.labels).unwrap()),
            or_null(stored.points),
            quoted(stored.variant.word()),
            or_null(stored.winner.map(seat_number)),
            or_null(stored.reason.map(|reason| quoted(reason.word()))),
            or_null(stored.seat_to_act.map(seat_number)),
            stored.imported.to_string(),
            stored.times.0.to_string(),
            stored.times.1.to_string(),
            or_null(stored.times.2),
        ];
        format!("({})", columns.join(", "))
    };
    let rows: Vec<_> = (1..).zip(matches).map(row).collect();
    engine.execute(format!(
        "DELETE FROM matches;
        INSERT INTO matches (
            bucket, uid, tenant, match_id, display_name_one, display_name_two, annotations, hash, revision, state,
            waiting, subject_one, subject_two, labels, points, variant, winner, reason, seat_to_act, imported,
            create_time, update_time, end_time
        ) VALUES {}",
        rows.join(", ")
    ));
}

fn check_that_it_finds_what_a_filter_means(engine: impl Engine, cases: u32) {
    let engine = RefCell::new(engine);
    let (found, left) = (Cell::new(0), Cell::new(0));
    let any = (prop::collection::vec(stored(), 1..12), prop::collection::vec(arbitrary::filter(), 4));
    let ran = TestRunner::new(ProptestConfig::with_cases(cases)).run(&any, |(matches, filters)| {
        let mut engine = engine.borrow_mut();
        store(&mut *engine, &matches);
        for filter in filters {
            let held = (1..).zip(&matches).filter(|(_, stored)| holds(&filter, stored));
            let held: Vec<i32> = held.map(|(revision, _)| revision).collect();
            prop_assert_eq!(&engine.find(&filter), &held, "{:?}", filter);
            found.set(found.get() + held.len());
            left.set(left.get() + matches.len() - held.len());
        }
        Ok(())
    });
    ran.unwrap();
    // Neither always nor never.
    let few = cases as usize;
    assert!(found.get() > few && left.get() > few, "{found:?} {left:?}");
}

#[test]
fn sqlite_finds_what_a_filter_means() {
    check_that_it_finds_what_a_filter_means(Sqlite::start(), 300);
}

#[test]
fn postgres_finds_what_a_filter_means() {
    let Some(postgres) = Postgres::start() else { return };
    check_that_it_finds_what_a_filter_means(postgres, 100);
}

fn event(value: &str) -> Filter {
    Filter::Is(Comparison::Label(key("event"), value.to_owned()))
}

fn check_that_values_find_only_themselves(engine: &mut impl Engine) {
    store(engine, &[of("ann", "spring"), of("x' OR '1'='1", "') OR TRUE --")]);
    assert_eq!(engine.find(&player("x' OR '1'='1")), [2]);
    assert_eq!(engine.find(&event("') OR TRUE --")), [2]);
    assert_eq!(engine.find(&event("') OR TRUE --").negated()), [1]);
    for nobody in ["%", "_nn", "ANN", "ann ", "?1", "$1", "\\"] {
        assert_eq!(
            engine.find(&Filter::any(vec![player(nobody), event(nobody)])),
            [] as [i32; 0],
            "{nobody}"
        );
    }
}

/// No text of 32 comparisons and 32 parentheses means more than this.
fn check_that_the_deepest_filter_is_not_too_deep(engine: &mut impl Engine) {
    let deepest = (0..31).fold(player("ann").negated(), |inner, n| {
        let parts = vec![inner, player("bob")];
        if n % 2 == 0 { Filter::Or(parts).negated() } else { Filter::And(parts).negated() }
    });
    let stored = of("ann", "spring");
    let expected = if holds(&deepest, &stored) { vec![1] } else { vec![] };
    store(engine, &[stored]);
    assert_eq!(engine.find(&deepest), expected);
}

fn check_that_a_filter_of_nothing_finds_all_or_none(engine: &mut impl Engine) {
    store(engine, &[of("ann", "spring")]);
    assert_eq!(engine.find(&Filter::EVERY), [1]);
    assert_eq!(engine.find(&Filter::Or(Vec::new())), [] as [i32; 0]);
    assert_eq!(engine.find(&Filter::EVERY.negated()), [] as [i32; 0]);
}

#[test]
fn engines_take_whatever_a_filter_holds() {
    let mut sqlite = Sqlite::start();
    check_that_values_find_only_themselves(&mut sqlite);
    check_that_the_deepest_filter_is_not_too_deep(&mut sqlite);
    check_that_a_filter_of_nothing_finds_all_or_none(&mut sqlite);
    let Some(mut postgres) = Postgres::start() else { return };
    check_that_values_find_only_themselves(&mut postgres);
    check_that_the_deepest_filter_is_not_too_deep(&mut postgres);
    check_that_a_filter_of_nothing_finds_all_or_none(&mut postgres);
}

/// Where labels are `jsonb` they cannot be damaged in this way.
#[test]
fn labels_that_are_damaged_fail_nobody_else() {
    let mut engine = Sqlite::start();
    store(&mut engine, &[of("ann", "spring"), of("ann", "spring"), of("ann", "spring")]);
    engine.execute("UPDATE matches SET labels = '{\"event\":' WHERE revision = 1".to_owned());
    engine.execute("UPDATE matches SET labels = '5' WHERE revision = 2".to_owned());
    let has_event = Filter::Is(Comparison::Has(Optional::Label(key("event"))));
    assert_eq!(engine.find(&event("spring")), [3]);
    assert_eq!(engine.find(&has_event), [3]);
    assert_eq!(engine.find(&has_event.negated()), [1, 2]);
}
