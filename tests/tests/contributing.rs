//! Players and the creator mix something of their own into the dice: over the API, to the verifier's content.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::time::Duration;

use chaquete_client::Client;
use chaquete_proof::dice::commitment;
use chaquete_proto::v1::{
    AwaitedContribution, ContributeEntropyResponse, ContributionKind, DiceAssurance, ErrorReason, GamePhase,
    GetMatchRequest, Match, MatchEndReason, MatchState, RollDiceRequest, Seat,
    contribute_entropy_request::Contribution, match_event::Kind,
};
use chaquete_rules::Contributor::{self, Creator, SeatOne, SeatTwo};
use chaquete_server::config::Config;
use chaquete_tests::{
    Service, TestClock, commit_to, contribute, contributed_match, current_game, dice_proof, events, open,
    play_to_the_end, seat_of, shared_or_say, verify_dice,
};
use tonic::Code;

/// What each of them contributes.
const fn opening(by: Contributor) -> [u8; 32] {
    [0xa0 + by.number(); 32]
}

/// The match after a contribution, and what that caused.
fn done(answer: ContributeEntropyResponse) -> (Match, Vec<Kind>) {
    let kinds = answer.events.into_iter().filter_map(|event| event.kind).collect();
    (answer.r#match.unwrap(), kinds)
}

async fn commits(client: &Client, name: &str, by: Contributor) -> (Match, Vec<Kind>) {
    done(commit_to(client, name, by, &opening(by)).await.unwrap())
}

async fn opens(client: &Client, name: &str, by: Contributor) -> (Match, Vec<Kind>) {
    done(open(client, name, by, &opening(by)).await.unwrap())
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
    let created =
        client.create_match(contributed_match(true, Some(opening(Creator)))).await.unwrap().r#match.unwrap();
    let name = created.name.clone();
    assert_eq!((created.state(), current_game(&created).phase()), (MatchState::Pending, GamePhase::Waiting));
    assert_eq!(
        awaited(&created),
        [(Seat::One, ContributionKind::Commitment), (Seat::Two, ContributionKind::Commitment)]
    );
    let deadline = created.contribution_deadline.unwrap();
    assert_eq!(deadline.seconds, created.create_time.unwrap().seconds + 60);
    assert_eq!(created.dice_commitment, None);

    commits(&client, &name, SeatTwo).await;
    let (committed, kinds) = commits(&client, &name, SeatOne).await;
    assert!(matches!(kinds[..], [Kind::EntropyCommitted(_), Kind::DiceCommitted(_)]), "{kinds:?}");
    assert_eq!(awaited(&committed), Contributor::ALL.map(|by| (seat_of(by), ContributionKind::Opening)));
    let mut played = committed;
    for by in [Creator, SeatOne, SeatTwo] {
        assert_eq!(played.state(), MatchState::Pending);
        played = opens(&client, &name, by).await.0;
    }
    assert_eq!((played.state(), awaited(&played)), (MatchState::Active, vec![]));
    assert_eq!(played.contribution_deadline, None);
    let dice = played.dice_commitment.clone().unwrap();
    assert_eq!(dice.commitments, Contributor::ALL.map(|by| commitment(by, &opening(by)).to_vec()));
    assert_eq!(dice.openings, Contributor::ALL.map(|by| opening(by).to_vec()));
    assert!(dice.assurances().all(|assurance| assurance == DiceAssurance::Contributed));

    let ended = play_to_the_end(&client, played, &mut |_| 0).await.unwrap();
    let log = events(&client, &name).await.unwrap();
    let proofs = dice_proof(&ended.uid, &log);
    assert_eq!(proofs[0]["opened"][2], "a3".repeat(32));
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
    let created = client.create_match(contributed_match(true, None)).await.unwrap().r#match.unwrap();
    let name = created.name.as_str();
    let refused = async |by, contribution| {
        let error = contribute(&client, name, by, contribution).await.unwrap_err();
        (error.code(), error.reason(), error.metadata().get("awaited").cloned().unwrap_or_default())
    };
    let not_awaited =
        |awaited: &str| (Code::FailedPrecondition, Some(ErrorReason::EntropyNotAwaited), awaited.to_owned());
    let opened = |by| Contribution::Opening(opening(by).into());
    assert_eq!(refused(SeatOne, opened(SeatOne)).await, not_awaited("COMMITMENT"));
    assert_eq!(refused(Creator, opened(Creator)).await, not_awaited("NOTHING"));
    let zeros = Contribution::Commitment(vec![0; 32]);
    assert_eq!(refused(SeatOne, zeros).await.0, Code::InvalidArgument);
    assert_eq!(refused(SeatOne, Contribution::Opening(vec![1; 31])).await.0, Code::InvalidArgument);
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

    commits(&client, name, SeatOne).await;
    commits(&client, name, SeatTwo).await;
    let wrong = refused(SeatOne, Contribution::Opening(vec![9; 32])).await;
    assert_eq!(wrong, (Code::FailedPrecondition, Some(ErrorReason::WrongOpening), String::new()));
    // Nothing has changed: the right one is still awaited.
    opens(&client, name, SeatOne).await;
    let (played, kinds) = opens(&client, name, SeatTwo).await;
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
    let mut request = contributed_match(false, Some(opening(Creator)));
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
