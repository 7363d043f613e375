//! How the tables are walked, and what is in them.

use sqlx::{ConnectOptions, QueryBuilder, Row, Sqlite, SqliteConnection};

use super::{folder, open_file};
use crate::store::{
    Filter, ListQuery, Order, OrderBy, Place,
    sqlite::{
        connect::{options, reader_pool},
        lists::{Walk, count_running_statement, list_statement, overdue_statement, running_statement},
        migrations::migrator,
        round::move_heads,
    },
    suite::fixture::{START, event, following, new_match, new_uid, next, stored_match},
};

async fn migrated() -> SqliteConnection {
    let mut connection = options().filename(":memory:").connect().await.unwrap();
    migrator().run(&mut connection).await.unwrap();
    connection
}

/// How SQLite means to run a statement.
async fn plan(connection: &mut SqliteConnection, statement: QueryBuilder<Sqlite>) -> String {
    let sql = format!("EXPLAIN QUERY PLAN {}", statement.into_string());
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(connection).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>("detail")).collect::<Vec<_>>().join("; ")
}

/// How the last leaf of each match is found.
const LEAVES: &str = "; CORRELATED SCALAR SUBQUERY 1; SEARCH leaves USING PRIMARY KEY (bucket=? AND uid=?)\
                      ; CORRELATED SCALAR SUBQUERY 2; SEARCH leaves USING PRIMARY KEY (bucket=? AND uid=?)";

/// How the matches of a page are found, which are in order already.
fn is_of_matches(plan: &str) -> bool {
    plan.strip_suffix(LEAVES) == Some("SEARCH matches USING PRIMARY KEY (bucket=? AND uid=?) LEFT-JOIN")
}

/// The plans for finding a page and for the matches of that page.
fn parts(plan: &str) -> (&str, &str) {
    let plan =
        plan.strip_prefix("CO-ROUTINE (subquery-3); ").or(plan.strip_prefix("MATERIALIZE (subquery-3); "));
    plan.and_then(|plan| plan.split_once("; SCAN (subquery-3); ")).expect("a page, and then its matches")
}

#[tokio::test]
async fn every_list_walks_one_index_and_sorts_nothing() {
    let mut connection = migrated().await;
    for (tenant, by, index) in [
        (true, OrderBy::CreateTime, "matches_by_tenant_create_time"),
        (false, OrderBy::CreateTime, "matches_by_create_time"),
        (true, OrderBy::EndTime, "matches_by_tenant_end_time"),
        (false, OrderBy::EndTime, "matches_by_end_time"),
    ] {
        for descending in [false, true] {
            for after in [None, Some(Place::new(START, &new_match("tenant").0.name))] {
                let tenant = tenant.then(|| "tenant".to_owned());
                let query = ListQuery {
                    tenant,
                    filter: Filter::EVERY,
                    order: Order { by, descending },
                    after,
                    limit: 10,
                };
                let plan = plan(&mut connection, list_statement(&query, Walk::Index)).await;
                let (page, matches) = parts(&plan);
                assert!(page.contains(&format!("COVERING INDEX {index}")), "{query:?}: {plan}");
                assert!(!page.contains("TEMP B-TREE"), "{query:?}: {plan}");
                assert!(query.after.is_none() || page.starts_with("SEARCH"), "{query:?}: {plan}");
                assert!(is_of_matches(matches), "{query:?}: {plan}");
            }
        }
    }
}

#[tokio::test]
async fn running_matches_are_counted_without_those_that_have_ended() {
    let mut connection = migrated().await;
    let plan = plan(&mut connection, count_running_statement("tenant", 10)).await;
    assert!(plan.contains("SEARCH matches USING COVERING INDEX matches_running (tenant=?)"), "{plan}");
}

#[tokio::test]
async fn matches_without_deadlines_are_never_walked() {
    let mut connection = migrated().await;
    let overdue = plan(&mut connection, overdue_statement(START, None, 10, Walk::Index)).await;
    let page = "SEARCH matches USING COVERING INDEX matches_by_deadline (deadline<?)";
    assert!(parts(&overdue).0 == page && is_of_matches(parts(&overdue).1), "{overdue}");
    for after in [None, Some(new_uid())] {
        let plan = plan(&mut connection, running_statement(after, 10, Walk::Index)).await;
        let (page, matches) = parts(&plan);
        assert!(page.contains("matches USING COVERING INDEX matches_by_deadline"), "{plan}");
        assert!(is_of_matches(matches), "{plan}");
    }
}

#[tokio::test]
async fn heads_are_found_by_their_key() {
    let mut connection = migrated().await;
    let (new, _) = new_match("tenant");
    let append = next(new.key, new.head, 1);
    let plan = plan(&mut connection, move_heads(&[&append; 64]).unwrap()).await;
    assert!(plan.contains("SEARCH matches USING PRIMARY KEY (bucket=? AND uid=?)"), "{plan}");
    assert!(!plan.contains("SCAN matches") && !plan.contains("AUTOMATIC"), "{plan}");
}

