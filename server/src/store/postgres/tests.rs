//! The store on Postgres as a whole, each test on a database of its own.

use std::sync::Arc;

use super::connect::open_with;
use crate::store::{
    Store, migrate, open,
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
    let open = async || Arc::new(open_with(database.url(), 1).await.unwrap()) as Arc<dyn Store>;
    suite::run(true, open).await;
}
