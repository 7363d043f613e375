//! How much a stream takes, and what others get meanwhile.

use std::time::Duration;

use chaquete_client::{Client, replay::play};
use chaquete_proto::v1::{
    self, act_request::Action, act_response::Outcome, match_service_client::MatchServiceClient,
    play_service_client::PlayServiceClient,
};
use chaquete_server::config::Config;
use chaquete_tests::{Raw, RawCall, Service, framed};
use prost::Message;
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use tonic::{Code, transport::Channel};
use tonic_types::StatusExt;

use crate::support::{SOON, answered, brief, created, creation, full, in_turns, match_count, plans};

/// How many may be unanswered.
const MOST: usize = 1_024;

const ACT: &str = "/backgammon.v1.PlayService/Act";

/// Requests to create so many matches.
fn creations(count: usize) -> Vec<v1::ActRequest> {
    let create = |tag| brief(tag as u64, Action::CreateMatch(Box::new(creation(&format!("m{tag:04}")))));
    (0..count).map(create).collect()
}

/// Waits until so many matches are there.
async fn reached(client: &Client, count: usize) {
    let enough = async {
        while match_count(client).await < count {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(SOON, enough).await.expect("so many are taken");
}

/// Sends all of these to a server that cannot send anything back, and waits until it takes no more.
async fn unread(raw: &Raw, client: &Client, requests: &[v1::ActRequest]) -> RawCall {
    let mut call = raw.begin(ACT, &[]).await;
    for (index, request) in requests.iter().enumerate() {
        call.write(&framed(&request.encode_to_vec()), index + 1 == requests.len());
        if index == 0 {
            // The transport takes what is there and keeps it. So that it is one answer, there is only one.
            reached(client, 1).await;
            sleep(Duration::from_millis(200)).await;
        }
    }
    reached(client, 1 + MOST).await;
    sleep(Duration::from_millis(500)).await;
    call
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_read_is_not_read_from_beyond_1024_answers() {
    let service = Service::start().await;
    let client = service.client().await;
    let raw = Raw::connect_with_window(&service.endpoint(), 0).await;
    let call = unread(&raw, &client, &creations(5_000)).await;
    assert_eq!(match_count(&client).await, 1 + MOST, "one was answered");

    raw.open_windows(1 << 20);
    let answer = timeout(SOON, call.answer()).await.unwrap();
    assert_eq!(answer.status.as_ref().unwrap().code(), Code::Ok);
    let mut tags: Vec<_> = answer.messages().into_iter().map(|it: v1::ActResponse| it.tag).collect();
    tags.sort_unstable();
    assert!(tags.into_iter().eq(0..5_000), "each is answered once");
    assert_eq!(match_count(&client).await, 5_000);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_read_at_all_is_cut_off_and_can_go_on() {
    let service = Service::start().await;
    let client = service.client().await;
    let raw = Raw::connect_with_window(&service.endpoint(), 0).await;
    let requests = creations(1 + MOST + 500);
    let call = unread(&raw, &client, &requests).await;
    // Longer than the server is patient.
    sleep(Duration::from_secs(12)).await;

    raw.open_windows(1 << 20);
    let answer = timeout(SOON, call.answer()).await.unwrap();
    let details = answer.status.as_ref().unwrap().get_error_details();
    assert_eq!(answer.status.as_ref().unwrap().code(), Code::Unavailable);
    assert_eq!(details.error_info().unwrap().reason, "SLOW_CONSUMER");
    assert!(details.retry_info().is_some());
    assert_eq!(answer.messages::<v1::ActResponse>().len(), 1 + MOST, "what was done is answered");
    assert_eq!(match_count(&client).await, 1 + MOST, "nothing else was done");

    let rest = answered(&client, requests[1 + MOST..].to_vec()).await;
    assert!(rest.values().all(|answer| answer.outcome.is_none()));
    assert_eq!(match_count(&client).await, requests.len());
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_is_held_back_holds_back_no_other_call_of_its_connection() {
    let service = Service::start().await;
    let channel = Channel::from_shared(service.endpoint()).unwrap().initial_stream_window_size(65_535);
    let channel = channel.connect().await.unwrap();
    // Far more than the server takes of a connection whose answers are not read.
    let requests = creations(20_000).into_iter().map(|it| v1::ActRequest { detail: 0, ..it });
    let mut play = PlayServiceClient::new(channel.clone());
    let unread = play.act(tokio_stream::iter(requests.collect::<Vec<_>>())).await.unwrap();
    reached(&service.client().await, MOST).await;
    sleep(Duration::from_millis(500)).await;
    let request = v1::GetMatchRequest { name: "tenants/default/matches/m0000".to_owned(), view: 0 };
    timeout(SOON, MatchServiceClient::new(channel).get_match(request)).await.expect("an answer").unwrap();
    drop(unread);
    service.stop().await;
}

/// A server that does so much at a time.
async fn narrow(concurrency: usize) -> Service {
    Service::start_with(Config { store: "memory:".to_owned(), concurrency, ..Config::default() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn one_place_for_all_commands_is_enough_for_streams_and_calls_together() {
    let service = narrow(1).await;
    let client = service.client().await;
    let plans = plans(1);
    let (streamed, called) = plans.split_at(2 * plans.len() / 3);
    let (one, other) = streamed.split_at(streamed.len() / 2);
    let mut calls = JoinSet::new();
    for plan in called {
        let (client, plan) = (client.clone(), plan.clone());
        calls.spawn(async move { play(&client, &plan, &|_| {}).await });
    }
    let streams = async {
        tokio::join!(answered(&client, in_turns(one, brief)), answered(&client, in_turns(other, full)))
    };
    let (one, other) = timeout(SOON, streams).await.expect("nobody waits for ever");
    assert!(!one.values().chain(other.values()).any(|it| matches!(it.outcome, Some(Outcome::Error(_)))));
    for played in timeout(SOON, calls.join_all()).await.expect("nobody waits for ever") {
        assert!(played.findings.is_empty() && played.interrupted.is_none(), "{played:?}");
    }
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_wait_for_as_long_as_it_takes_and_calls_find_a_place_meanwhile() {
    for concurrency in [1, 8] {
        let service = narrow(concurrency).await;
        let client = service.client().await;
        let name = created(&client, "other").await.name;
        let mut streams = JoinSet::new();
        for stream in 0..3 {
            let client = client.clone();
            let requests = creations(3_000).into_iter().skip(1_000 * stream).take(1_000).collect();
            streams.spawn(async move { answered(&client, requests).await });
        }
        // None of these is tried again.
        let mut matches = MatchServiceClient::connect(service.endpoint()).await.unwrap();
        let mut calls = 0;
        while streams.len() == 3 {
            let request = v1::GetMatchRequest { name: name.clone(), view: 0 };
            timeout(SOON, matches.get_match(request)).await.expect("an answer in time").expect("a place");
            calls += 1;
            if let Some(answers) = streams.try_join_next() {
                assert!(answers.unwrap().values().all(|answer| answer.outcome.is_none()));
            }
        }
        assert!(calls > 10, "{calls} calls while all streams were busy");
        for answers in timeout(SOON, streams.join_all()).await.expect("all are answered") {
            assert!(answers.values().all(|answer| answer.outcome.is_none()));
        }
        service.stop().await;
    }
}
