//! How fast match files are read, followed and written.
#![expect(clippy::unwrap_used, reason = "a benchmark stops where its data is not as expected")]

use std::fs;
use std::hint::black_box;
use std::path::Path;

use chaquete_record::{Chronicle, Sheet, Transcript, mat};
use chaquete_rules::Command;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// The sample of real matches, as bytes.
fn files() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/corpus");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "mat"));
    files.map(|path| fs::read(path).unwrap()).collect()
}

fn match_files(criterion: &mut Criterion) {
    let files = files();
    let bytes: usize = files.iter().map(Vec::len).sum();
    let sheets: Vec<Sheet> = files.iter().map(|file| mat::read(file).unwrap()).collect();
    let transcripts: Vec<Transcript> = sheets.iter().map(Transcript::of).collect();
    let chronicles: Vec<Chronicle> =
        transcripts.iter().map(|transcript| transcript.chronicle().unwrap()).collect();
    let rolls = transcripts
        .iter()
        .flat_map(Transcript::commands)
        .filter(|command| matches!(command, Command::Roll { .. }));
    let plays = rolls.count() as u64;

    let mut group = criterion.benchmark_group("match files");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("read", |bencher| {
        bencher
            .iter(|| files.iter().map(|file| mat::read(black_box(file)).unwrap().games.len()).sum::<usize>());
    });
    group.throughput(Throughput::Elements(plays));
    group.bench_function("followed, by plays", |bencher| {
        bencher
            .iter(|| sheets.iter().map(|sheet| Transcript::of(black_box(sheet)).games.len()).sum::<usize>());
    });
    group.bench_function("played as one match, by plays", |bencher| {
        bencher.iter(|| {
            transcripts.iter().map(|transcript| transcript.chronicle().unwrap().events().len()).sum::<usize>()
        });
    });
    group.bench_function("written, by plays", |bencher| {
        bencher.iter(|| {
            chronicles.iter().map(|chronicle| mat::write(chronicle).unwrap().0.len()).sum::<usize>()
        });
    });
    group.finish();
}

/// A money session of so many games, the first ones of the sample again and again.
fn session(games: usize) -> String {
    let text = String::from_utf8(files().swap_remove(0)).unwrap().replace("\r\n", "\n");
    let game = text.split(" Game ").nth(1).unwrap();
    let lines: String = game.lines().skip(2).flat_map(|line| [line, "\n"]).collect();
    let points = Transcript::of(&mat::read(text.as_bytes()).unwrap()).games[0].result.unwrap();
    let mut session = "0 point match\n".to_owned();
    let mut score = [0, 0];
    for number in 1..=games {
        session += &format!("\n Game {number}\n A : {}    B : {}\n{lines}", score[0], score[1]);
        score[usize::from(points.win.unwrap().seat.number()) - 1] += points.points;
    }
    session
}

/// The time grows as the file does.
fn long_sessions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sessions, by bytes");
    group.sample_size(10);
    for games in [240, 480, 960, 1_900] {
        let text = session(games);
        let sheet = mat::read(text.as_bytes()).unwrap();
        let transcript = Transcript::of(&sheet);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("read, {games} games"), |bencher| {
            bencher.iter(|| mat::read(black_box(text.as_bytes())).unwrap().games.len());
        });
        group.bench_function(format!("followed, {games} games"), |bencher| {
            bencher.iter(|| Transcript::of(black_box(&sheet)).games.len());
        });
        group.bench_function(format!("played as one match, {games} games"), |bencher| {
            bencher.iter(|| black_box(&transcript).chronicle().unwrap().events().len());
        });
    }
    group.finish();
}

criterion_group!(benches, match_files, long_sessions);
criterion_main!(benches);
