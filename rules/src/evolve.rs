//! What events make of a match.

use std::sync::Arc;

use std::fmt;

use crate::{
    Board, BySeat, Contribution, Cube, CubeValue, Entropy, Event, Game, GameResult, Match, MatchEndReason,
    MatchResult, Millis, Moment, Move, PendingDouble, PendingResignation, Phase, Position, ROLLS_PER_EPOCH,
    Roll, Seat, Turn,
    clock::Duty,
    contribute::{committed, contributed},
};

/// An event that cannot follow what came before it: the log it comes from was not written by these rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfOrder {
    /// What is wrong.
    pub because: &'static str,
}

impl fmt::Display for OutOfOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.because)
    }
}

impl std::error::Error for OutOfOrder {}

const fn out_of_order<T>(because: &'static str) -> Result<T, OutOfOrder> {
    Err(OutOfOrder { because })
}

/// Folds one event into a match. `time` is when it happened, as the log says.
///
/// # Errors
/// The event cannot follow; the match may then be half changed and must not be used any more.
pub fn evolve(state: &mut Match, event: &Event, time: Moment) -> Result<(), OutOfOrder> {
    if state.result.is_some() && *event != Event::MatchUpdated {
        return out_of_order("an event after the end of the match");
    }
    happen(state, event, time)?;
    let duty = duty(state);
    if let Some(clocks) = &mut state.clocks {
        clocks.run(duty, time);
    }
    Ok(())
}

/// Whose time runs, and for what: nobody's while nobody can do anything.
pub(crate) fn duty(state: &Match) -> Option<Duty> {
    let game = state.game.as_ref().filter(|_| state.result.is_none() && !state.awaits_entropy())?;
    let seat = game.seat_to_act()?;
    let phase = game.phase_kind();
    Some(Duty { seat, game: game.number, turn: game.turn_number, phase, stake: game.cube.value })
}

fn happen(state: &mut Match, event: &Event, time: Moment) -> Result<(), OutOfOrder> {
    match event {
        Event::MatchCreated(_) => out_of_order("a match is created only once"),
        Event::DiceCommitted(commitment) => committed(state, commitment),
        Event::EntropyCommitted { by, commitment } => {
            contributed(state, *by, Contribution::Commitment(*commitment))
        }
        Event::EntropyOpened { by, opening } => contributed(state, *by, Contribution::Opening(*opening)),
        Event::GameStarted { board, crawford, cube } => {
            if state.game.is_none() {
                // They are awaited since the creation, which is no event of an existing match.
                state.let_time_run(time);
            }
            start_game(state, *board, *crawford, *cube)
        }
        Event::DiceRolled { seat, roll, index, opening, automatic_double } => {
            if state.awaits_entropy() {
                return out_of_order("dice rolled before all contributions to them were opened");
            }
            state.rolls = *index;
            roll_dice(running(state)?, *seat, *roll, *opening, *automatic_double)?;
            if *index >= ROLLS_PER_EPOCH {
                let next = state.commitment.as_ref().map_or(0, |used_up| used_up.epoch + 1);
                state.await_epoch(next, time);
            }
            Ok(())
        }
        Event::MoveMade { seat, mv, after } => make_move(running(state)?, *seat, mv, after),
        Event::TurnForfeited { seat } => forfeit_turn(running(state)?, *seat),
        Event::DoubleOffered { seat, value } => offer_double(running(state)?, *seat, *value),
        Event::DoubleBeavered { seat, value } => beaver(running(state)?, *seat, *value),
        Event::DoubleAccepted { seat, value } => accept_double(running(state)?, *seat, *value),
        Event::DoubleDeclined { seat } => decline_double(running(state)?, *seat),
        Event::ResignationOffered { seat, kind } => {
            let game = running(state)?;
            let Phase::Turn(turn) = game.phase else {
                return out_of_order("a resignation while something waits for an answer");
            };
            game.phase =
                Phase::ResignationOffered(PendingResignation { offered_by: *seat, kind: *kind, turn });
            Ok(())
        }
        Event::ResignationAccepted { seat } => pending_resignation(running(state)?, *seat).map(|_| ()),
        Event::ResignationDeclined { seat } => decline_resignation(running(state)?, *seat),
        Event::PlayerReady { seat } => player_ready(running(state)?, *seat),
        // What follows from these stands in the events after them.
        Event::TimeExpired { .. } | Event::SessionClosed | Event::Adjudicated { .. } => {
            running(state).map(|_| ())
        }
        Event::TimeCredited { duration, .. } => credit_time(state, *duration, time),
        Event::MatchPaused { .. } => pause(state, time),
        Event::MatchResumed => resume(state, time),
        Event::MatchUpdated => Ok(()),
        Event::GameEnded(result) => end_game(state, *result),
        Event::MatchEnded { result, .. } => end_match(state, *result),
    }
}