#[tokio::test]
async fn the_tables_refuse_what_cannot_be() {
    let mut connection = migrated().await;
    for statement in [
        // An event without a match.
        "INSERT INTO events (bucket, uid, revision, hash, event) VALUES (0, zeroblob(16), 1, zeroblob(32), '{}')",
        // A match that has ended at no time, one with a short uid, one with a text for a number.
        "INSERT INTO matches (bucket, uid, tenant, match_id, display_name_one, display_name_two, labels, \
         annotations, revision, hash, state, create_time, update_time) \
         VALUES (0, zeroblob(16), 't', 'm', '', '', '{}', '{}', 1, zeroblob(32), 'completed', 0, 0)",
        "INSERT INTO matches (bucket, uid, tenant, match_id, display_name_one, display_name_two, labels, \
         annotations, revision, hash, state, create_time, update_time) \
         VALUES (0, zeroblob(15), 't', 'm', '', '', '{}', '{}', 1, zeroblob(32), 'active', 0, 0)",
        "INSERT INTO matches (bucket, uid, tenant, match_id, display_name_one, display_name_two, labels, \
         annotations, revision, hash, state, create_time, update_time) \
         VALUES (0, zeroblob(16), 't', 'm', '', '', '{}', '{}', 1, zeroblob(32), 'active', 'now', 0)",
        // A match that has ended and whose time runs.
        "INSERT INTO matches (bucket, uid, tenant, match_id, display_name_one, display_name_two, labels, \
         annotations, revision, hash, state, create_time, update_time, end_time, deadline) \
         VALUES (0, zeroblob(16), 't', 'm', '', '', '{}', '{}', 1, zeroblob(32), 'completed', 0, 0, 0, 0)",
        // A second service.
        "INSERT INTO service (id, last_beat) VALUES (2, 0)",
    ] {
        let error = sqlx::query(statement).execute(&mut connection).await.unwrap_err();
        let kind = super::super::error::store_error(error);
        assert!(matches!(kind, crate::store::StoreError::Unfit(_)), "{kind}: {statement}");
    }
}

#[tokio::test]
async fn commits_wait_for_the_disk_and_readers_cannot_write() {
    let (_folder, file) = folder();
    let store = open_file(&file).await;
    let options = options().filename(&file);
    let mut writer = options.connect().await.unwrap();
    for (pragma, value) in [("PRAGMA synchronous", 2), ("PRAGMA foreign_keys", 1)] {
        assert_eq!(
            sqlx::query_scalar::<_, i64>(pragma).fetch_one(&mut writer).await.unwrap(),
            value,
            "{pragma}"
        );
    }
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut writer).await.unwrap();
    assert_eq!(mode, "wal");
    let readers = reader_pool(&options);
    let error = sqlx::query("DELETE FROM events").execute(&readers).await.unwrap_err();
    assert!(error.to_string().contains("readonly"), "{error}");
    store.close().await;
}

/// A walk of the table needs no index, whatever is wrong with them.
#[tokio::test]
async fn the_table_is_walked_without_any_index() {
    let mut connection = migrated().await;
    let after = Some(Place::new(START, &new_match("tenant").0.name));
    let mut statements = vec![
        overdue_statement(START, Some((START, new_uid())), 10, Walk::Table),
        running_statement(Some(new_uid()), 10, Walk::Table),
    ];
    for (tenant, by) in [(Some("tenant"), OrderBy::CreateTime), (None, OrderBy::EndTime)] {
        let order = Order { by, descending: true };
        let query = ListQuery {
            tenant: tenant.map(str::to_owned),
            filter: Filter::EVERY,
            order,
            after: after.clone(),
            limit: 10,
        };
        statements.push(list_statement(&query, Walk::Table));
    }
    for statement in statements {
        let plan = plan(&mut connection, statement).await;
        assert_eq!(plan, format!("SCAN matches{LEAVES}; USE TEMP B-TREE FOR ORDER BY"));
    }
}

/// An operator reads a log with nothing but `sqlite3`, while the server runs.
#[tokio::test]
async fn a_log_is_plain_text_to_an_operator() {
    let (_folder, file) = folder();
    let store = open_file(&file).await;
    let stored = stored_match(&*store).await;
    let append = following(stored.key, stored.head, vec![event(stored.key.uid, 2, Some(new_uid()))]);
    store.append(append.clone()).await.unwrap();
    let mut operator = options().filename(&file).read_only(true).connect().await.unwrap();
    let row = sqlx::query(
        "SELECT typeof(event) AS type, event, lower(hex(events.hash)) AS hash, state FROM events \
         JOIN matches USING (bucket, uid) WHERE tenant = ? AND match_id = ? AND events.revision = 2",
    )
    .bind(&stored.name.tenant)
    .bind(&stored.name.id)
    .fetch_one(&mut operator)
    .await
    .unwrap();
    assert_eq!(row.get::<String, _>("type"), "text");
    assert_eq!(row.get::<String, _>("event").as_bytes(), append.events[0].bytes);
    assert_eq!(row.get::<String, _>("hash"), append.events[0].hash.to_string());
    assert_eq!(row.get::<String, _>("state"), "active");
}
