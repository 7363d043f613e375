//! The embedded store as a whole.

use crate::store::{open, suite};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn memory_does_what_a_store_must() {
    suite::run(false, async || open("memory:").await.expect("opened")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_file_does_what_a_store_must() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite:{}", folder.path().join("chaquete.db").display());
    suite::run(true, async || open(&url).await.expect("opened")).await;
}

/// On one thread everything happens in another order.
#[tokio::test]
async fn one_thread_is_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite:{}", folder.path().join("chaquete.db").display());
    suite::run(true, async || open(&url).await.expect("opened")).await;
}
