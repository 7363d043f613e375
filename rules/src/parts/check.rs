//! What holds in every match, after each of its events.

use std::sync::Arc;

use super::{BadParts, none_of};
use crate::{
    Contributing, Contributions, Contributor, Cube, CubeValue, Dice, Game, GameEndReason, GameResult, Length,
    Match, MatchEndReason, MatchResult, MoneyRules, PendingDouble, PendingResignation, Phase,
    ROLLS_PER_EPOCH, Score, Seat, TimeoutPolicy, Turn, WinKind, matchplay::leader,
};

impl Match {
    pub(super) fn check(&self) -> Result<(), BadParts> {
        self.check_dice()?;
        self.check_pause()?;
        match &self.game {
            Some(game) => {
                self.check_games(game)?;
                self.check_cube(game)?;
                self.check_board(game)?;
                self.check_phase(game)?;
                self.result.as_ref().map_or(Ok(()), |result| self.check_result(game, result))
            }
            None => none_of([
                (!self.games.is_empty(), "games have ended, though none has begun"),
                (self.score != Score::default(), "points, though no game has begun"),
                (self.crawford_played, "the Crawford game was played, though no game has begun"),
                (self.result.is_some(), "an end, though no game has begun"),
                (self.rolls > 0, "dice were rolled, though no game has begun"),
                (self.paused, "a pause, though no game has begun"),
            ]),
        }
    }

    fn check_dice(&self) -> Result<(), BadParts> {
        let is_committed = self.terms.dice.is_committed();
        let commitment = self.commitment.is_some();
        self.check_entropy()?;
        none_of([
            (commitment && !is_committed, "a commitment to dice that are not committed"),
            (
                is_committed && !commitment && self.game.is_some() && !self.awaits_entropy(),
                "committed dice without a commitment",
            ),
            (commitment && self.rolls > ROLLS_PER_EPOCH, "more rolls than an epoch of dice has"),
        ])
    }

    /// Commitments come before the server's, and openings after it.
    fn check_entropy(&self) -> Result<(), BadParts> {
        let (entropy, contributing) = match (self.entropy, self.terms.dice.contributing()) {
            (None, None) => return Ok(()),
            (Some(entropy), Some(contributing)) => (entropy, contributing),
            _ => return none_of([(true, "contributions to dice, where nobody contributes, or none")]),
        };
        let has_committed = self.has_committed(&entropy);
        let own = entropy.commitments.0.map(Option::unwrap_or_default);
        let any = |of: Contributions| {
            move |is: fn(Contributing, Contributor) -> bool| {
                Contributor::ALL.into_iter().any(|by| of[by].is_some() && is(contributing, by))
            }
        };
        let is_stranger = |contributing: Contributing, by| !contributing.includes(by);
        let epoch =
            self.commitment.as_ref().map_or(0, |commitment| commitment.epoch + u32::from(!has_committed));
        let runs = self.awaits_entropy() && !self.paused && self.game.is_some();
        none_of([
            (entropy.epoch != epoch, "contributions to an epoch that is not the next"),
            (any(entropy.commitments)(is_stranger), "a contribution of somebody who does not contribute"),
            (any(entropy.openings)(is_stranger), "a contribution of somebody who does not contribute"),
            (!has_committed && any(entropy.openings)(|_, _| true), "a contribution opened before the dice"),
            (
                self.commitment.as_ref().is_some_and(|dice| has_committed && dice.commitments != own),
                "dice committed to other contributions than there are",
            ),
            (
                !has_committed && epoch > 0 && self.rolls < ROLLS_PER_EPOCH,
                "contributions to an epoch before the one before it is used up",
            ),
            (entropy.deadline.is_some() != runs, "time for contributions that are not awaited, or none"),
        ])
    }

    fn check_pause(&self) -> Result<(), BadParts> {
        let stands = self.clocks.map(|clocks| clocks.parts().paused.is_some());
        none_of([
            (
                stands.is_some_and(|stands| stands != self.paused),
                "the match and its clocks do not agree whether they are paused",
            ),
            (
                self.credited.is_some() && stands.is_none() && self.entropy.is_none(),
                "time was given back, though there are no limits of time",
            ),
        ])
    }

