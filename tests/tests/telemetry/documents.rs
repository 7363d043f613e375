//! Metrics, alerts, the dashboard and what the documents say of them are the same.

use std::{collections::BTreeSet, fs, process::Command};

use chaquete_server::telemetry::metrics::names;
use chaquete_tests::project;
use serde_json::Value;

const ALERTS: &str = "deploy/prometheus/alerts.yml";
const DASHBOARD: &str = "deploy/grafana/chaquete.json";

/// Our crate and our roles on Postgres, which look like metrics.
const OTHERS: [&str; 4] = ["chaquete_server", "chaquete_app", "chaquete_auditor", "chaquete_owner"];

fn read(path: &str) -> String {
    fs::read_to_string(project().join(path)).unwrap()
}

fn all() -> BTreeSet<String> {
    names::ALL.iter().map(|metric| metric.name.to_owned()).collect()
}

/// The metrics that a text names, those of histograms without their endings.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let metrics = words.filter(|word| word.starts_with("chaquete_") && !OTHERS.contains(word));
    let stem = |word: &str| {
        let of_histogram = ["_bucket", "_sum", "_count"].iter().find_map(|end| word.strip_suffix(end));
        of_histogram.unwrap_or(word).to_owned()
    };
    metrics.map(stem).collect()
}

#[test]
fn every_metric_has_its_row_and_every_row_its_metric() {
    let page = read("docs/operating.md");
    let (_, section) = page.split_once("\n### Metrics\n").unwrap();
    let (table, _) = section.split_once("\n### ").unwrap();
    let rows: Vec<_> = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let different: BTreeSet<_> = rows.iter().map(|row| (*row).to_owned()).collect();
    assert_eq!((different.len(), different), (rows.len(), all()));
}

#[test]
fn no_metric_is_named_that_does_not_exist() {
    for path in ["docs/operating.md", ALERTS, DASHBOARD] {
        let unknown: Vec<_> = named(&read(path)).difference(&all()).cloned().collect();
        assert_eq!(unknown, [] as [&str; 0], "{path}");
    }
}

#[test]
fn every_metric_is_on_the_dashboard() {
    let dashboard = read(DASHBOARD);
    let parsed: Value = serde_json::from_str(&dashboard).unwrap();
    assert!(parsed["panels"].as_array().unwrap().iter().all(|panel| panel["targets"][0]["expr"].is_string()));
    assert_eq!(named(&dashboard), all());
}

#[test]
fn every_alert_has_its_steps() {
    let (alerts, page) = (read(ALERTS), read("docs/operating.md"));
    let alerts: Vec<_> = alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    let steps: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("### Chaquete")).collect();
    let steps: Vec<_> = steps.into_iter().map(|rest| format!("Chaquete{rest}")).collect();
    assert_eq!(alerts, steps);
    assert!(alerts.len() >= 10);
}

/// Runs the tool of Prometheus, where it is installed.
fn promtool(arguments: &[&str]) {
    match Command::new("promtool").args(arguments).current_dir(project()).output() {
        Ok(output) => assert!(output.status.success(), "{output:?}"),
        Err(_) => eprintln!("SKIPPED: there is no promtool on this machine"),
    }
}

#[test]
fn prometheus_can_read_the_alerts_and_they_say_what_they_should() {
    promtool(&["check", "rules", ALERTS]);
    promtool(&["test", "rules", "tests/tests/telemetry/alerts.yml"]);
}
