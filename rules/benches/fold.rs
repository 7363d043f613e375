//! How fast recorded events are folded into a match: what reading a match again costs beyond its bytes.
#![expect(clippy::unwrap_used, reason = "a benchmark stops where its data is not as expected")]

#[path = "../tests/common"]
mod common {
    pub(crate) mod events;
    pub(crate) mod random;
}

use std::hint::black_box;

use chaquete_rules::{Event, Match, Terms, evolve};
use common::events::match_of_random_play;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const MATCHES: u64 = 50;

fn fold(terms: &Terms, events: &[Event]) -> Match {
    let mut state = Match::new(terms.clone());
    for (event, time) in events.iter().zip((0..).step_by(1000)) {
        evolve(&mut state, event, time).unwrap();
    }
    state
}

fn replay(criterion: &mut Criterion) {
    let matches: Vec<_> = (0..MATCHES).map(match_of_random_play).collect();
    let mut group = criterion.benchmark_group("replay");
    group.throughput(Throughput::Elements(matches.iter().map(|(_, events)| events.len() as u64).sum()));
    group.bench_function("events folded", |bencher| {
        bencher.iter(|| {
            for (terms, events) in &matches {
                black_box(fold(terms, black_box(events)));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);
