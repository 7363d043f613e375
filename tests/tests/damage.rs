//! Damaged bits cost what they are part of, and nothing else; lists stay whole and of a size that can be read.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{collections::BTreeSet, fs, path::Path};

use chaquete_client::{Client, Error};
use chaquete_proto::v1::{
    CreateMatchRequest, ErrorReason, GetMatchRequest, ListMatchEventsRequest, ListMatchesRequest, Match,
    MatchView, PauseMatchRequest, ResumeMatchRequest,
};
use chaquete_server::{config::Config, store};
use chaquete_tests::{Service, TestClock, act, events, new_match, rules_to, tamper};
use prost::Message;
use tonic::Code;

/// How many bits are flipped, one after the other, each in a store of its own.
const FLIPS: u64 = 100;

/// How many matches are in the stores that are damaged.
const MATCHES: usize = 12;

fn config(store: &Path) -> Config {
    Config { store: format!("sqlite:{}", store.display()), ..Config::default() }
}

/// Some matches with some turns each.
async fn play(service: &Service) -> Vec<Match> {
    let client = service.client().await;
    let mut matches = Vec::new();
    for n in 0..MATCHES {
        let mut request = CreateMatchRequest { match_id: format!("m{n:04}"), ..new_match(rules_to(5)) };
        let labels = [("event".to_owned(), format!("spring-{n}"))];
        request.r#match.as_mut().unwrap().labels.extend(labels);
        let mut played = client.create_match(request).await.unwrap().r#match.unwrap();
        for _ in 0..n {
            played = act(&client, &played, &mut |_| 0).await.unwrap();
        }
        matches.push(played);
    }
    matches
}

async fn get(client: &Client, name: &str) -> Result<Match, Error> {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    Ok(client.get_match(request).await?.r#match.unwrap())
}

/// All matches, in pages of this size.
async fn list(client: &Client, order_by: &str, page_size: i32) -> Result<Vec<Match>, Error> {
    let request = ListMatchesRequest {
        parent: "tenants/default".to_owned(),
        order_by: order_by.to_owned(),
        page_size,
        ..ListMatchesRequest::default()
    };
    client.matches(request).all().await
}

fn is_data_loss(error: &Error) -> bool {
    (error.code(), error.reason()) == (Code::DataLoss, Some(ErrorReason::LogCorrupt))
}

#[tokio::test]
async fn damage_is_told_of_its_match_and_harms_no_other() {
    let of = "uid = (SELECT uid FROM matches WHERE match_id = 'm0007')";
    for (sql, has_log) in [
        (format!("UPDATE events SET event = CAST(x'ff00ff' AS TEXT) WHERE revision = 3 AND {of}"), false),
        (format!("UPDATE events SET hash = x'0102' WHERE revision = 3 AND {of}"), false),
        ("UPDATE matches SET labels = '{' WHERE match_id = 'm0007'".to_owned(), true),
        ("UPDATE matches SET hash = x'0102' WHERE match_id = 'm0007'".to_owned(), true),
        ("UPDATE matches SET state = 'gone' WHERE match_id = 'm0007'".to_owned(), true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("damage.sqlite");
        let service = Service::start_with(config(&store)).await;
        let matches = play(&service).await;
        service.stop().await;
        if !tamper(&store, &sql) {
            return;
        }
        let service = Service::start_with(config(&store)).await;
        let client = service.client().await;
        let bad = matches[7].name.as_str();
        assert!(is_data_loss(&get(&client, bad).await.unwrap_err()), "{sql}");
        assert!(is_data_loss(&act(&client, &matches[7], &mut |_| 0).await.unwrap_err()), "{sql}");
        assert!(is_data_loss(&events(&client, bad).await.unwrap_err()), "{sql}");
        for page_size in [1, 5, 50] {
            let listed = list(&client, "create_time", page_size).await.unwrap();
            assert!(listed.iter().map(|one| &one.name).eq(matches.iter().map(|one| &one.name)), "{sql}");
            let remains = &listed[7];
            assert_eq!((&remains.uid, remains.players.len()), (&matches[7].uid, 0), "{sql}");
            assert_eq!(remains.revision > 0, !has_log || sql.contains("labels"), "{sql}");
        }
        for other in matches.iter().filter(|other| other.name != bad) {
            assert_eq!(get(&client, &other.name).await.unwrap(), *other, "{sql}");
            act(&client, other, &mut |_| 0).await.unwrap();
        }
        service.stop().await;
    }
}

/// Numbers that look like any, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut n = self.0;
        n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (n ^ (n >> 31)) % end
    }
}

/// What flipped bits did.
#[derive(Debug, Default)]
struct Effects {
    /// Nobody noticed.
    none: u32,
    /// One match was not what it had been.
    matches: u32,
    /// Several were not: SQLite could not read a page.
    pages: u32,
    /// A list could not be read to its end, or lacked matches that SQLite did not miss.
    lists: u32,
    /// The file was not opened at all.
    not_opened: u32,
}

#[tokio::test]
async fn no_flipped_bit_is_a_fault_of_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("whole.sqlite");
    let service = Service::start_with(config(&store)).await;
    let matches = play(&service).await;
    service.stop().await;
    let whole = fs::read(&store).unwrap();
    let keys = ["sqlite.dice-key", "sqlite.log-key"];

    let (mut numbers, mut effects) = (Numbers(17), Effects::default());
    for flip in 0..FLIPS {
        let mut damaged = whole.clone();
        let place = numbers.below(whole.len() as u64) as usize;
        damaged[place] ^= 1 << numbers.below(8);
        let copy = folder.path().join(format!("flip-{flip}.sqlite"));
        fs::write(&copy, damaged).unwrap();
        for key in keys {
            fs::copy(store.with_extension(key), copy.with_extension(key)).unwrap();
        }
        look_round(&copy, &matches, place, &mut effects).await;
    }
    eprintln!("{FLIPS} bits flipped in {} bytes: {effects:?}", whole.len());
    assert!(
        effects.pages + effects.lists + effects.not_opened <= 20,
        "single bits cost too much: {effects:?}"
    );
}

