//! How fast the formats beside match files are read and written.
#![expect(clippy::unwrap_used, reason = "a benchmark stops where its data is not as expected")]

use std::fs;
use std::hint::black_box;
use std::path::Path;

use chaquete_record::{Chronicle, GamePosition, Transcript, mat, ogxm, sgf};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// The sample of real matches.
fn matches() -> Vec<Chronicle> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/corpus");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "mat"));
    let sheets = files.map(|path| mat::read(&fs::read(path).unwrap()).unwrap());
    sheets.map(|sheet| Transcript::of(&sheet).chronicle().unwrap()).collect()
}

fn files(criterion: &mut Criterion) {
    let matches = matches();
    let trees: Vec<String> = matches.iter().map(|chronicle| sgf::write(chronicle).unwrap().0).collect();
    let mut group = criterion.benchmark_group("SGF");
    group.throughput(Throughput::Bytes(trees.iter().map(String::len).sum::<usize>() as u64));
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            trees.iter().map(|text| sgf::read(black_box(text).as_bytes()).unwrap().games.len()).sum::<usize>()
        });
    });
    // Analysis is passed over: the same file, ten times as long.
    let analysed: Vec<String> = trees
        .iter()
        .map(|text| text.replace("\n;", &format!("A[0]{}\n;", "[xtmj E ver 3 0.5 0.1]".repeat(8))))
        .collect();
    group.throughput(Throughput::Bytes(analysed.iter().map(String::len).sum::<usize>() as u64));
    group.bench_function("read with analysis", |bencher| {
        bencher.iter(|| {
            analysed
                .iter()
                .map(|text| sgf::read(black_box(text).as_bytes()).unwrap().games.len())
                .sum::<usize>()
        });
    });
    group.finish();
    let events: usize = matches.iter().map(|chronicle| chronicle.events().len()).sum();
    let mut group = criterion.benchmark_group("written, by events");
    group.throughput(Throughput::Elements(events as u64));
    group.bench_function("SGF", |bencher| {
        bencher
            .iter(|| matches.iter().map(|chronicle| sgf::write(chronicle).unwrap().0.len()).sum::<usize>());
    });
    group.bench_function("OGXM", |bencher| {
        bencher
            .iter(|| matches.iter().map(|chronicle| ogxm::write(chronicle).unwrap().0.len()).sum::<usize>());
    });
    group.finish();
}

fn positions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("positions");
    group.throughput(Throughput::Elements(1));
    for (form, text) in [
        ("OGID", "233ccehhiijjkkk:44566688ddddmno:N0N:52:W:R:0:0:5:13"),
        (
            "FIBS board",
            "board:A:B:7:2:3:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:\
             0:0:0:0:0:0:1",
        ),
        ("Snowie", "7;0;0;0;1;B;A;0;3;2;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;"),
    ] {
        group.bench_function(form, |bencher| {
            bencher.iter(|| GamePosition::from_any(black_box(text), 15).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, files, positions);
criterion_main!(benches);
