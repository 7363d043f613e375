//! Tables that are spread by bucket, on a stand-in: Postgres with the functions and the table of Citus that the server
//! asks, which only note what they are told. It shows what the server does, not what Citus makes of it.

use std::{sync::Arc, time::Duration};

use tokio::time::timeout;

use crate::store::{
    News, OpenError, Store, distribute, migrate, open,
    suite::{
        self,
        cluster::{Cluster, Database},
        fixture::{next, stored_match},
    },
};

const STAND_IN: &str = "\
CREATE SCHEMA chaquete;
CREATE TABLE chaquete.pg_dist_partition (logicalrelid regclass PRIMARY KEY, by_column text, lies_with text);
CREATE TABLE chaquete.distributed_functions (name regprocedure);
CREATE FUNCTION chaquete.create_distributed_table(relation regclass, by_column text, colocate_with text)
    RETURNS void LANGUAGE sql AS $$ INSERT INTO chaquete.pg_dist_partition VALUES ($1, $2, $3) $$;
CREATE FUNCTION chaquete.create_reference_table(relation regclass)
    RETURNS void LANGUAGE sql AS $$ INSERT INTO chaquete.pg_dist_partition VALUES ($1) $$;
CREATE FUNCTION chaquete.create_distributed_function(name regprocedure)
    RETURNS void LANGUAGE sql AS $$ INSERT INTO chaquete.distributed_functions VALUES ($1) $$;
CREATE FUNCTION chaquete.get_shard_id_for_distribution_column(relation regclass, bucket smallint)
    RETURNS bigint LANGUAGE sql AS $$ SELECT 102008 + $2 % 4 $$";

async fn spread_database() -> Option<Database> {
    let cluster = Cluster::shared_or_say().await?;
    let database = cluster.empty_database().await.unwrap();
    for statement in STAND_IN.split(";\n") {
        database.execute(statement).await.unwrap();
    }
    distribute(database.url()).await.unwrap();
    Some(database)
}

#[tokio::test]
async fn tables_are_spread_once_and_lie_together() {
    let Some(cluster) = Cluster::shared_or_say().await else { return };
    let plain = cluster.empty_database().await.unwrap();
    let refused = distribute(plain.url()).await.unwrap_err();
    assert!(matches!(refused, OpenError::NoCitus), "{refused}");

    let Some(database) = spread_database().await else { return };
    distribute(database.url()).await.unwrap();
    migrate(database.url()).await.unwrap();
    let lie = "SELECT string_agg(concat_ws(' ', logicalrelid, by_column, lies_with), ', ' ORDER BY logicalrelid::text) \
               FROM chaquete.pg_dist_partition";
    assert_eq!(
        database.value(lie).await.unwrap(),
        "chaquete._sqlx_migrations, chaquete.archive bucket matches, chaquete.checkpoint, \
         chaquete.events bucket matches, chaquete.key_leaves, chaquete.leaves bucket matches, \
         chaquete.match_players bucket matches, chaquete.matches bucket none, chaquete.service, \
         chaquete.service_keys, chaquete.tiles, chaquete.token_revocations"
    );
    let every = "SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_class WHERE relkind = 'r' \
                 AND relnamespace = 'chaquete'::regnamespace AND relname !~ 'dist' \
                 AND oid NOT IN (SELECT logicalrelid FROM chaquete.pg_dist_partition)";
    let every = format!("SELECT coalesce(({every}), '')");
    assert_eq!(database.value(&every).await.unwrap(), "", "tables that lie in one place");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_that_is_spread_does_what_a_store_must() {
    let Some(database) = spread_database().await else { return };
    suite::run(true, async || open(database.url()).await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_transaction_goes_to_two_shards() {
    let Some(database) = spread_database().await else { return };
    let store = open(database.url()).await.unwrap();
    let mut calls = Vec::new();
    for _ in 0..200 {
        let store: Arc<dyn Store> = Arc::clone(&store);
        calls.push(tokio::spawn(async move {
            let mut one = stored_match(&*store).await;
            for _ in 0..5 {
                let append = next(one.key, one.head, 1);
                one.head = append.head;
                store.append(append).await.unwrap();
            }
        }));
    }
    for call in calls {
        call.await.unwrap();
    }
    store.close().await;
    let transactions = |having: &str| {
        format!(
            "SELECT count(*)::text FROM (SELECT FROM chaquete.events GROUP BY xmin::text HAVING {having}) AS t"
        )
    };
    let of_two = transactions("count(DISTINCT bucket % 4) > 1");
    assert_eq!(database.value(&of_two).await.unwrap(), "0");
    let of_many = database.value(&transactions("count(DISTINCT bucket) > 1")).await.unwrap();
    assert!(of_many.parse::<u32>().unwrap() > 0, "nothing was written together");
}

/// Nothing is heard of what is written over another machine, so it is looked for.
#[tokio::test]
async fn who_hears_nothing_looks() {
    let Some(database) = spread_database().await else { return };
    let store = open(database.url()).await.unwrap();
    let mut news = store.news().unwrap();
    for _ in 0..4 {
        let heard = timeout(Duration::from_secs(10), news.recv()).await;
        assert_eq!(heard.expect("it is looked every second").unwrap(), News::MayHaveMissed);
    }
    store.close().await;
}
