//! Players and the creator mix something of their own into the dice: over the API, to the verifier's content.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::time::Duration;

use chaquete_client::{Client, Error};
use chaquete_proof::dice::commitment;
use chaquete_proto::v1::{
    AwaitedContribution, ContributeEntropyRequest, ContributionKind, CreateMatchRequest, DiceAssurance,
    DicePolicy, ErrorReason, GamePhase, GetMatchRequest, Match, MatchEndReason, MatchState, RollDiceRequest,
    Seat, contribute_entropy_request::Contribution, match_event::Kind,
};
use chaquete_rules::Contributor;
use chaquete_server::config::Config;
use chaquete_tests::{
    Service, TestClock, current_game, dice_proof, events, new_match, play_to_the_end, rules_to,
    shared_or_say, verify_dice,
};
use tonic::Code;

const SEATS: [Seat; 3] = [Seat::One, Seat::Two, Seat::Unspecified];

/// What each of them contributes.
fn opening(seat: Seat) -> [u8; 32] {
    [0xa0 + seat as u8; 32]
}

fn commitment_of(seat: Seat) -> [u8; 32] {
    let by = match seat {
        Seat::One => Contributor::SeatOne,
        Seat::Two => Contributor::SeatTwo,
        Seat::Unspecified => Contributor::Creator,
    };
    commitment(by, &opening(seat))
}

fn contributed(players: bool, creator: bool) -> CreateMatchRequest {
    let mut request = new_match(rules_to(1));
    let creator_commitment = if creator { commitment_of(Seat::Unspecified).to_vec() } else { Vec::new() };
    let policy = DicePolicy { players_contribute: players, creator_commitment, ..DicePolicy::default() };
    request.r#match.as_mut().unwrap().dice_policy = Some(policy);
    request
}

