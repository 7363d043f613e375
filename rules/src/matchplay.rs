//! The match: games to a length, or a money session. A match is the fold of its events.

use std::sync::Arc;

use crate::{
    Action, Clocks, Contributor, CubeValue, CubeViolation, DiceCommitment, Entropy, Game, GameEndReason,
    GameResult, Length, MatchEndReason, MatchResult, Moment, MoneyRules, Phase, PhaseKind, Refusal, Score,
    Seat, Terms, TimeoutPolicy, Win, WinKind,
};

/// A match between two players, or a money session.
///
/// It is cloned for every command, so whatever stays the same for long is shared by the clones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    pub(crate) terms: Arc<Terms>,
    pub(crate) score: Score,
    pub(crate) game: Option<Game>,
    pub(crate) games: Arc<Vec<GameResult>>,
    pub(crate) crawford_played: bool,
    pub(crate) result: Option<MatchResult>,
    pub(crate) commitment: Option<DiceCommitment>,
    pub(crate) rolls: u32,
    pub(crate) clocks: Option<Clocks>,
    pub(crate) paused: bool,
    pub(crate) credited: Option<Moment>,
    pub(crate) entropy: Option<Entropy>,
}

impl Match {
    /// A match as its first event leaves it: agreed, but without a game.
    #[must_use]
    pub fn new(terms: Terms) -> Self {
        let entropy =
            terms.dice.contributing().map(|contributing| Entropy::new(0, contributing.creator(), None));
        Self {
            entropy,
            clocks: terms.time.map(|time| Clocks::new(time.limit)),
            paused: false,
            credited: None,
            terms: Arc::new(terms),
            score: Score::default(),
            game: None,
            games: Arc::default(),
            crawford_played: false,
            result: None,
            commitment: None,
            rolls: 0,
        }
    }

    /// What was agreed.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Points so far.
    #[must_use]
    pub const fn score(&self) -> Score {
        self.score
    }

    /// The game being played, or the last one.
    #[must_use]
    pub const fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// All games that have ended, in order.
    #[must_use]
    pub fn games(&self) -> &[GameResult] {
        &self.games
    }

    /// How the match ended, if it has.
    #[must_use]
    pub const fn result(&self) -> Option<&MatchResult> {
        self.result.as_ref()
    }

    /// The commitment to the dice of the present epoch, for committed dice.
    #[must_use]
    pub const fn commitment(&self) -> Option<&DiceCommitment> {
        self.commitment.as_ref()
    }

    /// How many rolls the present epoch has had.
    #[must_use]
    pub const fn rolls(&self) -> u32 {
        self.rolls
    }

    /// The clocks; `None`: the match is untimed.
    #[must_use]
    pub const fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// Whether the match is paused.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    /// When time was last given back.
    #[must_use]
    pub const fn credited(&self) -> Option<Moment> {
        self.credited
    }

    /// What a seat can do now: exactly what the rules would accept.
    #[must_use]
    pub fn actions(&self, seat: Seat, now: Moment) -> Vec<Action> {
        Action::ALL.into_iter().filter(|&action| self.permits(seat, action, now).is_ok()).collect()
    }

    /// Whether a seat may take an action now.
    ///
    /// # Errors
    /// The rule that forbids it. Only the details of an action are not looked at: which move, which dice,
    /// which size of resignation.
    pub fn permits(&self, seat: Seat, action: Action, now: Moment) -> Result<(), Refusal> {
        let game = self.running_game()?;
        if self.paused {
            return Err(Refusal::MatchPaused);
        }
        self.may_before_dice(action)?;
        game.permits(seat, action)?;
        match action {
            Action::ClaimTimeout => return self.may_claim(seat, now),
            Action::ContributeEntropy => return self.may_contribute(Contributor::of(Some(seat)), now),
            _ => self.is_in_time(now)?,
        }
        match action {
            Action::OfferDouble => self.may_double(game, seat).map_err(Refusal::CubeNotAvailable),
            Action::BeaverDouble => self.may_beaver(game).map_err(Refusal::CubeNotAvailable),
            Action::OfferResignation => game.may_resign(seat, WinKind::Backgammon),
            _ => Ok(()),
        }
    }