fn running(state: &mut Match) -> Result<&mut Game, OutOfOrder> {
    match &mut state.game {
        Some(game) if !matches!(game.phase, Phase::Over(_)) => Ok(game),
        _ => out_of_order("no game is being played"),
    }
}

fn start_game(state: &mut Match, board: Board, crawford: bool, cube: Cube) -> Result<(), OutOfOrder> {
    if running(state).is_ok() {
        return out_of_order("a game begins while another is played");
    }
    let phase = if state.terms.ready_check {
        Phase::Waiting { ready: BySeat::new(false, false) }
    } else {
        Phase::Turn(Turn::OpeningRoll)
    };
    state.game = Some(Game {
        number: state.games.len() as u32 + 1,
        phase,
        turn_number: 1,
        board,
        cube,
        crawford,
        cube_turned: false,
        automatic_doubles: 0,
        declined: BySeat::default(),
    });
    Ok(())
}

fn player_ready(game: &mut Game, seat: Seat) -> Result<(), OutOfOrder> {
    match &mut game.phase {
        Phase::Waiting { ready } if ready[seat.opponent()] => game.phase = Phase::Turn(Turn::OpeningRoll),
        Phase::Waiting { ready } => ready[seat] = true,
        _ => return out_of_order("a player ready for a game that does not wait"),
    }
    Ok(())
}

fn credit_time(state: &mut Match, duration: Millis, time: Moment) -> Result<(), OutOfOrder> {
    match (&mut state.entropy, &mut state.clocks) {
        (Some(Entropy { deadline: Some(deadline), .. }), _) => *deadline = deadline.saturating_add(duration),
        (_, Some(clocks)) => clocks.credit(duration),
        (_, None) => return out_of_order("time given back in an untimed match"),
    }
    state.credited = Some(time);
    Ok(())
}

fn pause(state: &mut Match, time: Moment) -> Result<(), OutOfOrder> {
    if state.paused {
        return out_of_order("a paused match is paused again");
    }
    state.paused = true;
    state.let_time_run(time);
    if let Some(clocks) = &mut state.clocks {
        clocks.pause(time);
    }
    Ok(())
}

fn resume(state: &mut Match, time: Moment) -> Result<(), OutOfOrder> {
    if !state.paused {
        return out_of_order("a match resumed that was not paused");
    }
    state.paused = false;
    state.let_time_run(time);
    if let Some(clocks) = &mut state.clocks {
        clocks.resume(time);
    }
    Ok(())
}

fn roll_dice(
    game: &mut Game,
    seat: Option<Seat>,
    roll: Roll,
    opening: bool,
    automatic_double: bool,
) -> Result<(), OutOfOrder> {
    match (game.phase, seat) {
        (Phase::Turn(Turn::OpeningRoll), None) if opening => {
            if automatic_double {
                game.automatic_doubles += 1;
                game.cube.value = game.cube.value.doubled().unwrap_or(CubeValue::MAX);
            }
        }
        (Phase::Turn(Turn::OpeningRoll), Some(seat)) if opening => {
            game.phase = Phase::Turn(Turn::Move { seat, dice: roll.dice, opening: true });
        }
        (Phase::Turn(Turn::Roll { seat: on_roll }), Some(seat)) if !opening && seat == on_roll => {
            game.phase = Phase::Turn(Turn::Move { seat, dice: roll.dice, opening: false });
        }
        _ => return out_of_order("dice rolled out of turn"),
    }
    Ok(())
}

