//! How a stream ends: well, by the caller, by the server, by what cannot be read.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use chaquete_client::{Client, Error};
use chaquete_proto::v1::{self, ErrorReason, act_request::Action};
use chaquete_server::{config::Config, layer::MAX_REQUEST};
use chaquete_tests::{Raw, RawAnswer, Service, framed};
use prost::Message;
use tokio::time::{sleep, timeout};
use tonic::Code;
use tonic_types::StatusExt;

use crate::support::{SOON, brief, created, creation, match_count, next};

const ACT: &str = "/backgammon.v1.PlayService/Act";

/// A request to create a match, as it stands in the body of a call.
fn create(match_id: &str) -> Vec<u8> {
    framed(&brief(1, Action::CreateMatch(Box::new(creation(match_id)))).encode_to_vec())
}

/// Tags of the answers, code and reason of the end.
fn told(answer: &RawAnswer) -> (Vec<u64>, Code, String) {
    let status = answer.status.as_ref().expect("an answer has a status");
    let info = status.get_details_error_info().unwrap_or_else(|| panic!("no reason: {status:?}"));
    let tags = answer.messages().into_iter().map(|answer: v1::ActResponse| answer.tag).collect();
    (tags, status.code(), info.reason)
}

#[tokio::test]
async fn a_stream_without_an_action_ends_well() {
    let service = Service::start().await;
    let (actions, mut answers) = service.client().await.act_stream().await.unwrap();
    drop(actions);
    assert_eq!(next(&mut answers).await, None);
    service.stop().await;
}

#[tokio::test]
async fn what_cannot_be_read_ends_the_stream_after_all_before_it_is_answered() {
    let service = Service::start().await;
    let raw = Raw::connect(&service.endpoint()).await;
    let unreadable = [
        ("a number where text belongs", framed(&[0x12, 2, 0x08, 0x01])),
        ("a field that ends early", framed(&[0x12, 0x7f, 1])),
        ("no UTF-8", framed(&[0x12, 3, 0x0a, 1, 0xff])),
        ("nested too deep", framed(&[0xa3_u8, 0x06].repeat(200))),
        ("a cut header", vec![0, 0, 0]),
        ("a cut message", framed(b"more than that")[..8].to_vec()),
        ("a compression flag that does not exist", vec![7, 0, 0, 0, 0]),
        ("compressed by nothing", vec![1, 0, 0, 0, 0]),
        ("too large", framed(&vec![b'x'; MAX_REQUEST + 1])),
    ];
    for (index, (what, bytes)) in unreadable.into_iter().enumerate() {
        let body = [create(&format!("match{index}")), bytes].concat();
        let answer = timeout(SOON, raw.call(ACT, &[], &body)).await.unwrap();
        assert_eq!(told(&answer), (vec![1], Code::InvalidArgument, "INVALID_FIELD".to_owned()), "{what}");
    }
    let compressed = raw.call(ACT, &[("grpc-encoding", "gzip")], &create("match9")).await;
    assert_eq!(told(&compressed), (vec![], Code::Unimplemented, "UNIMPLEMENTED".to_owned()));
    service.stop().await;
}

#[tokio::test]
async fn a_deadline_that_the_caller_sets_ends_the_stream() {
    let service = Service::start().await;
    let raw = Raw::connect(&service.endpoint()).await;
    let mut call = raw.begin(ACT, &[("grpc-timeout", "2S")]).await;
    call.write(&create("match"), false);
    let answer = timeout(SOON, call.answer()).await.unwrap();
    assert_eq!(told(&answer), (vec![1], Code::DeadlineExceeded, "DEADLINE_EXCEEDED".to_owned()));
    service.stop().await;
}

