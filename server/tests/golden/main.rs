//! Two hundred matches over all settings, as logs of format 1 under rules version 1. Deciding them again gives the
//! same bytes: while this test passes, the rules under which stored matches are played have not changed.
//!
//! `CHAQUETE_MAKE_GOLDEN=1 cargo test -p chaquete-server --test golden` makes the matches that are missing.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

mod again;
mod play;
mod snapshots;

use std::{env, fs, path::PathBuf};

use chaquete_rules::{Event, Length, TimeLimit};
use chaquete_server::log::{self, Entry};
use uuid::Uuid;

/// How many matches there are.
const MATCHES: u64 = 200;

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/data/log/matches_v1.jsonl")
}

/// The uid of a golden match.
fn uid(number: u64) -> Uuid {
    Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + u128::from(number))
}

/// The logs: one event a line, an empty line after each match.
fn logs() -> Vec<Vec<String>> {
    let text = fs::read_to_string(file()).unwrap();
    text.split("\n\n")
        .filter(|log| !log.is_empty())
        .map(|log| log.lines().map(str::to_owned).collect())
        .collect()
}

fn entries(log: &[String]) -> Vec<Entry> {
    log.iter().map(|line| log::decode(line.as_bytes()).unwrap()).collect()
}

#[test]
fn golden_matches_are_decided_again_to_the_byte() {
    if env::var_os("CHAQUETE_MAKE_GOLDEN").is_some() && !file().exists() {
        let logs: Vec<_> = (0..MATCHES).map(|number| play::log_of(number).join("\n")).collect();
        fs::write(file(), logs.join("\n\n") + "\n").unwrap();
    }
    let logs = logs();
    assert_eq!(logs.len() as u64, MATCHES);
    for (number, log) in (0..).zip(&logs) {
        let again = again::decided(&uid(number), &entries(log));
        for (revision, (again, line)) in (1..).zip(again.iter().zip(log)) {
            assert_eq!(again, line, "match {number}, revision {revision}");
        }
        assert_eq!(again.len(), log.len(), "match {number}");
    }
}

/// The matches are worth keeping only while they show all there is.
#[test]
fn golden_matches_show_every_event_and_every_setting() {
    let all: Vec<_> = logs().iter().map(|log| entries(log)).collect();
    let events = || all.iter().flatten().map(|entry| &entry.event);
    let kinds: std::collections::HashSet<_> = events().map(std::mem::discriminant).collect();
    assert_eq!(kinds.len(), 22, "kinds of events");
    let terms: Vec<_> = events()
        .filter_map(|event| match event {
            Event::MatchCreated(terms) => Some(terms),
            _ => None,
        })
        .collect();
    let has = |what: &str, shows: &dyn Fn(&chaquete_rules::Terms) -> bool| {
        assert!(terms.iter().any(|terms| shows(terms)), "no match with {what}");
    };
    has("points", &|terms| matches!(terms.rules.length, Length::Points { .. }));
    has("beavers", &|terms| matches!(terms.rules.length, Length::Money(money) if money.max_beavers > 1));
    has("Jacoby", &|terms| matches!(terms.rules.length, Length::Money(money) if money.jacoby));
    has("a board of its own", &|terms| terms.rules.initial.is_some());
    has("a deadline", &|terms| terms.time.is_some_and(|time| matches!(time.limit, TimeLimit::Action { .. })));
    has("automation", &|terms| terms.automation.play_forced_moves && terms.automation.bear_off_greedily);
    has("a ready check", &|terms| terms.ready_check);
    assert_eq!(terms.len() as u64, MATCHES);
}
