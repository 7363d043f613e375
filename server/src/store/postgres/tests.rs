//! The store on Postgres as a whole, each test on a database of its own.

mod archive;
mod blocked;
mod citus;
mod news;
mod plans;
mod rebuild;
mod retain;
mod roles;

use std::sync::Arc;

use super::connect::open_with;
use crate::store::{
    OpenError, Store, Writing, migrate, open, open_writing,
    suite::{
        self,
        cluster::{Cluster, Database},
    },
};

/// A database with today's tables; `None`, and said so, where there is no Postgres.
async fn database() -> Option<Database> {
    let cluster = Cluster::shared_or_say().await?;
    cluster.template(async |template| migrate(template.url()).await.unwrap()).await.unwrap();
    Some(cluster.database().await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_does_what_a_store_must() {
    let Some(database) = database().await else { return };
    suite::run(true, async || open(database.url()).await.unwrap()).await;
}

/// On one thread everything happens in another order.
#[tokio::test]
async fn one_thread_is_enough() {
    let Some(database) = database().await else { return };
    suite::run(true, async || open(database.url()).await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_reader_is_enough() {
    let Some(database) = database().await else { return };
    let open =
        async || Arc::new(open_with(database.url(), 1, Writing::default()).await.unwrap()) as Arc<dyn Store>;
    suite::run(true, open).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_writers_do_the_same() {
    let Some(database) = database().await else { return };
    let writing = Writing { writers: 5.try_into().unwrap(), batch: 3.try_into().unwrap() };
    suite::run(true, async || open_writing(database.url(), writing).await.unwrap()).await;
}

#[tokio::test]
async fn tables_are_made_by_a_job_of_their_own() {
    let Some(cluster) = Cluster::shared_or_say().await else { return };
    let empty = cluster.empty_database().await.unwrap();
    let refused = open(empty.url()).await.err().expect("no tables");
    assert!(matches!(refused, OpenError::Pending { version: 1 }), "{refused}");
    migrate(empty.url()).await.unwrap();
    // A second job has nothing to do.
    migrate(empty.url()).await.unwrap();
    open(empty.url()).await.unwrap().close().await;

    // A step of a newer server only adds; one that was edited is another one.
    let newer = "INSERT INTO chaquete._sqlx_migrations (version, description, success, checksum, execution_time) \
                 VALUES (9999, 'later', true, '', 0)";
    empty.execute(newer).await.unwrap();
    open(empty.url()).await.unwrap().close().await;
    empty.execute("UPDATE chaquete._sqlx_migrations SET checksum = '' WHERE version = 2").await.unwrap();
    let refused = open(empty.url()).await.err().expect("another step");
    assert!(matches!(refused, OpenError::Engine(_)), "{refused}");
    empty.execute("DELETE FROM chaquete._sqlx_migrations WHERE version = 3").await.unwrap();
    let pending = open(empty.url()).await.err().expect("a step is missing");
    assert!(matches!(pending, OpenError::Engine(_) | OpenError::Pending { version: 3 }), "{pending}");
}

#[tokio::test]
async fn a_database_that_cannot_be_reached_is_said_to_be_so() {
    // Port 1 is nobody's.
    let refused = open("postgres://nobody:s3cret@127.0.0.1:1/nothing").await.err().expect("nobody is there");
    assert!(matches!(&refused, OpenError::Engine(because) if !because.contains("s3cret")), "{refused}");
}
