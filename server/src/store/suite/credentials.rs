//! Who may call is kept, and what was taken back stays so.

use std::{collections::BTreeSet, sync::Arc};

use chaquete_proof::log::Word;

use super::fixture::{START, new_tenant};
use crate::store::{Holder, KeyHash, Scope, Store, StoreError, StoredKey};

fn backend() -> Holder {
    Holder::Backend { tenant: new_tenant(), scopes: BTreeSet::from([Scope::Read, Scope::Tokens]) }
}

fn key(holder: Holder) -> StoredKey {
    StoredKey {
        hash: rand::random(),
        holder,
        label: "The ‹café›'s server".to_owned(),
        create_time: START,
        expire_time: Some(START + 10),
        revoke_time: None,
    }
}

pub(super) async fn a_key_is_found_as_it_was(store: Arc<dyn Store>) {
    let none = Holder::Backend { tenant: new_tenant(), scopes: BTreeSet::new() };
    let all = Holder::Backend { tenant: new_tenant(), scopes: Scope::ALL.iter().copied().collect() };
    for holder in [backend(), Holder::Operator, none, all] {
        let key = key(holder);
        store.add_key(key.clone()).await.expect("added");
        assert_eq!(store.key(key.hash).await.expect("read"), Some(key.clone()));
        assert!(store.keys().await.expect("read").contains(&key));
        let other: KeyHash = rand::random();
        assert_eq!(store.key(other).await.expect("read"), None);
    }
}

pub(super) async fn a_key_is_there_once(store: Arc<dyn Store>) {
    let first = key(backend());
    store.add_key(first.clone()).await.expect("added");
    let second = StoredKey { hash: first.hash, ..key(Holder::Operator) };
    assert!(matches!(store.add_key(second).await, Err(StoreError::Exists)));
    assert_eq!(store.key(first.hash).await.expect("read"), Some(first));
}

pub(super) async fn a_key_is_revoked_once(store: Arc<dyn Store>) {
    let key = key(backend());
    store.add_key(key.clone()).await.expect("added");
    assert!(key.is_valid(START + 9) && !key.is_valid(START + 10));
    assert!(store.revoke_key(key.hash, START + 1).await.expect("revoked"));
    assert!(store.revoke_key(key.hash, START + 5).await.expect("revoked already"));
    let revoked = store.key(key.hash).await.expect("read").expect("it is kept");
    assert_eq!(revoked, StoredKey { revoke_time: Some(START + 1), ..key });
    assert!(!revoked.is_valid(START));
    assert!(!store.revoke_key(rand::random(), START).await.expect("there is none"));
}

pub(super) async fn tokens_are_revoked_for_good(store: Arc<dyn Store>) {
    let (tenant, other) = (new_tenant(), new_tenant());
    assert_eq!(store.tokens_since(&tenant, "u-1").await.expect("read"), None);
    store.revoke_tokens(&tenant, "u-1", START + 5).await.expect("revoked");
    // A server whose clock is behind takes nothing back.
    store.revoke_tokens(&tenant, "u-1", START).await.expect("revoked");
    assert_eq!(store.tokens_since(&tenant, "u-1").await.expect("read"), Some(START + 5));
    store.revoke_tokens(&tenant, "u-1", START + 9).await.expect("revoked");
    assert_eq!(store.tokens_since(&tenant, "u-1").await.expect("read"), Some(START + 9));
    for (tenant, subject) in [(&tenant, "u-2"), (&other, "u-1"), (&tenant, "")] {
        assert_eq!(store.tokens_since(tenant, subject).await.expect("read"), None, "{tenant} {subject}");
    }
}
