//! Limits: each is attacked from this machine, and holds.

use std::{num::NonZeroU32, time::Duration};

use chaquete_client::{Client, RetryPolicy};
use chaquete_proto::v1::{
    CancelMatchRequest, CreateMatchRequest, CreateMatchResponse, ErrorReason, GetServerInfoRequest,
    ListMatchEventsRequest, ListMatchesRequest, WatchMatchesRequest, WatchMatchesResponse,
    match_service_client::MatchServiceClient,
};
use chaquete_server::config::{Config, Limits};
use chaquete_tests::{Closed, Raw, Service, framed, new_match, rules_to};
use prost::Message;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, timeout},
};
use tonic::{Code, Request, Status, Streaming};
use tonic_types::StatusExt;
use uuid::Uuid;

pub(crate) fn limited(limits: Limits) -> Config {
    Config { limits, ..Config::default() }
}

pub(crate) fn few(count: u32) -> Option<NonZeroU32> {
    NonZeroU32::new(count)
}

async fn connect(service: &Service) -> TcpStream {
    TcpStream::connect(service.endpoint().trim_start_matches("http://")).await.unwrap()
}

/// Whether the server closes a connection within this time.
async fn is_closed(connection: &mut TcpStream, within: Duration) -> bool {
    let mut buffer = [0; 256];
    let closed = async {
        loop {
            match connection.read(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
    };
    timeout(within, closed).await.is_ok()
}

/// What refuses for a while says for how long, and whose quota it is.
pub(crate) fn is_limited(status: &Status) -> bool {
    let details = status.get_error_details();
    let retry = details.retry_info().and_then(|info| info.retry_delay);
    status.code() == Code::ResourceExhausted
        && details.error_info().is_some_and(|info| info.reason == "RATE_LIMITED")
        && details.quota_failure().is_some_and(|quota| quota.violations.len() == 1)
        && retry.is_some_and(|retry| retry > Duration::ZERO && retry <= Duration::from_secs(1))
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_and_half_begun_connections_are_closed() {
    let service = Service::start().await;
    let begun = Instant::now();
    let mut silent = Vec::new();
    for n in 0..300_usize {
        let mut connection = connect(&service).await;
        // Nothing at all, or some of what HTTP/2 begins with.
        let greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0";
        connection.write_all(&greeting[..n % greeting.len()]).await.unwrap();
        silent.push(connection);
    }
    // Meanwhile others are served.
    service.client().await.get_server_info(GetServerInfoRequest {}).await.unwrap();
    for connection in &mut silent {
        assert!(is_closed(connection, Duration::from_secs(20)).await);
    }
    assert!(begun.elapsed() >= Duration::from_secs(4), "a slow client has time");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn there_are_only_so_many_connections_from_one_address() {
    let limits = Limits { connections_per_address: few(3), ..Limits::default() };
    let service = Service::start_with(Config { store: "memory:".into(), ..limited(limits) }).await;
    let first = service.client().await;
    first.get_server_info(GetServerInfoRequest {}).await.unwrap();
    let others = [connect(&service).await, connect(&service).await];
    let mut surplus = connect(&service).await;
    assert!(is_closed(&mut surplus, Duration::from_secs(2)).await, "one too many");
    first.get_server_info(GetServerInfoRequest {}).await.unwrap();
    drop(others);
    let served = timeout(Duration::from_secs(10), async {
        // The server has to notice that they are gone.
        while Client::builder(service.endpoint())
            .retry(RetryPolicy { patience: Duration::ZERO, ..RetryPolicy::default() })
            .connect_lazy()
            .unwrap()
            .get_server_info(GetServerInfoRequest {})
            .await
            .is_err()
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    served.await.expect("there is room again");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_has_its_rate_and_others_have_theirs() {
    let limits = Limits { calls_per_second: few(5), ..Limits::default() };
    let closed = Closed::start_with(&["busy", "calm"], limited(limits)).await;
    let raw = Raw::connect(&closed.service.endpoint()).await;
    let call = async |key: &str, tenant: &str| {
        let request =
            ListMatchesRequest { parent: format!("tenants/{tenant}"), ..ListMatchesRequest::default() };
        let headers = [("authorization", &*format!("Bearer {key}"))];
        let path = "/backgammon.v1.MatchService/ListMatches";
        raw.call(path, &headers, &framed(&request.encode_to_vec())).await.status.unwrap()
    };
    let (mut served, mut limited) = (0, 0);
    for _ in 0..60 {
        let status = call(&closed.backends[0], "busy").await;
        served += u32::from(status.code() == Code::Ok);
        limited += u32::from(is_limited(&status));
    }
    // Some more may come at once, and a second or two may have gone by.
    assert!((20..=45).contains(&served) && served + limited == 60, "{served} served, {limited} refused");
    assert_eq!(call(&closed.backends[1], "calm").await.code(), Code::Ok);
    // It is one of so many a second: after a second there is one to be had.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(call(&closed.backends[0], "busy").await.code(), Code::Ok);
    closed.service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_guesses_keys_is_slowed_down_before_anything_is_looked_up() {
    let limits = Limits { strangers_per_second: few(5), ..Limits::default() };
    let closed = Closed::start_with(&["club"], limited(limits)).await;
    let raw = Raw::connect(&closed.service.endpoint()).await;
    let path = "/backgammon.v1.MatchService/ListMatches";
    let request = ListMatchesRequest { parent: "tenants/club".into(), ..ListMatchesRequest::default() };
    let body = framed(&request.encode_to_vec());
    let call = async |token: &str| {
        raw.call(path, &[("authorization", &*format!("Bearer {token}"))], &body).await.status.unwrap()
    };
    let key = &closed.backends[0];
    assert_eq!(call(key).await.code(), Code::Ok);
    let mut refused = 0;
    for n in 0..60 {
        let status = call(&format!("chq_{n:043}")).await;
        refused += u32::from(is_limited(&status));
        assert!(is_limited(&status) || status.code() == Code::Unauthenticated, "{status}");
    }
    assert!(refused >= 15, "{refused}");
    // Who is known comes from the same address, and is served.
    assert_eq!(call(key).await.code(), Code::Ok);
    closed.service.stop().await;
}

/// A call that shows one of the keys.
fn with_key<M>(closed: &Closed, key: usize, message: M) -> Request<M> {
    let mut request = Request::new(message);
    let bearer = format!("Bearer {}", closed.backends[key]);
    request.metadata_mut().insert("authorization", bearer.parse().unwrap());
    request
}

/// Follows the matches of a tenant with one of the keys.
async fn follow(
    closed: &Closed,
    key: usize,
    tenant: &str,
) -> Result<Streaming<WatchMatchesResponse>, Status> {
    let mut client = MatchServiceClient::connect(closed.service.endpoint()).await.unwrap();
    let parent = format!("tenants/{tenant}");
    let request = WatchMatchesRequest { parent, ..WatchMatchesRequest::default() };
    Ok(client.watch_matches(with_key(closed, key, request)).await?.into_inner())
}

/// Creates a match of a tenant with one of the keys.
async fn create(
    closed: &Closed,
    key: usize,
    tenant: &str,
    request: u128,
) -> Result<CreateMatchResponse, Status> {
    let mut client = MatchServiceClient::connect(closed.service.endpoint()).await.unwrap();
    let (parent, request_id) = (format!("tenants/{tenant}"), Uuid::from_u128(request).to_string());
    let new = CreateMatchRequest { parent, request_id, ..new_match(rules_to(3)) };
    Ok(client.create_match(with_key(closed, key, new)).await?.into_inner())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_has_so_many_running_matches() {
    let limits = Limits { running_matches_per_tenant: few(3), ..Limits::default() };
    let closed = Closed::start_with(&["busy", "calm"], limited(limits)).await;
    let (busy, calm) = (0, 1);
    let first = create(&closed, busy, "busy", 1).await.unwrap();
    let (some, more) = tokio::join!(create(&closed, busy, "busy", 2), create(&closed, busy, "busy", 3));
    some.unwrap();
    more.unwrap();
    let status = create(&closed, busy, "busy", 4).await.unwrap_err();
    let info = status.get_details_error_info().unwrap();
    assert_eq!((status.code(), &*info.reason), (Code::ResourceExhausted, "TOO_MANY_MATCHES"));
    assert_eq!(info.metadata["tenant"], "busy");
    assert!(status.get_details_retry_info().is_some());
    assert_eq!(create(&closed, busy, "busy", 1).await.unwrap(), first, "it is done already");
    create(&closed, calm, "calm", 5).await.unwrap();

    let name = first.r#match.unwrap().name;
    let cancel = CancelMatchRequest { name, reason: "enough".to_owned(), ..CancelMatchRequest::default() };
    let client = Client::builder(closed.service.endpoint()).token(&closed.backends[busy]);
    client.connect().await.unwrap().cancel_match(cancel).await.unwrap();
    let again = timeout(Duration::from_secs(10), async {
        while create(&closed, busy, "busy", 6).await.is_err() {
            // Nobody tells when they are counted again.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    again.await.expect("there is room again");
    closed.service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_has_so_many_streams() {
    let limits = Limits { streams_per_tenant: few(2), ..Limits::default() };
    let closed = Closed::start_with(&["busy", "calm"], limited(limits)).await;
    let (busy, calm) = (0, 1);
    let first = follow(&closed, busy, "busy").await.unwrap();
    let _second = follow(&closed, busy, "busy").await.unwrap();
    let status = follow(&closed, busy, "busy").await.unwrap_err();
    let reason = status.get_details_error_info().unwrap().reason;
    assert_eq!((status.code(), reason.as_str()), (Code::ResourceExhausted, "TOO_MANY_WATCHES"));
    assert!(status.get_details_retry_info().is_some());
    follow(&closed, calm, "calm").await.unwrap();
    drop(first);
    let again = timeout(Duration::from_secs(10), async {
        while follow(&closed, busy, "busy").await.is_err() {
            // Nobody tells when the server has noticed.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    again.await.expect("its place is free again");
    closed.service.stop().await;
}

/// Whoever takes a call back has had it all the same.
#[tokio::test(flavor = "multi_thread")]
async fn streams_that_are_dropped_at_once_count() {
    let limits = Limits { calls_per_second: few(5), ..Limits::default() };
    let closed = Closed::start_with(&["club"], limited(limits)).await;
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..60 {
        match follow(&closed, 0, "club").await {
            Ok(stream) => {
                drop(stream);
                opened += 1;
            }
            Err(status) => {
                assert!(is_limited(&status), "{status}");
                refused += 1;
            }
        }
    }
    assert!((20..=45).contains(&opened) && refused > 0, "{opened} opened, {refused} refused");
    closed.service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn there_are_only_so_many_calls_at_once_and_those_taken_back_are_none() {
    let limits = Limits { calls: few(8), ..Limits::default() };
    let closed = Closed::start_with(&["club"], limited(limits)).await;
    let at_once = RetryPolicy { patience: Duration::ZERO, ..RetryPolicy::default() };
    let client = Client::builder(closed.service.endpoint()).token(&closed.backends[0]).retry(at_once);
    let client = client.connect().await.unwrap();
    let new = CreateMatchRequest { parent: "tenants/club".into(), ..new_match(rules_to(1)) };
    let created = client.create_match(new).await.unwrap().r#match.unwrap();
    let poll = || ListMatchEventsRequest {
        parent: created.name.clone(),
        after_revision: created.revision,
        wait_for: Some(prost_types::Duration { seconds: 30, nanos: 0 }),
        ..ListMatchEventsRequest::default()
    };
    let list = || ListMatchesRequest { parent: "tenants/club".into(), ..ListMatchesRequest::default() };
    let is_overloaded = async || match client.list_matches(list()).await {
        Ok(_) => false,
        Err(error) => {
            assert_eq!((error.code(), error.reason()), (Code::Unavailable, Some(ErrorReason::Overloaded)));
            assert!(error.retry_after().is_some());
            true
        }
    };
    let mut polls = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (client, poll) = (client.clone(), poll());
        // Whoever looks takes a place too, so at first there may be none.
        polls.spawn(async move {
            while client.list_match_events(poll.clone()).await.is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
    }
    for wanted in [true, false] {
        let becomes = timeout(Duration::from_secs(10), async {
            // Nobody tells when the server has noticed.
            while is_overloaded().await != wanted {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        assert!(becomes.await.is_ok(), "overloaded: {wanted}");
        polls.abort_all();
    }
    closed.service.stop().await;
}