/// Starts a server on a store with a damaged bit and reads all there is.
async fn look_round(file: &Path, matches: &[Match], place: usize, effects: &mut Effects) {
    match store::open(&config(file).store).await {
        Ok(opened) => opened.close().await,
        // Said by SQLite, of a page without which it can read nothing.
        Err(_) => {
            effects.not_opened += 1;
            return;
        }
    }
    let service = Service::start_with(config(file)).await;
    let client = service.client().await;
    let names: BTreeSet<_> = matches.iter().map(|one| one.name.as_str()).collect();
    let mut touched = BTreeSet::new();
    for one in matches {
        let read = get(&client, &one.name).await;
        let log = events(&client, &one.name).await;
        for error in [read.as_ref().err(), log.as_ref().err()].into_iter().flatten() {
            assert!(is_data_loss(error) || error.code() == Code::NotFound, "a bit at {place}: {error}");
        }
        if read.is_ok_and(|read| read != *one) || log.is_err() {
            touched.insert(one.name.as_str());
        }
    }
    let mut is_listed = true;
    for order_by in ["create_time", "create_time desc", "end_time"] {
        for page_size in [3, 50] {
            match list(&client, order_by, page_size).await {
                Ok(listed) => {
                    let listed: BTreeSet<_> = listed.iter().map(|one| one.name.as_str()).collect();
                    let missing = names.difference(&listed).count();
                    is_listed &= order_by == "end_time" || missing <= 1;
                }
                Err(error) => {
                    assert!(is_data_loss(&error), "a bit at {place}: {error}");
                    is_listed = false;
                }
            }
        }
    }
    service.stop().await;
    match (touched.len(), is_listed) {
        (0, true) => effects.none += 1,
        (1, true) => effects.matches += 1,
        (_, true) => effects.pages += 1,
        (_, false) => effects.lists += 1,
    }
}

#[tokio::test]
async fn ties_are_broken_by_name() {
    let clock = TestClock::new();
    let config = Config { store: "memory:".to_owned(), ..Config::default() };
    let service = Service::start_at(config, clock).await;
    let client = service.client().await;
    for id in ["mmmm", "zzzz", "aaaa", "bbbb", "yyyy"] {
        let request = CreateMatchRequest { match_id: id.to_owned(), ..new_match(rules_to(1)) };
        client.create_match(request).await.unwrap();
    }
    for (order_by, expected) in [
        ("create_time", ["aaaa", "bbbb", "mmmm", "yyyy", "zzzz"]),
        ("create_time desc", ["zzzz", "yyyy", "mmmm", "bbbb", "aaaa"]),
    ] {
        for page_size in [1, 2, 5] {
            let listed = list(&client, order_by, page_size).await.unwrap();
            let ids: Vec<_> = listed.iter().map(|one| one.name.rsplit('/').next().unwrap()).collect();
            assert_eq!(ids, expected, "{order_by} in pages of {page_size}");
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn lists_of_large_matches_come_in_readable_pages() {
    let service = Service::start().await;
    let client = service.client().await;
    for _ in 0..100 {
        let mut request = new_match(rules_to(1));
        let annotations = [("note".to_owned(), "x".repeat(16_000))];
        request.r#match.as_mut().unwrap().annotations.extend(annotations);
        client.create_match(request).await.unwrap();
    }
    let mut request = ListMatchesRequest {
        parent: "tenants/default".to_owned(),
        page_size: 500,
        view: MatchView::Full.into(),
        ..ListMatchesRequest::default()
    };
    let (mut names, mut pages) = (BTreeSet::new(), 0);
    loop {
        let page = client.list_matches(request.clone()).await.unwrap();
        assert!(page.encoded_len() < 1_100_000, "{}", page.encoded_len());
        pages += 1;
        for one in page.matches {
            assert!(names.insert(one.name), "a match came twice");
        }
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    assert_eq!((names.len(), pages), (100, 2));
    service.stop().await;
}

#[tokio::test]
async fn logs_of_large_events_come_in_readable_pages() {
    let service = Service::start().await;
    let client = service.client().await;
    let name = client.create_match(new_match(rules_to(1))).await.unwrap().r#match.unwrap().name;
    for _ in 0..500 {
        let reason = "\u{1f3b2}".repeat(500);
        let pause = PauseMatchRequest { name: name.clone(), reason, ..PauseMatchRequest::default() };
        client.pause_match(pause).await.unwrap();
        let resume = ResumeMatchRequest { name: name.clone(), ..ResumeMatchRequest::default() };
        client.resume_match(resume).await.unwrap();
    }
    let request =
        ListMatchEventsRequest { parent: name, page_size: 1_000, ..ListMatchEventsRequest::default() };
    let first = client.list_match_events(request.clone()).await.unwrap();
    assert!(first.encoded_len() < 1_100_000 && first.events.len() < 1_000, "{}", first.encoded_len());
    assert!(!first.next_page_token.is_empty());
    let all = client.events(request).all().await.unwrap();
    assert!((1..).zip(&all).all(|(revision, event)| event.revision == revision), "no gaps");
    assert!(all.len() > 1_000);
    service.stop().await;
}
