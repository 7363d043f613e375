//! The lines of one game.

use std::fmt::Write as _;

use chaquete_rules::{GameEndReason, GameResult, Move};

use super::columns::Columns;
use crate::played::{PlayedGame, Word};

/// The lines of a game. What waits for its answer when it ends stands there without one.
pub(super) fn lines(game: &PlayedGame) -> String {
    let mut columns = Columns::default();
    for (index, &word) in game.words.iter().enumerate() {
        let (before, next) = (&game.words[..index], game.words.get(index + 1));
        match word {
            Word::Rolled { seat, dice, ref mv } => {
                columns.put(seat, format!("{}{}:{}", dice.first, dice.second, steps(mv)));
            }
            Word::Unplayed { seat, dice } => {
                columns.put(seat, format!("{}{}: ????", dice.first, dice.second));
            }
            Word::Doubled { seat, value } => columns.put(seat, format!(" Doubles => {value}")),
            Word::Beavered { seat, value } => {
                let name = if beavers(before).is_multiple_of(2) { "Beavers" } else { "Raccoons" };
                columns.put(seat, format!(" {name} => {value}"));
            }
            // That a beaver was accepted is told by the roll: one more cell would shift the columns.
            Word::Took { .. } if !beavers(before).is_multiple_of(2) && is_roll(next) => {}
            Word::Took { seat } => columns.put(seat, " Takes".to_owned()),
            Word::Dropped { seat } => columns.put(seat, " Drops".to_owned()),
        }
    }
    if let Some(result) = &game.result {
        end(&mut columns, result);
    }
    columns.finish()
}

/// Whether a beaver is declined in the game.
pub(super) fn declines_beaver(game: &PlayedGame) -> bool {
    let is_declined = |pair: &[Word]| matches!(pair, [Word::Beavered { .. }, Word::Dropped { .. }]);
    game.words.windows(2).any(is_declined)
}

/// How many beavers and raccoons come right before.
fn beavers(before: &[Word]) -> usize {
    before.iter().rev().take_while(|word| matches!(word, Word::Beavered { .. })).count()
}

const fn is_roll(word: Option<&Word>) -> bool {
    matches!(word, Some(Word::Rolled { .. } | Word::Unplayed { .. }))
}

fn end(columns: &mut Columns, result: &GameResult) {
    let Some(win) = result.win else { return };
    let plural = if result.points == 1 { "" } else { "s" };
    let words = format!("Wins {} point{plural}", result.points);
    columns.win(win.seat, result.reason == GameEndReason::DoubleDeclined, &words);
}

/// The steps of a move, die by die in playing order: so nothing about it is left to be guessed.
fn steps(mv: &Move) -> String {
    mv.steps().iter().fold(String::new(), |mut text, step| {
        let star = if step.hit { "*" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(text, " {}/{}{star}", step.source.number(), step.target().number());
        text
    })
}
