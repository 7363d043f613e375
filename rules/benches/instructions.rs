//! How many instructions the move generator takes, which other work on the machine does not change.
//!
//! `cargo bench -p chaquete-rules --features instructions --bench instructions` needs valgrind and the program
//! `gungraun-runner`; `tests/run instructions` installs them. The figures are for all rolls together: the sample
//! has 300, of them 55 doubles. The bench fails if our generator takes more than its limit.
#![expect(missing_docs, reason = "what the macros write")]
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

use chaquete_rules::{Dice, Position, Results};
use common::rolls::rolls;
use common::theirs::Theirs;
use gungraun::{
    Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};

/// The most instructions a roll, on average over all rolls. The sample took 960 when this was set.
const LIMIT: u64 = 1_000;

type Rolls = Vec<(Position, Dice)>;

fn of(wanted: fn(Dice) -> bool) -> Rolls {
    let rolls: Rolls = rolls().into_iter().filter(|&(_, dice)| wanted(dice)).collect();
    eprintln!("{} rolls", rolls.len());
    rolls
}

fn any(_: Dice) -> bool {
    true
}

fn mixed(dice: Dice) -> bool {
    !dice.is_double()
}

/// The rolls, and a buffer that has been used.
fn ours(wanted: fn(Dice) -> bool) -> (Rolls, Results) {
    let rolls = of(wanted);
    let mut results = Results::new();
    for (position, dice) in &rolls {
        results.fill(position, *dice);
    }
    (rolls, results)
}

fn theirs(wanted: fn(Dice) -> bool) -> Vec<Theirs> {
    of(wanted).iter().map(|(position, dice)| Theirs::new(position, *dice)).collect()
}

fn limited() -> LibraryBenchmarkConfig {
    let all_rolls = rolls().len() as u64;
    let mut config = LibraryBenchmarkConfig::default();
    config.tool(Callgrind::default().hard_limits([(EventKind::Ir, all_rolls * LIMIT)]));
    config
}

#[library_benchmark]
#[bench::all(args = (ours(any)), config = limited())]
#[bench::doubles(ours(Dice::is_double))]
#[bench::others(ours(mixed))]
fn results((rolls, mut results): (Rolls, Results)) -> Results {
    for (position, dice) in &rolls {
        black_box(results.fill(black_box(position), *dice));
    }
    results
}

#[library_benchmark]
#[bench::all(theirs(any))]
#[bench::doubles(theirs(Dice::is_double))]
#[bench::others(theirs(mixed))]
fn bkgm(rolls: Vec<Theirs>) -> Vec<Theirs> {
    for roll in &rolls {
        black_box(black_box(roll).results());
    }
    rolls
}

library_benchmark_group!(name = generator, benchmarks = [results, bkgm]);
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("CHAQUETE_BENCH_POSITIONS"),
    library_benchmark_groups = generator
);
