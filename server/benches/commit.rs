//! How many appends a file takes, by how many callers wait at once.
//!
//! Each append waits until it is on the disk. With one caller that is one sync an append; with more they share
//! it, which is what group commit is for.

use std::{hint::black_box, sync::Arc, time::Duration};

use chaquete_server::store::{
    Store, StoredMatch, open,
    suite::fixture::{new_match, next},
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tokio::{runtime::Runtime, task::JoinSet, time::Instant};

/// Lets each match's caller append until there were so many appends in all. The time that took.
async fn append(store: &Arc<dyn Store>, matches: &mut [StoredMatch], appends: u64) -> Duration {
    let callers = matches.len() as u64;
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for (n, one) in matches.iter().enumerate() {
        let (store, mut one) = (Arc::clone(store), one.clone());
        let share = appends / callers + u64::from((n as u64) < appends % callers);
        tasks.spawn(async move {
            for _ in 0..share {
                let append = next(one.key, one.head, 1);
                one.head = append.head;
                store.append(append).await.expect("nobody else writes to this match");
            }
            (n, one)
        });
    }
    for (n, one) in tasks.join_all().await {
        matches[n] = one;
    }
    start.elapsed()
}

async fn prepare(url: &str, callers: usize) -> (Arc<dyn Store>, Vec<StoredMatch>) {
    let store = open(url).await.expect("opened");
    let mut matches = Vec::new();
    for _ in 0..callers {
        let (new, events) = new_match("bench");
        store.create(new.clone(), events).await.expect("created");
        matches.push(new);
    }
    (store, matches)
}

fn appends(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let mut group = criterion.benchmark_group("append");
    group.throughput(Throughput::Elements(1)).sample_size(10).measurement_time(Duration::from_secs(8));
    for callers in [1, 64, 512] {
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite:{}", folder.path().join("chaquete.db").display());
        let (store, mut matches) = runtime.block_on(prepare(&url, callers));
        group.bench_function(BenchmarkId::new("in flight", callers), |bencher| {
            bencher.iter_custom(|appends| black_box(runtime.block_on(append(&store, &mut matches, appends))));
        });
        runtime.block_on(store.close());
    }
    group.finish();
}

criterion_group!(benches, appends);
criterion_main!(benches);
