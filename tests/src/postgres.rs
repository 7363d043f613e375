//! A Postgres database for servers.

use chaquete_server::{
    checkpoint::LogKeys,
    config::Config,
    dice::DiceKeys,
    store::{
        migrate,
        suite::cluster::{Cluster, Database},
    },
};
use tempfile::TempDir;
use tokio::time::{Duration, Instant, sleep};

use crate::Service;

/// A database of a test's own, with the one secret of the dice for all servers on it.
pub struct Postgres {
    /// The database.
    pub database: Database,
    folder: TempDir,
}

impl Postgres {
    /// With today's tables, on the cluster that the tests of this process share; `None`, and says so, where Postgres is
    /// not installed.
    ///
    /// # Panics
    /// Postgres refuses.
    pub async fn new_or_say() -> Option<Self> {
        Some(Self::on(Cluster::shared_or_say().await?).await)
    }

    /// With today's tables, on a cluster of the test's own.
    ///
    /// # Panics
    /// Postgres refuses.
    pub async fn on(cluster: &Cluster) -> Self {
        let make = async |template: Database| migrate(template.url()).await.expect("tables are made");
        cluster.template(make).await.expect("a template is made");
        Self::of(cluster.database().await.expect("a database is made"))
    }

    /// On a database in any state.
    ///
    /// # Panics
    /// No secret can be made.
    #[must_use]
    pub fn of(database: Database) -> Self {
        let folder = tempfile::tempdir().expect("a folder is made");
        DiceKeys::read_or_make(&folder.path().join("dice-key")).expect("a key is made");
        LogKeys::read_or_make(&folder.path().join("log-key")).expect("a key is made");
        Self { database, folder }
    }

    /// The configuration of a server on it.
    #[must_use]
    pub fn config(&self) -> Config {
        let [dice_key_file, log_key] =
            ["dice-key", "log-key"].map(|file| Some(self.folder.path().join(file)));
        Config { store: self.database.url().to_owned(), dice_key_file, log_key, ..Config::default() }
    }

    /// Starts a server on it.
    ///
    /// # Panics
    /// It does not start.
    pub async fn serve(&self) -> Service {
        Service::start_with(self.config()).await
    }

    /// A number that the database tells.
    ///
    /// # Panics
    /// It is none.
    pub async fn number(&self, sql: &str) -> u64 {
        let told = self.database.value(sql).await.expect("the database answers");
        told.parse().unwrap_or_else(|_| panic!("{told} is no number: {sql}"))
    }

    /// Waits until a number that the database tells is this one.
    ///
    /// # Panics
    /// It does not become so within half a minute.
    pub async fn until(&self, sql: &str, wanted: u64) {
        let begun = Instant::now();
        while self.number(sql).await != wanted {
            assert!(begun.elapsed() < Duration::from_secs(30), "it does not become {wanted}: {sql}");
            // Nobody tells when it does.
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// How many pages of these tables servers have read so far, from wherever; those of the indexes are in memory on any server
    /// in use. No server may be running: sessions hand in their counts when they end.
    ///
    /// # Panics
    /// The sessions do not end.
    pub async fn pages_read(&self, tables: &[&str]) -> u64 {
        let sessions = "SELECT count(*)::text FROM pg_stat_activity WHERE application_name ~ '^chaquete-server' \
                        AND datname = current_database()";
        self.until(sessions, 0).await;
        let pages = "SELECT sum(heap_blks_read + heap_blks_hit + coalesce(toast_blks_read + toast_blks_hit, 0))::text \
                     FROM pg_statio_user_tables WHERE relname = ANY";
        self.number(&format!("{pages} ('{{{}}}')", tables.join(","))).await
    }
}
