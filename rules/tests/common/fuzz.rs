//! Random input without end: a few hundred cases usually, a minute of them with `CHAQUETE_SLOW=1`, and any other number of
//! seconds that `CHAQUETE_FUZZ_SECONDS` says.

use std::fmt::Debug;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs};

use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};

const CASES: u32 = 300;

/// Tries a property on random values, and shows the smallest value found on which it fails.
#[expect(clippy::disallowed_methods, reason = "how long to go on is no matter of the test")]
pub(crate) fn fuzz<T: Debug>(values: &impl Strategy<Value = T>, property: impl Fn(T)) {
    let minute = env::var_os("CHAQUETE_SLOW").map(|_| 60);
    let seconds = env::var("CHAQUETE_FUZZ_SECONDS").ok();
    let seconds = seconds.map(|text| text.parse().expect("a number of seconds")).or(minute);
    let config = ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new(config);
    let began = Instant::now();
    loop {
        let tried = runner.run(values, |value| {
            property(value);
            Ok(())
        });
        match tried {
            Ok(()) => {}
            Err(TestError::Fail(reason, value)) => panic!("{reason}: {value:?}"),
            Err(TestError::Abort(reason)) => panic!("{reason}"),
        }
        if seconds.is_none_or(|seconds| began.elapsed() >= Duration::from_secs(seconds)) {
            return;
        }
    }
}

/// Texts that are nearly right: lines of a small corpus with something changed, and any other text.
pub(crate) fn texts(corpus: &str) -> impl Strategy<Value = String> + use<> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/fuzz").join(corpus);
    let corpus = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<String> = corpus.lines().map(str::to_owned).collect();
    let line = || prop::sample::select(lines.clone());
    let nearly = (line(), prop::collection::vec(change(), 0..4)).prop_map(|(text, changes)| {
        changes.into_iter().fold(text, |text, (at, remove, insert)| {
            let characters: Vec<char> = text.chars().collect();
            let at = at.index(characters.len() + 1);
            let rest = characters.iter().skip(at + remove);
            characters[..at].iter().chain(&insert).chain(rest).collect()
        })
    });
    let joined = (line(), line()).prop_map(|(first, second)| format!("{first} {second}"));
    prop_oneof![8 => nearly, 1 => joined, 1 => any::<String>()]
}

/// Where something is changed, how much is removed there, and what comes in.
fn change() -> impl Strategy<Value = (prop::sample::Index, usize, Vec<char>)> {
    let usual = prop::sample::select("0123456789/*()-:+=abAB \t".chars().collect::<Vec<_>>());
    let character = prop_oneof![4 => usual, 1 => any::<char>()];
    (any::<prop::sample::Index>(), 0..3_usize, prop::collection::vec(character, 0..3))
}