#[tokio::test]
async fn no_deadline_is_set_for_the_caller() {
    let service = Service::start().await;
    let (actions, mut answers) = service.client().await.act_stream().await.unwrap();
    // Longer than any call may take whose caller says nothing, and than the server is patient with a reader.
    for (tag, pause) in [(0, 0), (1, 32)] {
        sleep(Duration::from_secs(pause)).await;
        let create = Action::CreateMatch(Box::new(creation(&format!("match{tag}"))));
        actions.send(brief(tag, create)).await.unwrap();
        assert_eq!(next(&mut answers).await.unwrap().tag, tag);
    }
    service.stop().await;
}

/// Creates matches without waiting until the stream ends. The names of those that were acknowledged, and why
/// it ended.
async fn create_many(client: Client, number: usize, acknowledged: Arc<Mutex<BTreeSet<String>>>) -> Error {
    let (actions, mut answers) = client.act_stream().await.unwrap();
    let name = move |tag: u64| format!("s{number}-{tag:06}");
    tokio::spawn(async move {
        for tag in 0.. {
            let create = Action::CreateMatch(Box::new(creation(&name(tag))));
            if actions.send(brief(tag, create)).await.is_err() {
                return;
            }
        }
    });
    loop {
        match timeout(SOON, answers.next()).await.expect("an answer or an end in time") {
            Ok(Some(answer)) => {
                assert_eq!(answer.outcome, None);
                let name = format!("tenants/default/matches/{}", name(answer.tag));
                acknowledged.lock().unwrap().insert(name);
            }
            Ok(None) => panic!("the stream ends without a reason"),
            Err(error) => return error,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_answers_what_it_has_taken_and_says_why_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("stopped.sqlite").display());
    let config = Config { store, ..Config::default() };
    let service = Service::start_with(config.clone()).await;
    let acknowledged = Arc::new(Mutex::new(BTreeSet::new()));
    let mut streams = Vec::new();
    for number in 0..4 {
        let client = service.client().await;
        streams.push(tokio::spawn(create_many(client, number, Arc::clone(&acknowledged))));
    }
    // One that idles, too.
    let (_actions, mut answers) = service.client().await.act_stream().await.unwrap();
    sleep(Duration::from_millis(500)).await;
    timeout(Duration::from_secs(15), service.stop()).await.expect("it stops without being forced to");
    for stream in streams {
        let end = stream.await.unwrap();
        assert_eq!(end.reason(), Some(ErrorReason::ServerDraining), "{end:?}");
    }
    assert_eq!(answers.next().await.unwrap_err().reason(), Some(ErrorReason::ServerDraining));

    let restarted = Service::start_with(config).await;
    let request = v1::ListMatchesRequest { parent: "tenants/default".to_owned(), ..Default::default() };
    let kept = restarted.client().await.matches(request).all().await.unwrap();
    let kept: BTreeSet<_> = kept.into_iter().map(|kept| kept.name).collect();
    assert!(kept.len() > 4);
    assert_eq!(kept, *acknowledged.lock().unwrap(), "nothing is there that nobody was told of");
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_that_hang_up_leave_nothing_behind() {
    let service = Service::start().await;
    let client = service.client().await;
    let name = created(&client, "played").await.name;
    for round in 0..50 {
        let (actions, answers) = client.act_stream().await.unwrap();
        for tag in 0..20 {
            let create = Action::CreateMatch(Box::new(creation(&format!("r{round:02}-{tag:02}"))));
            actions.send(brief(tag, create)).await.unwrap();
        }
        if round % 2 == 0 {
            drop((actions, answers));
        } else {
            drop(answers);
            // Sooner or later it hears of it.
            while actions.send(v1::ActRequest::default()).await.is_ok() {
                sleep(Duration::from_millis(1)).await;
            }
        }
    }
    let request = v1::GetMatchRequest { name, ..Default::default() };
    client.get_match(request).await.unwrap();
    let count = match_count(&client).await;
    assert!(count <= 1 + 50 * 20);
    // A stream that went on would hold the server up.
    timeout(Duration::from_secs(10), service.stop()).await.expect("it stops without being forced to");
}
