//! Damaged bits cost what they are part of, and nothing else.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use super::{folder, open_file, url};
use crate::{
    name::MatchName,
    store::{
        Filter, ListQuery, Listed, OpenError, Order, OrderBy, Store, StoreError, StoredMatch, open,
        suite::fixture::{START, log, new_match, new_tenant, next, whole},
    },
};

/// Some matches of one tenant, all with a deadline and two events.
struct Fixture {
    folder: TempDir,
    store: Arc<dyn Store>,
    tenant: String,
    matches: Vec<StoredMatch>,
}

impl Fixture {
    async fn new(count: i64) -> Self {
        let (folder, file) = folder();
        let (store, tenant) = (open_file(&file).await, new_tenant());
        let mut matches = Vec::new();
        for n in 0..count {
            let (mut new, events) = new_match(&tenant);
            new.head.create_time = START + n / 2;
            store.create(new.clone(), events).await.unwrap();
            let mut append = next(new.key, new.head, 1);
            append.head.deadline = Some(START + n / 2);
            (new.head, new.standing) = (append.head, append.standing);
            store.append(append).await.unwrap();
            matches.push(new);
        }
        Self { folder, store, tenant, matches }
    }

    /// Changes what is stored, as no server would.
    async fn damage(&self, sql: &'static str, name: &MatchName) {
        let options = SqliteConnectOptions::new().filename(self.folder.path().join("chaquete.db"));
        let mut operator: SqliteConnection = options.connect().await.unwrap();
        for pragma in ["PRAGMA ignore_check_constraints = ON", "PRAGMA foreign_keys = OFF"] {
            sqlx::query(pragma).execute(&mut operator).await.unwrap();
        }
        let done = sqlx::query(sql).bind(&name.id).execute(&mut operator).await.unwrap();
        assert_eq!(done.rows_affected(), 1, "{sql}");
    }

    async fn list(&self, limit: u32) -> Vec<Listed> {
        list(&*self.store, &self.tenant, limit).await.unwrap()
    }
}

/// A list, read in pages.
async fn list(store: &dyn Store, tenant: &str, limit: u32) -> Result<Vec<Listed>, StoreError> {
    let order = Order { by: OrderBy::CreateTime, descending: true };
    let mut query =
        ListQuery { tenant: Some(tenant.to_owned()), filter: Filter::EVERY, order, after: None, limit };
    let mut all: Vec<Listed> = Vec::new();
    loop {
        let page = store.list(&query).await?;
        let Some(last) = page.last() else { return Ok(all) };
        query.after = Some(last.place.clone());
        all.extend(page);
        assert!(all.len() < 100, "pages for ever");
    }
}

#[tokio::test]
async fn a_damaged_row_is_one_of_its_lists_and_harms_no_other() {
    // What of it can still be read: its name, its uid, its head.
    for (sql, because, left) in [
        ("UPDATE matches SET labels = '{' WHERE match_id = ?", "labels", (true, true, true)),
        ("UPDATE matches SET annotations = '[1]' WHERE match_id = ?", "annotations", (true, true, true)),
        (
            "UPDATE matches SET display_name_one = CAST(x'ff' AS TEXT) WHERE match_id = ?",
            "display_name_one",
            (true, true, true),
        ),
        ("UPDATE matches SET seed = x'0102' WHERE match_id = ?", "seed", (true, true, true)),
        ("UPDATE matches SET hash = x'01' WHERE match_id = ?", "hash", (true, true, false)),
        ("UPDATE matches SET state = 'lost' WHERE match_id = ?", "state", (true, true, false)),
        ("UPDATE matches SET variant = 'chess' WHERE match_id = ?", "variant", (true, true, true)),
        ("UPDATE matches SET reason = 'boredom' WHERE match_id = ?", "reason", (true, true, true)),
        ("UPDATE matches SET seat_to_act = 3 WHERE match_id = ?", "seat_to_act", (true, true, true)),
        ("UPDATE matches SET revision = -1 WHERE match_id = ?", "revision", (true, true, false)),
        (
            "UPDATE matches SET match_id = CAST(x'6d80' AS TEXT) WHERE match_id = ?",
            "match_id",
            (false, true, true),
        ),
    ] {
        let fixture = Fixture::new(5).await;
        let Fixture { store, matches, .. } = &fixture;
        let bad = &matches[2];
        fixture.damage(sql, &bad.name).await;
        for limit in [1, 2, 10] {
            let (good, mut damaged) = (fixture.list(limit).await.into_iter())
                .map(|listed| listed.row)
                .partition::<Vec<_>, _>(Result::is_ok);
            assert_eq!(good.len(), 4, "{sql}");
            let remains = damaged.remove(0).unwrap_err();
            assert!(remains.because.starts_with(because), "{}", remains.because);
            let found = (remains.name.is_some(), remains.uid.is_some(), remains.head.is_some());
            assert_eq!(found, left, "{sql}");
            assert!(remains.uid.is_none_or(|uid| uid == bad.key.uid));
        }
        for page in [store.overdue(START + 9, None, 10).await, store.running(None, 10).await] {
            let page = page.unwrap();
            assert_eq!(page.iter().filter(|timed| timed.row.is_ok()).count(), 4, "{sql}");
            assert!(page.iter().any(|timed| timed.uid == bad.key.uid && timed.row.is_err()), "{sql}");
        }
        match store.find(&bad.name).await {
            Err(StoreError::Damaged { revision: 0, because: found }) => assert!(found.starts_with(because)),
            found => assert_eq!((found.unwrap(), because), (None, "match_id")),
        }
        for other in [0, 1, 3, 4] {
            assert_eq!(whole(&**store, &matches[other].name).await.0, matches[other]);
        }
    }
}

