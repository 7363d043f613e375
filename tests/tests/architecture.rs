//! The house has rooms: who may depend on whom, and who may name what (ARCHITECTURE.md).
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Normal dependencies of each crate of the workspace.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    packages.iter().map(|package| (text(&package["name"]), normal_dependencies(package))).collect()
}

fn normal_dependencies(package: &Value) -> BTreeSet<String> {
    let all = package["dependencies"].as_array().unwrap();
    all.iter().filter(|dependency| dependency["kind"].is_null()).map(|d| text(&d["name"])).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// What a crate may depend on of ours; `rules` on nothing at all.
#[test]
fn crates_depend_only_downwards() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("chaquete-rules", &[] as &[&str]),
        ("chaquete-record", &["chaquete-rules"]),
        ("chaquete-proof", &["chaquete-rules", "chaquete-record"]),
        ("chaquete-proto", &[]),
        ("chaquete-server", &["chaquete-rules", "chaquete-record", "chaquete-proof", "chaquete-proto"]),
        ("chaquete-client", &["chaquete-rules", "chaquete-record", "chaquete-proof", "chaquete-proto"]),
        (
            "chaquete-tests",
            &[
                "chaquete-rules",
                "chaquete-record",
                "chaquete-proof",
                "chaquete-proto",
                "chaquete-server",
                "chaquete-client",
            ],
        ),
    ]);
    let dependencies = dependencies();
    assert_eq!(dependencies.keys().map(String::as_str).collect::<Vec<_>>().len(), allowed.len());
    for (name, used) in &dependencies {
        let ours: BTreeSet<_> =
            used.iter().filter(|d| d.starts_with("chaquete-")).map(String::as_str).collect();
        let allowed = allowed[name.as_str()].iter().copied().collect();
        assert!(ours.is_subset(&allowed), "{name} depends on {ours:?}, and may on {allowed:?}");
    }
    assert_eq!(dependencies["chaquete-rules"], BTreeSet::new(), "the rules depend on nothing");
}

/// Rust sources of a crate, as paths from its `src`.
fn sources(name: &str) -> Vec<(PathBuf, String)> {
    let src = root().join(name).join("src");
    let mut found = Vec::new();
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(&src).unwrap().to_owned(), text));
            }
        }
    }
    assert!(!found.is_empty());
    found
}

/// Files of a crate that name one of these words outside the rooms where it belongs.
fn breaches(name: &str, words: &[&str], rooms: &[&str]) -> Vec<PathBuf> {
    sources(name)
        .into_iter()
        .filter(|(path, _)| !rooms.iter().any(|room| path.starts_with(room)))
        .filter(|(_, text)| words.iter().any(|word| text.contains(word)))
        .map(|(path, _)| path)
        .collect()
}

#[test]
fn only_the_store_names_sqlx() {
    assert_eq!(breaches("server", &["sqlx::", "use sqlx"], &["store"]), [] as [PathBuf; 0]);
}

#[test]
fn only_wire_and_rpc_name_the_messages_of_the_contract() {
    // The lifecycle names the services to add them, no message.
    let rooms = ["wire", "rpc", "status", "status.rs", "lifecycle/services.rs"];
    assert_eq!(breaches("server", &["chaquete_proto::v1", "v1::"], &rooms), [] as [PathBuf; 0]);
}

#[test]
fn only_telemetry_names_what_metrics_and_traces_are_made_with() {
    let words = ["prometheus_client", "opentelemetry", "tracing_subscriber"];
    assert_eq!(breaches("server", &words, &["telemetry"]), [] as [PathBuf; 0]);
}

/// Whose match it is was asked wherever one is named: services get at matches as visitors.
#[test]
fn services_see_matches_as_their_callers_do() {
    let words =
        ["executor.load(", "executor.act(", "executor.consider", "executor.create(", "executor.import("];
    // `answer` reads on in a match that was loaded for the caller.
    let named = breaches("server", &words, &["rpc/visit.rs", "rpc/answer.rs"]);
    let in_services: Vec<_> = named.into_iter().filter(|path| path.starts_with("rpc")).collect();
    assert_eq!(in_services, [] as [PathBuf; 0]);
}

#[test]
fn the_rules_know_no_time_no_chance_and_no_world() {
    let words = ["std::time", "std::fs", "std::net", "std::env", "std::thread", "HashMap", "unsafe "];
    // The model check is a test that lies with what it looks into.
    assert_eq!(breaches("rules", &words, &["model.rs"]), [] as [PathBuf; 0]);
}

/// Whoever audits needs no clock, no chance and no server.
#[test]
fn what_checks_a_log_knows_no_time_no_chance_and_no_world() {
    let words = ["std::time", "std::net", "std::env", "rand::", "tokio", "tonic"];
    assert_eq!(breaches("proof", &words, &[]), [] as [PathBuf; 0]);
}

#[test]
fn only_the_clock_asks_for_the_time() {
    assert_eq!(breaches("server", &["SystemTime::now", "Instant::now"], &["clock.rs"]), [] as [PathBuf; 0]);
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let dependencies = manifest.split_once("[workspace.dependencies]").unwrap().1;
    let lines =
        dependencies.lines().take_while(|line| !line.starts_with('[')).filter(|line| line.contains('='));
    let without: Vec<_> = lines.filter(|line| !line.contains("path = ") && !line.contains("# ")).collect();
    assert_eq!(without, [] as [&str; 0]);
}
