//! From a match as the API tells it to the position that a picture shows.

use chaquete_proto::v1::{
    Board, Cube, Dice, Game, GameEndReason, GamePhase, Match, MatchRules, Seat, Side, WinKind, match_rules,
};
use chaquete_record::{GamePosition, Offer, Play, Stage};
use chaquete_rules::{self as rules, CubeValue, Score, Setup, SetupError, SideSetup};
use thiserror::Error;

/// Why a match shows no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// No game has begun.
    #[error("no game has begun yet")]
    NoGame,
    /// The checkers are no position.
    #[error("the server's board is no position: {}", list(.0))]
    Board(Vec<SetupError>),
    /// The server says something that this client does not know, or that cannot be.
    #[error("the server said something unknown: {field}")]
    Unknown {
        /// The field of the message `Match`.
        field: &'static str,
    },
}

fn list(errors: &[SetupError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

const fn unknown(field: &'static str) -> PositionError {
    PositionError::Unknown { field }
}

/// The position of the game that is played, or of the last one.
///
/// # Errors
/// Why there is none.
pub fn position(game: &Match) -> Result<GamePosition, PositionError> {
    let current = game.current_game.as_ref().ok_or(PositionError::NoGame)?;
    let agreed = game.rules.as_ref().ok_or(unknown("rules"))?;
    let points = game.score.unwrap_or_default();
    Ok(GamePosition {
        board: board(current.board.as_ref().ok_or(unknown("current_game.board"))?)?,
        on_roll: seat(current.seat_on_roll()).unwrap_or(rules::Seat::One),
        stage: stage(current)?,
        cube: cube(current.cube.ok_or(unknown("current_game.cube"))?)?,
        score: Score::new(number(points.one, "score.one")?, number(points.two, "score.two")?),
        play: play(agreed, current.crawford)?,
        cube_limit: Some(limit(agreed)?),
    })
}

fn board(board: &Board) -> Result<rules::Board, PositionError> {
    let side = |side: Option<&Side>, field| side.and_then(counts).ok_or(unknown(field));
    let (one, two) = (
        side(board.one.as_ref(), "current_game.board.one")?,
        side(board.two.as_ref(), "current_game.board.two")?,
    );
    let setup = Setup { mover: one, opponent: two, checkers: checkers(&one).max(checkers(&two)) };
    let position = setup.position().map_err(PositionError::Board)?;
    Ok(rules::Board::from_position(position, rules::Seat::One))
}

fn counts(side: &Side) -> Option<SideSetup> {
    let small = |count: &i32| u8::try_from(*count).ok();
    let points: Vec<u8> = side.points.iter().map(small).collect::<Option<_>>()?;
    Some(SideSetup { points: points.try_into().ok()?, bar: small(&side.bar)?, off: Some(small(&side.off)?) })
}

/// All checkers of a side: fewer than 15 in some variants.
fn checkers(side: &SideSetup) -> u8 {
    let rest = side.bar.saturating_add(side.off.unwrap_or_default());
    side.points.iter().fold(rest, |sum, &count| sum.saturating_add(count))
}

fn stage(game: &Game) -> Result<Stage, PositionError> {
    Ok(match game.phase() {
        GamePhase::Unspecified => return Err(unknown("current_game.phase")),
        // A picture knows nobody who is not ready.
        GamePhase::Waiting | GamePhase::OpeningRoll => Stage::OpeningRoll,
        GamePhase::Roll => Stage::Roll,
        GamePhase::Move => Stage::Move(game.dice.and_then(dice).ok_or(unknown("current_game.dice"))?),
        GamePhase::DoubleOffered => {
            Stage::Offered(offer(game).ok_or(unknown("current_game.pending_double"))?)
        }
        GamePhase::ResignationOffered => {
            resignation(game).ok_or(unknown("current_game.pending_resignation"))?
        }
        GamePhase::Over => Stage::Over(end(game).ok_or(unknown("current_game.result.reason"))?),
    })
}

/// What counts beyond the second answer is only who has to give the next.
fn offer(game: &Game) -> Option<Offer> {
    Some(match game.pending_double?.beavers {
        0 => Offer::Double,
        odd if odd % 2 == 1 => Offer::Beaver,
        _ => Offer::Raccoon,
    })
}

fn resignation(game: &Game) -> Option<Stage> {
    let pending = game.pending_resignation?;
    let kind = match pending.kind() {
        WinKind::Unspecified => return None,
        WinKind::Single => rules::WinKind::Single,
        WinKind::Gammon => rules::WinKind::Gammon,
        WinKind::Backgammon => rules::WinKind::Backgammon,
    };
    let dice = game.dice.and_then(dice);
    Some(Stage::ResignationOffered { by: seat(pending.offered_by())?, kind, dice })
}

fn end(game: &Game) -> Option<rules::GameEndReason> {
    Some(match game.result.as_ref()?.reason() {
        GameEndReason::Unspecified => return None,
        GameEndReason::BorneOff => rules::GameEndReason::BorneOff,
        GameEndReason::DoubleDeclined => rules::GameEndReason::DoubleDeclined,
        GameEndReason::Resigned => rules::GameEndReason::Resigned,
        GameEndReason::Timeout => rules::GameEndReason::Timeout,
        GameEndReason::Adjudicated => rules::GameEndReason::Adjudicated,
        GameEndReason::Void => rules::GameEndReason::Void,
    })
}

fn cube(cube: Cube) -> Result<rules::Cube, PositionError> {
    let value = number(cube.value, "current_game.cube.value")?;
    let value = CubeValue::new(value).ok_or(unknown("current_game.cube.value"))?;
    Ok(rules::Cube { value, owner: seat(cube.owner()) })
}

fn play(agreed: &MatchRules, crawford: bool) -> Result<Play, PositionError> {
    match agreed.length {
        Some(match_rules::Length::Points(points)) => {
            Ok(Play::Match { length: number(points, "rules.points")?, crawford })
        }
        Some(match_rules::Length::MoneySession(_)) => {
            Ok(Play::Money { jacoby: agreed.jacoby.unwrap_or_default(), beavers: agreed.max_beavers > 0 })
        }
        None => Err(unknown("rules.length")),
    }
}

fn limit(agreed: &MatchRules) -> Result<CubeValue, PositionError> {
    match number(agreed.max_cube_value, "rules.max_cube_value")? {
        0 => Ok(CubeValue::USUAL_LIMIT),
        value => CubeValue::new(value).ok_or(unknown("rules.max_cube_value")),
    }
}

fn number(number: i32, field: &'static str) -> Result<u32, PositionError> {
    u32::try_from(number).map_err(|_| unknown(field))
}

pub(super) fn seat(seat: Seat) -> Option<rules::Seat> {
    match seat {
        Seat::Unspecified => None,
        Seat::One => Some(rules::Seat::One),
        Seat::Two => Some(rules::Seat::Two),
    }
}

pub(super) fn dice(dice: Dice) -> Option<rules::Dice> {
    rules::Dice::new(u8::try_from(dice.first).ok()?, u8::try_from(dice.second).ok()?)
}

#[cfg(test)]
mod tests;