    /// Counts the games once more: they make the score, and say which of them was the Crawford game.
    fn check_games(&self, game: &Game) -> Result<(), BadParts> {
        let is_over = matches!(game.phase, Phase::Over(_));
        let number = self.games.len() + usize::from(!is_over);
        none_of([(
            game.number as usize != number,
            "the game has not the number that follows the games before it",
        )])?;
        let mut counted = Self::new(self.terms().clone());
        for result in self.games.iter().take(number.saturating_sub(1)) {
            counted.count(result)?;
        }
        none_of([
            (counted.result_if_decided().is_some(), "a game after the match was decided"),
            (
                game.crawford != counted.next_is_crawford(),
                "the score does not agree whether this is the Crawford game",
            ),
        ])?;
        if let Phase::Over(result) = game.phase {
            none_of([
                (self.games.last() != Some(&result), "the last game has ended in two ways"),
                (
                    counted.game_result(game, result.win, result.reason) != result,
                    "a result that its game does not have",
                ),
            ])?;
            counted.count(&result)?;
        }
        none_of([
            (counted.score != self.score, "the score is not the sum of the games"),
            (
                counted.crawford_played != self.crawford_played,
                "the games do not agree whether the Crawford game was played",
            ),
        ])
    }

    /// Counts one more game that has ended.
    fn count(&mut self, result: &GameResult) -> Result<(), BadParts> {
        let GameResult { win, reason, cube, jacoby_applied, .. } = *result;
        let is_crawford = self.next_is_crawford();
        // A cube of 1 was never turned.
        let was_turned = cube > CubeValue::ONE && !jacoby_applied;
        let expected = self.worth(self.games.len() as u32 + 1, cube, was_turned, win, reason);
        let given_up = matches!(reason, GameEndReason::DoubleDeclined | GameEndReason::Timeout);
        none_of([
            (*result != expected, "a game that does not count what it is worth"),
            (cube > self.terms.rules.max_cube, "a game with a cube beyond its limit"),
            (is_crawford && cube > CubeValue::ONE, "a Crawford game with a cube"),
            (
                win.is_none() != (reason == GameEndReason::Void),
                "a game has a winner if it counts, and only then",
            ),
            (
                given_up && win.is_some_and(|win| win.kind != WinKind::Single),
                "more than a single game given up",
            ),
        ])?;
        self.crawford_played |= is_crawford && win.is_some();
        self.score = result.score;
        Arc::make_mut(&mut self.games).push(*result);
        Ok(())
    }

    fn check_cube(&self, game: &Game) -> Result<(), BadParts> {
        let Cube { value, owner } = game.cube;
        let most_automatic = match self.terms.rules.length {
            Length::Money(MoneyRules { max_automatic_doubles, .. }) => max_automatic_doubles,
            Length::Points { .. } => 0,
        };
        let (doubles, automatic) = (value.log2(), game.automatic_doubles);
        let is_turned_as_often = if game.cube_turned { doubles > automatic } else { doubles == automatic };
        none_of([
            (value > self.terms.rules.max_cube, "a cube beyond its limit"),
            (automatic > most_automatic, "more automatic doubles than were agreed"),
            (game.cube_turned != owner.is_some(), "a cube has an owner once it was turned, and only then"),
            (!is_turned_as_often, "a cube with another value than its doubles make"),
            (game.crawford && game.cube != Cube::CENTERED, "a cube that was turned in the Crawford game"),
            (game.cube_turned && game.turn_number < 2, "a cube that was turned before the first turn"),
        ])
    }

    fn check_board(&self, game: &Game) -> Result<(), BadParts> {
        let start = self.terms.rules.start();
        let any_side = |is_wrong: &dyn Fn(Seat) -> bool| Seat::BOTH.into_iter().any(is_wrong);
        let is_finished = |seat: Seat| game.board.side(seat).is_finished();
        // Who has borne off the last checker, and who may have without its being said yet.
        let (winner, mover) = match game.phase {
            Phase::Over(GameResult { win, reason: GameEndReason::BorneOff, .. }) => {
                (win.map(|win| win.seat), None)
            }
            Phase::Turn(Turn::Move { seat, .. }) => (None, Some(seat)),
            _ => (None, None),
        };
        let has_opened = !matches!(game.phase, Phase::Waiting { .. } | Phase::Turn(Turn::OpeningRoll));
        none_of([
            (
                any_side(&|seat| game.board.side(seat).checkers() != start.side(seat).checkers()),
                "another number of checkers than the game began with",
            ),
            (
                any_side(&|seat| is_finished(seat) && mover != Some(seat) && winner != Some(seat)),
                "a seat without checkers that has not won",
            ),
            (winner.is_some_and(|seat| !is_finished(seat)), "a game borne off with checkers left"),
            (!has_opened && game.board != start, "checkers moved before the opening roll"),
        ])
    }

