//! Requests of the rules service.

use chaquete_proto::v1::{self, convert_position_request::Source};
use tonic::Code;

use crate::support::{Bare, Case, check, refused};

async fn start(bare: &Bare) -> v1::Position {
    let id = v1::ConvertPositionRequest { source: Some(Source::GnuId("4HPwATDgc/ABMA".to_owned())) };
    let position = bare.rules.clone().convert_position(id).await.unwrap().into_inner().position.unwrap();
    v1::Position { dice: Some(v1::Dice { first: 3, second: 1 }), ..position }
}

/// One way to spoil a position.
type Spoil = Case<v1::Position>;

fn one(position: &mut v1::Position) -> &mut v1::Side {
    position.board.as_mut().unwrap().one.as_mut().unwrap()
}

const POSITIONS: &[Spoil] = &[
    (|it| *it = Default::default(), &["position.board"]),
    (|it| it.board = Some(v1::Board::default()), &["position.board.one", "position.board.two"]),
    (|it| one(it).points.truncate(23), &["position.board.one.points"]),
    (|it| one(it).points[3] = -1, &["position.board.one.points[3]"]),
    (|it| one(it).points[3] = 16, &["position.board.one.points[3]"]),
    (|it| one(it).points[3] = 1, &["position.board.one"]),
    (|it| one(it).points[0] = 1, &["position.board.one", "position.board"]),
    (|it| one(it).bar = i32::MAX, &["position.board.one.bar"]),
    (|it| one(it).off = -1, &["position.board.one.off"]),
    (|it| one(it).off = 1, &["position.board.one"]),
    (|it| it.seat_on_roll = 3, &["position.seat_on_roll"]),
    (|it| it.dice = Some(v1::Dice { first: 0, second: 1 }), &["position.dice.first"]),
    (|it| it.cube = Some(v1::Cube { value: 0, owner: 0 }), &["position.cube.value"]),
    (|it| it.cube = Some(v1::Cube { value: 2, owner: 3 }), &["position.cube.owner"]),
    (|it| it.score = Some(v1::Score { one: -1, two: 0 }), &["position.score.one"]),
    (|it| it.points = -1, &["position.points"]),
    (|it| it.points = 256, &["position.points"]),
    (|it| it.crawford = true, &["position.crawford"]),
    (|it| it.variant = 5, &["position.variant"]),
    (|it| it.variant = 3, &["position.board.one", "position.board.two"]),
    (
        |it| {
            it.points = 5;
            it.score = Some(v1::Score { one: 5, two: 0 });
        },
        &["position.score"],
    ),
];

/// What only a position lacks in which a move is asked about.
const ROLLS: &[Spoil] =
    &[(|it| it.dice = None, &["position.dice"]), (|it| it.seat_on_roll = 0, &["position.seat_on_roll"])];

#[tokio::test]
async fn compute_legal_moves() {
    let bare = Bare::start().await;
    let start = start(&bare).await;
    for &(spoil, fields) in POSITIONS.iter().chain(ROLLS) {
        let mut position = start.clone();
        spoil(&mut position);
        let request = v1::ComputeLegalMovesRequest { position: Some(position), view: 0 };
        let refused = refused(bare.rules.clone().compute_legal_moves(request.clone()).await);
        assert_eq!(refused.fields, fields, "{request:?}");
    }
    let valid = v1::ComputeLegalMovesRequest { position: Some(start), view: 0 };
    check(
        async |request| bare.rules.clone().compute_legal_moves(request).await,
        valid,
        &[(|it| *it = Default::default(), &["position"]), (|it| it.view = 5, &["view"])],
    )
    .await;
}

#[tokio::test]
async fn apply_move() {
    let bare = Bare::start().await;
    let start = start(&bare).await;
    let mv = v1::Move { steps: Vec::new(), notation: "8/5 6/5".to_owned() };
    for &(spoil, fields) in POSITIONS.iter().chain(ROLLS) {
        let mut position = start.clone();
        spoil(&mut position);
        let request = v1::ApplyMoveRequest { position: Some(position), r#move: Some(mv.clone()) };
        assert_eq!(refused(bare.rules.clone().apply_move(request).await).fields, fields);
    }
    let valid = v1::ApplyMoveRequest { position: Some(start), r#move: Some(mv) };
    check(
        async |request| bare.rules.clone().apply_move(request).await,
        valid.clone(),
        &[
            (|it| *it = Default::default(), &["position", "move"]),
            (|it| it.r#move.as_mut().unwrap().notation = "8/9/".to_owned(), &["move.notation"]),
            (
                |it| it.r#move.as_mut().unwrap().steps = vec![v1::Step::default()],
                &["move.steps[0].from", "move.steps[0].to"],
            ),
        ],
    )
    .await;

    // A move that breaks a rule is an answer here, not an error.
    for (notation, violation, step) in [
        ("8/5", v1::MoveViolation::MustUseMoreDice, 0),
        ("8/5 6/6", v1::MoveViolation::WrongDirection, 1),
        ("", v1::MoveViolation::MustUseMoreDice, 0),
    ] {
        let mut request = valid.clone();
        request.r#move.as_mut().unwrap().notation = notation.to_owned();
        let told = bare.rules.clone().apply_move(request).await.unwrap().into_inner();
        assert_eq!(
            (told.legal, told.violation(), told.violating_step),
            (false, violation, step),
            "{notation}"
        );
    }
    let told = bare.rules.clone().apply_move(valid).await.unwrap().into_inner();
    assert_eq!((told.legal, told.canonical_move.unwrap().notation.as_str()), (true, "8/5 6/5"));
}

#[tokio::test]
async fn convert_position() {
    let bare = Bare::start().await;
    let start = start(&bare).await;
    for &(spoil, fields) in POSITIONS {
        let mut position = start.clone();
        spoil(&mut position);
        let request = v1::ConvertPositionRequest { source: Some(Source::Position(position)) };
        assert_eq!(refused(bare.rules.clone().convert_position(request).await).fields, fields);
    }
    check(
        async |request| bare.rules.clone().convert_position(request).await,
        v1::ConvertPositionRequest::default(),
        &[(|_| {}, &["position"])],
    )
    .await;
    for (source, field) in [
        (Source::GnuId("4HPwATDgc/ABM!".to_owned()), "gnu_id"),
        (Source::GnuId("4HPwATDgc/ABMA:cIkFAAAAAAA".to_owned()), "gnu_id"),
        (Source::GnuId(String::new()), "gnu_id"),
        (Source::Xgid("4HPwATDgc/ABMA".to_owned()), "xgid"),
        (Source::Xgid("x".repeat(10_000)), "xgid"),
    ] {
        let request = v1::ConvertPositionRequest { source: Some(source) };
        let refused = refused(bare.rules.clone().convert_position(request).await);
        assert_eq!((refused.code, refused.reason.as_str()), (Code::InvalidArgument, "UNPARSABLE_CONTENT"));
        assert_eq!(refused.fields, [field]);
    }
}
