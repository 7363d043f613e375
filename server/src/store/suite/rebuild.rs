//! Stores of real matches, damaged and rebuilt, whatever the engine.

use std::collections::BTreeMap;

use super::{
    fixture::{new_tenant, new_uid},
    golden,
};
use crate::{
    operate::{Fate, Finding, Mode, Rebuilt, rebuild},
    store::{Store, StoredMatch},
};

/// Changes of the row of a match, one a column and some of all that is after the revision at which logs are cut; what
/// becomes of each by what it begins with.
const DAMAGES: &[&str] = &[
    "subject_one = 'nobody'",
    "subject_two = ''",
    "points = 99",
    "variant = 'hypergammon'",
    "revision = 1",
    "revision = 5000",
    "hash = (SELECT hash FROM events WHERE revision = 1 LIMIT 1)",
    "create_time = create_time + 86400000",
    "create_time = 0",
    "update_time = 0",
    "state = 'cancelled', end_time = 7, deadline = NULL, waiting = NULL",
    "state = 'active', end_time = NULL, archived = false",
    "end_time = end_time - 1, update_time = 0",
    "seat_to_act = 3 - coalesce(seat_to_act, 1)",
    "winner = 3 - coalesce(winner, 1)",
    "reason = 'adjudicated'",
];

/// Golden matches, of which a store that keeps snapshots has some, as the store tells them.
pub(in crate::store) async fn golden_matches(store: &dyn Store) -> BTreeMap<String, StoredMatch> {
    let tenant = new_tenant();
    let mut all = BTreeMap::new();
    for (n, (uid, log)) in golden::logs(|_| new_uid()).into_iter().enumerate() {
        let mut stored = golden::stored(&tenant, uid, &log);
        let kept = log.len() - n % log.len();
        stored.snapshot = (n % 3 > 0).then(|| golden::table(&tenant, uid, &log[..kept]).snapshot());
        store.create(stored.clone(), log).await.expect("created");
        all.insert(stored.name.to_string(), found(store, &stored).await);
    }
    all
}

async fn found(store: &dyn Store, stored: &StoredMatch) -> StoredMatch {
    store.find(&stored.name).await.expect("looked for").expect("there")
}

/// Rebuilds, and gives what was found by name.
pub(in crate::store) async fn rebuilt(store: &dyn Store, mode: Mode) -> (Rebuilt, BTreeMap<String, Fate>) {
    let mut findings = BTreeMap::new();
    let tell = |finding: &Finding| {
        assert!(findings.insert(finding.name.clone(), finding.fate.clone()).is_none(), "told twice");
    };
    let report = rebuild(store, mode, tell).await.expect("a store in order");
    (report, findings)
}

/// Damages column by column what is stored beside the logs, and rebuilds. `damage` is given an assignment of columns
/// and the id of a match.
pub(in crate::store) async fn all_is_mended(store: &dyn Store, damage: impl AsyncFn(&str, &str)) {
    let all = golden_matches(store).await;
    let count = all.len() as u64;
    let good = (Rebuilt { matches: count, ..Rebuilt::default() }, BTreeMap::new());
    assert_eq!(rebuilt(store, Mode::Check).await, good);

    let mut damaged = 0;
    for (n, stored) in all.values().enumerate() {
        let change = DAMAGES[n % DAMAGES.len()];
        // Each damage is one to matches of every kind, if their tables take it.
        damage(change, &stored.name.id).await;
        damaged += u64::from(found(store, stored).await != *stored);
    }
    assert!(damaged > count / 2, "only {damaged} of {count} were damaged");

    let (report, findings) = rebuilt(store, Mode::Check).await;
    assert_eq!(report, Rebuilt { matches: count, differing: damaged, ..Rebuilt::default() });
    assert_eq!(findings.len() as u64, damaged);
    assert!(findings.values().all(|fate| matches!(fate, Fate::Differs(_))));
    let (report, mended) = rebuilt(store, Mode::Change).await;
    assert_eq!(report, Rebuilt { matches: count, mended: damaged, ..Rebuilt::default() });
    assert!(report.is_well());
    for (name, stored) in &all {
        assert_eq!(found(store, stored).await, *stored, "{:?}", mended.get(name));
    }
    assert_eq!(rebuilt(store, Mode::Check).await, good);
}
