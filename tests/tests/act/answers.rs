//! What is answered, and how much of it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use chaquete_proto::v1::{
    self, act_request::Action, act_response::Outcome, match_service_client::MatchServiceClient,
    play_service_client::PlayServiceClient,
};
use chaquete_server::{
    clock::{Clock, Millis},
    config::Config,
};
use chaquete_tests::{Acting, Service, TestClock, Way, as_status, events};
use tokio::time::timeout;
use tonic::{Code, Status, transport::Channel};
use tonic_types::StatusExt;

use crate::support::{SOON, answered, brief, created, creation, error, full, match_count};

async fn channel(service: &Service) -> Channel {
    Channel::from_shared(service.endpoint()).unwrap().connect().await.unwrap()
}

fn roll(name: &str, dice: Option<v1::Dice>) -> v1::RollDiceRequest {
    let view = v1::LegalMovesView::List.into();
    v1::RollDiceRequest {
        name: name.to_owned(),
        seat: 1,
        request_id: "6f0a5a52-5a5e-4a53-9f0c-0c6a7f0e8a01".to_owned(),
        dice,
        legal_moves_view: Some(view),
        ..Default::default()
    }
}

const THREE_ONE: Option<v1::Dice> = Some(v1::Dice { first: 3, second: 1 });

fn submit(name: &str, notation: &str, validate_only: bool) -> v1::SubmitMoveRequest {
    v1::SubmitMoveRequest {
        name: name.to_owned(),
        seat: 1,
        expected_revision: 3,
        r#move: Some(v1::Move { steps: Vec::new(), notation: notation.to_owned() }),
        validate_only,
        ..Default::default()
    }
}

/// Requests that fail in many ways.
fn failing(name: &str) -> Vec<Action> {
    let unknown = "tenants/default/matches/none";
    let seat = |seat| v1::OfferDoubleRequest { name: name.to_owned(), seat, ..Default::default() };
    vec![
        Action::MarkReady(v1::MarkReadyRequest::default()),
        Action::ContributeEntropy(v1::ContributeEntropyRequest::default()),
        Action::RollDice(v1::RollDiceRequest { dice: Some(v1::Dice::default()), ..roll("?", None) }),
        Action::RollDice(roll(unknown, THREE_ONE)),
        Action::RollDice(roll(name, None)),
        Action::SubmitMove(submit(name, "13/12", false)),
        Action::OfferDouble(v1::OfferDoubleRequest { expected_revision: 9, ..seat(1) }),
        Action::OfferDouble(v1::OfferDoubleRequest { expected_revision: 2, ..seat(2) }),
        Action::CreateMatch(Box::default()),
        Action::CreateMatch(Box::new(creation("taken"))),
        Action::CreateMatch(Box::new(v1::CreateMatchRequest { validate_only: true, ..creation("taken") })),
    ]
}

/// The status that the call of an action ends with.
async fn refused(channel: Channel, action: Action) -> Status {
    async fn refused<A: Acting>(channel: Channel, request: A) -> Status {
        request.call(channel).await.err().expect("it is refused")
    }
    match action {
        Action::MarkReady(it) => refused(channel, it).await,
        Action::ContributeEntropy(it) => refused(channel, it).await,
        Action::RollDice(it) => refused(channel, it).await,
        Action::SubmitMove(it) => refused(channel, it).await,
        Action::OfferDouble(it) => refused(channel, it).await,
        Action::CreateMatch(it) => refused(channel, *it).await,
        other => panic!("{other:?} is not among those that fail"),
    }
}

