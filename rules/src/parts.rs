//! A match taken apart and put together again, so that it can be kept beside the log of which it is the fold.

mod check;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use std::fmt;

use crate::{
    ClockParts, Clocks, DiceCommitment, Entropy, Game, GameResult, Match, MatchResult, Moment, Score, Terms,
    evolve::duty,
};

/// Everything that a match consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchParts {
    /// What was agreed.
    pub terms: Terms,
    /// Points so far.
    pub score: Score,
    /// The game being played, or the last one; `None` before the first.
    pub game: Option<Game>,
    /// All games that have ended, in order.
    pub games: Vec<GameResult>,
    /// Whether the Crawford game has been played.
    pub crawford_played: bool,
    /// How the match ended, if it has.
    pub result: Option<MatchResult>,
    /// The commitment to the dice of the present epoch, for committed dice.
    pub commitment: Option<DiceCommitment>,
    /// How many rolls the present epoch has had.
    pub rolls: u32,
    /// The clocks; `None`: the match is untimed.
    pub clocks: Option<ClockParts>,
    /// Whether the match is paused.
    pub paused: bool,
    /// When time was last given back.
    pub credited: Option<Moment>,
    /// What others have contributed to the dice of the present epoch, or are to contribute to the next; `None`: nobody
    /// does.
    pub entropy: Option<Entropy>,
}

/// Parts that are not those of a match: no events lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadParts {
    /// What is wrong.
    pub because: &'static str,
}

impl fmt::Display for BadParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.because)
    }
}

impl std::error::Error for BadParts {}

impl Match {
    /// The parts of the match: all that its events have made of it.
    #[must_use]
    pub fn parts(&self) -> MatchParts {
        let Self {
            terms,
            score,
            game,
            games,
            crawford_played,
            result,
            commitment,
            rolls,
            clocks,
            paused,
            credited,
            entropy,
        } = self.clone();
        MatchParts {
            terms: Arc::unwrap_or_clone(terms),
            score,
            game,
            games: Arc::unwrap_or_clone(games),
            crawford_played,
            result,
            commitment,
            rolls,
            clocks: clocks.map(|clocks| clocks.parts()),
            paused,
            credited,
            entropy,
        }
    }

    /// The match with these parts. It goes on exactly as the one that they were taken from, after any of its
    /// events, even one in the middle of a command.
    ///
    /// # Errors
    /// The first thing that no match under these terms comes to. The terms themselves are not looked at.
    pub fn from_parts(parts: MatchParts) -> Result<Self, BadParts> {
        let MatchParts {
            terms,
            score,
            game,
            games,
            crawford_played,
            result,
            commitment,
            rolls,
            clocks,
            paused,
            credited,
            entropy,
        } = parts;
        let mut state = Self {
            terms: Arc::new(terms),
            score,
            game,
            games: Arc::new(games),
            crawford_played,
            result,
            commitment,
            rolls,
            clocks: None,
            paused,
            credited,
            entropy,
        };
        state.clocks = state.clocks_of(clocks)?;
        state.check()?;
        Ok(state)
    }

    fn clocks_of(&self, parts: Option<ClockParts>) -> Result<Option<Clocks>, BadParts> {
        match (self.terms.time, parts) {
            (None, None) => Ok(None),
            (Some(time), Some(parts)) => {
                Clocks::from_parts(time.limit, parts, self.game.as_ref(), duty(self)).map(Some)
            }
            (Some(_), None) => Err(BadParts { because: "no clocks, though there are limits of time" }),
            (None, Some(_)) => Err(BadParts { because: "clocks, though there are no limits of time" }),
        }
    }
}

/// Refuses the first of these things that is so.
pub(crate) fn none_of<const N: usize>(wrongs: [(bool, &'static str); N]) -> Result<(), BadParts> {
    match wrongs.into_iter().find(|&(is_so, _)| is_so) {
        Some((_, because)) => Err(BadParts { because }),
        None => Ok(()),
    }
}
