//! Keys of backends and operators: made, listed, revoked.

use std::{
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
};

use rustls_pki_types::{CertificateDer, pem::PemObject as _};
use tokio_rustls::rustls::{self, server::ParsedCertificate};

use crate::{
    access::service_key,
    clock::{Clock, Millis},
    config::NewKey,
    log::Word,
    store::{Holder, Scope, Store, StoreError, StoredKey},
};

const DAY: Millis = 86_400_000;

/// Why nothing became of a command about keys.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The operating system has no randomness to give.
    #[error("cannot make a key: {0}")]
    Random(io::Error),
    /// The file holds no certificate.
    #[error("{} holds no certificate (PEM): {error}", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: rustls_pki_types::pem::Error,
    },
    /// No client could show it.
    #[error(
        "a client cannot connect with the certificate in {}, which must be one of version 3 of X.509 \
         (`openssl req -x509`, or `openssl x509 -req -extfile`): {error}",
        path.display()
    )]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What TLS says of it.
        error: rustls::Error,
    },
    /// The certificate is that of a key already.
    #[error("there is a key of this certificate already: {0}")]
    Taken(String),
    /// No key is called so.
    #[error("no key, or more than one, is called {0:?}: see `chaquete-server key list`")]
    Unknown(String),
}

/// Makes a key; gives what its holder is to show, or what it is called if that is a certificate.
///
/// # Errors
/// See [`KeyError`].
pub async fn create_key(store: &dyn Store, new: NewKey, clock: &dyn Clock) -> Result<String, KeyError> {
    let (hash, said) = match &new.certificate {
        Some(path) => {
            let hash = service_key::hash(&certificate(path)?);
            (hash, service_key::id(&hash))
        }
        None => {
            let key = service_key::new_key().map_err(KeyError::Random)?;
            (service_key::hash(key.as_bytes()), key)
        }
    };
    let now = clock.now();
    let holder = match new.tenant {
        Some(tenant) => {
            let scopes = if new.scope.is_empty() { Scope::ALL.to_vec() } else { new.scope };
            Holder::Backend { tenant, scopes: scopes.into_iter().collect() }
        }
        None => Holder::Operator,
    };
    let key = StoredKey {
        hash,
        holder,
        label: new.label,
        create_time: now,
        expire_time: new.days.map(|days| now + Millis::from(days.get()) * DAY),
        revoke_time: None,
    };
    match store.add_key(key).await {
        Ok(()) => Ok(said),
        Err(StoreError::Exists) => Err(KeyError::Taken(service_key::id(&hash))),
        Err(error) => Err(error.into()),
    }
}

/// The certificate in a file, as it is checked when a client connects with it.
fn certificate(path: &Path) -> Result<CertificateDer<'static>, KeyError> {
    let found = CertificateDer::from_pem_file(path);
    let found = found.map_err(|error| KeyError::Certificate { path: path.to_owned(), error })?;
    match ParsedCertificate::try_from(&found) {
        Ok(_) => Ok(found),
        Err(error) => Err(KeyError::Unusable { path: path.to_owned(), error }),
    }
}

/// All keys, one a line.
///
/// # Errors
/// The store fails.
pub async fn list_keys(store: &dyn Store, clock: &dyn Clock) -> Result<String, KeyError> {
    let keys = store.keys().await?;
    let now = clock.now();
    let mut lines = format!("{} keys", keys.len());
    for key in keys {
        let holder = match &key.holder {
            Holder::Operator => "operator".to_owned(),
            Holder::Backend { tenant, scopes } => {
                let scopes: Vec<_> = scopes.iter().map(|scope| scope.word()).collect();
                format!("tenant {tenant} ({})", scopes.join(", "))
            }
        };
        let state = match (key.revoke_time, key.expire_time) {
            (Some(revoked), _) => format!("revoked {}", shown(revoked)),
            (None, Some(expires)) if expires <= now => format!("expired {}", shown(expires)),
            (None, Some(expires)) => format!("valid until {}", shown(expires)),
            (None, None) => "valid".to_owned(),
        };
        let (id, made) = (service_key::id(&key.hash), shown(key.create_time));
        // A label may hold anything, line ends too.
        let _never_fails = write!(lines, "\n{id}  {holder}  made {made}  {state}  {:?}", key.label);
    }
    Ok(lines)
}

/// Revokes the key that is called so.
///
/// # Errors
/// See [`KeyError`].
pub async fn revoke_key(store: &dyn Store, id: &str, clock: &dyn Clock) -> Result<String, KeyError> {
    let keys = store.keys().await?;
    let mut called = keys.iter().filter(|key| service_key::id(&key.hash) == id);
    match (called.next(), called.next()) {
        (Some(key), None) => {
            store.revoke_key(key.hash, clock.now()).await?;
            Ok(format!("{id} is revoked"))
        }
        _ => Err(KeyError::Unknown(id.to_owned())),
    }
}

fn shown(time: Millis) -> prost_types::Timestamp {
    prost_types::Timestamp { seconds: time.div_euclid(1_000), nanos: 0 }
}
