//! The programs that measure are not run often: that they still work is seen here, not what they measure.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    env,
    process::{Command, Output},
};

use serde_json::Value;

/// A second of each of these.
fn load(arguments: &[&str]) -> Output {
    let mut load = Command::new(env!("CARGO_BIN_EXE_load"));
    load.args(["--seconds=1", "--warm-up=0", "--json"]).args(arguments).output().unwrap()
}

#[test]
fn every_load_without_a_database_comes_to_something() {
    let modes = ["echo", "rules", "memory", "sqlite"];
    let options = ["--in-flight=8", "--matches=20", "--points=1", "--request-ids", "--rounds=2"];
    let output = load(&[&modes[..], &options[..]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["failures"], Value::Array(Vec::new()), "{said}");
    for mode in modes {
        let figures = &report["loads"][format!("{mode} unary 8")];
        for figure in ["actions_per_second", "p50_ms", "p99_9_ms", "server_cpu_us", "client_cpu_us"] {
            let rounds = figures[figure]["rounds"].as_array().unwrap();
            assert_eq!(rounds.len(), 2, "{mode}, {figure}: {report:#}");
            assert!(rounds.iter().all(|round| round.as_f64() > Some(0.0)), "{mode}, {figure}: {report:#}");
        }
    }
}

/// Whether a program has come to nothing because there is no Postgres, and nobody requires one.
fn skipped(said: &str) -> bool {
    let skipped = said.contains("no Postgres here") && env::var_os("CHAQUETE_REQUIRE_POSTGRES").is_none();
    if skipped {
        eprintln!("SKIPPED: {said}");
    }
    skipped
}

#[test]
fn growth_is_measured() {
    let mut growth = Command::new(env!("CARGO_BIN_EXE_growth"));
    let output = growth.args(["--matches=6000,9000", "--calls=3"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if skipped(&said) {
        return;
    }
    assert!(output.status.success(), "{said}");
    let table = String::from_utf8_lossy(&output.stdout);
    for size in ["6000", "9000"] {
        let row = table.lines().find(|line| line.starts_with(&format!("| {size} "))).unwrap();
        assert_eq!(row.matches('(').count(), 6, "{table}");
    }
}

#[test]
fn streams_and_postgres_come_to_something() {
    let options = ["memory", "postgres", "--act", "--in-flight=8", "--points=1", "--pgbench=1"];
    let output = load(&options);
    let said = String::from_utf8_lossy(&output.stderr);
    if skipped(&said) {
        return;
    }
    assert!(output.status.success(), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["failures"], Value::Array(Vec::new()), "{said}");
    let figures = &report["loads"]["postgres act 8"];
    for figure in ["actions_per_second", "server_cpu_us", "database_cpu_us"] {
        let rounds = figures[figure]["rounds"].as_array().unwrap();
        assert!(rounds.iter().all(|round| round.as_f64() > Some(0.0)), "{figure}: {report:#}");
    }
}
