//! A Postgres database for servers.

use chaquete_server::{
    config::Config,
    dice::DiceKeys,
    store::{
        migrate,
        suite::cluster::{Cluster, Database},
    },
};
use tempfile::TempDir;

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
        Self { database, folder }
    }

    /// The configuration of a server on it.
    #[must_use]
    pub fn config(&self) -> Config {
        let dice_key_file = Some(self.folder.path().join("dice-key"));
        Config { store: self.database.url().to_owned(), dice_key_file, ..Config::default() }
    }

    /// Starts a server on it.
    ///
    /// # Panics
    /// It does not start.
    pub async fn serve(&self) -> Service {
        Service::start_with(self.config()).await
    }
}
