//! Requests of the play service.

use chaquete_proto::v1;

use crate::support::{Bare, Case, check};

const DIE: v1::Dice = v1::Dice { first: 1, second: 2 };

/// The cases that all turn actions have, for a request of one of them.
macro_rules! turn_action {
    ($bare:ident, $name:ident, $request:ident { $($field:ident: $value:expr),* }, $more:expr) => {
        let valid = v1::$request {
            name: $name.clone(),
            seat: 1,
            expected_revision: 1_000,
            request_id: String::new(),
            $($field: $value),*
        };
        let common: &[Case<v1::$request>] = &[
            (|it| it.name.clear(), &["name"]),
            (|it| it.name = "tenants/default/matches/".to_owned(), &["name"]),
            (|it| it.seat = 0, &["seat"]),
            (|it| it.seat = 3, &["seat"]),
            (|it| it.expected_revision = -1, &["expected_revision"]),
            (|it| it.expected_revision = 0, &["request_id"]),
            (|it| it.request_id = "x".to_owned(), &["request_id"]),
            (
                |it| {
                    it.name = "x".to_owned();
                    it.seat = -1;
                    it.expected_revision = i32::MIN;
                    it.request_id = "x".to_owned();
                },
                &["name", "seat", "expected_revision", "request_id"],
            ),
        ];
        let more: &[Case<v1::$request>] = $more;
        for cases in [common, more] {
            check(async |request| $bare.act(request).await, valid.clone(), cases).await;
        }
    };
}

fn step(from: i32, to: i32) -> v1::Step {
    v1::Step { from: Some(from), to: Some(to), die: 0, hit: false }
}

fn steps(request: &mut v1::SubmitMoveRequest) -> &mut Vec<v1::Step> {
    &mut request.r#move.as_mut().unwrap().steps
}

fn notation(request: &mut v1::SubmitMoveRequest) -> &mut String {
    &mut request.r#move.as_mut().unwrap().notation
}

const ROLL: &[Case<v1::RollDiceRequest>] = &[
    (|it| it.dice = Some(v1::Dice::default()), &["dice.first", "dice.second"]),
    (|it| it.dice = Some(v1::Dice { first: 7, ..DIE }), &["dice.first"]),
    (|it| it.dice = Some(v1::Dice { second: -1, ..DIE }), &["dice.second"]),
    (|it| it.legal_moves_view = Some(5), &["legal_moves_view"]),
];

const MOVE: &[Case<v1::SubmitMoveRequest>] = &[
    (|it| it.r#move = None, &["move"]),
    (|it| it.r#move = Some(v1::Move::default()), &["move"]),
    (|it| *steps(it) = vec![v1::Step::default()], &["move.steps[0].from", "move.steps[0].to"]),
    (|it| *notation(it) = "8/".to_owned(), &["move.notation"]),
    (|it| *notation(it) = "26/20".to_owned(), &["move.notation"]),
    (|it| *notation(it) = "8/5 ".repeat(1_000), &["move.notation"]),
    (
        |it| {
            notation(it).clear();
            *steps(it) = vec![step(0, 25), step(26, -1)];
        },
        &["move.steps[0].from", "move.steps[0].to", "move.steps[1].from", "move.steps[1].to"],
    ),
    (
        |it| {
            notation(it).clear();
            *steps(it) = vec![v1::Step { die: 7, ..step(8, 5) }];
        },
        &["move.steps[0].die"],
    ),
    (
        |it| {
            notation(it).clear();
            *steps(it) = vec![step(8, 7); 5];
        },
        &["move.steps"],
    ),
    (|it| *steps(it) = vec![step(8, 5), step(24, 23)], &["move.notation"]),
];

const RESIGN: &[Case<v1::OfferResignationRequest>] =
    &[(|it| it.kind = 0, &["kind"]), (|it| it.kind = 4, &["kind"])];

#[tokio::test]
async fn every_turn_action() {
    for bare in Bare::both_ways().await {
        let rolled = bare.rolled("m1234").await;
        let name = rolled.name;
        let mv = || Some(v1::Move { steps: Vec::new(), notation: "8/5 6/5".to_owned() });
        turn_action!(bare, name, RollDiceRequest { dice: Some(DIE), legal_moves_view: None }, ROLL);
        turn_action!(bare, name, SubmitMoveRequest { r#move: mv(), validate_only: false }, MOVE);
        turn_action!(bare, name, SubmitMoveRequest { r#move: mv(), validate_only: true }, MOVE);
        turn_action!(bare, name, OfferDoubleRequest {}, &[]);
        turn_action!(bare, name, AcceptDoubleRequest {}, &[]);
        turn_action!(bare, name, DeclineDoubleRequest {}, &[]);
        turn_action!(bare, name, BeaverDoubleRequest {}, &[]);
        turn_action!(bare, name, OfferResignationRequest { kind: 1 }, RESIGN);
        turn_action!(bare, name, AcceptResignationRequest {}, &[]);
        turn_action!(bare, name, DeclineResignationRequest {}, &[]);
        turn_action!(bare, name, ClaimTimeoutRequest {}, &[]);
        assert_eq!(bare.revision(&name).await, rolled.revision, "nothing was written");
    }
}

#[tokio::test]
async fn legal_moves() {
    let bare = Bare::start().await;
    let name = bare.rolled("m1234").await.name;
    check(
        async |request| bare.play.clone().get_legal_moves(request).await,
        v1::GetLegalMovesRequest { name, view: 0 },
        &[
            (|it| it.name.clear(), &["name"]),
            (
                |it| {
                    it.name.clear();
                    it.view = 5;
                },
                &["name", "view"],
            ),
        ],
    )
    .await;
}
