//! The main job, end to end: a match is created, played and read back, and its dice prove themselves.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use chaquete_proto::v1::{
    GetMatchRequest, GetMatchResultRequest, ListMatchesRequest, Match, MatchEndReason, MatchEvent,
    MatchState, Seat,
};
use chaquete_tests::{
    Service, any_of, dice_proof, events, new_match, play_to_the_end, rules_to, shared_or_say, verify_dice,
};
use serde_json::json;

#[tokio::test]
async fn a_match_is_created_played_and_read_back() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = client.create_match(new_match(rules_to(3))).await.unwrap().r#match.unwrap();
    let played = play_to_the_end(&client, created.clone(), &mut any_of(1)).await.unwrap();
    assert_eq!((played.state(), &played.uid), (MatchState::Completed, &created.uid));

    let name = created.name.clone();
    let result = client.get_match_result(GetMatchResultRequest { name: name.clone() }).await.unwrap();
    let result = result.result.unwrap();
    assert_eq!((result.r#final, result.reason()), (true, MatchEndReason::PointsReached));
    let score = result.score.unwrap();
    assert_eq!(result.winner(), if score.one > score.two { Seat::One } else { Seat::Two });
    assert!(score.one.max(score.two) >= 3);
    assert_eq!(result.games.last().unwrap().score_after, Some(score));

    let read = client.get_match(GetMatchRequest { name: name.clone(), ..Default::default() }).await.unwrap();
    assert_eq!(read.r#match.unwrap(), played);
    let listed =
        client.matches(ListMatchesRequest { parent: "tenants/default".to_owned(), ..Default::default() });
    assert_eq!(listed.all().await.unwrap().len(), 1);
    assert_log_is_whole(&played, &events(&client, &name).await.unwrap());
    service.stop().await;
}

/// Revisions follow without gaps, hashes hang together, times never run back.
fn assert_log_is_whole(played: &Match, log: &[MatchEvent]) {
    assert_eq!(log.len(), played.revision as usize);
    assert!((1..).zip(log).all(|(revision, event)| event.revision == revision));
    assert!(log.windows(2).all(|pair| pair[1].previous_hash == pair[0].hash));
    let time = |event: &MatchEvent| event.event_time.map(|time| (time.seconds, time.nanos)).unwrap();
    assert!(log.windows(2).all(|pair| time(&pair[0]) <= time(&pair[1])));
    assert_eq!(log.last().unwrap().hash, played.log_hash);
    assert!(log[0].previous_hash.is_empty());
}

#[tokio::test]
async fn committed_dice_are_accepted_by_the_independent_verifier() {
    let Some(verifier) = shared_or_say("tools/verify_dice.py") else { return };
    let service = Service::start().await;
    let client = service.client().await;
    let created = client.create_match(new_match(rules_to(2))).await.unwrap().r#match.unwrap();
    let played = play_to_the_end(&client, created, &mut any_of(2)).await.unwrap();
    let proof = dice_proof(&played.uid, &events(&client, &played.name).await.unwrap()).remove(0);
    let rolls = proof["rolls"].as_array().unwrap().len();
    assert!(rolls > 20, "{rolls}");
    let said = verify_dice(&verifier, &proof);
    assert_eq!(said, Ok(format!("VERIFIED {rolls} rolls, assurance: committed")));

    let mut loaded = proof.clone();
    let die = loaded["rolls"][7]["dice"][0].as_i64().unwrap();
    loaded["rolls"][7]["dice"][0] = json!(die % 6 + 1);
    assert_eq!(verify_dice(&verifier, &loaded), Err("FAILED: roll 8: dice differ".to_owned()));
    service.stop().await;
}
