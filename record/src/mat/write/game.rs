//! One game, event after event.

use std::fmt::Write as _;

use chaquete_rules::{
    CubeValue, Dice, Event, Game, GameEndReason, GameResult, Move, PendingDouble, Phase, Roll, Seat, WinKind,
};

use super::columns::Columns;
use crate::remark::{Remark, RemarkKind};

/// A game as it fills up.
#[derive(Debug)]
pub(super) struct Sheet {
    number: u32,
    columns: Columns,
    /// The roll that was not played yet.
    roll: Option<(Seat, Dice)>,
    /// The cube word that was not answered yet.
    offer: Option<(Seat, String)>,
    /// Who has accepted a beaver: it is written only if no roll says so.
    taker: Option<Seat>,
    /// What was resigned and not answered yet.
    resigned: Option<WinKind>,
    remarks: Vec<Remark>,
}

impl Sheet {
    pub(super) fn new(number: u32) -> Self {
        Self {
            number,
            columns: Columns::default(),
            roll: None,
            offer: None,
            taker: None,
            resigned: None,
            remarks: Vec::new(),
        }
    }

    pub(super) fn remark(&mut self, kind: RemarkKind) {
        let remark = Remark { game: Some(self.number), kind };
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// Whether nothing was done in the game.
    pub(super) const fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.roll.is_none() && self.offer.is_none()
    }

    /// Writes what happened; `game` is the game before it.
    pub(super) fn happen(&mut self, game: &Game, event: &Event) {
        match *event {
            Event::DiceRolled { seat: Some(seat), roll, opening, .. } => self.rolled(seat, roll, opening),
            Event::DiceRolled { automatic_double: true, .. } => self.remark(RemarkKind::AutomaticDoubles),
            Event::DiceRolled { .. } => self.remark(RemarkKind::EqualOpeningDice),
            Event::MoveMade { ref mv, .. } => self.played(&steps(mv)),
            Event::TurnForfeited { .. } => self.played(""),
            Event::DoubleOffered { seat, value } => self.offered(seat, "Doubles", value),
            Event::DoubleBeavered { seat, value } => {
                self.answer();
                let is_beaver = pending(game).is_none_or(|double| double.beavers.is_multiple_of(2));
                self.offered(seat, if is_beaver { "Beavers" } else { "Raccoons" }, value);
            }
            Event::DoubleAccepted { seat, .. } => self.accepted(game, seat),
            Event::DoubleDeclined { seat } => {
                if pending(game).is_some_and(|double| double.beavers > 0) {
                    self.remark(RemarkKind::BeaverDeclined);
                }
                self.answer();
                self.columns.put(seat, " Drops".to_owned());
            }
            Event::ResignationOffered { kind, .. } => self.resigned = Some(kind),
            Event::ResignationDeclined { .. } => self.left_unresigned(),
            _ => {}
        }
    }

    fn rolled(&mut self, seat: Seat, roll: Roll, opening: bool) {
        // That a beaver was accepted is told by the roll: one more cell would shift the columns.
        self.taker = None;
        // In an opening roll the dice are those of the seats: the mover's own comes first.
        let Dice { first, second } = roll.dice;
        let is_other_way = opening && seat == Seat::Two;
        let dice = if is_other_way { Dice { first: second, second: first } } else { roll.dice };
        self.roll = Some((seat, dice));
    }

    /// Writes the roll with how it was played.
    fn played(&mut self, play: &str) {
        if let Some((seat, dice)) = self.roll.take() {
            self.columns.put(seat, format!("{}{}:{play}", dice.first, dice.second));
        }
    }

    fn offered(&mut self, seat: Seat, word: &str, value: CubeValue) {
        self.offer = Some((seat, format!(" {word} => {value}")));
    }

    /// Writes the cube word that is being answered.
    fn answer(&mut self) {
        if let Some((seat, word)) = self.offer.take() {
            self.columns.put(seat, word);
        }
    }

    fn accepted(&mut self, game: &Game, seat: Seat) {
        self.answer();
        if pending(game).is_some_and(|double| double.on_roll == seat) {
            self.taker = Some(seat);
        } else {
            self.columns.put(seat, " Takes".to_owned());
        }
    }

    fn left_unresigned(&mut self) {
        if self.resigned.take().is_some() {
            self.remark(RemarkKind::ResignationLeftOut);
        }
    }

    /// Writes what still waits: a take that no roll tells, a roll that was not played.
    fn settle(&mut self) {
        if let Some(seat) = self.taker.take() {
            self.columns.put(seat, " Takes".to_owned());
        }
        self.played(" ????");
    }

    /// Writes how the game ended. A game that does not count is none: nothing of it is left.
    pub(super) fn end(mut self, game: &Game, result: &GameResult) -> Finished {
        let Some(win) = result.win else {
            let remarks = vec![Remark { game: Some(self.number), kind: RemarkKind::VoidGame }];
            return Finished { text: None, remarks };
        };
        match result.reason {
            GameEndReason::Resigned => self.end_resigned(result),
            GameEndReason::Timeout | GameEndReason::Adjudicated | GameEndReason::Void => {
                self.cut_short(game);
                self.remark(RemarkKind::EndChanged { reason: result.reason });
            }
            GameEndReason::BorneOff | GameEndReason::DoubleDeclined => {}
        }
        self.settle();
        let plural = if result.points == 1 { "" } else { "s" };
        let words = format!("Wins {} point{plural}", result.points);
        self.columns.win(win.seat, result.reason == GameEndReason::DoubleDeclined, &words);
        self.finish()
    }

    fn end_resigned(&mut self, result: &GameResult) {
        let kind = self.resigned.take().filter(|_| result.jacoby_applied);
        if let Some(kind) = kind {
            self.remark(RemarkKind::ResignedForLess { kind });
        }
    }

    /// The game ended while something waited for its answer.
    fn cut_short(&mut self, game: &Game) {
        self.left_unresigned();
        // The double is left out. A beaver as well, but the double before it was accepted by that.
        if let (Some((seat, _)), Some(double)) = (self.offer.take(), pending(game))
            && double.beavers > 0
        {
            self.columns.put(seat, " Takes".to_owned());
        }
    }

    /// Writes a game that has no end.
    pub(super) fn break_off(mut self) -> Finished {
        self.left_unresigned();
        self.answer();
        self.settle();
        self.finish()
    }

    fn finish(self) -> Finished {
        Finished { text: Some(self.columns.finish()), remarks: self.remarks }
    }
}

/// The lines of a game, and what could not be written of it.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) text: Option<String>,
    pub(super) remarks: Vec<Remark>,
}

const fn pending(game: &Game) -> Option<PendingDouble> {
    match game.phase {
        Phase::DoubleOffered(double) => Some(double),
        _ => None,
    }
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
