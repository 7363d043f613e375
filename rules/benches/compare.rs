//! The move generator beside that of the crate `bkgm`, in one run: a table.
//!
//! `cargo bench -p chaquete-rules --bench compare`; with `CHAQUETE_BENCH_POSITIONS` other positions than the
//! sample. Both list the results of a roll, each in its own form; `bkgm` may list one twice. Every figure is the
//! best of many rounds, which other work on the machine disturbs least.
#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the time")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops where its data is not as expected")]

#[path = "../tests/common"]
mod common {
    pub(crate) mod as_numbers;
    pub(crate) mod files;
    pub(crate) mod numbers;
    pub(crate) mod rolls;
    pub(crate) mod theirs;
}

use std::hint::black_box;
use std::time::Instant;

use chaquete_rules::{Dice, LegalMoves, Position, Results};
use common::rolls::rolls;
use common::theirs::Theirs;

const ROUNDS: usize = 60;

/// A roll for us and for `bkgm`.
struct Case {
    position: Position,
    dice: Dice,
    theirs: Theirs,
}

/// Nanoseconds a case, in the best round of those that measure all ways in turn.
fn best(cases: &[&Case], ways: &mut [&mut dyn FnMut(&Case)]) -> Vec<f64> {
    let mut best = vec![f64::MAX; ways.len()];
    for _ in 0..ROUNDS {
        for (way, best) in ways.iter_mut().zip(&mut best) {
            let start = Instant::now();
            cases.iter().for_each(|case| way(case));
            *best = best.min(start.elapsed().as_secs_f64() * 1e9 / cases.len() as f64);
        }
    }
    best
}

fn row(name: &str, cases: &[&Case]) {
    let mut buffer = Results::new();
    let mut positions = Results::new();
    let times = best(
        cases,
        &mut [
            &mut |case: &Case| {
                black_box(buffer.fill(black_box(&case.position), case.dice));
            },
            &mut |case: &Case| {
                positions.fill(black_box(&case.position), case.dice);
                black_box(positions.iter().map(black_box).count());
            },
            &mut |case: &Case| {
                black_box(LegalMoves::new(black_box(case.position), case.dice));
            },
            &mut |case: &Case| drop(black_box(black_box(&case.theirs).results())),
        ],
    );
    let ratio = times[3] / times[0];
    let [ours, positions, list, theirs] = [0, 1, 2, 3].map(|way| times[way]);
    println!(
        "{name:<12} {:>6} {ours:>10.1} {positions:>10.1} {list:>10.1} {theirs:>10.1} {ratio:>7.2}",
        cases.len()
    );
}

fn main() {
    let cases: Vec<Case> = rolls()
        .into_iter()
        .map(|(position, dice)| Case { position, dice, theirs: Theirs::new(&position, dice) })
        .collect();
    let of = |wanted: fn(Dice) -> bool| cases.iter().filter(|case| wanted(case.dice)).collect::<Vec<_>>();
    println!("nanoseconds a roll, best of {ROUNDS} rounds");
    println!("rolls             n    results  positions       list       bkgm   ratio");
    row("all", &of(|_| true));
    row("doubles", &of(Dice::is_double));
    row("others", &of(|dice| !dice.is_double()));
}
