//! Harm that can be done to a database, and callers that do not hide it.

use std::time::Duration;

use chaquete_client::{Client, RetryPolicy};
use chaquete_server::store::suite::cluster::Database;
use chaquete_tests::Service;
use tokio::{task::JoinHandle, time::sleep};

/// Sessions of our servers.
pub(crate) const OURS: &str = "application_name LIKE 'chaquete-server%'";

/// How many sessions of a database are as the condition says.
pub(crate) async fn sessions(database: &Database, condition: &str) -> usize {
    let sql = format!(
        "SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND ({condition})"
    );
    database.value(&sql).await.unwrap().parse().unwrap()
}

/// Ends the sessions of a database that are as the condition says; how many.
pub(crate) async fn terminate(database: &Database, condition: &str) -> usize {
    let sql = format!(
        "SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND ({condition})"
    );
    database.value(&sql).await.unwrap().parse().unwrap()
}

/// A session that holds a table.
pub(crate) struct Lock {
    database: Database,
    held: JoinHandle<Result<(), String>>,
}

impl Lock {
    /// Takes a table away from everybody else.
    pub(crate) async fn take(database: &Database, table: &str) -> Self {
        let statements = format!(
            "SET application_name = 'holder'; BEGIN; \
             LOCK TABLE chaquete.{table} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)"
        );
        let database = database.clone();
        let held = tokio::spawn({
            let database = database.clone();
            async move { database.execute(&statements).await.map_err(|error| error.to_string()) }
        });
        while sessions(&database, "application_name = 'holder' AND wait_event = 'PgSleep'").await == 0 {
            assert!(!held.is_finished(), "the table can be locked");
            sleep(Duration::from_millis(10)).await;
        }
        Self { database, held }
    }

    pub(crate) async fn let_go(self) {
        assert_eq!(terminate(&self.database, "application_name = 'holder'").await, 1);
        self.held.await.unwrap().unwrap_err();
    }
}

/// A client that makes every call once.
pub(crate) async fn impatient(service: &Service) -> Client {
    Client::builder(service.endpoint()).retry(RetryPolicy::NEVER).connect().await.unwrap()
}

/// Numbers without a pattern, the same every time.
pub(crate) fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}
