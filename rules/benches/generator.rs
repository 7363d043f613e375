//! How fast legal moves are found: a sample of positions from real play and hard ones, one roll each.
#![expect(clippy::unwrap_used, reason = "a benchmark stops where its data is not as expected")]

#[path = "../tests/common"]
mod common {
    pub(crate) mod files;
    pub(crate) mod numbers;
}

use std::hint::black_box;

use chaquete_rules::{Dice, LegalMoves, Position, Results};
use common::files::{data, lines};
use common::numbers::position;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

fn rolls() -> Vec<(Position, Dice)> {
    lines(&data("bench_positions.jsonl"))
        .map(|case| {
            let p: Vec<i8> = serde_json::from_value(case["p"].clone()).unwrap();
            let d: [u8; 2] = serde_json::from_value(case["d"].clone()).unwrap();
            (position(&p.try_into().unwrap()).unwrap(), Dice::new(d[0], d[1]).unwrap())
        })
        .collect()
}

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
