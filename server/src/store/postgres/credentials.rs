//! Who may call, for all servers.

use sqlx::{PgConnection, postgres::PgRow};

use super::{
    PostgresStore,
    error::{damaged, store_error},
    row::{array, column},
};
use crate::{
    clock::Millis,
    store::{
        Credentials, KeyHash, StoreError, StoredKey,
        credentials::{read_holder, stored_scopes},
        words::Read,
    },
};

/// All columns of a key.
macro_rules! key_columns {
    () => {
        "hash, tenant, scopes, label, create_time, expire_time, revoke_time"
    };
}

#[async_trait::async_trait]
impl Credentials for PostgresStore {
    async fn add_key(&self, key: StoredKey) -> Result<(), StoreError> {
        self.write_aside(move |connection| Box::pin(async move { add_key(connection, &key).await })).await
    }

    async fn key(&self, hash: KeyHash) -> Result<Option<StoredKey>, StoreError> {
        self.read(move |connection| Box::pin(key(connection, hash))).await
    }

    async fn keys(&self) -> Result<Vec<StoredKey>, StoreError> {
        self.read(|connection| Box::pin(keys(connection))).await
    }

    async fn revoke_key(&self, hash: KeyHash, now: Millis) -> Result<bool, StoreError> {
        self.write_aside(move |connection| Box::pin(revoke_key(connection, hash, now))).await
    }

    async fn revoke_tokens(&self, tenant: &str, subject: &str, not_before: Millis) -> Result<(), StoreError> {
        let (tenant, subject) = (tenant.to_owned(), subject.to_owned());
        self.write_aside(move |connection| Box::pin(revoke_tokens(connection, tenant, subject, not_before)))
            .await
    }

    async fn tokens_since(&self, tenant: &str, subject: &str) -> Result<Option<Millis>, StoreError> {
        let (tenant, subject) = (tenant.to_owned(), subject.to_owned());
        self.read(move |connection| Box::pin(tokens_since(connection, tenant.clone(), subject.clone()))).await
    }
}

async fn add_key(connection: &mut PgConnection, key: &StoredKey) -> Result<(), StoreError> {
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

async fn key(connection: &mut PgConnection, hash: KeyHash) -> Result<Option<StoredKey>, StoreError> {
    let sql = concat!("SELECT ", key_columns!(), " FROM service_keys WHERE hash = $1");
    let row = sqlx::query(sql).bind(hash.as_slice()).fetch_optional(connection).await.map_err(store_error)?;
    row.as_ref().map(stored_key).transpose().map_err(damaged)
}

async fn keys(connection: &mut PgConnection) -> Result<Vec<StoredKey>, StoreError> {
    let sql = concat!("SELECT ", key_columns!(), " FROM service_keys ORDER BY create_time, hash");
    let rows = sqlx::query(sql).fetch_all(connection).await.map_err(store_error)?;
    rows.iter().map(stored_key).collect::<Read<_>>().map_err(damaged)
}

fn stored_key(row: &PgRow) -> Read<StoredKey> {
    Ok(StoredKey {
        hash: array(column(row, "hash")?, "hash")?,
        holder: read_holder(column(row, "tenant")?, column(row, "scopes")?)?,
        label: column(row, "label")?,
        create_time: column(row, "create_time")?,
        expire_time: column(row, "expire_time")?,
        revoke_time: column(row, "revoke_time")?,
    })
}

async fn revoke_key(connection: &mut PgConnection, hash: KeyHash, now: Millis) -> Result<bool, StoreError> {
    let sql = "UPDATE service_keys SET revoke_time = coalesce(revoke_time, $1) WHERE hash = $2";
    let revoked = sqlx::query(sql).bind(now).bind(hash.as_slice());
    Ok(revoked.execute(connection).await.map_err(store_error)?.rows_affected() == 1)
}

async fn revoke_tokens(
    connection: &mut PgConnection,
    tenant: String,
    subject: String,
    not_before: Millis,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO token_revocations AS earlier (tenant, subject, not_before) VALUES ($1, $2, $3) \
               ON CONFLICT (tenant, subject) \
               DO UPDATE SET not_before = greatest(earlier.not_before, excluded.not_before)";
    let revoked = sqlx::query(sql).bind(tenant).bind(subject).bind(not_before);
    revoked.execute(connection).await.map(drop).map_err(store_error)
}

async fn tokens_since(
    connection: &mut PgConnection,
    tenant: String,
    subject: String,
) -> Result<Option<Millis>, StoreError> {
    let sql = "SELECT not_before FROM token_revocations WHERE tenant = $1 AND subject = $2";
    let since = sqlx::query_scalar(sql).bind(tenant).bind(subject);
    since.fetch_optional(connection).await.map_err(store_error)
}
