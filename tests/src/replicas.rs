//! Several servers on one database.

use chaquete_server::{
    config::Config,
    dice::DiceKeys,
    store::{
        self,
        suite::cluster::{Cluster, Database},
    },
};
use tempfile::TempDir;

use crate::Service;

/// Servers on one Postgres database of their own, with one secret of the dice.
pub struct Replicas {
    /// The database.
    pub database: Database,
    /// The servers.
    pub services: Vec<Service>,
    _keys: TempDir,
}

impl Replicas {
    /// So many servers; `None`, and says so, where Postgres is not installed.
    ///
    /// # Panics
    /// One does not start.
    pub async fn start(count: usize) -> Option<Self> {
        let cluster = Cluster::shared_or_say().await?;
        let migrate =
            async |template: Database| store::migrate(template.url()).await.expect("tables are made");
        cluster.template(migrate).await.expect("a template is made");
        let database = cluster.database().await.expect("a database is made");
        let keys = TempDir::new().expect("a folder is made");
        let key_file = keys.path().join("dice-key");
        DiceKeys::read_or_make(&key_file).expect("a key is made");
        let mut services = Vec::with_capacity(count);
        for _ in 0..count {
            let config = Config {
                store: database.url().to_owned(),
                dice_key_file: Some(key_file.clone()),
                ..Config::default()
            };
            services.push(Service::start_with(config).await);
        }
        Some(Self { database, services, _keys: keys })
    }

    /// Stops them all.
    ///
    /// # Panics
    /// One fails while it stops.
    pub async fn stop(self) {
        for service in self.services {
            service.stop().await;
        }
    }
}
