//! What dice cost: a chain should be made in less than 1 ms, a roll in less than 2 µs.

use std::hint::black_box;

use chaquete_proof::dice::Chain;
use chaquete_rules::{Contributions, DiceCup, ROLLS_PER_EPOCH};
use chaquete_server::dice::{Cups, DiceKey, DiceKeys, SeededCup};
use criterion::{BatchSize, Criterion};
use uuid::Uuid;

const UID: Uuid = Uuid::from_u128(7);

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    // All links of an epoch, from the tip to the anchor.
    criterion.bench_function("make a chain", |bencher| {
        bencher.iter(|| Chain::new(black_box(&[0x11; 32]), &UID, 0));
    });
    first_roll(&mut criterion);
    next_roll(&mut criterion);
    seeded_roll(&mut criterion);
    criterion.final_summary();
}

fn cups() -> Cups {
    Cups::new(DiceKeys::single(DiceKey::new("bench", [0x11; 32]).expect("a key")), 1_000)
}

/// After a restart: the chain is made, and compared with the commitment.
fn first_roll(criterion: &mut Criterion) {
    let commitment = cups().committed(UID, None).expect("a cup").commit(0, &Contributions::NONE);
    let roll = |cups: &mut Cups| {
        cups.committed(UID, commitment.as_ref()).expect("a cup").roll(0, 2_000, &Contributions::NONE)
    };
    criterion.bench_function("first roll", |bencher| {
        bencher.iter_batched_ref(cups, roll, BatchSize::SmallInput);
    });
}

/// One roll after the other, as in a match whose chain is in memory.
fn next_roll(criterion: &mut Criterion) {
    let cups = cups();
    let cup = cups.committed(UID, None).expect("a cup");
    let commitment = cup.commit(0, &Contributions::NONE);
    let mut index = 0;
    let mut next = || {
        index = index % ROLLS_PER_EPOCH + 1;
        index
    };
    criterion
        .bench_function("next roll", |bencher| bencher.iter(|| cup.roll(0, next(), &Contributions::NONE)));
    criterion.bench_function("next roll, with its cup", |bencher| {
        bencher.iter(|| {
            cups.committed(UID, commitment.as_ref()).expect("a cup").roll(0, next(), &Contributions::NONE)
        });
    });
}

fn seeded_roll(criterion: &mut Criterion) {
    let cup = SeededCup::new([0x22; 32]);
    let mut index = 0;
    criterion.bench_function("seeded roll", |bencher| {
        bencher.iter(|| {
            index += 1;
            cup.roll(0, index, &Contributions::NONE)
        });
    });
}