#[tokio::test]
async fn damaged_events_are_handed_out_or_named() {
    let fixture = Fixture::new(2).await;
    let Fixture { store, matches, .. } = &fixture;
    let [bad, good] = &matches[..] else { panic!("two matches") };
    assert_eq!(log(&**store, bad.key).await.len(), 2);

    // Bytes that are no text are bytes: their hash tells that they are wrong.
    let sql = "UPDATE events SET event = CAST(x'ff00ff' AS TEXT) WHERE revision = 2 \
               AND uid = (SELECT uid FROM matches WHERE match_id = ?)";
    fixture.damage(sql, &bad.name).await;
    assert_eq!(log(&**store, bad.key).await[1].bytes, [0xff, 0x00, 0xff]);

    let sql = "UPDATE events SET hash = x'0102' WHERE revision = 2 \
               AND uid = (SELECT uid FROM matches WHERE match_id = ?)";
    fixture.damage(sql, &bad.name).await;
    for (after, limit) in [(0, 10), (1, 1)] {
        let events = store.events(bad.key, after, limit).await;
        let is_named = matches!(&events, Err(StoreError::Damaged { revision: 2, because }) if because.starts_with("hash"));
        assert!(is_named, "{events:?}");
    }
    assert_eq!(store.events(bad.key, 0, 1).await.unwrap().len(), 1, "those before it can be read");
    assert_eq!(log(&**store, good.key).await.len(), 2);
}

/// Stores values of types that the tables forbid, as a flipped bit may.
async fn mistype(file: &Path, sql: &'static str) {
    const LOOSEN: &str = "UPDATE sqlite_schema SET sql = \
        replace(replace(sql, 'STRICT, WITHOUT', '/*S*/ WITHOUT'), 'STRICT', '/*S*/') WHERE type = 'table'";
    const TIGHTEN: &str = "UPDATE sqlite_schema SET sql = \
        replace(replace(sql, '/*S*/ WITHOUT', 'STRICT, WITHOUT'), '/*S*/', 'STRICT') WHERE type = 'table'";
    for step in [LOOSEN, sql, TIGHTEN] {
        let mut operator = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
        sqlx::query("PRAGMA writable_schema = ON").execute(&mut operator).await.unwrap();
        sqlx::query(step).execute(&mut operator).await.unwrap();
        operator.close().await.unwrap();
    }
}

#[tokio::test]
async fn values_of_wrong_types_are_damage_of_their_own_match() {
    let fixture = Fixture::new(2).await;
    let Fixture { store, matches, .. } = &fixture;
    let [bad, good] = &matches[..] else { panic!("two matches") };
    let file = fixture.folder.path().join("chaquete.db");
    mistype(&file, "UPDATE matches SET display_name_one = x'07' WHERE uid = (SELECT min(uid) FROM matches)")
        .await;
    assert_eq!(bad.key.uid, matches.iter().map(|one| one.key.uid).min().unwrap());
    let found = store.find(&bad.name).await;
    assert!(matches!(&found, Err(StoreError::Damaged { revision: 0, .. })), "{found:?}");
    // Whoever has it in memory still cannot act in it, and others are not held up.
    let (refused, written) =
        tokio::join!(store.append(next(bad.key, bad.head, 1)), store.append(next(good.key, good.head, 1)));
    assert!(matches!(&refused, Err(StoreError::Damaged { revision: 0, .. })), "{refused:?}");
    written.unwrap();
}

