//! New matches.

use std::{collections::BTreeMap, sync::Arc};

use chaquete_rules::{BySeat, Variant};

use super::fixture::{event, log, new_match, new_tenant, new_uid, next, rename, stored_match};
use crate::{
    name::MatchName,
    store::{About, Agreed, MatchKey, Notes, Provenance, Store, StoreError, bucket},
};

pub(super) async fn a_new_match_is_found_as_it_was(store: Arc<dyn Store>) {
    let (new, mut events) = new_match(&new_tenant());
    events.extend(next(new.key, new.head, 2).events);
    let new = crate::store::StoredMatch { head: next(new.key, new.head, 2).head, ..new };
    store.create(new.clone(), events.clone()).await.expect("created");
    assert_eq!(store.find(&new.name).await.expect("found"), Some(new.clone()));
    assert_eq!(store.find_key(new.key).await.expect("found"), Some(new.clone()));
    assert_eq!(log(&*store, new.key).await, events);
}

pub(super) async fn nothing_is_found_by_another_key(store: Arc<dyn Store>) {
    let key = stored_match(&*store).await.key;
    let elsewhere = MatchKey { bucket: key.bucket.wrapping_add(1), ..key };
    for key in [elsewhere, MatchKey { uid: new_uid(), ..key }] {
        assert_eq!(store.find_key(key).await.expect("looked for"), None, "{key:?}");
    }
}

pub(super) async fn nothing_is_found_by_another_name(store: Arc<dyn Store>) {
    let MatchName { tenant, id } = stored_match(&*store).await.name;
    for name in [
        MatchName { tenant: tenant.clone(), id: format!("{id}x") },
        MatchName { tenant: tenant.clone(), id: id.to_uppercase() },
        MatchName { tenant, id: "%".to_owned() },
        MatchName { tenant: new_tenant(), id },
    ] {
        assert_eq!(store.find(&name).await.expect("looked for"), None, "{name}");
    }
}

pub(super) async fn a_taken_name_is_refused(store: Arc<dyn Store>) {
    let old = stored_match(&*store).await;
    let (mut new, events) = new_match(&old.name.tenant);
    rename(&mut new, old.name.clone());
    let refused = store.create(new.clone(), events).await;
    assert!(matches!(refused, Err(StoreError::Exists)), "{refused:?}");
    assert_eq!(store.find(&old.name).await.expect("found"), Some(old));
    assert!(log(&*store, new.key).await.is_empty(), "events without a match");
}

pub(super) async fn a_taken_key_is_refused(store: Arc<dyn Store>) {
    let old = stored_match(&*store).await;
    let (mut new, _) = new_match(&new_tenant());
    // Another name in the same bucket.
    while bucket(&new.name) != old.key.bucket {
        new.name.tenant = new_tenant();
    }
    new.key = old.key;
    let events = vec![event(new.key.uid, 1, None)];
    new.head.hash = events[0].hash;
    let refused = store.create(new.clone(), events.clone()).await;
    assert!(matches!(refused, Err(StoreError::Exists)), "{refused:?}");
    assert_eq!(store.find(&new.name).await.expect("looked for"), None);
    assert_eq!(log(&*store, old.key).await, events, "the log of the old one");
}

pub(super) async fn tenants_do_not_see_each_other(store: Arc<dyn Store>) {
    let ours = stored_match(&*store).await;
    let (mut theirs, events) = new_match(&new_tenant());
    let name = MatchName { tenant: theirs.name.tenant.clone(), id: ours.name.id.clone() };
    rename(&mut theirs, name);
    theirs.about.display_names.one = "Other".to_owned();
    store.create(theirs.clone(), events).await.expect("the same id in another tenant");
    assert_eq!(store.find(&ours.name).await.expect("found"), Some(ours));
    assert_eq!(store.find(&theirs.name).await.expect("found"), Some(theirs));
}

pub(super) async fn any_text_is_kept(store: Arc<dyn Store>) {
    let odd = [
        "",
        "Žofie \u{1f3b2}",
        "e\u{301} is not \u{e9}",
        "\u{5e9}\u{5e9} \u{202e}abc",
        "'; DROP TABLE matches; --",
    ];
    let quoted = "\"\\\n\t\u{1} {\"a\":1} %_?";
    let facts: BTreeMap<_, _> =
        odd.iter().chain([&quoted]).map(|text| ((*text).to_owned(), (*text).to_owned())).collect();
    for text in odd.into_iter().chain([quoted]) {
        let (mut new, events) = new_match(&new_tenant());
        new.about = About {
            display_names: BySeat::new(text.to_owned(), text.to_owned()),
            notes: Notes { labels: facts.clone(), annotations: facts.clone() },
            seed: None,
            provenance: Provenance::Imported,
        };
        new.agreed.subjects = BySeat::new(text.to_owned(), quoted.to_owned());
        store.create(new.clone(), events).await.expect("created");
        assert_eq!(store.find(&new.name).await.expect("found"), Some(new));
    }
}

pub(super) async fn what_was_agreed_is_kept(store: Arc<dyn Store>) {
    for (variant, points) in [
        (Variant::Standard, None),
        (Variant::Nackgammon, Some(1)),
        (Variant::Hypergammon, Some(255)),
        (Variant::LongGammon, Some(7)),
    ] {
        let (mut new, events) = new_match(&new_tenant());
        new.agreed = Agreed { points, variant, ..new.agreed };
        store.create(new.clone(), events).await.expect("created");
        assert_eq!(store.find(&new.name).await.expect("found"), Some(new));
    }
}

pub(super) async fn a_log_with_a_gap_is_refused(store: Arc<dyn Store>) {
    let (new, events) = new_match(&new_tenant());
    let later = vec![event(new.key.uid, 2, None)];
    let gap = vec![events[0].clone(), event(new.key.uid, 3, None)];
    for events in [vec![], later, gap] {
        let mut new = new.clone();
        if let Some(last) = events.last() {
            (new.head.revision, new.head.hash) = (last.revision, last.hash);
        }
        let refused = store.create(new.clone(), events).await;
        assert!(matches!(refused, Err(StoreError::Unfit(_))), "{refused:?}");
        assert_eq!(store.find(&new.name).await.expect("looked for"), None);
    }
}
