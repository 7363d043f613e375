//! Who may call, in a file.

use sqlx::{SqliteConnection, sqlite::SqliteRow};

use super::{
    Reader, SqliteStore,
    engine::execute,
    error::{damaged, store_error},
    row::{array, column},
};
use crate::{
    clock::Millis,
    store::{
        Credentials, KeyHash, StoreError, StoredKey,
        credentials::{key_columns, read_holder, statements, stored_scopes},
        words::Read,
    },
};

statements!(SqliteConnection, SqliteRow);

/// Looks whether keys could be read.
pub(super) async fn probe(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    for sql in [
        concat!("SELECT ", key_columns!(), " FROM service_keys LIMIT 0"),
        "SELECT tenant, subject, not_before FROM token_revocations LIMIT 0",
    ] {
        execute(connection, sql).await.map_err(store_error)?;
    }
    Ok(())
}

#[async_trait::async_trait]
impl Credentials for SqliteStore {
    async fn add_key(&self, key: StoredKey) -> Result<(), StoreError> {
        self.write(move |connection| Box::pin(add_key(connection, key))).await
    }

    async fn key(&self, hash: KeyHash) -> Result<Option<StoredKey>, StoreError> {
        self.read(move |mut reader| async move { key(reader.connection()?, hash).await }).await
    }

    async fn keys(&self) -> Result<Vec<StoredKey>, StoreError> {
        self.read(|mut reader: Reader| async move { keys(reader.connection()?).await }).await
    }

    async fn revoke_key(&self, hash: KeyHash, now: Millis) -> Result<bool, StoreError> {
        self.write(move |connection| Box::pin(revoke_key(connection, hash, now))).await
    }

    async fn revoke_tokens(&self, tenant: &str, subject: &str, not_before: Millis) -> Result<(), StoreError> {
        let (tenant, subject) = (tenant.to_owned(), subject.to_owned());
        self.write(move |connection| Box::pin(revoke_tokens(connection, tenant, subject, not_before))).await
    }

    async fn tokens_since(&self, tenant: &str, subject: &str) -> Result<Option<Millis>, StoreError> {
        let (tenant, subject) = (tenant.to_owned(), subject.to_owned());
        self.read(|mut reader| async move { tokens_since(reader.connection()?, tenant, subject).await }).await
    }
}
