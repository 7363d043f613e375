//! The same request again, by a call or on a stream: the same answer, and nothing happens twice.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use chaquete_client::Client;
use chaquete_proto::v1::{
    CancelMatchRequest, CreateMatchRequest, ErrorReason, LegalMoves, Match, RollDiceRequest, Seat,
    SubmitMoveRequest,
};
use chaquete_tests::{
    Service, Way, act, current_game, events, legal_moves, new_match, rules_to, seat_to_act,
};
use prost::Message;
use tokio::task::JoinSet;
use tonic::{Code, Status};
use tonic_types::StatusExt;

const IDS: [&str; 2] = ["6f0a5a52-5a5e-4a53-9f0c-0c6a7f0e8a01", "6f0a5a52-5a5e-4a53-9f0c-0c6a7f0e8a02"];

async fn created(client: &Client) -> Match {
    client.create_match(new_match(rules_to(5))).await.unwrap().r#match.unwrap()
}

/// A request to play the first legal move.
async fn first_move(client: &Client, played: &Match, request_id: &str) -> SubmitMoveRequest {
    let moves = legal_moves(client, &played.name).await.unwrap().moves;
    SubmitMoveRequest {
        name: played.name.clone(),
        seat: seat_to_act(played).into(),
        request_id: request_id.to_owned(),
        r#move: moves[0].r#move.clone(),
        ..SubmitMoveRequest::default()
    }
}

/// Code and reason of a refusal.
fn refused<T>(answer: Result<T, Status>) -> (Code, String) {
    let status = answer.err().expect("it is refused");
    (status.code(), status.get_details_error_info().unwrap().reason)
}

fn reused() -> (Code, String) {
    (Code::InvalidArgument, "REQUEST_ID_REUSED".to_owned())
}

#[tokio::test]
async fn a_repeated_request_gets_the_first_answer_again() {
    let service = Service::start().await;
    let client = service.client().await;
    let ways = Way::both(&service).await;
    for way in &ways {
        let created = created(&client).await;
        let request = first_move(&client, &created, IDS[0]).await;
        let first = way.act(request.clone()).await.unwrap();
        // The state moves on: two turns later the answer is still the first one, byte for byte.
        let mut played = first.r#match.clone().unwrap();
        for _ in 0..4 {
            played = act(&client, &played, &mut |_| 0).await.unwrap();
        }
        for other in &ways {
            let again = other.act(request.clone()).await.unwrap();
            assert_eq!(again.encode_to_vec(), first.encode_to_vec());
        }
        assert_eq!(events(&client, &created.name).await.unwrap().len(), played.revision as usize);
    }
    service.stop().await;
}

#[tokio::test]
async fn a_request_id_with_another_request_is_refused() {
    let service = Service::start().await;
    let client = service.client().await;
    for way in Way::both(&service).await {
        let created = created(&client).await;
        let request = first_move(&client, &created, IDS[0]).await;
        way.act(request.clone()).await.unwrap();
        let seat = current_game(&created).seat_to_act();
        let other = if seat == Seat::One { Seat::Two } else { Seat::One };
        let other_seat = SubmitMoveRequest { seat: other.into(), ..request.clone() };
        assert_eq!(refused(way.act(other_seat).await), reused());
        // Another method with the same id is another request as well.
        let roll = RollDiceRequest {
            name: request.name,
            seat: other.into(),
            request_id: request.request_id,
            ..RollDiceRequest::default()
        };
        assert_eq!(refused(way.act(roll).await), reused());
    }
    service.stop().await;
}