#[tokio::test]
async fn a_beat_that_cannot_be_read_is_none_and_the_next_one_is_kept() {
    let fixture = Fixture::new(1).await;
    let store = &fixture.store;
    store.beat(5).await.unwrap();
    mistype(&fixture.folder.path().join("chaquete.db"), "UPDATE service SET last_beat = x'07'").await;
    assert_eq!(store.last_beat().await.unwrap(), None);
    store.beat(3).await.unwrap();
    assert_eq!(store.last_beat().await.unwrap(), Some(3));
}

#[tokio::test]
async fn damage_to_the_whole_file_is_said_to_be_damage() {
    let fixture = Fixture::new(1).await;
    fixture.store.close().await;
    let file = fixture.folder.path().join("chaquete.db");
    let mut bytes = fs::read(&file).unwrap();
    // The first page tells of the tables; all that they hold is in the others.
    bytes[4096..].fill(0x5a);
    fs::write(&file, bytes).unwrap();
    let error = open(&url(&file)).await.err().expect("it is not opened");
    assert!(matches!(error, OpenError::NotADatabase { .. }), "{error}");
}

/// The tables are described in the file as well, in words.
#[tokio::test]
async fn damaged_descriptions_of_tables_are_found_at_once() {
    let fixture = Fixture::new(1).await;
    fixture.store.close().await;
    let file = fixture.folder.path().join("chaquete.db");
    let whole = fs::read(&file).unwrap();
    for word in
        ["annotations  ", "request_id BLOB", "last_beat INTEGER", "matches_by_deadline", "hashes BLOB"]
    {
        let mut refused = 0;
        for place in places_of(word.as_bytes(), &whole) {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            fs::write(&file, damaged).unwrap();
            match open(&url(&file)).await {
                Err(OpenError::NotADatabase { .. }) => refused += 1,
                Err(error) => panic!("{error}"),
                // Where it is not looked at (twice in the description of an index, or what is left in the room of a
                // description that has moved), nothing is lost.
                Ok(store) => {
                    let one = &fixture.matches[0];
                    assert_eq!(store.find(&one.name).await.unwrap().as_ref(), Some(one));
                    store.close().await;
                }
            }
        }
        assert!(refused > 0, "{word}");
    }
}

/// Where these bytes are in a file.
fn places_of(bytes: &[u8], file: &[u8]) -> Vec<usize> {
    file.windows(bytes.len()).enumerate().filter(|(_, window)| *window == bytes).map(|(at, _)| at).collect()
}

/// The names of the matches that can be read.
async fn readable(file: &Path, tenant: &str, limit: u32) -> BTreeSet<String> {
    let store = open_file(file).await;
    let list = list(&*store, tenant, limit).await.unwrap();
    store.close().await;
    list.into_iter().filter_map(|listed| Some(listed.row.ok()?.name.id)).collect()
}

/// A name and a uid stand in the table and in each index. Whichever copy is damaged, and whether it is text after
/// that or in its order: every other match is in the list, and the list has an end.
#[tokio::test]
async fn no_damaged_key_takes_others_from_the_list() {
    let fixture = Fixture::new(12).await;
    let Fixture { folder, store, tenant, matches } = fixture;
    store.close().await;
    let whole = fs::read(folder.path().join("chaquete.db")).unwrap();
    let copy = folder.path().join("copy.db");
    for bad in [0, 5, 11].map(|index| &matches[index]) {
        let (names, uids) =
            (places_of(bad.name.id.as_bytes(), &whole), places_of(bad.key.uid.as_bytes(), &whole));
        assert!(names.len() >= 4, "in the table and three indexes: {names:?}");
        assert!(uids.len() >= 7, "in as many, and with two events: {uids:?}");
        let places = [names, uids].concat();
        for (place, bit) in places.into_iter().flat_map(|place| [0, 1, 7].map(|bit| (place, bit))) {
            let mut damaged = whole.clone();
            damaged[place] ^= 1 << bit;
            fs::write(&copy, &damaged).unwrap();
            for limit in [1, 5, 50] {
                let mut listed = readable(&copy, &tenant, limit).await;
                for other in matches.iter().filter(|other| other.key != bad.key) {
                    assert!(listed.remove(&other.name.id), "{} at {place}, bit {bit}", other.name);
                }
                assert!(listed.len() <= 1, "only the damaged one is left: {listed:?}");
            }
        }
    }
}
