//! Following many matches over a real connection.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use chaquete_client::Client;
use chaquete_proto::v1::{
    AcceptResignationRequest, CreateMatchRequest, Match, MatchState, OfferResignationRequest,
    PauseMatchRequest, UpdateMatchRequest, WatchMatchesRequest, WatchMatchesResponse, WinKind,
    match_service_client::MatchServiceClient,
};
use chaquete_server::config::Config;
use chaquete_tests::{Replicas, Service, TestClock, act, cancel, new_match, rules_to};
use prost_types::FieldMask;
use tokio::time::{sleep, timeout};
use tonic::{Code, Status, Streaming, transport::Channel};
use tonic_types::StatusExt;

/// Nothing here takes longer, whatever the machine does besides.
const SOON: Duration = Duration::from_secs(40);

/// A stream of changes.
struct Changes(Streaming<WatchMatchesResponse>);

impl Changes {
    async fn of(service: &Service, request: WatchMatchesRequest) -> Result<Self, Status> {
        let channel = Channel::from_shared(service.endpoint()).unwrap().initial_stream_window_size(65_535);
        let mut matches = MatchServiceClient::new(channel.connect().await.unwrap());
        Ok(Self(matches.watch_matches(request).await?.into_inner()))
    }

    /// A stream that has begun, for it has said so, with that first heartbeat.
    async fn begun(service: &Service, request: WatchMatchesRequest) -> (Self, WatchMatchesResponse) {
        let mut changes = Self::of(service, request).await.unwrap();
        let first = changes.next().await.unwrap();
        assert_eq!(first.r#match, None);
        (changes, first)
    }

    async fn next(&mut self) -> Result<WatchMatchesResponse, Status> {
        let message = timeout(SOON, self.0.message()).await.expect("something comes")?;
        let message = message.expect("it ends only with a reason");
        assert!(message.server_time.is_some() && !message.resume_token.is_empty());
        Ok(message)
    }

    async fn next_match(&mut self) -> Match {
        loop {
            if let Some(changed) = self.next().await.unwrap().r#match {
                return changed;
            }
        }
    }

    /// Reads until the matches are told in just these states, or newer ones.
    async fn until(&mut self, wanted: &BTreeMap<String, i32>) {
        let mut seen = BTreeMap::new();
        while wanted.iter().any(|(name, revision)| seen.get(name).is_none_or(|seen| seen < revision)) {
            let changed = self.next_match().await;
            seen.insert(changed.name, changed.revision);
        }
    }

    /// Names of all that is told before the next heartbeat.
    async fn names(&mut self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        while let Some(changed) = self.next().await.unwrap().r#match {
            names.insert(changed.name);
        }
        names
    }
}

fn all() -> WatchMatchesRequest {
    WatchMatchesRequest { parent: "tenants/default".to_owned(), ..WatchMatchesRequest::default() }
}

fn of(subject: &str) -> WatchMatchesRequest {
    WatchMatchesRequest { subject: subject.to_owned(), ..all() }
}

/// A new match of this player against somebody.
async fn created(client: &Client, subject: &str) -> Match {
    let mut request: CreateMatchRequest = new_match(rules_to(255));
    request.r#match.as_mut().unwrap().players[1].subject = subject.to_owned();
    client.create_match(request).await.unwrap().r#match.unwrap()
}

/// A new match that waits until both players are ready.
async fn pending(client: &Client) -> Match {
    let mut request: CreateMatchRequest = new_match(rules_to(5));
    request.r#match.as_mut().unwrap().ready_check = true;
    client.create_match(request).await.unwrap().r#match.unwrap()
}

async fn played(client: &Client, before: &Match) -> Match {
    act(client, before, &mut |_| 0).await.unwrap()
}

async fn paused(client: &Client, name: &str) -> Match {
    let request = PauseMatchRequest { name: name.to_owned(), reason: "tea".to_owned(), ..Default::default() };
    client.pause_match(request).await.unwrap().r#match.unwrap()
}

async fn labelled(client: &Client, name: &str) -> Match {
    let labels = [("round".to_owned(), "2".to_owned())].into();
    let request = UpdateMatchRequest {
        r#match: Some(Match { name: name.to_owned(), labels, ..Match::default() }),
        update_mask: Some(FieldMask { paths: vec!["labels".to_owned()] }),
        ..UpdateMatchRequest::default()
    };
    client.update_match(request).await.unwrap().r#match.unwrap()
}

/// Seat one gives up a game, and another is begun.
async fn given_up(client: &Client, before: &Match) -> Match {
    let name = before.name.clone();
    let offer = OfferResignationRequest {
        name: name.clone(),
        seat: 1,
        kind: WinKind::Single.into(),
        expected_revision: before.revision,
        ..Default::default()
    };
    client.offer_resignation(offer).await.unwrap();
    let accept = AcceptResignationRequest {
        name,
        seat: 2,
        expected_revision: before.revision + 1,
        ..Default::default()
    };
    client.accept_resignation(accept).await.unwrap().r#match.unwrap()
}

