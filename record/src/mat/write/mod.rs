//! The writer: a match as GNU Backgammon and eXtreme Gammon read it.

mod columns;
mod game;
mod head;
mod text;

use std::fmt::Write as _;

use chaquete_rules::{BySeat, Event, GameResult, Match, MatchEndReason, Score};
use thiserror::Error;

use crate::chronicle::Chronicle;
use crate::remark::{Remark, RemarkKind, end_of_game, end_of_match};
use game::{Finished, Sheet};
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
    let mut writer = Writer::new(Head::of(chronicle));
    let end = chronicle.replay(|state, event| writer.happen(state, event));
    writer.close(&end);
    let (head, mut remarks) = writer.head.finish(rules.length);
    remarks.extend(writer.remarks);
    Ok((head + &writer.games, remarks))
}

struct Writer {
    head: Head,
    /// The games that were written, and how many.
    games: String,
    written: u32,
    /// The game that is being played, and the score at its start.
    sheet: Option<(Sheet, Score)>,
    /// Why the game or the match that ends next was adjudicated.
    adjudicated: String,
    remarks: Vec<Remark>,
}

impl Writer {
    const fn new(head: Head) -> Self {
        Self {
            head,
            games: String::new(),
            written: 0,
            sheet: None,
            adjudicated: String::new(),
            remarks: Vec::new(),
        }
    }

    fn happen(&mut self, state: &Match, event: &Event) {
        match event {
            Event::GameStarted { .. } => {
                let number = state.games().len() as u32 + 1;
                self.sheet = Some((Sheet::new(number), state.score()));
            }
            Event::GameEnded(result) => self.end_game(state, result),
            Event::MatchEnded { result, reason } => {
                let why = std::mem::take(&mut self.adjudicated) + reason;
                self.end_match(result.reason, &why);
            }
            Event::Adjudicated { reason, .. } => self.adjudicated.clone_from(reason),
            Event::PlayerReady { .. }
            | Event::TimeCredited { .. }
            | Event::MatchPaused { .. }
            | Event::MatchResumed
            | Event::MatchUpdated => self.remark(RemarkKind::BesidePlay),
            event => {
                if let (Some((sheet, _)), Some(game)) = (&mut self.sheet, state.game()) {
                    sheet.happen(game, event);
                }
            }
        }
    }

    fn remark(&mut self, kind: RemarkKind) {
        let remark = Remark { game: None, kind };
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    fn end_game(&mut self, state: &Match, result: &GameResult) {
        let (Some((sheet, start)), Some(game)) = (self.sheet.take(), state.game()) else { return };
        let finished = sheet.end(game, result);
        if finished.remarks.iter().any(|remark| matches!(remark.kind, RemarkKind::EndChanged { .. })) {
            let why = std::mem::take(&mut self.adjudicated);
            let end = because(end_of_game(result.reason), &why);
            self.head.tag(&format!("End {}", self.written + 1), &end);
        }
        self.finish(start, finished);
    }

    fn finish(&mut self, start: Score, finished: Finished) {
        self.remarks.extend(finished.remarks);
        let Some(lines) = finished.text else { return };
        self.written += 1;
        let BySeat { one, two } = &self.head.names;
        let left = format!("{one} : {}", start.one);
        // Writing to a string cannot fail.
        let _ = writeln!(self.games, "\n Game {}\n {left:30}  {two} : {}", self.written, start.two);
        self.games.push_str(&lines);
    }

    fn end_match(&mut self, reason: MatchEndReason, why: &str) {
        match reason {
            MatchEndReason::PointsReached | MatchEndReason::SessionClosed => {}
            MatchEndReason::Timeout | MatchEndReason::Adjudicated | MatchEndReason::Cancelled => {
                self.head.tag("End", &because(end_of_match(reason), why));
                self.remark(RemarkKind::MatchEnd { reason });
            }
        }
    }

    /// Writes the game that was not played to its end, unless there is nothing to write of it.
    fn close(&mut self, end: &Match) {
        if let Some((sheet, start)) = self.sheet.take() {
            if sheet.is_empty() && self.written > 0 {
                self.remarks.extend(sheet.break_off().remarks);
            } else {
                self.finish(start, sheet.break_off());
            }
        }
        if end.result().is_none() {
            self.remark(RemarkKind::MatchUnfinished);
        }
    }
}

fn because(what: &str, why: &str) -> String {
    if why.is_empty() { what.to_owned() } else { format!("{what}: {why}") }
}
