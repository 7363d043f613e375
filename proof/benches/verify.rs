//! How fast logs are verified: all five checks, from the stored bytes.

use std::hint::black_box;

use chaquete_proof::{played, verify::verify};
use chaquete_rules::{ClockMode, TimeControl, TimeLimit, TimeoutPolicy};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use uuid::Uuid;

fn logs(criterion: &mut Criterion) {
    let limit = TimeLimit::Clock { reserve: 120_000, mode: ClockMode::SimpleDelay, per_turn: 12_000 };
    let time = Some(TimeControl { limit, policy: TimeoutPolicy::ForfeitMatch });
    let mut group = criterion.benchmark_group("verify");
    for events in [200, 5_000, 50_000] {
        let session = played::session(Uuid::from_u128(7), events, time);
        assert!(verify(&session.facts.uid, &session.log, Some(&session.facts)).passed());
        group.throughput(Throughput::Elements(session.log.len() as u64));
        group.bench_function(format!("a session of {events} events"), |bencher| {
            bencher
                .iter(|| verify(&session.facts.uid, black_box(&session.log), Some(&session.facts)).passed());
        });
    }
    group.finish();
}

criterion_group!(benches, logs);
criterion_main!(benches);
