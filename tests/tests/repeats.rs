//! The same request again: the same answer, and nothing happens twice.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use chaquete_client::Client;
use chaquete_proto::v1::{
    CancelMatchRequest, CreateMatchRequest, ErrorReason, Match, RollDiceRequest, Seat, SubmitMoveRequest,
};
use chaquete_tests::{Service, act, current_game, events, legal_moves, new_match, rules_to, seat_to_act};
use tokio::task::JoinSet;
use tonic::Code;

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

#[tokio::test]
async fn a_repeated_request_gets_the_first_answer_again() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = created(&client).await;
    let request = first_move(&client, &created, IDS[0]).await;
    let first = client.submit_move(request.clone()).await.unwrap();
    // The state moves on: two turns later the answer is still the first one.
    let mut played = first.r#match.clone().unwrap();
    for _ in 0..4 {
        played = act(&client, &played, &mut |_| 0).await.unwrap();
    }
    assert_eq!(client.submit_move(request).await.unwrap(), first);
    assert_eq!(events(&client, &created.name).await.unwrap().len(), played.revision as usize);
    service.stop().await;
}

#[tokio::test]
async fn a_request_id_with_another_request_is_refused() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = created(&client).await;
    let request = first_move(&client, &created, IDS[0]).await;
    client.submit_move(request.clone()).await.unwrap();
    let seat = current_game(&created).seat_to_act();
    let other = if seat == Seat::One { Seat::Two } else { Seat::One };
    let reused = SubmitMoveRequest { seat: other.into(), ..request.clone() };
    let error = client.submit_move(reused).await.unwrap_err();
    assert_eq!((error.code(), error.reason()), (Code::InvalidArgument, Some(ErrorReason::RequestIdReused)));
    // Another method with the same id is another request as well.
    let roll = RollDiceRequest {
        name: request.name,
        seat: other.into(),
        request_id: request.request_id,
        ..RollDiceRequest::default()
    };
    let error = client.roll_dice(roll).await.unwrap_err();
    assert_eq!(error.reason(), Some(ErrorReason::RequestIdReused));
    service.stop().await;
}

#[tokio::test]
async fn a_creation_is_repeated_by_its_request_id() {
    let service = Service::start().await;
    let client = service.client().await;
    let request = CreateMatchRequest { request_id: IDS[0].to_owned(), ..new_match(rules_to(5)) };
    let first = client.create_match(request.clone()).await.unwrap();
    act(&client, first.r#match.as_ref().unwrap(), &mut |_| 0).await.unwrap();
    assert_eq!(client.create_match(request.clone()).await.unwrap(), first);

    let reused = CreateMatchRequest { request_id: IDS[0].to_owned(), ..new_match(rules_to(7)) };
    let error = client.create_match(reused).await.unwrap_err();
    assert_eq!((error.code(), error.reason()), (Code::InvalidArgument, Some(ErrorReason::RequestIdReused)));

    let named =
        CreateMatchRequest { match_id: "club-night".to_owned(), request_id: IDS[1].to_owned(), ..request };
    let first = client.create_match(named.clone()).await.unwrap();
    assert_eq!(client.create_match(named.clone()).await.unwrap(), first);
    let error =
        client.create_match(CreateMatchRequest { request_id: String::new(), ..named }).await.unwrap_err();
    assert_eq!((error.code(), error.reason()), (Code::AlreadyExists, Some(ErrorReason::MatchExists)));
    service.stop().await;
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
    let (one, two) = (service.client().await, service.client().await);
    let mut played = created(&one).await;
    for round in 0..40 {
        let moves = legal_moves(&one, &played.name).await;
        let attempt = |client: &Client| {
            let (client, played, moves) = (client.clone(), played.clone(), moves.as_ref().ok().cloned());
            async move { race(&client, &played, moves).await }
        };
        let (first, second) = tokio::join!(attempt(&one), attempt(&two));
        let (winner, loser) = if first.is_ok() { (first, second) } else { (second, first) };
        let loser = loser.expect_err("both won");
        assert_eq!(loser, (Code::Aborted, Some(ErrorReason::RevisionMismatch)), "round {round}");
        played = winner.expect("neither won");
        if played.result.is_some() {
            break;
        }
    }
    let log = events(&one, &played.name).await.unwrap();
    assert!((1..).zip(&log).all(|(revision, event)| event.revision == revision));
    assert_eq!(log.len(), played.revision as usize);
    service.stop().await;
}

/// Acts at the revision that both have seen.
async fn race(
    client: &Client,
    played: &Match,
    moves: Option<chaquete_proto::v1::LegalMoves>,
) -> Result<Match, (Code, Option<ErrorReason>)> {
    let (name, seat, expected_revision) = (played.name.clone(), seat_to_act(played).into(), played.revision);
    let answer = match moves {
        Some(moves) => {
            let r#move = moves.moves[0].r#move.clone();
            let request = SubmitMoveRequest { name, seat, expected_revision, r#move, ..Default::default() };
            client.submit_move(request).await.map(|answer| answer.r#match)
        }
        None => {
            let request = RollDiceRequest { name, seat, expected_revision, ..Default::default() };
            client.roll_dice(request).await.map(|answer| answer.r#match)
        }
    };
    answer.map(Option::unwrap).map_err(|error| (error.code(), error.reason()))
}

#[tokio::test]
async fn the_same_request_from_many_at_once_happens_once() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = created(&client).await;
    let request = first_move(&client, &created, IDS[0]).await;
    let mut calls = JoinSet::new();
    for _ in 0..32 {
        let (client, request) = (client.clone(), request.clone());
        calls.spawn(async move { client.submit_move(request).await });
    }
    let answers: Vec<_> = calls.join_all().await.into_iter().map(Result::unwrap).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let log = events(&client, &created.name).await.unwrap();
    assert_eq!(log.iter().filter(|event| event.request_id == IDS[0]).count(), 1);
    service.stop().await;
}