async fn contribute(
    client: &Client,
    name: &str,
    seat: Seat,
    contribution: Contribution,
) -> Result<(Match, Vec<Kind>), Error> {
    let request = ContributeEntropyRequest {
        name: name.to_owned(),
        seat: seat.into(),
        contribution: Some(contribution),
        ..ContributeEntropyRequest::default()
    };
    let answer = client.contribute_entropy(request).await?;
    let kinds = answer.events.into_iter().filter_map(|event| event.kind).collect();
    Ok((answer.r#match.unwrap(), kinds))
}

async fn commits(client: &Client, name: &str, seat: Seat) -> (Match, Vec<Kind>) {
    contribute(client, name, seat, Contribution::Commitment(commitment_of(seat).into())).await.unwrap()
}

async fn opens(client: &Client, name: &str, seat: Seat) -> (Match, Vec<Kind>) {
    contribute(client, name, seat, Contribution::Opening(opening(seat).into())).await.unwrap()
}

fn awaited(played: &Match) -> Vec<(Seat, ContributionKind)> {
    let awaited = |awaited: &AwaitedContribution| (awaited.seat(), awaited.kind());
    played.awaited_contributions.iter().map(awaited).collect()
}

#[tokio::test]
async fn all_three_contribute_and_the_verifier_accepts_every_roll() {
    let verifier = shared_or_say("tools/verify_dice.py");
    let service = Service::start().await;
    let client = service.client().await;
    let created = client.create_match(contributed(true, true)).await.unwrap().r#match.unwrap();
    let name = created.name.clone();
    assert_eq!((created.state(), current_game(&created).phase()), (MatchState::Pending, GamePhase::Waiting));
    assert_eq!(
        awaited(&created),
        [(Seat::One, ContributionKind::Commitment), (Seat::Two, ContributionKind::Commitment)]
    );
    let deadline = created.contribution_deadline.unwrap();
    assert_eq!(deadline.seconds, created.create_time.unwrap().seconds + 60);
    assert_eq!(created.dice_commitment, None);

    commits(&client, &name, Seat::Two).await;
    let (committed, kinds) = commits(&client, &name, Seat::One).await;
    assert!(matches!(kinds[..], [Kind::EntropyCommitted(_), Kind::DiceCommitted(_)]), "{kinds:?}");
    assert_eq!(awaited(&committed), SEATS.map(|seat| (seat, ContributionKind::Opening)));
    let mut played = committed;
    for seat in [Seat::Unspecified, Seat::One, Seat::Two] {
        assert_eq!(played.state(), MatchState::Pending);
        played = opens(&client, &name, seat).await.0;
    }
    assert_eq!((played.state(), awaited(&played)), (MatchState::Active, vec![]));
    assert_eq!(played.contribution_deadline, None);
    let commitment = played.dice_commitment.clone().unwrap();
    assert_eq!(commitment.commitments, SEATS.map(|seat| commitment_of(seat).to_vec()));
    assert_eq!(commitment.openings, SEATS.map(|seat| opening(seat).to_vec()));
    assert!(commitment.assurances().all(|assurance| assurance == DiceAssurance::Contributed));

    let ended = play_to_the_end(&client, played, &mut |_| 0).await.unwrap();
    let log = events(&client, &name).await.unwrap();
    let proofs = dice_proof(&ended.uid, &log);
    assert_eq!(proofs[0]["opened"][2], "a0".repeat(32));
    if let Some(verifier) = verifier {
        let said = verify_dice(&verifier, &proofs[0]);
        let rolls = proofs[0]["rolls"].as_array().unwrap().len();
        assert_eq!(said, Ok(format!("VERIFIED {rolls} rolls, assurance: seeded")));
        let mut bent = proofs[0].clone();
        bent["opened"][1] = "00".repeat(32).into();
        assert!(verify_dice(&verifier, &bent).is_err());
    }
    service.stop().await;
}

#[tokio::test]
async fn what_is_out_of_order_is_refused_and_says_what_is_awaited() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = client.create_match(contributed(true, false)).await.unwrap().r#match.unwrap();
    let name = created.name.as_str();
    let refused = async |seat, contribution| {
        let error = contribute(&client, name, seat, contribution).await.unwrap_err();
        (error.code(), error.reason(), error.metadata().get("awaited").cloned().unwrap_or_default())
    };
    let not_awaited =
        |awaited: &str| (Code::FailedPrecondition, Some(ErrorReason::EntropyNotAwaited), awaited.to_owned());
    let open = |seat| Contribution::Opening(opening(seat).into());
    assert_eq!(refused(Seat::One, open(Seat::One)).await, not_awaited("COMMITMENT"));
    assert_eq!(refused(Seat::Unspecified, open(Seat::Unspecified)).await, not_awaited("NOTHING"));
    let zeros = Contribution::Commitment(vec![0; 32]);
    assert_eq!(refused(Seat::One, zeros).await.0, Code::InvalidArgument);
    assert_eq!(refused(Seat::One, Contribution::Opening(vec![1; 31])).await.0, Code::InvalidArgument);
    let roll = RollDiceRequest {
        name: name.to_owned(),
        seat: Seat::One.into(),
        expected_revision: created.revision,
        ..RollDiceRequest::default()
    };
    let early = client.roll_dice(roll).await.unwrap_err();
    assert_eq!(
        (early.reason(), early.metadata()["phase"].as_str()),
        (Some(ErrorReason::WrongPhase), "WAITING")
    );

    commits(&client, name, Seat::One).await;
    commits(&client, name, Seat::Two).await;
    let wrong = refused(Seat::One, Contribution::Opening(vec![9; 32])).await;
    assert_eq!(wrong, (Code::FailedPrecondition, Some(ErrorReason::WrongOpening), String::new()));
    // Nothing has changed: the right one is still awaited.
    opens(&client, name, Seat::One).await;
    let (played, kinds) = opens(&client, name, Seat::Two).await;
    assert!(matches!(kinds[..], [Kind::EntropyOpened(_), Kind::DiceRolled(_), ..]), "{kinds:?}");
    let assurances: Vec<_> = played.dice_commitment.as_ref().unwrap().assurances().collect();
    let (committed, contributed) = (DiceAssurance::Committed, DiceAssurance::Contributed);
    assert_eq!(assurances, [contributed, contributed, committed]);
    service.stop().await;
}

#[tokio::test]
async fn a_missing_opening_cancels_the_match_for_everybody_to_see() {
    let clock = TestClock::new();
    let config = Config { store: "memory:".to_owned(), ..Config::default() };
    let service = Service::start_at(config, clock.clone()).await;
    let client = service.client().await;
    let mut request = contributed(false, true);
    let policy = request.r#match.as_mut().unwrap().dice_policy.as_mut().unwrap();
    policy.contribution_timeout = Some(prost_types::Duration { seconds: 3, nanos: 0 });
    let created = client.create_match(request).await.unwrap().r#match.unwrap();
    assert_eq!(awaited(&created), [(Seat::Unspecified, ContributionKind::Opening)]);
    let request = GetMatchRequest { name: created.name.clone(), ..GetMatchRequest::default() };
    let mut read = created;
    while read.state() != MatchState::Cancelled {
        // In small steps: a silence of all servers would be given back.
        clock.advance(100);
        tokio::time::sleep(Duration::from_millis(50)).await;
        read = client.get_match(request.clone()).await.unwrap().r#match.unwrap();
    }
    assert_eq!(read.result.as_ref().unwrap().reason(), MatchEndReason::Cancelled);
    let log = events(&client, &read.name).await.unwrap();
    let Some(Kind::MatchEnded(ended)) = &log.last().unwrap().kind else { panic!("{log:?}") };
    assert_eq!(ended.reason, "contributions to the dice are missing: the opening of the creator");
    service.stop().await;
}