#[tokio::test]
async fn an_error_is_the_status_of_the_call_byte_for_byte() {
    let service = Service::start().await;
    let client = service.client().await;
    let name = created(&client, "taken").await.name;
    for (number, action) in failing(&name).into_iter().enumerate() {
        for detail in [full, brief] {
            let answer = answered(&client, vec![detail(7, action.clone())]).await.remove(&7).unwrap();
            let (by_stream, by_call) =
                (as_status(error(&answer).clone()), refused(channel(&service).await, action.clone()).await);
            assert_eq!(by_stream.code(), by_call.code(), "{number}");
            assert_eq!(by_stream.message(), by_call.message(), "{number}");
            // Maps of metadata have no order on the wire.
            let details = |status: &Status| format!("{:?}", sorted(status));
            assert_eq!(details(&by_stream), details(&by_call), "{number}");
            let typed = chaquete_client::Error::from(error(&answer).clone());
            assert_eq!((typed.code(), typed.message()), (by_call.code(), by_call.message()));
            let reason = by_call.get_details_error_info().unwrap().reason;
            assert_eq!(typed.reason().unwrap().as_str_name(), format!("ERROR_REASON_{reason}"));
        }
    }
    assert_eq!(match_count(&client).await, 1);
    assert_eq!(events(&client, &name).await.unwrap().len(), 2, "nothing was written");
    service.stop().await;
}

/// All details of a status; the metadata in order.
fn sorted(status: &Status) -> (Vec<tonic_types::ErrorDetail>, Vec<(String, String)>) {
    let mut details = status.get_error_details_vec();
    let mut metadata = Vec::new();
    for detail in &mut details {
        if let tonic_types::ErrorDetail::ErrorInfo(info) = detail {
            metadata.extend(info.metadata.drain());
        }
    }
    metadata.sort();
    (details, metadata)
}

#[tokio::test]
async fn a_request_for_nothing_fails_alone() {
    let service = Service::start().await;
    let client = service.client().await;
    let create = |id: &str| Action::CreateMatch(Box::new(creation(id)));
    let answers = answered(
        &client,
        vec![
            full(0, create("first")),
            v1::ActRequest { tag: 1, ..Default::default() },
            v1::ActRequest { detail: 9, ..full(2, create("none")) },
            v1::ActRequest { tag: u64::MAX, action: None, detail: -1 },
            full(3, create("last")),
        ],
    )
    .await;
    for (tag, fields) in [(1, &["action"] as &[&str]), (2, &["detail"]), (u64::MAX, &["action", "detail"])] {
        let status = as_status(error(&answers[&tag]).clone());
        let details = status.get_error_details();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(details.error_info().unwrap().reason, "INVALID_FIELD");
        let bad = details.bad_request().unwrap();
        let told: Vec<_> = bad.field_violations.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(told, fields);
    }
    for tag in [0, 3] {
        assert!(matches!(answers[&tag].outcome, Some(Outcome::Result(_))), "{:?}", answers[&tag]);
    }
    assert_eq!(match_count(&client).await, 2);
    service.stop().await;
}

/// Where a match stands, as it is told beside the outcome.
fn standing(of: &v1::Match) -> (i32, i32, i32) {
    let game = of.current_game.as_ref().unwrap();
    (of.revision, game.phase, game.seat_to_act)
}