    /// The seat that has lost on time but for saying so; nobody while time has to be claimed.
    #[must_use]
    pub fn overdue(&self, now: Moment) -> Option<Seat> {
        let policy = self.terms.time?.policy;
        self.clocks?.expired(now).filter(|_| policy != TimeoutPolicy::Claim && self.result.is_none())
    }

    /// Since when somebody's time runs: for an action, or for contributions to the dice.
    #[must_use]
    pub fn time_runs_since(&self) -> Option<Moment> {
        let deadline = self.entropy.and_then(|entropy| entropy.deadline);
        match deadline.zip(self.terms.dice.contributing()) {
            Some((deadline, contributing)) => Some(deadline.saturating_sub(contributing.timeout())),
            None => self.clocks?.running_since(),
        }
    }

    /// When the match, or a game of it, will have ended for lack of time if nobody acts.
    #[must_use]
    pub fn deadline(&self) -> Option<Moment> {
        if let Some(deadline) = self.entropy.and_then(|entropy| entropy.deadline) {
            return Some(deadline);
        }
        let policy = self.terms.time?.policy;
        let flag = self.clocks?.flag().filter(|_| policy != TimeoutPolicy::Claim && self.result.is_none())?;
        Some(flag.1)
    }

    /// The seat that has to act in the present game, if it is for one of them.
    #[must_use]
    pub fn seat_to_act(&self) -> Option<Seat> {
        self.game.as_ref().filter(|_| !self.awaits_entropy())?.seat_to_act()
    }

    /// What is to be done next in the present game: it waits while its dice do.
    #[must_use]
    pub fn phase_kind(&self) -> Option<PhaseKind> {
        let game = self.game.as_ref()?;
        Some(if self.awaits_entropy() { PhaseKind::Waiting } else { game.phase_kind() })
    }

    pub(crate) fn is_in_time(&self, now: Moment) -> Result<(), Refusal> {
        if self.contributions_are_late(now) {
            return Err(Refusal::ContributionsLate);
        }
        self.overdue(now).map_or(Ok(()), |seat| Err(Refusal::TimeExpired { seat }))
    }

    fn may_claim(&self, seat: Seat, now: Moment) -> Result<(), Refusal> {
        let flag = self.clocks.and_then(|clocks| clocks.flag()).filter(|&(late, _)| late != seat);
        match flag {
            Some((_, flag)) if now >= flag => Ok(()),
            flag => Err(Refusal::TimeNotExpired { flag: flag.map(|(_, flag)| flag) }),
        }
    }

    pub(crate) fn running_game(&self) -> Result<&Game, Refusal> {
        match (&self.result, &self.game) {
            (None, Some(game)) => Ok(game),
            _ => Err(Refusal::MatchNotActive),
        }
    }

    /// Points that a seat still needs; `None` in money play, where no number of points ends anything.
    #[must_use]
    pub fn points_needed(&self, seat: Seat) -> Option<u32> {
        match self.terms.rules.length {
            Length::Points { points, .. } => Some(points.get().saturating_sub(self.score[seat])),
            Length::Money(_) => None,
        }
    }

    /// Whether the next game is the Crawford game: the first in which one side needs exactly one point,
    /// once a match (S6). A match to one point has none: its cube is dead from the start.
    pub(crate) fn next_is_crawford(&self) -> bool {
        let one_away = || Seat::BOTH.iter().any(|&seat| self.points_needed(seat) == Some(1));
        match self.terms.rules.length {
            Length::Points { points, crawford: true } => {
                points.get() > 1 && !self.crawford_played && one_away()
            }
            Length::Points { crawford: false, .. } | Length::Money(_) => false,
        }
    }

