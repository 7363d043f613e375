//! What is stored of those who may call. Secrets are not: of a key only its hash.

use std::collections::BTreeSet;

use chaquete_proof::words;
use clap::ValueEnum;

use super::{
    StoreError,
    words::{Read, read_word},
};
use crate::{clock::Millis, log::Word};

/// SHA-256 of a service key, or of a client's certificate (DER).
pub type KeyHash = [u8; 32];

/// What a backend may do with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Scope {
    /// Read matches of its tenant.
    Read,
    /// Create and change them.
    Write,
    /// Issue and revoke tokens of players and spectators.
    Tokens,
}

words!(Scope { Read: "read", Write: "write", Tokens: "tokens" });

/// Whose key it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A backend of a tenant, within these scopes.
    Backend {
        /// The tenant.
        tenant: String,
        /// What it may do.
        scopes: BTreeSet<Scope>,
    },
    /// An operator.
    Operator,
}

impl Holder {
    /// The tenant of a backend.
    #[must_use]
    pub fn tenant(&self) -> Option<&str> {
        match self {
            Self::Backend { tenant, .. } => Some(tenant),
            Self::Operator => None,
        }
    }
}

/// A key as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    /// What it is found by.
    pub hash: KeyHash,
    /// Whose it is.
    pub holder: Holder,
    /// What people call it.
    pub label: String,
    /// When it was made.
    pub create_time: Millis,
    /// From when on it counts no more.
    pub expire_time: Option<Millis>,
    /// Since when it counts no more.
    pub revoke_time: Option<Millis>,
}

impl StoredKey {
    /// Whether it counts at this time.
    #[must_use]
    pub fn is_valid(&self, now: Millis) -> bool {
        self.revoke_time.is_none() && self.expire_time.is_none_or(|expires| now < expires)
    }
}

/// Keeps who may call.
#[async_trait::async_trait]
pub trait Credentials {
    /// Adds a key; [`StoreError::Exists`] if it is there.
    async fn add_key(&self, key: StoredKey) -> Result<(), StoreError>;

    /// The key of this hash, revoked or not.
    async fn key(&self, hash: KeyHash) -> Result<Option<StoredKey>, StoreError>;

    /// All keys, the oldest first.
    async fn keys(&self) -> Result<Vec<StoredKey>, StoreError>;

    /// Revokes a key, if it was not revoked before. `false`: there is none.
    async fn revoke_key(&self, hash: KeyHash, now: Millis) -> Result<bool, StoreError>;

    /// Refuses tokens of a subject that were issued before this time, or before a later one that was given earlier.
    async fn revoke_tokens(&self, tenant: &str, subject: &str, not_before: Millis) -> Result<(), StoreError>;

    /// Since when tokens of this subject count.
    async fn tokens_since(&self, tenant: &str, subject: &str) -> Result<Option<Millis>, StoreError>;
}

/// How scopes are stored.
pub(super) fn stored_scopes(holder: &Holder) -> String {
    match holder {
        Holder::Backend { scopes, .. } => {
            scopes.iter().map(|scope| scope.word()).collect::<Vec<_>>().join(" ")
        }
        Holder::Operator => String::new(),
    }
}

/// Whose key it is, as stored.
pub(super) fn read_holder(tenant: Option<String>, scopes: &str) -> Read<Holder> {
    let Some(tenant) = tenant else { return Ok(Holder::Operator) };
    Ok(Holder::Backend { tenant, scopes: scopes.split_whitespace().map(read_word).collect::<Read<_>>()? })
}
