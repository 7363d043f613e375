//! Makes the checked-in samples of the rules' test data from the full case collection.
//!
//! ```text
//! cargo run -p chaquete-rules --example export_cases -- CASES tests/data/rules
//! ```
//!
//! The sample is the first few cases of every kind, so it is the same on every run. `turns.json` and
//! `moves.jsonl` were written over once by hand and are not touched.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use serde_json::{Value, json};

/// Plays of each stratum, moves of each kind of mistake, and one in how many positions for speed.
const PLAYS: usize = 12;
const SUBMISSIONS: usize = 16;
const BENCH_STRIDE: usize = 20;

/// A roll with more results than this is left to the full collection, to keep the sample small.
const MAX_RESULTS: usize = 160;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let (Some(from), Some(to)) = (args.next(), args.next()) else {
        return Err("say the folder of the case collection and the folder to write to".into());
    };
    let (from, to) = (Path::new(&from), Path::new(&to));
    let read = |name: &str| fs::read_to_string(from.join(name));

    let is_small = |play: &Value| play["r"].as_array().is_some_and(|results| results.len() <= MAX_RESULTS);
    let plays = first_of_each(&read("plays_dev.jsonl")?, "s", PLAYS, is_small)?;
    fs::write(
        to.join("plays.jsonl"),
        lines(plays.iter().map(|play| only(play, &["p", "d", "n", "r", "s"]))),
    )?;

    let moves = first_of_each(&read("submit_dev.jsonl")?, "why", SUBMISSIONS, |_| true)?;
    fs::write(
        to.join("submissions.jsonl"),
        lines(moves.iter().map(|m| only(m, &["p", "d", "m", "why", "res"]))),
    )?;

    let bench: String = read("bench_positions.jsonl")?
        .lines()
        .step_by(BENCH_STRIDE)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(to.join("bench_positions.jsonl"), bench)?;

    fs::write(to.join("regressions.jsonl"), read("regressions.jsonl")?)?;
    fs::write(to.join("perft.jsonl"), lines(perft(&serde_json::from_str(&read("perft.json")?)?)))?;
    let parsed: Value = serde_json::from_str(&read("formats/gnubg_parse_move.json")?)?;
    fs::write(
        to.join("parsed_moves.jsonl"),
        lines(array(&parsed["cases"]).map(|case| only(case, &["text", "ok", "moves"]))),
    )?;
    let printed: Value = serde_json::from_str(&read("formats/gnubg_format_move.json")?)?;
    fs::write(to.join("printed_moves.jsonl"), lines(array(&printed["cases"]).map(printed_move)))?;
    Ok(())
}

/// The first few cases of each value of a field, in the order of the file.
fn first_of_each(
    text: &str,
    field: &str,
    count: usize,
    wanted: impl Fn(&Value) -> bool,
) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line)?;
        let taken = seen.entry(case[field].to_string()).or_default();
        if *taken < count && wanted(&case) {
            *taken += 1;
            chosen.push(case);
        }
    }
    Ok(chosen)
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn only(case: &Value, fields: &[&str]) -> Value {
    fields.iter().filter_map(|&field| Some((field, case.get(field)?.clone()))).collect()
}

fn lines(values: impl Iterator<Item = Value>) -> String {
    values.map(|value| format!("{value}\n")).collect()
}

/// One line for each start position and depth.
fn perft(starts: &Value) -> impl Iterator<Item = Value> {
    array(starts).flat_map(|start| {
        array(&start["levels"]).map(move |level| {
            let mut line = level.clone();
            line["name"] = start["name"].clone();
            line["p"] = start["p"].clone();
            line
        })
    })
}

/// The checkers that matter, in the mover's numbering, beside the moves and the text.
fn printed_move(case: &Value) -> Value {
    let mut p = [0; 26];
    for (index, count) in array(&case["on_roll"]).enumerate() {
        p[index + 1] += count.as_i64().unwrap_or(0);
    }
    for (index, count) in array(&case["opponent"]).enumerate() {
        p[24 - index] -= count.as_i64().unwrap_or(0);
    }
    json!({ "note": case["note"], "p": p, "moves": case["moves"], "text": case["text"] })
}
