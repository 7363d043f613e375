//! A watch gives every event once, whatever the connection does.

use std::time::Duration;

use crate::server::{Reply, Server, unavailable};
use chaquete_client::proto::watch_match_response::Message;
use chaquete_client::proto::{
    Heartbeat, Match, MatchEnded, MatchEvent, MatchState, MatchUpdate, TurnForfeited, WatchMatchRequest,
    WatchMatchResponse, match_event::Kind,
};
use chaquete_client::{Client, RetryPolicy, Watch, Watched};
use tonic::{Code, Status};

const LAST: i32 = 6;

fn update(revision: i32) -> WatchMatchResponse {
    let kind = if revision == LAST {
        Kind::MatchEnded(MatchEnded::default())
    } else {
        Kind::TurnForfeited(TurnForfeited::default())
    };
    let event = MatchEvent { revision, kind: Some(kind), ..MatchEvent::default() };
    let update = MatchUpdate { event: Some(event), ..MatchUpdate::default() };
    WatchMatchResponse { message: Some(Message::Update(Box::new(update))) }
}

fn heartbeat(revision: i32) -> WatchMatchResponse {
    WatchMatchResponse { message: Some(Message::Heartbeat(Heartbeat { revision, server_time: None })) }
}

fn snapshot(revision: i32) -> WatchMatchResponse {
    let game = Match { revision, state: MatchState::Active.into(), ..Match::default() };
    WatchMatchResponse { message: Some(Message::Snapshot(Box::new(game))) }
}

fn updates(revisions: impl IntoIterator<Item = i32>) -> Reply {
    Reply::messages(&revisions.into_iter().map(update).collect::<Vec<_>>())
}

/// The revisions of all events and snapshots that a watch gives to its end.
async fn given(mut watch: Watch) -> Vec<i32> {
    let mut revisions = Vec::new();
    while let Some(watched) = watch.next().await.expect("a watch") {
        match watched {
            Watched::Snapshot(game) => revisions.push(game.revision),
            Watched::Update(update) => revisions.push(update.event.expect("an event").revision),
            Watched::Heartbeat(_) => {}
        }
    }
    revisions
}

/// After which revision, and whether with a snapshot, each call asked.
fn asked(server: &Server) -> Vec<(i32, bool)> {
    let requests = server.calls().into_iter().map(|call| call.decode::<WatchMatchRequest>());
    requests.map(|request| (request.after_revision, request.snapshot)).collect()
}

async fn watch(server: &Server, request: WatchMatchRequest) -> Watch {
    server.client().await.watch_match(request)
}

#[tokio::test]
async fn a_broken_watch_goes_on_after_the_last_event() {
    let server = Server::start(|_, before| match before {
        0 => updates([1, 2]).then(unavailable(None)),
        1 => Reply::status(unavailable(None)),
        // Overlaps with what was given.
        2 => updates([2, 3, 4]).then(unavailable(Some(Duration::from_millis(10)))),
        _ => updates([5, 6]),
    });
    assert_eq!(given(watch(&server, WatchMatchRequest::default()).await).await, [1, 2, 3, 4, 5, 6]);
    assert_eq!(asked(&server), [(0, false), (2, false), (2, false), (4, false)]);
}

#[tokio::test]
async fn a_gap_is_asked_for_again() {
    let server = Server::start(|_, before| match before {
        0 => updates([1, 3]).stays_open(),
        1 => Reply::messages(&[update(2), heartbeat(4)]).stays_open(),
        _ => updates([3, 4, 5, 6]),
    });
    assert_eq!(given(watch(&server, WatchMatchRequest::default()).await).await, [1, 2, 3, 4, 5, 6]);
    assert_eq!(asked(&server), [(0, false), (1, false), (2, false)]);
}

#[tokio::test]
async fn a_server_that_leaves_events_out_is_given_up() {
    let server = Server::start(|_, _| updates([2]).stays_open());
    let mut watch = watch(&server, WatchMatchRequest::default()).await;
    let error = watch.next().await.expect_err("a gap for good");
    assert_eq!(error.code(), Code::DataLoss);
    assert_eq!(watch.revision(), 0);
}

#[tokio::test]
async fn a_snapshot_is_asked_for_until_it_came() {
    let server = Server::start(|_, before| match before {
        0 => Reply::status(unavailable(None)),
        1 => Reply::message(&snapshot(3)).then(unavailable(None)),
        _ => Reply::messages(&[update(4), heartbeat(4), update(5), update(6)]),
    });
    let request = WatchMatchRequest { snapshot: true, ..Default::default() };
    assert_eq!(given(watch(&server, request).await).await, [3, 4, 5, 6]);
    assert_eq!(asked(&server), [(0, true), (0, true), (3, false)]);
}

#[tokio::test]
async fn an_early_end_is_asked_about_once() {
    let server = Server::start(|_, before| match before {
        0 => updates([4, 5]),
        _ => Reply::default(),
    });
    let request = WatchMatchRequest { after_revision: 3, ..Default::default() };
    assert_eq!(given(watch(&server, request).await).await, [4, 5]);
    assert_eq!(asked(&server), [(3, false), (5, false)]);
}

#[tokio::test]
async fn a_refusal_ends_the_watch_and_leaves_the_place() {
    let server = Server::start(|_, before| match before {
        0 => updates([1]).then(Status::not_found("gone")),
        _ => updates(2..=6),
    });
    let mut watch = watch(&server, WatchMatchRequest::default()).await;
    assert!(watch.next().await.expect("an event").is_some());
    assert_eq!(watch.next().await.expect_err("refused").code(), Code::NotFound);
    assert_eq!(watch.revision(), 1);
    assert_eq!(given(watch).await, [2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn patience_is_counted_from_the_last_message() {
    let server = Server::start(|_, before| {
        if before < 8 && before % 2 == 0 {
            let revision = i32::try_from(before / 2).expect("small") + 1;
            updates([revision]).then(unavailable(Some(Duration::from_millis(150))))
        } else {
            Reply::status(unavailable(Some(Duration::from_millis(150))))
        }
    });
    let policy = RetryPolicy { patience: Duration::from_millis(600), ..RetryPolicy::NEVER };
    let client = Client::builder(&server.address).retry(policy).connect().await.expect("up");
    let mut watch = client.watch_match(WatchMatchRequest::default());
    for revision in 1..=4 {
        assert!(watch.next().await.expect("an event").is_some());
        assert_eq!(watch.revision(), revision);
    }
    assert_eq!(watch.next().await.expect_err("nobody").code(), Code::Unavailable);
}
