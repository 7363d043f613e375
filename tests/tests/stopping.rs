//! A server that is told to stop ends what is under way, and waits for nothing else.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{
    collections::BTreeSet,
    net::TcpStream,
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    time::Duration,
};

use chaquete_proto::v1::{
    self, ListMatchEventsRequest, ListMatchesRequest, WatchMatchRequest,
    match_service_client::MatchServiceClient,
};
use chaquete_server::config::Config;
use chaquete_tests::{Raw, Service, new_match, rules_to};
use tokio::time::{Instant, sleep, timeout};
use tonic::{Code, Status, transport::Channel};
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus,
    health_client::HealthClient,
};
use tonic_types::StatusExt;

/// Within this the server has stopped, if nothing is under way.
const SOON: Duration = Duration::from_secs(2);

type Matches = MatchServiceClient<Channel>;

async fn channel(service: &Service) -> Channel {
    Channel::from_shared(service.endpoint()).unwrap().connect().await.unwrap()
}

async fn create(matches: &Matches) -> Result<v1::Match, Status> {
    let created = matches.clone().create_match(new_match(rules_to(3))).await?;
    Ok(created.into_inner().r#match.unwrap())
}

/// Stops the server; how long it took.
async fn stop(service: Service) -> Duration {
    let began = Instant::now();
    timeout(Duration::from_secs(15), service.stop()).await.expect("it stops without being forced to");
    began.elapsed()
}

fn silent(service: &Service, count: usize) -> Vec<TcpStream> {
    let address = service.endpoint();
    let address = address.trim_start_matches("http://");
    (0..count).map(|_| TcpStream::connect(address).unwrap()).collect()
}

fn draining(status: &Status) {
    let details = status.get_error_details();
    assert_eq!(status.code(), Code::Unavailable, "{status:?}");
    assert_eq!(details.error_info().unwrap().reason, "SERVER_DRAINING");
    assert!(details.retry_info().is_some());
}

#[tokio::test]
async fn silent_connections_are_not_waited_for() {
    let service = Service::start().await;
    let _silent = silent(&service, 1);
    sleep(Duration::from_millis(100)).await;
    let took = stop(service).await;
    assert!(took < SOON, "{took:?}");
}

/// Load balancers ask for health, and send calls until they have heard.
#[tokio::test]
async fn health_says_so_before_the_server_stops_to_serve() {
    let delay = Duration::from_secs(2);
    let config = Config { store: "memory:".to_owned(), drain_delay: delay, ..Config::default() };
    let service = Service::start_with(config).await;
    let channel = channel(&service).await;
    let mut health = HealthClient::new(channel.clone());
    let stopping = tokio::spawn(stop(service));
    let request = || HealthCheckRequest { service: "backgammon.v1.PlayService".to_owned() };
    while health.check(request()).await.unwrap().into_inner().status() == ServingStatus::Serving {
        sleep(Duration::from_millis(10)).await;
    }
    create(&MatchServiceClient::new(channel)).await.expect("calls are still served");
    let took = stopping.await.unwrap();
    assert!(took >= delay && took < delay + SOON, "{took:?}");
}

#[tokio::test]
async fn streams_of_health_are_told_and_not_waited_for() {
    let service = Service::start().await;
    let names = ["", "backgammon.v1.MatchService", "backgammon.v1.PlayService", "backgammon.v1.RulesService"];
    let mut health = HealthClient::new(channel(&service).await);
    let mut streams = Vec::new();
    for name in names {
        let request = HealthCheckRequest { service: name.to_owned() };
        streams.push(health.watch(request).await.unwrap().into_inner());
    }
    let said = |answer: Option<HealthCheckResponse>| answer.unwrap().status();
    for stream in &mut streams {
        assert_eq!(said(stream.message().await.unwrap()), ServingStatus::Serving);
    }
    let stopped = tokio::spawn(stop(service));
    for stream in &mut streams {
        let told = timeout(SOON, stream.message()).await.unwrap();
        assert_eq!(said(told.unwrap()), ServingStatus::NotServing);
    }
    let took = stopped.await.unwrap();
    assert!(took < SOON, "{took:?}");
}

#[tokio::test]
async fn everything_that_idles_at_once_is_told_or_cut_off() {
    let service = Service::start().await;
    let _silent = silent(&service, 100);
    let raw = Raw::connect(&service.endpoint()).await;
    let _health = raw.begin("/grpc.health.v1.Health/Watch", &[]).await;
    let reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    let _reflection = raw.begin(reflection, &[]).await;
    let unfinished = raw.begin("/backgammon.v1.MatchService/GetMatch", &[]).await;
    let mut half = raw.begin("/backgammon.v1.PlayService/RollDice", &[]).await;
    half.write(&[0, 0, 0, 0, 9, 1], false);

    let mut matches = Matches::new(channel(&service).await);
    let v1::Match { name, revision: after_revision, .. } = create(&matches).await.unwrap();
    let watch = WatchMatchRequest { name: name.clone(), after_revision, ..Default::default() };
    let mut stream = matches.watch_match(watch).await.unwrap().into_inner();
    let wait_for = Some(prost_types::Duration { seconds: 60, nanos: 0 });
    let request = ListMatchEventsRequest { parent: name, after_revision, wait_for, ..Default::default() };
    let mut polling = matches.clone();
    let poll = tokio::spawn(async move { polling.list_match_events(request).await });
    sleep(Duration::from_millis(500)).await;

    let took = stop(service).await;
    assert!(took < SOON, "{took:?}");
    draining(&stream.message().await.unwrap_err());
    draining(&poll.await.unwrap().unwrap_err());
    draining(&unfinished.answer().await.status.unwrap());
    draining(&half.answer().await.status.unwrap());
}

/// Creates matches one after the other until the server takes no more.
async fn create_many(matches: Matches, acknowledged: Arc<Mutex<Vec<String>>>) {
    while let Ok(created) = create(&matches).await {
        acknowledged.lock().unwrap().push(created.name);
    }
}

#[tokio::test]
async fn what_was_done_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("stopped.sqlite").display());
    // The clients' connections lie on several threads.
    let threads = NonZeroUsize::new(3).unwrap();
    let config = Config { store, threads, ..Config::default() };
    let service = Service::start_with(config.clone()).await;
    let _silent = silent(&service, 1);
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    let mut workers = Vec::new();
    for _ in 0..8 {
        let matches = Matches::new(channel(&service).await);
        workers.push(tokio::spawn(create_many(matches, Arc::clone(&acknowledged))));
    }
    sleep(Duration::from_millis(500)).await;
    let took = stop(service).await;
    assert!(took < SOON, "{took:?}");
    for worker in workers {
        timeout(SOON, worker).await.unwrap().unwrap();
    }

    // A call that was taken was answered: nothing is there that nobody was told of.
    let restarted = Service::start_with(config).await;
    let request = ListMatchesRequest { parent: "tenants/default".to_owned(), ..Default::default() };
    let matches = restarted.client().await.matches(request).all().await.unwrap();
    let kept: BTreeSet<_> = matches.into_iter().map(|kept| kept.name).collect();
    let acknowledged = acknowledged.lock().unwrap().iter().cloned().collect::<BTreeSet<_>>();
    assert!(acknowledged.len() > 8);
    assert_eq!(kept, acknowledged);
}
