//! Statements, as the database counts and plans them.

use std::sync::Arc;

use sqlx::{AssertSqlSafe, Row};

use crate::store::{
    migrate, open,
    postgres::{append, connect, create},
    suite::{
        cluster::Cluster,
        fixture::{event, following, log, new_match, new_tenant, new_uid, next, stored_match},
    },
};

/// Every statement of the hot path names one bucket a match, and updates stay in their page.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_hot_path_names_buckets_and_touches_no_index() {
    let settings = [("shared_preload_libraries", "pg_stat_statements"), ("autovacuum", "off")];
    let Some(cluster) = Cluster::start_or_say(&settings).await else { return };
    let database = cluster.empty_database().await.unwrap();
    database.execute("CREATE EXTENSION pg_stat_statements").await.unwrap();
    migrate(database.url()).await.unwrap();
    let store = open(database.url()).await.unwrap();
    database.execute("SELECT pg_stat_statements_reset()").await.unwrap();

    let mut stored = Vec::new();
    for _ in 0..20 {
        stored.push(stored_match(&*store).await);
    }
    for _ in 0..40 {
        for one in &mut stored {
            let events = vec![event(one.key.uid, one.head.revision + 1, Some(new_uid()))];
            let append = following(one.key, one.head, events);
            one.head = append.head;
            store.append(append).await.unwrap();
        }
    }
    for one in &stored {
        assert!(store.find(&one.name).await.unwrap().is_some());
        assert_eq!(store.events(one.key, one.head.revision - 1, 10).await.unwrap().len(), 1);
    }

    let every = "SELECT coalesce(string_agg(query, E'\\n---\\n'), '') FROM pg_stat_statements \
                 WHERE query ~ 'matches|events|archive' AND query !~ 'bucket' AND query !~ 'pg_stat'";
    assert_eq!(database.value(every).await.unwrap(), "", "statements without a bucket");
    database.execute("SELECT pg_stat_force_next_flush()").await.unwrap();
    store.close().await;
    let hot = "SELECT (n_tup_upd - n_tup_hot_upd)::text || ' of ' || n_tup_upd FROM pg_stat_user_tables \
               WHERE relname = 'matches'";
    let hot = database.value(hot).await.unwrap();
    assert_eq!(hot, "0 of 800", "updates that were not HOT");
}

/// Lists and reads go along their indexes in a large table, whatever page of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_batch_finds_its_rows_by_their_keys() {
    let Some(database) = super::database().await else { return };
    let store = open(database.url()).await.unwrap();
    let tenant = new_tenant();
    let mut made = Vec::new();
    for _ in 0..300 {
        let (new, events) = new_match(&tenant);
        made.push(new.clone());
        let store = Arc::clone(&store);
        store.create(new, events).await.unwrap();
    }
    for one in &made {
        store.append(next(one.key, one.head, 1)).await.unwrap();
    }
    let scans = "SELECT seq_scan::text FROM pg_stat_user_tables WHERE relname = 'events'";
    let before = database.value(scans).await.unwrap();
    for one in &made {
        assert_eq!(log(&*store, one.key).await.len(), 2);
    }
    store.close().await;
    assert_eq!(database.value(scans).await.unwrap(), before, "a log was looked for in the whole table");
}

/// The statements that write a batch look up the matches of its events in a hash of them. A join, for want of an index,
/// would compare each event with each match.
#[tokio::test]
async fn a_batch_compares_no_event_with_all_matches() {
    let Some(database) = super::database().await else { return };
    let mut session = connect::connect(&connect::options(database.url()).unwrap()).await.unwrap();
    for (statement, values) in [(append::APPEND, 23), (append::APPEND_SPREAD, 23), (create::INSERT, 33)] {
        let nulls = vec!["NULL"; values].join(", ");
        let explain = format!("EXPLAIN EXECUTE batch ({nulls})");
        for sql in ["SET plan_cache_mode = force_generic_plan", &format!("PREPARE batch AS {statement}")] {
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut session).await.unwrap();
        }
        let rows = sqlx::raw_sql(AssertSqlSafe(explain.as_str())).fetch_all(&mut session).await.unwrap();
        let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        let plan = lines.join("\n");
        assert!(plan.contains("hashed SubPlan"), "{plan}");
        let written = plan.split("CTE ").find(|part| part.starts_with("written")).unwrap();
        assert!(!written.contains("Join") && !written.contains("Nested Loop"), "{plan}");
        sqlx::raw_sql("DEALLOCATE batch").execute(&mut session).await.unwrap();
    }
}
