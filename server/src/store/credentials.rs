//! What is stored of those who may call. Secrets are not: of a key only its hash.

use std::collections::BTreeSet;

use chaquete_proof::words;

use super::{
    StoreError,
    words::{Read, read_word},
};
use crate::{clock::Millis, log::Word};

/// SHA-256 of a service key, or of a client's certificate (DER).
pub type KeyHash = [u8; 32];

/// What a backend may do with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// All columns of a key.
macro_rules! key_columns {
    () => {
        "hash, tenant, scopes, label, create_time, expire_time, revoke_time"
    };
}
pub(super) use key_columns;

/// The statements of an engine: the same in all of them, but for its connections and rows, and for how it reads those
/// (`column`, `array`) and says what went wrong (`store_error`, `damaged`), which must be in scope.
macro_rules! statements {
    ($connection:ty, $row:ty) => {
        async fn add_key(connection: &mut $connection, key: StoredKey) -> Result<(), StoreError> {
            let sql = concat!(
                "INSERT INTO service_keys (",
                key_columns!(),
                ") VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (hash) DO NOTHING"
            );
            let added = sqlx::query(sql)
                .bind(key.hash.as_slice())
                .bind(key.holder.tenant())
                .bind(stored_scopes(&key.holder))
                .bind(&*key.label)
                .bind(key.create_time)
                .bind(key.expire_time)
                .bind(key.revoke_time);
            let added = added.execute(connection).await.map_err(store_error)?;
            if added.rows_affected() == 1 { Ok(()) } else { Err(StoreError::Exists) }
        }

        async fn key(connection: &mut $connection, hash: KeyHash) -> Result<Option<StoredKey>, StoreError> {
            let sql = concat!("SELECT ", key_columns!(), " FROM service_keys WHERE hash = $1");
            let row = sqlx::query(sql).bind(hash.as_slice()).fetch_optional(connection).await;
            row.map_err(store_error)?.as_ref().map(stored_key).transpose().map_err(damaged)
        }

        async fn keys(connection: &mut $connection) -> Result<Vec<StoredKey>, StoreError> {
            let sql = concat!("SELECT ", key_columns!(), " FROM service_keys ORDER BY create_time, hash");
            let rows = sqlx::query(sql).fetch_all(connection).await.map_err(store_error)?;
            rows.iter().map(stored_key).collect::<Read<_>>().map_err(damaged)
        }

        fn stored_key(row: &$row) -> Read<StoredKey> {
            Ok(StoredKey {
                hash: array(column(row, "hash")?, "hash")?,
                holder: read_holder(column(row, "tenant")?, column(row, "scopes")?)?,
                label: column(row, "label")?,
                create_time: column(row, "create_time")?,
                expire_time: column(row, "expire_time")?,
                revoke_time: column(row, "revoke_time")?,
            })
        }

        async fn revoke_key(
            connection: &mut $connection,
            hash: KeyHash,
            now: Millis,
        ) -> Result<bool, StoreError> {
            let sql = "UPDATE service_keys SET revoke_time = coalesce(revoke_time, $1) WHERE hash = $2";
            let revoked = sqlx::query(sql).bind(now).bind(hash.as_slice());
            Ok(revoked.execute(connection).await.map_err(store_error)?.rows_affected() == 1)
        }

        async fn revoke_tokens(
            connection: &mut $connection,
            tenant: String,
            subject: String,
            not_before: Millis,
        ) -> Result<(), StoreError> {
            let sql = "INSERT INTO token_revocations AS earlier (tenant, subject, not_before) VALUES ($1, $2, $3) \
                       ON CONFLICT (tenant, subject) DO UPDATE SET not_before = excluded.not_before \
                       WHERE earlier.not_before < excluded.not_before";
            let revoked = sqlx::query(sql).bind(tenant).bind(subject).bind(not_before);
            revoked.execute(connection).await.map(drop).map_err(store_error)
        }

        async fn tokens_since(
            connection: &mut $connection,
            tenant: String,
            subject: String,
        ) -> Result<Option<Millis>, StoreError> {
            let sql = "SELECT not_before FROM token_revocations WHERE tenant = $1 AND subject = $2";
            let since = sqlx::query_scalar(sql).bind(tenant).bind(subject);
            since.fetch_optional(connection).await.map_err(store_error)
        }
    };
}
pub(super) use statements;

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
