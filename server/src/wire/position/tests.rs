use chaquete_rules::Variant;

use super::*;

fn start() -> v1::Position {
    v1::Position {
        board: Some(game::board(&Variant::Standard.start())),
        seat_on_roll: 1,
        ..v1::Position::default()
    }
}

fn bad_fields(position: &v1::Position) -> Vec<String> {
    let mut violations = Violations::default();
    let read = read_position(&mut violations, Path::root("position"), Some(position));
    let bad = violations.finish(read).expect_err("a bad position");
    bad.violations.into_iter().map(|violation| violation.field).collect()
}

fn convert_source(source: Source) -> Result<v1::ConvertPositionResponse, Unconvertible> {
    convert(&v1::ConvertPositionRequest { source: Some(source) })
}

#[test]
fn a_position_becomes_its_identifiers_and_back() {
    let whole = v1::Position {
        seat_on_roll: 2,
        dice: Some(v1::Dice { first: 5, second: 2 }),
        cube: Some(v1::Cube { value: 2, owner: 2 }),
        score: Some(v1::Score { one: 2, two: 3 }),
        points: 7,
        ..start()
    };
    let told = convert_source(Source::Position(whole.clone())).unwrap();
    assert_eq!(told.position.as_ref(), Some(&whole));
    let ids = told.position_ids.unwrap();
    assert_eq!(ids.gnu_position_id, "4HPwATDgc/ABMA");
    let gnu_id = format!("{}:{}", ids.gnu_position_id, ids.gnu_match_id);
    assert_eq!(convert_source(Source::GnuId(gnu_id)).unwrap().position.as_ref(), Some(&whole));
    for text in [&ids.xgid, &told.ogid, &told.fibs_board, &told.snowie] {
        let again = convert_source(Source::Text(text.clone())).unwrap().position.unwrap();
        // An OGID has the lower die first.
        let dice = again.dice.map(|dice| (dice.first.max(dice.second), dice.first.min(dice.second)));
        assert_eq!(dice, Some((5, 2)), "{text}");
        assert_eq!(v1::Position { dice: whole.dice, ..again }, whole, "{text}");
    }
    assert_eq!(convert_source(Source::Xgid(ids.xgid)).unwrap().position.as_ref(), Some(&whole));
}

/// A game that has not begun has no turn, for which some forms have no word.
#[test]
fn a_form_without_a_word_for_it_is_empty() {
    let told = convert_source(Source::Position(v1::Position { points: 7, ..start() })).unwrap();
    assert!(!told.ogid.is_empty() && !told.fibs_board.is_empty() && !told.snowie.is_empty());
    let beavered = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:B:0:0:3:0:10".to_owned();
    let told = convert_source(Source::Text(beavered)).unwrap();
    assert!(told.fibs_board.is_empty() && told.snowie.is_empty(), "{told:?}");
    assert!(!told.position_ids.unwrap().xgid.is_empty());
}

#[test]
fn what_an_identifier_does_not_say_is_empty() {
    let told = convert_source(Source::GnuId("4HPwATDgc/ABMA".to_owned())).unwrap();
    assert_eq!(told.position, Some(start()));
    let nobody = v1::Position { seat_on_roll: 0, ..start() };
    assert_eq!(convert_source(Source::Position(nobody)).unwrap().position_ids, None);
}

#[test]
fn an_identifier_that_is_none_is_unparsable() {
    for source in [
        Source::GnuId("4HPwATDgc/ABM!".to_owned()),
        Source::GnuId(String::new()),
        Source::Xgid("XGID=x".to_owned()),
        Source::Xgid("-".repeat(1_000)),
        Source::Text("a bird in the hand".to_owned()),
        Source::Text("XGID=".repeat(1_000)),
    ] {
        let told = convert_source(source.clone());
        assert!(matches!(told, Err(Unconvertible::Unparsable { .. })), "{source:?}");
    }
    assert!(matches!(convert(&v1::ConvertPositionRequest::default()), Err(Unconvertible::BadRequest(_))));
}