    pub(crate) fn may_double(&self, game: &Game, seat: Seat) -> Result<(), CubeViolation> {
        if self.terms.rules.max_cube == CubeValue::ONE {
            return Err(CubeViolation::Disabled);
        }
        if game.crawford {
            return Err(CubeViolation::CrawfordGame);
        }
        if game.cube.owner.is_some_and(|owner| owner != seat) {
            return Err(CubeViolation::NotOwner);
        }
        if self.points_needed(seat).is_some_and(|needed| game.cube.value.get() >= needed) {
            return Err(CubeViolation::DeadCube);
        }
        self.raised(game.cube.value).map(|_| ())
    }

    fn may_beaver(&self, game: &Game) -> Result<(), CubeViolation> {
        match (game.phase, self.terms.rules.length) {
            (Phase::DoubleOffered(double), Length::Money(MoneyRules { max_beavers, .. }))
                if double.beavers < max_beavers =>
            {
                self.raised(double.value).map(|_| ())
            }
            _ => Err(CubeViolation::BeaverNotAllowed),
        }
    }

    /// Whether the session may be closed now: between two games, that is before the first move of one.
    pub(crate) fn may_close(&self) -> Result<(), Refusal> {
        let game = self.running_game()?;
        match self.terms.rules.length {
            Length::Money(_) if !game.has_begun() => Ok(()),
            Length::Money(_) | Length::Points { .. } => Err(Refusal::SessionNotClosable),
        }
    }

    /// The cube turned once more, within its limit (S8).
    pub(crate) fn raised(&self, value: CubeValue) -> Result<CubeValue, CubeViolation> {
        value
            .doubled()
            .filter(|&doubled| doubled <= self.terms.rules.max_cube)
            .ok_or(CubeViolation::LimitReached)
    }

    /// Whether equal opening dice double the cube once more (money play only, P7).
    pub(crate) fn doubles_automatically(&self) -> bool {
        match (self.terms.rules.length, &self.game) {
            (Length::Money(money), Some(game)) => {
                game.automatic_doubles < money.max_automatic_doubles && self.raised(game.cube.value).is_ok()
            }
            _ => false,
        }
    }

    /// What the end of the present game is worth.
    pub(crate) fn game_result(&self, game: &Game, win: Option<Win>, reason: GameEndReason) -> GameResult {
        self.worth(game.number, game.cube.value, game.cube_turned, win, reason)
    }

    /// What the end of a game with this number and cube is worth, on top of the score.
    pub(crate) fn worth(
        &self,
        number: u32,
        cube: CubeValue,
        cube_turned: bool,
        win: Option<Win>,
        reason: GameEndReason,
    ) -> GameResult {
        let jacoby = matches!(self.terms.rules.length, Length::Money(MoneyRules { jacoby: true, .. }));
        let jacoby_applied = jacoby && !cube_turned && win.is_some_and(|win| win.kind != WinKind::Single);
        let multiplier = match win {
            Some(_) if jacoby_applied => 1,
            Some(win) => win.kind.multiplier(),
            None => 0,
        };
        let points = cube.get() * multiplier;
        let mut score = self.score;
        if let Some(win) = win {
            score[win.seat] = score[win.seat].saturating_add(points);
        }
        GameResult { number, win, reason, cube, points, jacoby_applied, score }
    }

    /// How the match ends now that a game has, if it does.
    pub(crate) fn result_if_decided(&self) -> Option<MatchResult> {
        let reason = match self.terms.rules.length {
            Length::Points { .. } if Seat::BOTH.iter().any(|&seat| self.points_needed(seat) == Some(0)) => {
                MatchEndReason::PointsReached
            }
            Length::Money(MoneyRules { max_games: Some(max_games), .. })
                if self.games.iter().filter(|game| game.win.is_some()).count()
                    >= max_games.get() as usize =>
            {
                MatchEndReason::SessionClosed
            }
            _ => return None,
        };
        Some(MatchResult { winner: leader(self.score), score: self.score, reason })
    }
}

/// The seat that is ahead; `None` if the score is level.
pub(crate) fn leader(score: Score) -> Option<Seat> {
    match score.one.cmp(&score.two) {
        std::cmp::Ordering::Greater => Some(Seat::One),
        std::cmp::Ordering::Less => Some(Seat::Two),
        std::cmp::Ordering::Equal => None,
    }
}
