//! Several servers on one database.

use chaquete_server::store::suite::cluster::Database;

use crate::{Postgres, Service};

/// Servers on one Postgres database of their own, with one secret of the dice.
pub struct Replicas {
    /// The database.
    pub database: Database,
    /// The servers.
    pub services: Vec<Service>,
    _postgres: Postgres,
}

impl Replicas {
    /// So many servers; `None`, and says so, where Postgres is not installed.
    ///
    /// # Panics
    /// One does not start.
    pub async fn start(count: usize) -> Option<Self> {
        let postgres = Postgres::new_or_say().await?;
        let mut services = Vec::with_capacity(count);
        for _ in 0..count {
            services.push(postgres.serve().await);
        }
        Some(Self { database: postgres.database.clone(), services, _postgres: postgres })
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
