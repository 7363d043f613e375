//! What the server does without being asked.

use crate::{
    Action, Decision, Dice, LegalMove, LegalMoves, MAX_AUTOMATIC, Phase, Position, Refusal, Seat, Turn,
    decide::Draft,
};

impl Draft<'_> {
    /// Goes on by itself as far as was agreed.
    pub(crate) fn automate(mut self) -> Decision {
        let asked = self.events.len();
        while self.events.len() < asked + MAX_AUTOMATIC && self.goes_on() {}
        Decision { events: self.events, asked }
    }

    /// Does the next thing that was agreed to happen without asking, if there is one.
    fn goes_on(&mut self) -> bool {
        let Ok(game) = self.state.running_game() else { return false };
        match game.phase {
            _ if self.state.is_paused() || self.state.awaits_entropy() => false,
            Phase::Turn(Turn::Roll { seat }) => self.rolls_alone(seat).is_ok_and(|rolled| rolled),
            Phase::Turn(Turn::Move { seat, dice, .. }) => {
                let position = game.board.position(seat);
                self.plays_alone(seat, position, dice).is_ok_and(|played| played)
            }
            _ => false,
        }
    }

    fn rolls_alone(&mut self, seat: Seat) -> Result<bool, Refusal> {
        let wanted = self.state.terms().automation.roll_when_cube_unavailable && self.cup.is_some();
        if !wanted || self.state.permits(seat, Action::OfferDouble, self.now).is_ok() {
            return Ok(false);
        }
        self.roll(seat, None)?;
        Ok(true)
    }

    fn plays_alone(&mut self, seat: Seat, position: Position, dice: Dice) -> Result<bool, Refusal> {
        let automation = self.state.terms().automation;
        if !automation.play_forced_moves && !automation.bear_off_greedily {
            return Ok(false);
        }
        let legal = LegalMoves::new(position, dice);
        let forced = legal.iter().next().filter(|_| automation.play_forced_moves && legal.len() == 1);
        let greedy = || greediest(&legal).filter(|_| automation.bear_off_greedily && is_race_home(&position));
        match forced.or_else(greedy) {
            Some(chosen) => self.played(seat, &chosen).map(|()| true),
            None => Ok(false),
        }
    }
}

/// Whether all checkers of the mover are home and none of the opponent can be met any more.
fn is_race_home(position: &Position) -> bool {
    let opponent = position.opponent();
    position.mover().is_home()
        && opponent.bar() == 0
        && opponent.points()[18..].iter().all(|&count| count == 0)
}

/// The move that bears off most checkers; of several the one that leaves the fewest pips, and then the first
/// by notation, so that the choice is always the same.
fn greediest(legal: &LegalMoves) -> Option<LegalMove> {
    let gain = |chosen: &LegalMove| (chosen.after.mover().off(), u16::MAX - chosen.after.mover().pip_count());
    // `max_by_key` takes the last of equals.
    legal.sorted().into_iter().rev().max_by_key(gain)
}