#[tokio::test]
async fn every_kind_of_change_is_told_as_it_happens() {
    let service = Service::start().await;
    let client = service.client().await;
    let before = created(&client, "bob").await;
    let (mut changes, _) = Changes::begun(&service, all()).await;
    let new = created(&client, "bob").await;
    let told = changes.next_match().await;
    assert_eq!((&told.name, told.revision, told.state()), (&new.name, new.revision, MatchState::Active));
    assert!(told.current_game.unwrap().position_ids.is_none(), "the basic view");
    for after in [
        played(&client, &before).await,
        labelled(&client, &before.name).await,
        paused(&client, &before.name).await,
        cancel(&client, &before.name).await.unwrap(),
        labelled(&client, &before.name).await,
    ] {
        let told = changes.next_match().await;
        assert_eq!((&told.name, told.revision, &told.labels), (&after.name, after.revision, &after.labels));
        assert_eq!((told.state, told.log_hash), (after.state, after.log_hash));
    }
    service.stop().await;
}

#[tokio::test]
async fn a_player_is_told_of_no_other_matches() {
    let service = Service::start().await;
    let client = service.client().await;
    let (mut changes, _) = Changes::begun(&service, of("carol")).await;
    let (others, hers) = (created(&client, "bob").await, created(&client, "carol").await);
    assert_eq!(changes.next_match().await.name, hers.name);
    played(&client, &others).await;
    let hers = played(&client, &hers).await;
    let told = changes.next_match().await;
    assert_eq!((told.name, told.revision), (hers.name, hers.revision));
    service.stop().await;
}