#[tokio::test]
async fn a_creation_is_repeated_by_its_request_id() {
    for (way, other) in [(0, 1), (1, 0)] {
        let service = Service::start().await;
        let client = service.client().await;
        let ways = Way::both(&service).await;
        let (way, other) = (&ways[way], &ways[other]);
        let request = CreateMatchRequest { request_id: IDS[0].to_owned(), ..new_match(rules_to(5)) };
        let first = way.act(request.clone()).await.unwrap();
        act(&client, first.r#match.as_ref().unwrap(), &mut |_| 0).await.unwrap();
        assert_eq!(way.act(request.clone()).await.unwrap(), first);
        assert_eq!(other.act(request.clone()).await.unwrap().encode_to_vec(), first.encode_to_vec());

        let longer = CreateMatchRequest { request_id: IDS[0].to_owned(), ..new_match(rules_to(7)) };
        assert_eq!(refused(way.act(longer).await), reused());

        let named = CreateMatchRequest {
            match_id: "club-night".to_owned(),
            request_id: IDS[1].to_owned(),
            ..request
        };
        let first = way.act(named.clone()).await.unwrap();
        assert_eq!(other.act(named.clone()).await.unwrap(), first);
        let taken = way.act(CreateMatchRequest { request_id: String::new(), ..named }).await;
        assert_eq!(refused(taken), (Code::AlreadyExists, "MATCH_EXISTS".to_owned()));
        service.stop().await;
    }
}

#[tokio::test]
async fn a_cancellation_is_repeated_after_the_end() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = created(&client).await;
    let request = CancelMatchRequest {
        name: created.name,
        reason: "power cut".to_owned(),
        request_id: IDS[0].to_owned(),
        ..CancelMatchRequest::default()
    };
    let first = client.cancel_match(request.clone()).await.unwrap();
    assert_eq!(client.cancel_match(request.clone()).await.unwrap(), first);
    let again = CancelMatchRequest { request_id: IDS[1].to_owned(), ..request };
    let error = client.cancel_match(again).await.unwrap_err();
    assert_eq!((error.code(), error.reason()), (Code::FailedPrecondition, Some(ErrorReason::MatchNotActive)));
    service.stop().await;
}

#[tokio::test]
async fn of_two_clients_that_race_exactly_one_wins() {
    let service = Service::start().await;
    let client = service.client().await;
    let ([calls, stream], [other_calls, other_stream]) =
        (Way::both(&service).await, Way::both(&service).await);
    for (one, two) in [(&calls, &other_calls), (&calls, &stream), (&stream, &other_stream)] {
        let mut played = created(&client).await;
        for round in 0..40 {
            let moves = legal_moves(&client, &played.name).await.ok();
            let (first, second) = tokio::join!(race(one, &played, &moves), race(two, &played, &moves));
            let (winner, loser) = if first.is_ok() { (first, second) } else { (second, first) };
            let late = (Code::Aborted, "REVISION_MISMATCH".to_owned());
            assert_eq!(refused(loser), late, "round {round}");
            played = winner.expect("neither won");
            if played.result.is_some() {
                break;
            }
        }
        let log = events(&client, &played.name).await.unwrap();
        assert!((1..).zip(&log).all(|(revision, event)| event.revision == revision));
        assert_eq!(log.len(), played.revision as usize);
    }
    service.stop().await;
}

/// Acts at the revision that both have seen.
async fn race(way: &Way, played: &Match, moves: &Option<LegalMoves>) -> Result<Match, Status> {
    let (name, seat, expected_revision) = (played.name.clone(), seat_to_act(played).into(), played.revision);
    let after = match moves {
        Some(moves) => {
            let r#move = moves.moves[0].r#move.clone();
            let request = SubmitMoveRequest { name, seat, expected_revision, r#move, ..Default::default() };
            way.act(request).await?.r#match
        }
        None => {
            let request = RollDiceRequest { name, seat, expected_revision, ..Default::default() };
            way.act(request).await?.r#match
        }
    };
    Ok(after.unwrap())
}

#[tokio::test]
async fn the_same_request_from_many_at_once_happens_once() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = created(&client).await;
    let request = first_move(&client, &created, IDS[0]).await;
    let mut calls = JoinSet::new();
    for way in Way::both(&service).await.iter().cycle().take(32) {
        let (way, request) = (way.clone(), request.clone());
        calls.spawn(async move { way.act(request).await });
    }
    let answers: Vec<_> = calls.join_all().await.into_iter().map(Result::unwrap).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let log = events(&client, &created.name).await.unwrap();
    assert_eq!(log.iter().filter(|event| event.request_id == IDS[0]).count(), 1);
    service.stop().await;
}
