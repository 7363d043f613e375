//! How a game ends, and whether the file tells it so.

use chaquete_rules::{Command, GameEndReason, GameResult, Length, Seat, WinKind};

use super::RecordedEnd;
use super::fault::{Fault, Halt};
use super::follow::{Follower, Place};
use crate::oddity::{Oddity, OddityKind};
use crate::sheet;

impl Follower {
    /// Keeps what the file says of the end: the winner's word counts more than the loser's.
    pub(super) fn record_end(
        &mut self,
        place: Place,
        winner: Seat,
        points: Option<u32>,
        and_the_match: bool,
    ) {
        let (line, column) = place.position();
        let end = RecordedEnd { line, column, winner, points, and_the_match };
        if place.seat == winner || self.recorded.is_none_or(|known| known.points.is_none()) {
            self.recorded = Some(end);
            self.winner_told |= place.seat == winner;
        }
    }

    /// Ends the game as the file tells, and compares.
    pub(super) fn end(&mut self, game: &sheet::Game) -> Result<(), Halt> {
        let Some(recorded) = self.recorded else {
            if self.result.is_none() {
                let (line, column) = game.end();
                self.oddities.push(Oddity { line, column, kind: OddityKind::GameUnfinished });
            }
            return Ok(());
        };
        let place = Place::at_end(recorded);
        if !self.winner_told {
            self.note(place, OddityKind::WinsOmitted);
        }
        if self.acts.is_empty() {
            self.note(place, OddityKind::NothingPlayed);
        }
        if self.result.is_none() {
            self.give_up(recorded).map_err(|fault| place.halt(fault))?;
        }
        if let Some(result) = self.result {
            self.compare(recorded, result);
        }
        Ok(())
    }

    /// The game was still on: the loser has dropped a double or resigned.
    fn give_up(&mut self, recorded: RecordedEnd) -> Result<(), Fault> {
        let loser = recorded.winner.opponent();
        let place = Place::at_end(recorded);
        match self.pending_double() {
            Some(double) if double.offered_by() == loser => Err(Fault::DoubleUnanswered),
            Some(_) => {
                self.note(place, OddityKind::DropOmitted);
                self.command(place, Command::DeclineDouble { seat: loser })
            }
            None => {
                let points = recorded.points.or_else(|| self.points_by_next(recorded.winner));
                let kind = self.kind_of(points.ok_or(Fault::PointsUnknown)?);
                self.resign(place, loser, kind)
            }
        }
    }

    /// What the winner has won, by the score of the next game.
    fn points_by_next(&self, winner: Seat) -> Option<u32> {
        self.next?[winner].checked_sub(self.state.score()[winner]).filter(|&points| points > 0)
    }

    /// The smallest loss that is worth so many points; servers that cap points cap them to less.
    pub(super) fn kind_of(&self, points: u32) -> WinKind {
        let cube = self.state.game().map_or(1, |game| game.cube.value.get());
        [WinKind::Single, WinKind::Gammon]
            .into_iter()
            .find(|kind| points <= kind.multiplier() * cube)
            .unwrap_or(WinKind::Backgammon)
    }

    fn compare(&mut self, recorded: RecordedEnd, result: GameResult) {
        let place = Place::at_end(recorded);
        let winner = result.win.map(|win| win.seat);
        if winner != Some(recorded.winner) {
            self.note(place, OddityKind::WinnerWrong { recorded: recorded.winner });
            return;
        }
        if let Some(kind) =
            recorded.points.and_then(|points| self.odd_points(recorded.winner, points, result))
        {
            self.note(place, kind);
        }
        let is_won = self.length().is_some_and(|length| result.score[recorded.winner] >= length);
        if recorded.and_the_match && !is_won {
            self.note(place, OddityKind::MatchNotWon);
        }
    }

    /// What is odd about the points written, if they are not those of the game.
    fn odd_points(&self, winner: Seat, recorded: u32, result: GameResult) -> Option<OddityKind> {
        let points = result.points;
        if recorded == points {
            return None;
        }
        let (cube, before) = (result.cube.get(), result.score[winner].saturating_sub(points));
        let is_cap = |length: u32| recorded < points && [length, length - before].contains(&recorded);
        let most = WinKind::Backgammon.multiplier() * cube;
        Some(if recorded > most {
            OddityKind::PointsImpossible { most, recorded }
        } else if self.length().is_some_and(is_cap) {
            OddityKind::PointsCapped { points, recorded }
        } else if recorded == 1 && cube == 1 {
            OddityKind::PointsByJacoby { points, recorded }
        } else if result.reason == GameEndReason::Resigned {
            OddityKind::PointsUndecided { cube, recorded }
        } else {
            OddityKind::PointsWrong { points, recorded }
        })
    }

    fn length(&self) -> Option<u32> {
        match self.state.terms().rules.length {
            Length::Points { points, .. } => Some(points.get()),
            Length::Money(_) => None,
        }
    }
}
