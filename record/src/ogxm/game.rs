//! The section of one game.

use chaquete_rules::{Dice, GameEndReason, GameResult, Move, Seat};

use crate::NoWord;
use crate::played::{PlayedGame, Word};

use super::bytes::{Record, varint};
use super::no_word;

const DOUBLE: u8 = 21;
const TAKE: u8 = 22;
const DROP: u8 = 23;
const RESIGN_GAME: u8 = 27;
const FORFEIT: u8 = 29;
const BEAVER: u8 = 32;
/// The bit of Black, who is seat two.
const BLACK: u8 = 1 << 6;
/// The bit of an action that has a record behind it.
const EXTRAS: u8 = 1 << 7;
/// The most actions of one game.
const MAX_ACTIONS: usize = 1500;

/// The bytes of a game, and whether a roll was left out that nobody played.
pub(super) fn bytes(game: &PlayedGame) -> Result<(Vec<u8>, bool), NoWord> {
    let mut bytes = head(game).bytes();
    let mut leaves_out = false;
    if game.words.len() >= MAX_ACTIONS {
        return no_word("a game of more than 1500 actions");
    }
    for (index, word) in game.words.iter().enumerate() {
        let is_beavered = index > 0 && matches!(game.words[index - 1], Word::Beavered { .. });
        let next = game.words.get(index + 1).copied();
        match *word {
            Word::Rolled { seat, dice, ref mv } => bytes.extend(roll(seat, dice, mv)),
            Word::Unplayed { seat, dice } if game.result.is_some() => {
                bytes.extend(roll(seat, dice, &Move::EMPTY));
            }
            Word::Unplayed { .. } => leaves_out = true,
            Word::Doubled { seat, .. } => bytes.push(action(DOUBLE, seat)),
            Word::Beavered { seat, .. } => {
                check_beaver(next, game)?;
                bytes.push(action(BEAVER, seat));
            }
            // A beaver has no other answer.
            Word::Took { .. } if is_beavered => {}
            Word::Took { seat } => bytes.push(action(TAKE, seat)),
            Word::Dropped { seat } => bytes.push(action(DROP, seat)),
        }
    }
    if let Some(result) = &game.result {
        bytes.extend(end(result));
    }
    Ok((bytes, leaves_out))
}

const fn action(action: u8, seat: Seat) -> u8 {
    match seat {
        Seat::One => action,
        Seat::Two => action | BLACK,
    }
}

fn head(game: &PlayedGame) -> Record {
    let mut record = Record::default();
    let win = game.result.as_ref().and_then(|result| Some((result.win?, result)));
    if let Some((win, result)) = win {
        record.put(0, &[u8::from(win.seat == Seat::Two)]);
        record.put(1, &varint(result.points.into()));
    }
    if game.automatic_doubles > 0 {
        record.put(6, &varint(game.automatic_doubles.into()));
    }
    if let Some((_, result)) = win {
        record.put(7, &[termination(result.reason)]);
    }
    record
}

/// Played out, dropped, resigned, or (after "settled") forfeited.
const fn termination(reason: GameEndReason) -> u8 {
    match reason {
        GameEndReason::BorneOff => 0,
        GameEndReason::DoubleDeclined => 1,
        GameEndReason::Resigned => 2,
        GameEndReason::Timeout | GameEndReason::Adjudicated | GameEndReason::Void => 4,
    }
}

/// A roll: which dice is the number of the action, the steps follow.
fn roll(seat: Seat, dice: Dice, mv: &Move) -> Vec<u8> {
    const FIRST: [u8; 6] = [0, 6, 11, 15, 18, 20];
    let (smaller, larger) = (dice.smaller().pips(), dice.larger().pips());
    let mut bytes = vec![action(FIRST[usize::from(smaller) - 1] + larger - smaller, seat)];
    bytes.extend(mv.steps().iter().map(|step| {
        let place = match seat {
            Seat::One => 25 - step.source.number(),
            Seat::Two => step.source.number(),
        };
        step.die.pips() << 5 | place
    }));
    let most = if dice.is_double() { 4 } else { 2 };
    if mv.steps().len() < most {
        bytes.push(0);
    }
    bytes
}

/// A beaver takes and redoubles at once: it cannot be declined. After a raccoon the cube lies with the other
/// side than here.
fn check_beaver(next: Option<Word>, game: &PlayedGame) -> Result<(), NoWord> {
    match next {
        Some(Word::Dropped { .. }) => no_word("a beaver that is declined"),
        Some(Word::Beavered { .. }) => no_word("a raccoon after which the one who was doubled has the cube"),
        None if game.result.is_none() => no_word("a beaver that waits for its answer"),
        _ => Ok(()),
    }
}

/// What ended the game, if that was no play.
fn end(result: &GameResult) -> Vec<u8> {
    let Some(win) = result.win else { return Vec::new() };
    let loser = win.seat.opponent();
    match result.reason {
        GameEndReason::BorneOff | GameEndReason::DoubleDeclined => Vec::new(),
        GameEndReason::Resigned => {
            let mut record = Record::default();
            record.put(1, &varint((result.points / result.cube.get()).max(1).into()));
            [vec![action(RESIGN_GAME, loser) | EXTRAS], record.bytes()].concat()
        }
        GameEndReason::Timeout | GameEndReason::Adjudicated | GameEndReason::Void => {
            vec![action(FORFEIT, loser)]
        }
    }
}