    fn check_phase(&self, game: &Game) -> Result<(), BadParts> {
        none_of([(game.turn_number == 0, "turns are numbered from 1")])?;
        match game.phase {
            Phase::Waiting { ready } => none_of([
                (!self.terms.ready_check, "a game that waits, though no ready check was agreed"),
                (ready.one && ready.two, "a game that waits, though both seats are ready"),
                (game.turn_number > 1 || game.automatic_doubles > 0, "a game that waits after it has begun"),
                (
                    game.declined.one.or(game.declined.two).is_some(),
                    "a resignation before the game has begun",
                ),
            ]),
            Phase::Turn(turn) => self.check_turn(game, turn),
            Phase::DoubleOffered(double) => self.check_double(game, double),
            Phase::ResignationOffered(PendingResignation { offered_by, kind, turn }) => {
                self.check_turn(game, turn)?;
                none_of([(
                    game.may_resign(offered_by, kind).is_err(),
                    "a resignation that was declined already",
                )])
            }
            Phase::Over(_) => Ok(()),
        }
    }

    fn check_turn(&self, game: &Game, turn: Turn) -> Result<(), BadParts> {
        let has_opening_roll = matches!(turn, Turn::OpeningRoll | Turn::Move { opening: true, .. });
        let opener = |dice: Dice| self.terms.rules.opening.first_seat(dice);
        let is_others =
            matches!(turn, Turn::Move { seat, dice, opening: true } if opener(dice) != Some(seat));
        none_of([
            (
                has_opening_roll != (game.turn_number == 1),
                "the first turn, and no other, has the opening roll",
            ),
            (is_others, "an opening roll that lets the other seat begin"),
        ])
    }

    fn check_double(&self, game: &Game, double: PendingDouble) -> Result<(), BadParts> {
        let PendingDouble { on_roll, value, beavers } = double;
        let most_beavers = match self.terms.rules.length {
            Length::Money(MoneyRules { max_beavers, .. }) => max_beavers,
            Length::Points { .. } => 0,
        };
        // A beaver keeps the cube with the seat that was doubled first.
        let is_beaver_owner = game.cube.owner == Some(on_roll.opponent());
        none_of([
            (game.turn_number < 2, "a double before the first turn"),
            (self.raised(game.cube.value) != Ok(value), "a double for which the cube has no room"),
            (beavers == 0 && self.may_double(game, on_roll).is_err(), "a double that was not allowed"),
            (beavers > most_beavers.min(game.cube.value.log2()), "more beavers than were agreed"),
            (beavers > 0 && !is_beaver_owner, "a beaver without the cube"),
        ])
    }

    fn check_result(&self, game: &Game, result: &MatchResult) -> Result<(), BadParts> {
        let MatchResult { winner, score, reason } = *result;
        let is_over = matches!(game.phase, Phase::Over(_));
        let is_money = matches!(self.terms.rules.length, Length::Money(_));
        let costs_match = self.terms.time.is_some_and(|time| time.policy != TimeoutPolicy::ForfeitGame);
        let is_possible = match reason {
            MatchEndReason::PointsReached => false,
            MatchEndReason::SessionClosed => is_money && !game.has_begun() && winner == leader(score),
            MatchEndReason::Timeout => costs_match && winner.is_some(),
            MatchEndReason::Adjudicated => winner.is_some(),
            MatchEndReason::Cancelled => winner.is_none(),
        };
        none_of([
            (score != self.score, "the match has ended with another score"),
            (is_over && self.result_if_decided() != Some(*result), "an end that the games do not lead to"),
            (!is_over && !is_possible, "an end in the middle of a game that it does not allow"),
        ])
    }
}
