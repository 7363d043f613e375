//! Whole matches, many at once, on one stream.

use std::collections::BTreeMap;

use chaquete_client::replay::play;
use chaquete_proto::v1::{self, act_response::Outcome};
use chaquete_server::config::Config;
use chaquete_tests::{Service, TestClock, events};

use crate::support::{all, brief, full, hand_in, in_turns, next, plans};

/// The events that an answer tells.
fn told(answer: v1::ActResponse) -> Vec<v1::MatchEvent> {
    match answer.outcome {
        Some(Outcome::RollDice(it)) => it.events,
        Some(Outcome::SubmitMove(it)) => it.events,
        Some(Outcome::Result(it)) => it.events,
        other => panic!("{other:?}"),
    }
}

/// An event without what differs from server to server.
fn bare(event: v1::MatchEvent) -> v1::MatchEvent {
    let mut event = v1::MatchEvent { previous_hash: Vec::new(), hash: Vec::new(), ..event };
    if let Some(v1::match_event::Kind::MatchCreated(created)) = &mut event.kind {
        created.r#match.as_mut().unwrap().uid.clear();
    }
    event
}

/// A server with a clock that stands still.
async fn timeless() -> Service {
    let config = Config { store: "memory:".to_owned(), ..Config::default() };
    Service::start_at(config, TestClock::new()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn recorded_matches_play_out_as_by_calls_though_nothing_is_waited_for() {
    let (streamed, called) = (timeless().await, timeless().await);
    let plans = plans(1);
    let client = streamed.client().await;
    let (actions, mut answers) = client.act_stream().await.unwrap();
    hand_in(actions, in_turns(&plans, full));
    let mut logs: BTreeMap<u64, Vec<v1::MatchEvent>> = BTreeMap::new();
    let mut turns = vec![0; plans.len()];
    for answer in all(&mut answers).await {
        let (index, turn) = (answer.tag >> 32, answer.tag & 0xffff_ffff);
        assert_eq!(turn, turns[index as usize], "the order of requests is kept in a match");
        turns[index as usize] += 1;
        let revision = answer.revision;
        let log = logs.entry(index).or_default();
        log.extend(told(answer));
        assert_eq!(log.last().unwrap().revision, revision);
    }
    let by_calls = called.client().await;
    for ((plan, turns), log) in plans.iter().zip(turns).zip(logs.into_values()) {
        assert_eq!(turns as usize, plan.requests());
        assert_eq!(events(&client, &plan.name).await.unwrap(), log, "what was told is what is there");
        let played = play(&by_calls, plan, &|_| {}).await;
        assert!(played.findings.is_empty() && played.interrupted.is_none(), "{played:?}");
        let expected = events(&by_calls, &plan.name).await.unwrap();
        assert!(expected.into_iter().map(bare).eq(log.into_iter().map(bare)), "{}", plan.name);
    }
    streamed.stop().await;
    called.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_breaks_again_and_again_is_gone_on_with_and_everything_happens_once() {
    let service = timeless().await;
    let client = service.client().await;
    let plans = plans(1);
    let mut missing: BTreeMap<u64, v1::ActRequest> = BTreeMap::new();
    // By turn first, so that a match is not handed in as a whole before the next.
    for request in in_turns(&plans, brief) {
        missing.insert(request.tag.rotate_left(32), request);
    }
    let (all, mut streams) = (missing.len(), 0);
    let mut revisions = vec![0; plans.len()];
    while !missing.is_empty() {
        let (actions, mut answers) = client.act_stream().await.unwrap();
        hand_in(actions, missing.values().cloned().collect());
        // A different number of answers is read each time; many more are on their way.
        let count = 200 + 37 * streams % 300;
        for _ in 0..count.min(missing.len()) {
            let answer = next(&mut answers).await.unwrap();
            assert_eq!(answer.outcome, None, "{answer:?}");
            let revision = &mut revisions[(answer.tag >> 32) as usize];
            assert!(answer.revision > *revision, "a match goes on where it was");
            *revision = answer.revision;
            missing.remove(&answer.tag.rotate_left(32)).unwrap();
        }
        streams += 1;
    }
    assert!(streams > 5, "{all} actions on {streams} streams");
    for (plan, revision) in plans.iter().zip(revisions) {
        let log = events(&client, &plan.name).await.unwrap();
        assert_eq!(log.len(), revision as usize, "nothing is there that was not answered");
        let mut ids: Vec<_> = log.iter().map(|event| &event.request_id).collect();
        ids.dedup();
        assert_eq!(ids.len(), plan.requests(), "each request is there once, in one piece");
    }
    service.stop().await;
}
