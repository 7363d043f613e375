//! Labels and annotations are changed over a real connection.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::collections::BTreeMap;

use chaquete_client::{Client, Error};
use chaquete_proto::v1::{
    CancelMatchRequest, CreateMatchRequest, ErrorReason, GetMatchRequest, Match, MatchState, MatchUpdated,
    UpdateMatchRequest, WatchMatchRequest, match_event::Kind,
};
use chaquete_tests::{Replicas, Service, act, events, new_match, rules_to};
use prost_types::FieldMask;
use tonic::Code;

const IDS: [&str; 2] = ["6f0a5a52-5a5e-4a53-9f0c-0c6a7f0e8a01", "6f0a5a52-5a5e-4a53-9f0c-0c6a7f0e8a02"];

type Facts = BTreeMap<String, String>;

fn facts(pairs: &[(&str, &str)]) -> Facts {
    pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// A match with two labels and an annotation.
async fn created(client: &Client) -> Match {
    let mut request: CreateMatchRequest = new_match(rules_to(5));
    let wanted = request.r#match.as_mut().unwrap();
    wanted.labels = facts(&[("event", "spring"), ("round", "1")]);
    wanted.annotations = facts(&[("stream", "on")]);
    client.create_match(request).await.unwrap().r#match.unwrap()
}

fn request(
    name: &str,
    labels: &[(&str, &str)],
    annotations: &[(&str, &str)],
    mask: &[&str],
) -> UpdateMatchRequest {
    let (labels, annotations) = (facts(labels), facts(annotations));
    UpdateMatchRequest {
        r#match: Some(Match { name: name.to_owned(), labels, annotations, ..Match::default() }),
        update_mask: Some(FieldMask { paths: mask.iter().map(|&path| path.to_owned()).collect() }),
        ..UpdateMatchRequest::default()
    }
}

async fn update(client: &Client, request: UpdateMatchRequest) -> Match {
    client.update_match(request).await.unwrap().r#match.unwrap()
}

async fn get(client: &Client, name: &str) -> Match {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    client.get_match(request).await.unwrap().r#match.unwrap()
}

fn notes(of: &Match) -> (&Facts, &Facts) {
    (&of.labels, &of.annotations)
}

/// The changes of labels and annotations that a log tells of, with their revisions.
async fn updates(client: &Client, name: &str) -> Vec<(i32, MatchUpdated)> {
    let told = events(client, name).await.unwrap().into_iter();
    told.filter_map(|event| match event.kind {
        Some(Kind::MatchUpdated(updated)) => Some((event.revision, updated)),
        _ => None,
    })
    .collect()
}

fn bad_fields(error: &Error) -> Vec<&str> {
    error.field_violations().iter().map(|violation| violation.field.as_str()).collect()
}

async fn facts_are_set_replaced_and_removed(client: &Client) {
    let created = created(client).await;
    let name = created.name.as_str();
    let one = update(client, request(name, &[("round", "2"), ("table", "7")], &[], &["labels.round"])).await;
    let annotations = facts(&[("stream", "on")]);
    assert_eq!(notes(&one), (&facts(&[("event", "spring"), ("round", "2")]), &annotations));
    assert_eq!(one.revision, created.revision + 1);
    assert_eq!((&one.current_game, &one.score), (&created.current_game, &created.score));

    let mask = ["labels.event", "annotations.a.b"];
    let two = update(client, request(name, &[], &[("a.b", "é"), ("stream", "off")], &mask)).await;
    let annotations = facts(&[("a.b", "é"), ("stream", "on")]);
    assert_eq!(notes(&two), (&facts(&[("round", "2")]), &annotations));

    let three = update(client, request(name, &[("only", "this")], &[], &["labels", "annotations"])).await;
    assert_eq!(notes(&three), (&facts(&[("only", "this")]), &Facts::new()));
    assert_eq!(get(client, name).await, three);

    // The log says that there were changes; what it tells of them is how things are now.
    let now = MatchUpdated { labels: facts(&[("only", "this")]), annotations: Facts::new() };
    let told: Vec<_> = [one, two, three].iter().map(|then| (then.revision, now.clone())).collect();
    assert_eq!(updates(client, name).await, told);
    // And the match goes on.
    let played = act(client, &get(client, name).await, &mut |_| 0).await.unwrap();
    assert_eq!(notes(&played), (&facts(&[("only", "this")]), &Facts::new()));
}

#[tokio::test]
async fn facts_are_set_replaced_and_removed_on_both_stores() {
    let service = Service::start().await;
    facts_are_set_replaced_and_removed(&service.client().await).await;
    service.stop().await;
    let Some(replicas) = Replicas::start(1).await else { return };
    facts_are_set_replaced_and_removed(&replicas.services[0].client().await).await;
    replicas.stop().await;
}

#[tokio::test]
async fn what_is_refused_is_not_written() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = created(&client).await;
    let name = created.name.as_str();
    let refused = async |request| {
        let error = client.update_match(request).await.unwrap_err();
        assert_eq!((error.code(), error.reason()), (Code::InvalidArgument, Some(ErrorReason::InvalidField)));
        error
    };
    let mask = ["labels.event", "players", "labels.", "annotations.x"];
    let error = refused(request(name, &[("event", "")], &[("x", "\0")], &mask)).await;
    let fields = [
        "update_mask.paths[1]",
        "update_mask.paths[2]",
        "match.labels[\"event\"]",
        "match.annotations[\"x\"]",
    ];
    assert_eq!(bad_fields(&error), fields);
    assert_eq!(bad_fields(&refused(request(name, &[("event", "x")], &[], &[])).await), ["update_mask"]);

    // Each is good, but not what comes of them.
    let keys: Vec<_> = (0..31).map(|n| format!("k{n}")).collect();
    let labels: Vec<_> = keys.iter().map(|key| (key.as_str(), "v")).collect();
    let paths: Vec<_> = keys.iter().map(|key| format!("labels.{key}")).collect();
    let mask: Vec<_> = paths.iter().map(String::as_str).collect();
    assert_eq!(bad_fields(&refused(request(name, &labels, &[], &mask)).await), ["match.labels"]);
    let large = "x".repeat(16 * 1024 - "streamon".len() - "new".len() + 1);
    let error = refused(request(name, &[], &[("new", &large)], &["annotations.new"])).await;
    assert_eq!(bad_fields(&error), ["match.annotations"]);

    let unknown = request("tenants/default/matches/unknown", &[], &[], &["labels"]);
    assert_eq!(client.update_match(unknown).await.unwrap_err().reason(), Some(ErrorReason::NotFound));
    assert_eq!(get(&client, name).await, created);
    // The last that fits does.
    update(&client, request(name, &[], &[("new", &large[1..])], &["annotations.new"])).await;
    update(&client, request(name, &labels[1..], &[], &mask[1..])).await;
    service.stop().await;
}

