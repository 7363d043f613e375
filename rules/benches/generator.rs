//! How fast legal moves are found: a sample of positions from real play and hard ones, one roll each.
#![expect(clippy::unwrap_used, reason = "a benchmark stops where its data is not as expected")]

#[path = "../tests/common"]
mod common {
    pub(crate) mod files;
    pub(crate) mod numbers;
    pub(crate) mod rolls;
}

use std::hint::black_box;

use chaquete_rules::{LegalMoves, Results};
use common::rolls::rolls;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

fn generator(criterion: &mut Criterion) {
    let rolls = rolls();
    let mut group = criterion.benchmark_group("legal moves");
    group.throughput(Throughput::Elements(rolls.len() as u64));

    let mut results = Results::new();
    group.bench_function("results in a buffer", |bencher| {
        bencher.iter(|| {
            for (position, dice) in &rolls {
                black_box(results.fill(black_box(position), *dice));
            }
        });
    });
    group.bench_function("results as positions", |bencher| {
        bencher.iter(|| {
            for (position, dice) in &rolls {
                results.fill(black_box(position), *dice);
                black_box(results.iter().map(black_box).count());
            }
        });
    });
    group.bench_function("list with steps", |bencher| {
        bencher.iter(|| {
            for (position, dice) in &rolls {
                black_box(LegalMoves::new(*black_box(position), *dice).iter().map(black_box).last());
            }
        });
    });
    group.bench_function("graph", |bencher| {
        bencher.iter_batched(
            || rolls.iter().map(|(position, dice)| LegalMoves::new(*position, *dice)).collect::<Vec<_>>(),
            |moves| moves.iter().for_each(|legal| drop(black_box(legal.graph()))),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, generator);
criterion_main!(benches);
