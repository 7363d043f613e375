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
        credentials::{key_columns, read_holder, statements, stored_scopes},
        words::Read,
    },
};

statements!(PgConnection, PgRow);

#[async_trait::async_trait]
impl Credentials for PostgresStore {
    async fn add_key(&self, key: StoredKey) -> Result<(), StoreError> {
        self.write_aside(move |connection| Box::pin(add_key(connection, key))).await
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
