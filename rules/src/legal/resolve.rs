//! From what a player wrote to the legal move that is meant.

use super::explain::explain;
use super::line::{Line, all_lines};
use super::{LegalMove, LegalMoves};
use crate::turn::Hop;
use crate::{Dice, IllegalMove, Move, MoveViolation, Written};

pub(super) fn resolve(moves: &LegalMoves, written: &Written) -> Result<LegalMove, IllegalMove> {
    let hops: Vec<_> = written.hops().collect();
    if hops.is_empty() && moves.is_empty() {
        return Ok(LegalMove { mv: Move::EMPTY, after: moves.position });
    }
    match readings(moves, &hops).as_slice() {
        [] => Err(explain(moves, &hops)),
        [only] => Ok(*only),
        several => {
            let ambiguous =
                IllegalMove { violation: MoveViolation::Ambiguous, step: first_merged(&hops, moves.dice) };
            literal(several, &hops).ok_or(ambiguous)
        }
    }
}

/// One legal move for each result that the hops can be read as.
fn readings(moves: &LegalMoves, hops: &[Hop]) -> Vec<LegalMove> {
    let mut readings: Vec<LegalMove> = Vec::new();
    all_lines(&Line::start(moves.position, moves.dice), hops, &mut |line| {
        // Several lines lead to each result; the first keeps closest to the order written.
        if readings.iter().any(|known| known.after == line.position) {
            return;
        }
        let Some(mut reading) = moves.to(&line.position) else { return };
        // A line of fewer dice bears off by one die what legally takes two; and which die a single step
        // uses is not the player's choice (A10). The steps of the legal move stand for those.
        if moves.dice_used > 1 && line.played.steps().len() == usize::from(moves.dice_used) {
            reading.mv = line.played;
        }
        readings.push(reading);
    });
    readings
}

/// Of several readings the one that touches nothing but the points written: there is at most one, because
/// readings differ only in what they hit on the way. A star where it hits nothing speaks against it.
fn literal(several: &[LegalMove], hops: &[Hop]) -> Option<LegalMove> {
    let written = hops.iter().fold(0, |mask, hop| mask | 1 << hop.step.target.number());
    let literal = several.iter().find(|reading| reading.mv.hits() & !written == 0)?;
    let agrees = |hop: &Hop| !hop.star || literal.mv.hits() & (1 << hop.step.target.number()) != 0;
    hops.iter().all(agrees).then_some(*literal)
}

/// The first hop that is longer than one die.
fn first_merged(hops: &[Hop], dice: Dice) -> usize {
    let is_merged = |hop: &Hop| {
        [dice.first, dice.second].into_iter().all(|die| hop.step.source.target(die) != hop.step.target)
    };
    hops.iter().position(is_merged).unwrap_or(0)
}