#[test]
fn every_bad_field_of_a_position_is_told() {
    assert_eq!(bad_fields(&v1::Position::default()), ["position.board"]);
    let side = v1::Side { points: vec![16; 3], bar: -1, off: 16, pip_count: 0 };
    let bad = v1::Position {
        board: Some(v1::Board { one: Some(side), two: None }),
        seat_on_roll: 3,
        dice: Some(v1::Dice { first: 0, second: 1 }),
        cube: Some(v1::Cube { value: 3, owner: 3 }),
        score: Some(v1::Score { one: -1, two: -1 }),
        points: 256,
        crawford: true,
        variant: 5,
    };
    assert_eq!(
        bad_fields(&bad),
        [
            "position.variant",
            "position.board.one.points",
            "position.board.one.points[0]",
            "position.board.one.points[1]",
            "position.board.one.points[2]",
            "position.board.one.bar",
            "position.board.one.off",
            "position.board.two",
            "position.seat_on_roll",
            "position.dice.first",
            "position.cube.value",
            "position.cube.owner",
            "position.score.one",
            "position.score.two",
            "position.points",
        ]
    );
}

#[test]
fn checkers_must_make_a_position() {
    let mut points = vec![0; 24];
    points[5] = 15;
    let full = v1::Side { points: points.clone(), ..v1::Side::default() };
    points[18] = 1;
    let shared = v1::Side { points, ..v1::Side::default() };
    let bad = v1::Position { board: Some(v1::Board { one: Some(full), two: Some(shared) }), ..start() };
    assert_eq!(bad_fields(&bad), ["position.board.two", "position.board"]);
    let few = v1::Side { points: vec![0; 24], bar: 1, off: 13, pip_count: 0 };
    let bad = v1::Position { board: Some(v1::Board { one: Some(few.clone()), two: Some(few) }), ..start() };
    assert_eq!(bad_fields(&bad), ["position.board.one", "position.board.two"]);
    let hyper = v1::Position { variant: v1::Variant::Hypergammon.into(), ..start() };
    assert_eq!(bad_fields(&hyper), ["position.board.one", "position.board.two"]);
}

#[test]
fn score_cube_and_crawford_game_must_go_together() {
    let at = |points, one, crawford, cube| v1::Position {
        points,
        score: Some(v1::Score { one, two: 0 }),
        crawford,
        cube: Some(v1::Cube { value: cube, owner: 0 }),
        ..start()
    };
    assert_eq!(bad_fields(&at(5, 5, false, 1)), ["position.score"]);
    assert_eq!(bad_fields(&at(5, 3, true, 2)), ["position.crawford", "position.cube"]);
    assert_eq!(bad_fields(&at(0, 3, true, 1)), ["position.crawford"]);
    assert!(convert_source(Source::Position(at(5, 4, true, 1))).is_ok());
}

#[test]
fn a_move_that_ends_the_game_says_how() {
    let mut home = SideSetup::default();
    home.points[0] = 1;
    let mut away = SideSetup { off: Some(0), ..SideSetup::default() };
    // Their 23-point is the mover's 2-point: in the winner's home.
    away.points[22] = 15;
    let position = Setup { mover: home, opponent: away, checkers: 15 }.position().unwrap();
    let described = Described {
        board: Board::from_position(position, Seat::Two),
        on_roll: Some(Seat::Two),
        dice: Dice::new(6, 5),
        cube: Cube { value: CubeValue::new(2).unwrap(), owner: Some(Seat::One) },
        score: Score::new(1, 2),
        points: 7,
        crawford: false,
    };
    let legal = chaquete_rules::LegalMoves::new(position, Dice::new(6, 5).unwrap());
    let played = legal.iter().next().unwrap();
    let told = applied(&described, Seat::Two, &played, 0);
    let result = told.game_result.unwrap();
    assert_eq!((result.winner(), result.kind(), result.points), (v1::Seat::Two, v1::WinKind::Backgammon, 6));
    assert_eq!(result.score_after, Some(v1::Score { one: 1, two: 8 }));
    let after = told.position.unwrap();
    assert_eq!((after.seat_on_roll(), after.dice), (v1::Seat::One, None));
    assert_eq!(told.canonical_move.unwrap().notation, "1/off");
}
