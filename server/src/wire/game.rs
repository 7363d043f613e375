//! Games, boards and results as messages have them.

use chaquete_proto::v1;
use chaquete_record::{GamePosition, Offer, Play, Stage};
use chaquete_rules::{Board, Cube, Dice, Game, GameResult, Length, Match, Phase, Score, Seat, Side};

use super::{
    scalar::{self, number},
    time, turn, words,
};
use crate::clock::Millis;

/// A game of a match, as it stands at this time. The identifiers of its position are left out.
#[must_use]
pub fn game(state: &Match, game: &Game, end: Option<(u32, Millis)>, now: Millis) -> v1::Game {
    let (pending_double, pending_resignation, result) = pending(&game.phase, end);
    v1::Game {
        number: number(game.number),
        phase: state.phase_kind().map_or(v1::GamePhase::Unspecified, words::phase).into(),
        seat_to_act: words::seat_or_none(state.seat_to_act()),
        seat_on_roll: words::seat_or_none(game.seat_on_roll()),
        turn_number: number(game.turn_number),
        dice: game.dice().map(turn::dice),
        board: Some(board(&game.board)),
        cube: Some(cube(game.cube)),
        pending_double,
        pending_resignation,
        crawford: game.crawford,
        position_ids: None,
        clocks: clocks(state),
        actions: Seat::BOTH.map(|seat| seat_actions(state, seat, now)).into(),
        result,
    }
}

type Pending = (Option<v1::PendingDouble>, Option<v1::PendingResignation>, Option<v1::GameResult>);

/// What a phase holds beside the turn.
fn pending(phase: &Phase, end: Option<(u32, Millis)>) -> Pending {
    match phase {
        Phase::Waiting { .. } | Phase::Turn(_) => (None, None, None),
        Phase::DoubleOffered(double) => {
            let double = v1::PendingDouble {
                offered_by: words::seat(double.offered_by()).into(),
                value: number(double.value.get()),
                beavers: number(double.beavers),
            };
            (Some(double), None, None)
        }
        Phase::ResignationOffered(resignation) => {
            let resignation = v1::PendingResignation {
                offered_by: words::seat(resignation.offered_by).into(),
                kind: words::win_kind(resignation.kind).into(),
            };
            (None, Some(resignation), None)
        }
        Phase::Over(result) => (None, None, Some(game_result(result, end))),
    }
}

/// The clocks of both seats, in a timed match.
fn clocks(state: &Match) -> Vec<v1::SeatClock> {
    let timed = state.terms().time.zip(state.clocks());
    timed.map_or_else(Vec::new, |(control, clocks)| time::seat_clocks(control.limit, clocks))
}

fn seat_actions(state: &Match, seat: Seat, now: Millis) -> v1::SeatActions {
    let actions = state.actions(seat, now).into_iter().map(|action| words::action(action).into()).collect();
    v1::SeatActions { seat: words::seat(seat).into(), actions }
}

/// How a game ended, and by which event.
#[must_use]
pub fn game_result(result: &GameResult, end: Option<(u32, Millis)>) -> v1::GameResult {
    v1::GameResult {
        game_number: number(result.number),
        winner: words::seat_or_none(result.win.map(|win| win.seat)),
        kind: result.win.map_or(v1::WinKind::Unspecified, |win| words::win_kind(win.kind)).into(),
        reason: words::game_end(result.reason).into(),
        cube_value: number(result.cube.get()),
        points: number(result.points),
        jacoby_applied: result.jacoby_applied,
        score_after: Some(score(result.score)),
        end_revision: end.map_or(0, |(revision, _)| number(revision)),
        end_time: end.map(|(_, time)| scalar::timestamp(time)),
    }
}

/// The checkers of both seats.
#[must_use]
pub fn board(board: &Board) -> v1::Board {
    v1::Board { one: Some(side(board.side(Seat::One))), two: Some(side(board.side(Seat::Two))) }
}

fn side(side: &Side) -> v1::Side {
    v1::Side {
        points: side.points().iter().map(|&count| count.into()).collect(),
        bar: side.bar().into(),
        off: side.off().into(),
        pip_count: side.pip_count().into(),
    }
}

/// The cube.
#[must_use]
pub fn cube(cube: Cube) -> v1::Cube {
    v1::Cube { value: number(cube.value.get()), owner: words::seat_or_none(cube.owner) }
}

/// Points of both seats.
#[must_use]
pub fn score(score: Score) -> v1::Score {
    v1::Score { one: number(score.one), two: number(score.two) }
}

/// The position of a game in the notations of other programs.
#[must_use]
pub fn position_ids_of(state: &Match, game: &Game) -> v1::PositionIds {
    position_ids(&game_position(state, game))
}

/// A position in the notations of other programs. One that is too large for a notation has none there.
#[must_use]
pub fn position_ids(position: &GamePosition) -> v1::PositionIds {
    v1::PositionIds {
        gnu_position_id: position.position_id().to_string(),
        gnu_match_id: position.match_id().encode().unwrap_or_default(),
        xgid: position.xgid().to_string(),
    }
}

/// A game as other programs see it.
fn game_position(state: &Match, game: &Game) -> GamePosition {
    let rules = &state.terms().rules;
    GamePosition {
        board: game.board,
        on_roll: game.seat_on_roll().unwrap_or(Seat::One),
        stage: stage(game),
        cube: game.cube,
        score: state.score(),
        play: match rules.length {
            Length::Points { points, .. } => Play::Match { length: points.get(), crawford: game.crawford },
            Length::Money(money) => Play::Money { jacoby: money.jacoby, beavers: money.max_beavers > 0 },
        },
        cube_limit: Some(rules.max_cube),
    }
}

fn stage(game: &Game) -> Stage {
    match (game.phase, game.dice(), game.seat_on_roll()) {
        (Phase::Over(result), ..) => Stage::Over(result.reason),
        (Phase::ResignationOffered(resignation), dice, _) => {
            Stage::ResignationOffered { by: resignation.offered_by, kind: resignation.kind, dice }
        }
        // Other programs have no word for more than three in a row: what counts is who has to answer.
        (Phase::DoubleOffered(double), ..) => Stage::Offered(match double.beavers {
            0 => Offer::Double,
            odd if odd % 2 == 1 => Offer::Beaver,
            _ => Offer::Raccoon,
        }),
        (Phase::Turn(_), Some(dice), _) => Stage::Move(dice),
        (Phase::Turn(_), None, Some(_)) => Stage::Roll,
        // They know nobody who is not ready.
        (Phase::Turn(_), None, None) | (Phase::Waiting { .. }, ..) => Stage::OpeningRoll,
    }
}

/// The seat to move and its dice, while a roll is to be played.
#[must_use]
pub fn roll_to_play(state: &Match) -> Option<(Seat, Dice, Board)> {
    use chaquete_rules::Turn;
    match (state.result(), state.game()) {
        (None, Some(Game { phase: Phase::Turn(Turn::Move { seat, dice, .. }), board, .. })) => {
            Some((*seat, *dice, *board))
        }
        _ => None,
    }
}
