//! The embedded store as a whole.

mod damage;
mod files;
mod queries;
mod rebuild;
mod retain;
mod troubles;

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::store::{Store, open, suite};

/// A folder for one test and the file in it.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chaquete.db");
    (folder, file)
}

fn url(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}

async fn open_file(file: &Path) -> std::sync::Arc<dyn Store> {
    open(&url(file)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn memory_does_what_a_store_must() {
    suite::run(false, async || open("memory:").await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_file_does_what_a_store_must() {
    let (_folder, file) = folder();
    suite::run(true, async || open_file(&file).await).await;
}

/// On one thread everything happens in another order.
#[tokio::test]
async fn one_thread_is_enough() {
    let (_folder, file) = folder();
    suite::run(true, async || open_file(&file).await).await;
}
