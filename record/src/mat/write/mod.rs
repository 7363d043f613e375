//! The writer: a match as GNU Backgammon and eXtreme Gammon read it.

mod columns;
mod game;
mod head;
mod text;

use std::fmt::Write as _;

use chaquete_rules::{BySeat, GameEndReason};
use thiserror::Error;

use crate::chronicle::Chronicle;
use crate::played::{PlayedGame, PlayedMatch};
use crate::remark::{Remark, RemarkKind, end_of_game, end_of_match};
use head::Head;
pub(super) use text::column_name;

/// Why a match cannot be written as a match file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MatWriteError {
    /// The games begin from a position of their own, for which the format has no place.
    #[error("a match file has no place for games that begin from a position of their own")]
    StartPosition,
}

impl MatWriteError {
    /// The stable code of the error.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::StartPosition => "START_POSITION",
        }
    }
}

/// Writes a match file, and says what it could not hold.
///
/// # Errors
/// If the match cannot be written as a match file at all.
pub fn write(chronicle: &Chronicle) -> Result<(String, Vec<Remark>), MatWriteError> {
    let rules = &chronicle.terms().rules;
    if rules.initial.is_some_and(|board| board != rules.variant.start()) {
        return Err(MatWriteError::StartPosition);
    }
    let mut writer =
        Writer { head: Head::of(chronicle), games: String::new(), written: 0, remarks: Vec::new() };
    let played = PlayedMatch::of(chronicle);
    for game in &played.games {
        writer.game(game);
    }
    if let Some((reason, why)) = &played.cut_short {
        writer.head.tag("End", &because(end_of_match(*reason), why));
    }
    let (head, mut remarks) = writer.head.finish(rules.length);
    remarks.extend(writer.remarks);
    remarks.extend(played.remarks);
    Ok((head + &writer.games, remarks))
}

struct Writer {
    head: Head,
    /// The games that were written, and how many.
    games: String,
    written: u32,
    remarks: Vec<Remark>,
}

impl Writer {
    fn game(&mut self, game: &PlayedGame) {
        self.remark(game, RemarkKind::AutomaticDoubles, game.automatic_doubles > 0);
        self.remark(game, RemarkKind::BeaverDeclined, game::declines_beaver(game));
        // Of a game that nobody has begun there is nothing to tell.
        if game.words.is_empty() && game.result.is_none() && self.written > 0 {
            return;
        }
        self.written += 1;
        match game.result.map(|result| result.reason) {
            Some(reason @ (GameEndReason::Timeout | GameEndReason::Adjudicated | GameEndReason::Void)) => {
                self.head.tag(&format!("End {}", self.written), &because(end_of_game(reason), &game.why));
            }
            Some(GameEndReason::BorneOff | GameEndReason::DoubleDeclined | GameEndReason::Resigned)
            | None => {}
        }
        let BySeat { one, two } = &self.head.names;
        let left = format!("{one} : {}", game.start.one);
        // Writing to a string cannot fail.
        let _ = writeln!(self.games, "\n Game {}\n {left:30}  {two} : {}", self.written, game.start.two);
        self.games.push_str(&game::lines(game));
    }

    fn remark(&mut self, game: &PlayedGame, kind: RemarkKind, applies: bool) {
        if applies {
            self.remarks.push(Remark { game: Some(game.number), kind });
        }
    }
}

fn because(what: &str, why: &str) -> String {
    if why.is_empty() { what.to_owned() } else { format!("{what}: {why}") }
}
