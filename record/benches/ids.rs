//! How fast ids of positions are written and read.
#![expect(clippy::unwrap_used, reason = "a benchmark stops where its data is not as expected")]

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::Path;

use chaquete_record::PositionId;
use chaquete_rules::Position;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;

/// The ids of the positions after the plays of a sample.
fn ids() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/rules/plays.jsonl");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let results = text.lines().flat_map(|line| {
        let case: Value = serde_json::from_str(line).unwrap();
        serde_json::from_value::<Vec<String>>(case["r"].clone()).unwrap()
    });
    results.collect()
}

fn position_ids(criterion: &mut Criterion) {
    let ids = ids();
    let positions: Vec<Position> =
        ids.iter().map(|id| id.parse::<PositionId>().unwrap().position(15).unwrap()).collect();
    let mut group = criterion.benchmark_group("position ids");
    group.throughput(Throughput::Elements(ids.len() as u64));

    group.bench_function("id of a position", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(PositionId::of(black_box(position)));
            }
        });
    });
    let mut text = String::new();
    group.bench_function("text of a position, in a buffer", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                text.clear();
                write!(text, "{}", PositionId::of(black_box(position))).unwrap();
                black_box(&text);
            }
        });
    });
    group.bench_function("text of a position, as a new string", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(PositionId::of(black_box(position)).to_string());
            }
        });
    });
    group.bench_function("position of a text", |bencher| {
        bencher.iter(|| {
            for id in &ids {
                black_box(black_box(id).parse::<PositionId>().unwrap().position(15).unwrap());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, position_ids);
criterion_main!(benches);