#[tokio::test]
async fn a_resume_tells_what_changed_meanwhile_and_not_what_did_before() {
    let clock = TestClock::new();
    let config = Config { store: "memory:".to_owned(), ..Config::default() };
    let service = Service::start_at(config, clock.clone()).await;
    let client = service.client().await;
    // Of each kind one that changes later and one that does not.
    let mut old = Vec::new();
    for _ in 0..8 {
        old.push(created(&client, "bob").await);
    }
    old.extend([pending(&client).await, pending(&client).await]);
    paused(&client, &old[4].name).await;
    cancel(&client, &old[5].name).await.unwrap();
    clock.advance(600_000);
    let (changes, first) = Changes::begun(&service, all()).await;
    let (_, hers) = Changes::begun(&service, of("carol")).await;
    drop(changes);

    clock.advance(600_000);
    played(&client, &old[0]).await;
    paused(&client, &old[1].name).await;
    cancel(&client, &old[2].name).await.unwrap();
    labelled(&client, &old[4].name).await;
    labelled(&client, &old[8].name).await;
    let (new, carols) = (created(&client, "bob").await, created(&client, "carol").await);
    let changed: Vec<_> = [&old[0], &old[1], &old[2], &old[4], &old[8], &new, &carols]
        .map(|changed| changed.name.clone())
        .into();
    let resumed = WatchMatchesRequest { resume_token: first.resume_token, ..all() };
    let mut changes = Changes::of(&service, resumed.clone()).await.unwrap();
    assert_eq!(changes.names().await, changed.into_iter().collect());
    // Then it goes on.
    let after = played(&client, &new).await;
    let told = changes.next().await.unwrap();
    assert_eq!(told.r#match.unwrap().revision, after.revision);
    let resume = WatchMatchesRequest { resume_token: hers.resume_token, ..of("carol") };
    let mut of_carol = Changes::of(&service, resume).await.unwrap();
    assert_eq!(of_carol.names().await, BTreeSet::from([carols.name.clone()]));

    // A later token leaves out what was told before it; a little is told twice.
    clock.advance(600_000);
    let newest = played(&client, &carols).await;
    let last = changes.next().await.unwrap();
    assert_eq!(last.r#match.unwrap().revision, newest.revision);
    let later = WatchMatchesRequest { resume_token: last.resume_token, ..all() };
    let mut changes = Changes::of(&service, later).await.unwrap();
    assert_eq!(changes.names().await, BTreeSet::from([carols.name]));
    service.stop().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_told() {
    let service = Service::start().await;
    let (_, first) = Changes::begun(&service, all()).await;
    let refused = async |request| Changes::of(&service, request).await.err().unwrap();
    let foreign = WatchMatchesRequest { resume_token: first.resume_token, ..of("carol") };
    let status = refused(foreign).await;
    let fields: Vec<_> = status.get_error_details().bad_request().unwrap().field_violations.clone();
    assert_eq!((status.code(), fields[0].field.as_str()), (Code::InvalidArgument, "resume_token"));
    let unknown = WatchMatchesRequest { parent: "tenants/unknown".to_owned(), ..all() };
    assert_eq!(refused(unknown).await.code(), Code::NotFound);
    service.stop().await;
}

#[tokio::test]
async fn heartbeats_come_when_nothing_happens_to_ones_own_matches() {
    let service = Service::start().await;
    let heartbeat_interval = Some(prost_types::Duration { seconds: 5, nanos: 0 });
    let request = WatchMatchesRequest { heartbeat_interval, ..of("carol") };
    let (mut changes, _) = Changes::begun(&service, request).await;
    let client = service.client().await;
    let mut others = created(&client, "bob").await;
    let busy = tokio::spawn(async move {
        loop {
            others = played(&client, &others).await;
            sleep(Duration::from_millis(50)).await;
        }
    });
    assert_eq!(changes.next().await.unwrap().r#match, None);
    busy.abort();
    service.stop().await;
}

#[tokio::test]
async fn streams_end_when_the_server_goes_down() {
    let service = Service::start().await;
    let (mut changes, _) = Changes::begun(&service, all()).await;
    let stopped = tokio::spawn(service.stop());
    let status = changes.next().await.unwrap_err();
    assert_eq!(status.get_error_details().error_info().unwrap().reason, "SERVER_DRAINING");
    timeout(SOON, stopped).await.expect("no stream holds the server up").unwrap();
}

#[tokio::test]
async fn a_slow_reader_gets_each_match_in_its_newest_state() {
    let service = Service::start().await;
    let client = service.client().await;
    let (mut changes, _) = Changes::begun(&service, all()).await;
    let mut busy = created(&client, "bob").await;
    for _ in 0..250 {
        busy = given_up(&client, &busy).await;
    }
    let (mut messages, mut seen) = (0, 0);
    while seen < busy.revision {
        let told = changes.next_match().await;
        assert!(told.revision >= seen, "never an older state");
        (messages, seen) = (messages + 1, told.revision);
    }
    assert!(messages < 500, "{messages} for 501 changes");
    service.stop().await;
}

#[tokio::test]
async fn who_does_not_read_is_cut_off_and_can_resume() {
    let service = Service::start().await;
    let client = service.client().await;
    let (mut changes, first) = Changes::begun(&service, all()).await;
    let mut names = BTreeSet::new();
    for _ in 0..250 {
        names.insert(created(&client, "bob").await.name);
    }
    sleep(Duration::from_secs(12)).await;
    let (mut token, mut seen) = (first.resume_token, BTreeSet::new());
    let status = loop {
        match changes.next().await {
            Ok(message) => {
                token = message.resume_token;
                seen.extend(message.r#match.map(|told| told.name));
            }
            Err(status) => break status,
        }
    };
    let details = status.get_error_details();
    assert_eq!(
        (status.code(), details.error_info().unwrap().reason.as_str()),
        (Code::Unavailable, "SLOW_CONSUMER")
    );
    assert!(details.retry_info().is_some() && seen.len() < names.len());
    let mut resumed =
        Changes::of(&service, WatchMatchesRequest { resume_token: token, ..all() }).await.unwrap();
    seen.extend(resumed.names().await);
    assert_eq!(seen, names);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_on_one_server_are_told_on_another() {
    let Some(replicas) = Replicas::start(2).await else { return };
    let [one, other] = &replicas.services[..] else { panic!("two servers") };
    let client = one.client().await;
    let (mut changes, first) = Changes::begun(other, all()).await;
    let database = replicas.database.clone();
    let killing = tokio::spawn(async move {
        let kill = "SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity \
                    WHERE datname = current_database() AND application_name = 'chaquete-server listener'";
        let mut rounds = 0;
        while rounds < 20 {
            rounds += i32::from(database.value(kill).await.unwrap() == "2");
            sleep(Duration::from_millis(20)).await;
        }
    });
    let mut newest = BTreeMap::new();
    for n in 0.. {
        let new = created(&client, if n % 10 == 0 { "carol" } else { "bob" }).await;
        let mut after = played(&client, &new).await;
        after = match n % 4 {
            0 => cancel(&client, &after.name).await.unwrap(),
            1 => paused(&client, &after.name).await,
            _ => after,
        };
        newest.insert(after.name, after.revision);
        if n >= 100 && killing.is_finished() {
            break;
        }
    }
    killing.await.unwrap();
    changes.until(&newest).await;
    // Whoever was elsewhere meanwhile goes on there as well as here.
    for service in [one, other] {
        let request = WatchMatchesRequest { resume_token: first.resume_token.clone(), ..all() };
        Changes::of(service, request).await.unwrap().until(&newest).await;
    }
    replicas.stop().await;
}