#[tokio::test]
async fn as_much_is_answered_as_is_asked_for() {
    let service = Service::start().await;
    let client = service.client().await;
    let unspecified = |tag, action| v1::ActRequest { detail: 0, ..full(tag, action) };
    for (detail, is_full) in [(full as fn(_, _) -> _, true), (unspecified, true), (brief, false)] {
        let id =
            format!("m{is_full}-{}", client.create_match(creation("")).await.unwrap().r#match.unwrap().uid);
        let create = Action::CreateMatch(Box::new(creation(&id)));
        let name = format!("tenants/default/matches/{id}");
        let play = vec![
            detail(1, create),
            detail(2, Action::RollDice(roll(&name, THREE_ONE))),
            detail(3, Action::SubmitMove(submit(&name, "8/5 6/5", false))),
        ];
        let answers = answered(&client, play).await;
        let log = events(&client, &name).await.unwrap();
        let after = client.get_match(v1::GetMatchRequest { name, ..Default::default() }).await.unwrap();
        let last = &answers[&3];
        let told = (last.revision, last.phase, last.seat_to_act);
        assert_eq!(told, standing(after.r#match.as_ref().unwrap()));
        let revisions: Vec<_> = answers.values().map(|answer| answer.revision).collect();
        assert_eq!(revisions, [2, 3, 4]);
        let outcomes: Vec<_> = answers.into_values().map(|answer| answer.outcome).collect();
        match <[_; 3]>::try_from(outcomes).unwrap() {
            [
                Some(Outcome::Result(created)),
                Some(Outcome::RollDice(rolled)),
                Some(Outcome::SubmitMove(moved)),
            ] if is_full => {
                assert_eq!((created.events.as_slice(), rolled.events.as_slice()), (&log[..2], &log[2..3]));
                assert_eq!((moved.events.as_slice(), &moved.r#match), (&log[3..], &after.r#match));
                assert_eq!(rolled.legal_moves.unwrap().moves.len(), 16);
            }
            [None, None, None] if !is_full => {}
            other => panic!("{other:?}"),
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn what_is_only_checked_is_answered_as_by_a_call_and_writes_nothing() {
    let service = Service::start().await;
    let client = service.client().await;
    let name = created(&client, "played").await.name;
    client.roll_dice(roll(&name, THREE_ONE)).await.unwrap();
    let create = v1::CreateMatchRequest { validate_only: true, ..creation("not-yet") };
    let submit = submit(&name, "8/5 6/5", true);
    let by_call = PlayServiceClient::new(channel(&service).await).submit_move(submit.clone()).await.unwrap();
    let requests = |detail: fn(_, _) -> _| {
        vec![
            detail(1, Action::CreateMatch(Box::new(create.clone()))),
            detail(2, Action::SubmitMove(submit.clone())),
        ]
    };
    let mut answers = answered(&client, requests(full)).await;
    let Some(Outcome::SubmitMove(by_stream)) = answers.remove(&2).unwrap().outcome else { panic!("a move") };
    assert_eq!(*by_stream, by_call.into_inner());
    let Some(Outcome::Result(by_stream)) = answers.remove(&1).unwrap().outcome else { panic!("a creation") };
    let mut matches = MatchServiceClient::new(channel(&service).await);
    let by_call = matches.create_match(create.clone()).await.unwrap().into_inner().r#match.unwrap();
    // Two that were not made have nothing of their own in common but what was asked for.
    let asked = |it: v1::Match| (it.name, it.players, it.rules, it.revision, it.current_game);
    assert_eq!(asked(by_stream.r#match.unwrap()), asked(by_call));
    assert_eq!(by_stream.events, [] as [v1::MatchEvent; 0]);

    for answer in answered(&client, requests(brief)).await.into_values() {
        assert_eq!(answer.outcome, None);
    }
    assert_eq!(match_count(&client).await, 1);
    assert_eq!(events(&client, &name).await.unwrap().len(), 3);
    service.stop().await;
}

/// A clock that breaks once it is told to.
#[derive(Clone, Default)]
struct Brittle(Arc<AtomicBool>);

impl Clock for Brittle {
    fn now(&self) -> Millis {
        assert!(!self.0.swap(false, Ordering::SeqCst), "the clock breaks");
        TestClock::new().now()
    }
}

#[tokio::test]
async fn a_panic_is_the_fault_of_one_action_whichever_way_it_comes() {
    let (config, clock) = (Config { store: "memory:".to_owned(), ..Config::default() }, Brittle::default());
    let service = Service::start_at(config, clock.clone()).await;
    let name = created(&service.client().await, "played").await.name;
    for way in Way::both(&service).await {
        let ready = v1::MarkReadyRequest { name: name.clone(), seat: 1, ..Default::default() };
        let incident = loop {
            clock.0.store(true, Ordering::SeqCst);
            let both = async { tokio::join!(way.act(ready.clone()), way.act(ready.clone())) };
            let (one, other) = timeout(SOON, both).await.expect("both are answered");
            let (broken, whole): (Vec<_>, Vec<_>) =
                [one, other].map(Result::unwrap_err).into_iter().partition(|it| it.code() == Code::Internal);
            assert!(whole.iter().all(|status| status.code() == Code::FailedPrecondition), "{whole:?}");
            // Whoever looks for overdue matches asks for the time, too, and may have been first: once.
            if let [status] = broken.as_slice() {
                break status.get_details_error_info().unwrap();
            }
        };
        assert_eq!(incident.reason, "INTERNAL");
        assert_eq!(incident.metadata["incident"].len(), 16);
    }
    service.stop().await;
}
