//! Every phase of a game, and messages that no server should send.

use chaquete_proto::v1::{GameResult, MoneySession, PendingDouble, PendingResignation, Score};

use super::*;

/// The start of a match to 7, seat two to move 6-4, as a server tells it.
fn start() -> Match {
    let side = || {
        let mut points = vec![0; 24];
        for (point, count) in [(24, 2), (13, 5), (8, 3), (6, 5)] {
            points[point - 1] = count;
        }
        Some(Side { points, ..Side::default() })
    };
    Match {
        rules: Some(MatchRules { length: Some(match_rules::Length::Points(7)), ..MatchRules::default() }),
        score: Some(Score { one: 6, two: 9 }),
        current_game: Some(Game {
            phase: GamePhase::Move.into(),
            seat_on_roll: Seat::Two.into(),
            dice: Some(Dice { first: 6, second: 4 }),
            board: Some(Board { one: side(), two: side() }),
            cube: Some(Cube { value: 2, owner: Seat::One.into() }),
            ..Game::default()
        }),
        ..Match::default()
    }
}

/// The position after a change to the start.
fn changed(change: impl FnOnce(&mut Match, &mut Game)) -> Result<GamePosition, PositionError> {
    let mut game = start();
    let mut current = game.current_game.take().expect("a game");
    change(&mut game, &mut current);
    game.current_game = Some(current);
    position(&game)
}

fn stage_after(change: impl FnOnce(&mut Game)) -> Result<Stage, PositionError> {
    changed(|_, current| change(current)).map(|position| position.stage)
}

#[test]
fn it_is_the_position_that_the_ids_say() {
    let read = "XGID=-b----E-C---eE---c-e----B-:1:1:-1:64:6:5:0:7:10".parse::<GamePosition>().expect("an id");
    // Points are never cut to the length of a match, which no id can say.
    let score = rules::Score::new(6, 9);
    let expected = GamePosition { score, cube_limit: Some(CubeValue::USUAL_LIMIT), ..read };
    assert_eq!(position(&start()), Ok(expected));
}

#[test]
fn every_phase_has_its_stage() {
    let dice = rules::Dice::new(6, 4).expect("dice");
    let phase = |phase: GamePhase| stage_after(|current| current.phase = phase.into());
    assert_eq!(phase(GamePhase::Waiting), Ok(Stage::OpeningRoll));
    assert_eq!(phase(GamePhase::OpeningRoll), Ok(Stage::OpeningRoll));
    assert_eq!(phase(GamePhase::Roll), Ok(Stage::Roll));
    assert_eq!(phase(GamePhase::Move), Ok(Stage::Move(dice)));
    for (beavers, offer) in [(0, Offer::Double), (1, Offer::Beaver), (2, Offer::Raccoon), (3, Offer::Beaver)]
    {
        let offered = stage_after(|current| {
            current.phase = GamePhase::DoubleOffered.into();
            current.pending_double = Some(PendingDouble { beavers, ..PendingDouble::default() });
        });
        assert_eq!(offered, Ok(Stage::Offered(offer)));
    }
    let resigned = stage_after(|current| {
        current.phase = GamePhase::ResignationOffered.into();
        let (offered_by, kind) = (Seat::One.into(), WinKind::Gammon.into());
        current.pending_resignation = Some(PendingResignation { offered_by, kind });
    });
    let (by, kind) = (rules::Seat::One, rules::WinKind::Gammon);
    assert_eq!(resigned, Ok(Stage::ResignationOffered { by, kind, dice: Some(dice) }));
    let over = stage_after(|current| {
        current.phase = GamePhase::Over.into();
        current.result = Some(GameResult { reason: GameEndReason::Timeout.into(), ..GameResult::default() });
    });
    assert_eq!(over, Ok(Stage::Over(rules::GameEndReason::Timeout)));
}

#[test]
fn money_play_and_its_rules_are_told() {
    let money = |jacoby, max_beavers, max_cube_value| {
        let position = changed(|game, _| {
            let length = Some(match_rules::Length::MoneySession(MoneySession::default()));
            game.rules =
                Some(MatchRules { length, jacoby, max_beavers, max_cube_value, ..MatchRules::default() });
        });
        position.map(|position| (position.play, position.cube_limit.map(CubeValue::get)))
    };
    assert_eq!(money(Some(true), 0, 1), Ok((Play::Money { jacoby: true, beavers: false }, Some(1))));
    assert_eq!(money(None, 2, 4096), Ok((Play::Money { jacoby: false, beavers: true }, Some(4096))));
    assert_eq!(money(None, 0, 3), Err(unknown("rules.max_cube_value")));
}

#[test]
fn a_variant_has_as_many_checkers_as_the_server_says() {
    let three = changed(|_, current| {
        let mut points = vec![0; 24];
        points[21..].fill(1);
        let side = Some(Side { points, ..Side::default() });
        current.board = Some(Board { one: side.clone(), two: side });
    });
    assert_eq!(three.map(|position| position.board.side(rules::Seat::Two).checkers()), Ok(3));
}

#[test]
fn what_cannot_be_is_named() {
    let wrong = |change: fn(&mut Match, &mut Game)| match changed(change) {
        Err(PositionError::Unknown { field }) => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(wrong(|game, _| game.rules = None), "rules");
    assert_eq!(wrong(|game, _| game.rules = Some(MatchRules::default())), "rules.length");
    assert_eq!(wrong(|game, _| game.score = Some(Score { one: -1, two: 0 })), "score.one");
    assert_eq!(wrong(|_, current| current.board = None), "current_game.board");
    assert_eq!(wrong(|_, current| current.board = Some(Board::default())), "current_game.board.one");
    assert_eq!(
        wrong(|_, current| current.cube = Some(Cube { value: 3, owner: 0 })),
        "current_game.cube.value"
    );
    assert_eq!(wrong(|_, current| current.dice = Some(Dice { first: 7, second: 1 })), "current_game.dice");
    assert_eq!(wrong(|_, current| current.phase = 99), "current_game.phase");
    assert_eq!(wrong(|_, current| current.phase = GamePhase::Over.into()), "current_game.result.reason");
}

#[test]
fn a_board_that_is_no_position_is_told_whole() {
    let crowded = changed(|_, current| {
        let Some(Board { one: Some(one), two: Some(two) }) = &mut current.board else { panic!("a board") };
        one.points[0] = 1;
        two.off = 100;
        two.points[5] = 255;
    });
    let error = crowded.expect_err("no position").to_string();
    assert!(
        error.starts_with("the server's board is no position: ") && error.contains("; both sides"),
        "{error}"
    );
    assert_eq!(position(&Match { current_game: None, ..start() }), Err(PositionError::NoGame));
}
