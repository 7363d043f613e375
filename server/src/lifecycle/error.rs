//! Why a server does not start, or stops by itself.

use std::net::SocketAddr;

use super::TlsError;
use crate::{
    access::{NoKeys, TokenKeyFileError},
    checkpoint::{CheckpointError, LogKeyFileError},
    dice::KeyFileError,
    store,
};

/// Why the server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Others could do everything.
    #[error(
        "others can reach {0}, and nobody would be asked who they are: make a key (chaquete-server key create) or name \
         an issuer (--issuer), or serve this machine only (--listen 127.0.0.1:50051); --allow-anyone serves all the same"
    )]
    OpenToAnyone(SocketAddr),
    /// Others could listen.
    #[error(
        "others can reach {0}, and could listen: name a certificate and its key (--tls-cert, --tls-key), or serve this \
         machine only; --allow-plaintext serves all the same, for a server behind a proxy that ends TLS"
    )]
    Plaintext(SocketAddr),
    /// Connections cannot be protected.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The keys of tokens cannot be read or made.
    #[error("cannot use the keys that sign tokens: {0}")]
    TokenKeys(#[from] TokenKeyFileError),
    /// Service keys cannot be looked for.
    #[error("service keys cannot be read: {0}")]
    ServiceKeys(store::StoreError),
    /// The keys of an issuer cannot be read from their file.
    #[error(transparent)]
    Issuer(#[from] NoKeys),
    /// The address cannot be listened on.
    #[error("cannot listen on {address} (--listen): {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The address of metrics cannot be listened on.
    #[error("cannot listen on {address} for those who scrape metrics (--metrics-listen): {source}")]
    ListenForScrapes {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The store cannot be opened.
    #[error("cannot open the store: {0}")]
    Store(#[from] store::OpenError),
    /// The secret of the dice cannot be read or made.
    #[error("cannot use the secret of the dice: {0}")]
    Dice(#[from] KeyFileError),
    /// Servers on one database need one secret, and the database must not hold it.
    #[error("name a file with the secret of the dice (--dice-key-file): on Postgres none is made")]
    NoDiceKey,
    /// The keys of the log cannot be read or made.
    #[error("cannot use the keys that sign checkpoints: {0}")]
    LogKeys(#[from] LogKeyFileError),
    /// Servers on one database sign in one name.
    #[error("name a file with the key that signs checkpoints (--log-key): on Postgres none is made")]
    NoLogKey,
    /// The store is not what was signed.
    #[error("the store is not served: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// A method of the contract does not say who may call it.
    #[error("the contract is not complete: {0}")]
    Access(#[from] chaquete_proto::access::AccessError),
    /// Overdue matches cannot be swept.
    #[error("the clocks cannot be looked after: {0}")]
    Sweep(String),
    /// The contract cannot be served for reflection.
    #[error("reflection cannot be served: {0}")]
    Reflection(String),
}

impl StartError {
    /// Whether the server was told something wrong, so that trying again is of no use until that is changed.
    #[must_use]
    pub const fn is_of_configuration(&self) -> bool {
        matches!(
            self,
            Self::OpenToAnyone(_)
                | Self::Plaintext(_)
                | Self::Tls(_)
                | Self::TokenKeys(_)
                | Self::Issuer(_)
                | Self::Store(store::OpenError::Url { .. } | store::OpenError::OneWriter)
                | Self::Dice(_)
                | Self::NoDiceKey
                | Self::LogKeys(_)
                | Self::NoLogKey
        )
    }
}

/// Why the server stopped by itself.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No connections can be served.
    #[error("connections cannot be served: {0}")]
    Transport(#[from] tonic::transport::Error),
    /// The system gives no thread.
    #[error("no thread can be started: {0}")]
    Thread(std::io::Error),
}