#[tokio::test]
async fn a_repeat_changes_nothing_and_a_stale_revision_is_refused() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = created(&client).await;
    let name = created.name.as_str();
    let first = UpdateMatchRequest {
        request_id: IDS[0].to_owned(),
        ..request(name, &[("round", "2")], &[], &["labels.round"])
    };
    let answer = client.update_match(first.clone()).await.unwrap();
    assert_eq!(client.update_match(first.clone()).await.unwrap(), answer);

    let second = UpdateMatchRequest {
        request_id: IDS[1].to_owned(),
        expected_revision: created.revision,
        ..request(name, &[("round", "3")], &[], &["labels.round"])
    };
    let error = client.update_match(second.clone()).await.unwrap_err();
    assert_eq!((error.code(), error.reason()), (Code::Aborted, Some(ErrorReason::RevisionMismatch)));
    update(&client, UpdateMatchRequest { expected_revision: created.revision + 1, ..second.clone() }).await;
    // A late repeat does not turn the label back; of what is not in the log it tells what is now.
    let late = client.update_match(first.clone()).await.unwrap().r#match.unwrap();
    assert_eq!((late.revision, late.labels["round"].as_str()), (created.revision + 1, "3"));
    assert_eq!(get(&client, name).await.labels["round"], "3");

    let other = UpdateMatchRequest { request_id: IDS[0].to_owned(), ..second };
    let error = client.update_match(other).await.unwrap_err();
    assert_eq!(error.reason(), Some(ErrorReason::RequestIdReused));
    assert_eq!(updates(&client, name).await.len(), 2);
    service.stop().await;
}

async fn a_match_that_has_ended_can_be_updated(client: &Client) {
    let created = created(client).await;
    let name = created.name.as_str();
    let cancel =
        CancelMatchRequest { name: name.to_owned(), reason: "rain".to_owned(), ..Default::default() };
    let ended = client.cancel_match(cancel).await.unwrap().r#match.unwrap();
    let updated = update(client, request(name, &[("paid", "yes")], &[], &["labels.paid"])).await;
    assert_eq!((updated.revision, updated.state()), (ended.revision + 1, MatchState::Cancelled));
    assert_eq!((&updated.end_time, &updated.result), (&ended.end_time, &ended.result));
    assert_eq!(updated.labels["paid"], "yes");
    assert_eq!(get(client, name).await, updated);

    // Whoever watches it, from wherever, gets all of it and then the end of the stream.
    for after_revision in [0, ended.revision - 1, ended.revision, updated.revision] {
        let how = WatchMatchRequest { name: name.to_owned(), after_revision, ..Default::default() };
        let mut watch = client.watch_match(how);
        while watch.next().await.unwrap().is_some() {}
        assert_eq!(watch.revision(), updated.revision, "after {after_revision}");
    }
}

#[tokio::test]
async fn a_match_that_has_ended_can_be_updated_on_both_stores() {
    let service = Service::start().await;
    a_match_that_has_ended_can_be_updated(&service.client().await).await;
    service.stop().await;
    let Some(replicas) = Replicas::start(1).await else { return };
    a_match_that_has_ended_can_be_updated(&replicas.services[0].client().await).await;
    replicas.stop().await;
}

#[tokio::test]
async fn another_server_shows_what_is_new() {
    let Some(replicas) = Replicas::start(2).await else { return };
    let (one, other) = (replicas.services[0].client().await, replicas.services[1].client().await);
    let created = created(&one).await;
    let name = created.name.as_str();
    // Both have folded it, with its labels as they were.
    assert_eq!(get(&other, name).await, created);
    let updated = update(&one, request(name, &[("round", "2")], &[], &["labels.round"])).await;
    assert_eq!(get(&other, name).await, updated);
    // One that has not seen the last change does not undo it.
    let again = update(&one, request(name, &[("table", "7")], &[], &["labels.table"])).await;
    let both = update(&other, request(name, &[("event", "summer")], &[], &["labels.event"])).await;
    assert_eq!(both.revision, again.revision + 1);
    assert_eq!(both.labels, facts(&[("event", "summer"), ("round", "2"), ("table", "7")]));
    assert_eq!(get(&one, name).await, both);
    let told = updates(&other, name).await;
    assert!(told.iter().all(|(_, updated)| updated.labels == both.labels) && told.len() == 3, "{told:?}");
    // Nor does it show old labels after somebody has played.
    update(&one, request(name, &[("round", "3")], &[], &["labels.round"])).await;
    let played = act(&other, &get(&other, name).await, &mut |_| 0).await.unwrap();
    assert_eq!(played.labels["round"], "3");
    replicas.stop().await;
}
