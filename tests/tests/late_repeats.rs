//! A repeat may come late, when the server has long forgotten the call and only the log knows.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use chaquete_client::{Client, Error};
use chaquete_proto::v1::{
    Action, CreateMatchRequest, DicePolicy, DiceSource, Match, RollDiceRequest, RollDiceResponse,
    SubmitMoveRequest, SubmitMoveResponse,
};
use chaquete_tests::{Service, current_game, events, legal_moves, new_match, rules_to, seat_to_act};

/// A request with the answer it got.
enum Made {
    Roll(RollDiceRequest, Box<RollDiceResponse>),
    Move(SubmitMoveRequest, Box<SubmitMoveResponse>),
}

impl Made {
    fn then(&self) -> &Match {
        match self {
            Self::Roll(_, answer) => answer.r#match.as_ref().unwrap(),
            Self::Move(_, answer) => answer.r#match.as_ref().unwrap(),
        }
    }

    async fn repeated(&self, client: &Client) -> Result<bool, Error> {
        match self {
            Self::Roll(request, answer) => Ok(client.roll_dice(request.clone()).await? == **answer),
            Self::Move(request, answer) => Ok(client.submit_move(request.clone()).await? == **answer),
        }
    }
}

/// Rolls or moves, with nothing but a request id against late duplicates.
async fn act(client: &Client, played: &Match, n: u128) -> Made {
    let (name, seat) = (played.name.clone(), seat_to_act(played).into());
    let request_id = uuid::Uuid::from_u128(n).to_string();
    let may_move = current_game(played).actions.iter().any(|a| a.actions().any(|a| a == Action::SubmitMove));
    if may_move {
        let r#move = legal_moves(client, &name).await.unwrap().moves[0].r#move.clone();
        let request = SubmitMoveRequest { name, seat, request_id, r#move, ..Default::default() };
        let answer = client.submit_move(request.clone()).await.unwrap();
        Made::Move(request, Box::new(answer))
    } else {
        let request = RollDiceRequest { name, seat, request_id, ..Default::default() };
        let answer = client.roll_dice(request.clone()).await.unwrap();
        Made::Roll(request, Box::new(answer))
    }
}

#[tokio::test]
async fn every_call_of_a_match_can_be_repeated_at_its_end_and_all_along() {
    let service = Service::start().await;
    let client = service.client().await;
    let mut creation =
        CreateMatchRequest { request_id: uuid::Uuid::max().to_string(), ..new_match(rules_to(3)) };
    // The same match each time: one by chance may be too short.
    let (source, seed) = (DiceSource::Seeded.into(), vec![7; 32]);
    creation.r#match.as_mut().unwrap().dice_policy =
        Some(DicePolicy { source, seed, ..DicePolicy::default() });
    let created = client.create_match(creation.clone()).await.unwrap();
    let mut played = created.r#match.clone().unwrap();
    let mut made: Vec<Made> = Vec::new();
    while played.result.is_none() {
        let next = act(&client, &played, 1 + made.len() as u128).await;
        played = next.then().clone();
        made.push(next);
        // One of long ago, in a state in which a roll would be accepted as well as a move.
        let late = made.len() / 3;
        assert!(made[late].repeated(&client).await.unwrap(), "call {late} after call {}", made.len() - 1);
    }
    for (n, call) in made.iter().enumerate() {
        assert!(call.repeated(&client).await.unwrap(), "call {n} at the end");
    }
    assert_eq!(client.create_match(creation).await.unwrap(), created);
    assert_eq!(events(&client, &played.name).await.unwrap().len(), played.revision as usize);
    assert!(made.len() > 100, "more than a server keeps: {}", made.len());
    service.stop().await;
}
