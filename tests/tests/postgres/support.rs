//! A database of a test's own, servers on it, and harm that can be done to it.

use std::time::Duration;

use chaquete_client::{Client, RetryPolicy};
use chaquete_server::{
    config::Config,
    dice::DiceKeys,
    store::{
        migrate,
        suite::cluster::{Cluster, Database},
    },
};
use chaquete_tests::Service;
use tempfile::TempDir;
use tokio::{task::JoinHandle, time::sleep};

/// Sessions of our servers.
pub(crate) const OURS: &str = "application_name = 'chaquete-server'";

/// A database with today's tables, and the secret of the dice for servers on it.
pub(crate) struct Stand {
    pub(crate) database: Database,
    folder: TempDir,
}

impl Stand {
    /// On the cluster that all tests share; `None`, and said so, where there is no Postgres.
    pub(crate) async fn new() -> Option<Self> {
        Some(Self::on(Cluster::shared_or_say().await?).await)
    }

    /// On a cluster of the test's own.
    pub(crate) async fn on(cluster: &Cluster) -> Self {
        cluster.template(async |template| migrate(template.url()).await.unwrap()).await.unwrap();
        Self::of(cluster.database().await.unwrap())
    }

    /// On a database that may be in any state.
    pub(crate) fn of(database: Database) -> Self {
        let folder = tempfile::tempdir().unwrap();
        DiceKeys::read_or_make(&folder.path().join("dice-key")).unwrap();
        Self { database, folder }
    }

    pub(crate) fn config(&self) -> Config {
        let dice_key_file = Some(self.folder.path().join("dice-key"));
        Config { store: self.database.url().to_owned(), dice_key_file, ..Config::default() }
    }

    pub(crate) async fn serve(&self) -> Service {
        Service::start_with(self.config()).await
    }

    /// How many sessions of this database are as the condition says.
    pub(crate) async fn sessions(&self, condition: &str) -> usize {
        let sessions = "pg_stat_activity WHERE datname = current_database()";
        let sql = format!("SELECT count(*)::text FROM {sessions} AND ({condition})");
        self.database.value(&sql).await.unwrap().parse().unwrap()
    }

    /// Ends the sessions of this database that are as the condition says; how many.
    pub(crate) async fn terminate(&self, condition: &str) -> usize {
        let sql = format!(
            "SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND ({condition})"
        );
        self.database.value(&sql).await.unwrap().parse().unwrap()
    }

    /// Takes a table away from everybody else.
    pub(crate) async fn lock(&self, table: &str) -> Lock<'_> {
        let database = self.database.clone();
        let statements = format!(
            "SET application_name = 'holder'; BEGIN; \
             LOCK TABLE chaquete.{table} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)"
        );
        let held =
            tokio::spawn(
                async move { database.execute(&statements).await.map_err(|error| error.to_string()) },
            );
        while self.sessions("application_name = 'holder' AND wait_event = 'PgSleep'").await == 0 {
            assert!(!held.is_finished(), "the table can be locked");
            sleep(Duration::from_millis(10)).await;
        }
        Lock { stand: self, held }
    }
}

/// A session that holds a lock.
pub(crate) struct Lock<'s> {
    stand: &'s Stand,
    held: JoinHandle<Result<(), String>>,
}

impl Lock<'_> {
    pub(crate) async fn let_go(self) {
        assert_eq!(self.stand.terminate("application_name = 'holder'").await, 1);
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