fn make_move(game: &mut Game, mover: Seat, mv: &Move, after: &Position) -> Result<(), OutOfOrder> {
    if !matches!(game.phase, Phase::Turn(Turn::Move { seat, .. }) if seat == mover) {
        return out_of_order("a move out of turn");
    }
    let mut position = game.board.position(mover);
    for step in mv.steps() {
        let Ok((_, next)) = position.step(step.source, step.die) else {
            return out_of_order("a step that the board does not allow");
        };
        position = next;
    }
    if position.turned() != *after {
        return out_of_order("a move that does not lead to the position it says");
    }
    game.board = Board::from_position(position, mover);
    // After the last checker the turn does not pass: the end of the game follows.
    if !position.mover().is_finished() {
        pass_turn(game, mover);
    }
    Ok(())
}

fn forfeit_turn(game: &mut Game, loser: Seat) -> Result<(), OutOfOrder> {
    if !matches!(game.phase, Phase::Turn(Turn::Move { seat, .. }) if seat == loser) {
        return out_of_order("a turn forfeited by the seat that is not on roll");
    }
    pass_turn(game, loser);
    Ok(())
}

fn pass_turn(game: &mut Game, from: Seat) {
    game.phase = Phase::Turn(Turn::Roll { seat: from.opponent() });
    game.turn_number += 1;
    game.declined = BySeat::default();
}

fn offer_double(game: &mut Game, doubler: Seat, value: CubeValue) -> Result<(), OutOfOrder> {
    if game.phase != Phase::Turn(Turn::Roll { seat: doubler }) {
        return out_of_order("a double out of turn");
    }
    game.phase = Phase::DoubleOffered(PendingDouble { on_roll: doubler, value, beavers: 0 });
    Ok(())
}

fn pending_double(game: &Game, answerer: Seat) -> Result<PendingDouble, OutOfOrder> {
    match game.phase {
        Phase::DoubleOffered(double) if double.offered_by() != answerer => Ok(double),
        _ => out_of_order("an answer to a double that was not offered to that seat"),
    }
}

/// The one who is doubled keeps the cube, whoever redoubles in the same exchange.
fn take_cube(game: &mut Game, double: PendingDouble) {
    game.cube = Cube { value: double.value, owner: Some(double.on_roll.opponent()) };
    game.cube_turned = true;
}

fn beaver(game: &mut Game, seat: Seat, value: CubeValue) -> Result<(), OutOfOrder> {
    let double = pending_double(game, seat)?;
    take_cube(game, double);
    game.phase =
        Phase::DoubleOffered(PendingDouble { value, beavers: double.beavers + 1, on_roll: double.on_roll });
    Ok(())
}

fn accept_double(game: &mut Game, seat: Seat, value: CubeValue) -> Result<(), OutOfOrder> {
    let double = pending_double(game, seat)?;
    if double.value != value {
        return out_of_order("another value accepted than was offered");
    }
    take_cube(game, double);
    game.phase = Phase::Turn(Turn::Roll { seat: double.on_roll });
    Ok(())
}

fn decline_double(game: &Game, seat: Seat) -> Result<(), OutOfOrder> {
    pending_double(game, seat).map(|_| ())
}

fn pending_resignation(game: &Game, answerer: Seat) -> Result<PendingResignation, OutOfOrder> {
    match game.phase {
        Phase::ResignationOffered(resignation) if resignation.offered_by != answerer => Ok(resignation),
        _ => out_of_order("an answer to a resignation that was not offered to that seat"),
    }
}

fn decline_resignation(game: &mut Game, seat: Seat) -> Result<(), OutOfOrder> {
    let resignation = pending_resignation(game, seat)?;
    let declined = &mut game.declined[resignation.offered_by];
    *declined = (*declined).max(Some(resignation.kind));
    game.phase = Phase::Turn(resignation.turn);
    Ok(())
}

fn end_game(state: &mut Match, result: GameResult) -> Result<(), OutOfOrder> {
    let game = running(state)?;
    game.phase = Phase::Over(result);
    // A game that does not count is no Crawford game either: the next one is.
    state.crawford_played |= game.crawford && result.win.is_some();
    state.score = result.score;
    Arc::make_mut(&mut state.games).push(result);
    Ok(())
}

fn end_match(state: &mut Match, result: MatchResult) -> Result<(), OutOfOrder> {
    if result.reason == MatchEndReason::PointsReached && running(state).is_ok() {
        return out_of_order("the match is won in the middle of a game");
    }
    state.result = Some(result);
    if let Some(entropy) = &mut state.entropy {
        entropy.deadline = None;
    }
    Ok(())
}
