//! Stores in which there are keys before a server opens them.

use std::path::Path;

use chaquete_server::{
    access::service_key,
    clock::SystemClock,
    config::{Config, NewKey},
    operate, store,
};
use tempfile::TempDir;

use crate::Service;

/// A server that asks who calls, with a key for a backend of each of these tenants and one for an operator.
pub struct Closed {
    /// The server.
    pub service: Service,
    /// Where its store is.
    pub folder: TempDir,
    /// The keys of the backends, in the order of their tenants.
    pub backends: Vec<String>,
    /// The key of the operator.
    pub operator: String,
}

impl Closed {
    /// Starts it.
    ///
    /// # Panics
    /// It does not start.
    pub async fn start(tenants: &[&str]) -> Self {
        Self::start_with(tenants, Config { allow_seeded_dice: true, ..Config::default() }).await
    }

    /// The same with this configuration; the store is its own.
    ///
    /// # Panics
    /// It does not start.
    pub async fn start_with(tenants: &[&str], config: Config) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let url = store_url(folder.path());
        let mut backends = Vec::new();
        for tenant in tenants {
            backends.push(new_key(&url, backend(tenant)).await);
        }
        let operator = new_key(&url, NewKey { operator: true, ..backend("") }).await;
        let service = Service::start_with(Config { store: url, ..config }).await;
        Self { service, folder, backends, operator }
    }
}

/// The URL of the store in a folder.
#[must_use]
pub fn store_url(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("chaquete.sqlite").display())
}

/// A key for a backend of a tenant that may do everything.
#[must_use]
pub fn backend(tenant: &str) -> NewKey {
    NewKey {
        tenant: Some(tenant.to_owned()).filter(|tenant| !tenant.is_empty()),
        operator: false,
        scope: Vec::new(),
        label: String::new(),
        days: None,
        certificate: None,
    }
}

/// Makes a key in a store that nobody serves.
///
/// # Panics
/// It cannot be made.
pub async fn new_key(url: &str, key: NewKey) -> String {
    let store = store::open(url).await.expect("the store opens");
    let key = operate::create_key(&*store, key, &SystemClock).await.expect("a key is made");
    store.close().await;
    key
}

/// What a key is called.
#[must_use]
pub fn key_id(key: &str) -> String {
    service_key::id(&service_key::hash(key.as_bytes()))
}
