//! Which events a command causes, or which rule refuses it.

use crate::{
    Action, Clocks, Command, Contributions, Cube, Dice, DiceCup, Event, GameEndReason, LegalMove, LegalMoves,
    Match, MatchEndReason, MatchResult, Millis, Moment, PendingDouble, PendingResignation, Phase, Refusal,
    Roll, Seat, Terms, TimeoutPolicy, Turn, Win, WinKind, Written, evolve, matchplay::leader,
};

/// How many rolls of committed dice an epoch has. Then a new chain is committed before it is used.
pub const ROLLS_PER_EPOCH: u32 = 4_000;

/// How many events the server adds to a command without being asked, at most. Where more could follow, the
/// players go on by hand; no ordinary game comes near it.
pub const MAX_AUTOMATIC: usize = 1_000;

/// What a command causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The events, in order.
    pub events: Vec<Event>,
    /// How many of them the command itself caused. The server caused those after them, by automation.
    pub asked: usize,
}

/// The events that create a match: it is created, its dice are committed to, its first game begins.
///
/// `cup` is where the rolls come from; `None` for external dice.
#[must_use]
pub fn create(terms: Terms, cup: Option<&dyn DiceCup>, now: Moment) -> Decision {
    let created = Event::MatchCreated(Box::new(terms.clone()));
    let mut draft = Draft { state: Match::new(terms), events: vec![created], cup, now };
    match draft.state.terms.dice.contributing() {
        Some(_) => draft.commit_epoch(),
        None => {
            if let Some(commitment) = cup.and_then(|cup| cup.commit(0, &Contributions::NONE)) {
                draft.push(Event::DiceCommitted(Box::new(commitment)));
            }
        }
    }
    draft.start_game();
    draft.automate()
}

/// The events that a command causes in a match.
///
/// `cup` is where the rolls come from; `None` for external dice. `now` is the time. The answer depends on
/// nothing but the arguments.
///
/// # Errors
/// The rule that the command breaks; nothing happens then.
pub fn decide(
    state: &Match,
    command: &Command,
    cup: Option<&dyn DiceCup>,
    now: Moment,
) -> Result<Decision, Refusal> {
    if *command == Command::Update {
        // No part of the game: nothing forbids it, and nothing follows from it.
        return Ok(Decision { events: vec![Event::MatchUpdated], asked: 1 });
    }
    state.running_game()?;
    if let Some((seat, action)) = command.seat_action() {
        state.permits(seat, action, now)?;
    }
    let mut draft = Draft { state: state.clone(), events: Vec::new(), cup, now };
    draft.carry_out(command)?;
    Ok(draft.automate())
}

/// A match in which events are happening: each is folded in at once, so that what follows can look at it.
pub(crate) struct Draft<'a> {
    pub(crate) state: Match,
    pub(crate) events: Vec<Event>,
    pub(crate) cup: Option<&'a dyn DiceCup>,
    pub(crate) now: Moment,
}

impl Draft<'_> {
    fn carry_out(&mut self, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::Contribute { by, contribution } => self.contribute(*by, *contribution)?,
            Command::MarkReady { seat } => self.mark_ready(*seat),
            Command::Roll { seat, dice } => self.roll(*seat, *dice)?,
            Command::Move { seat, written } => self.play(*seat, written)?,
            Command::Double { seat } => self.offer_double(*seat)?,
            Command::AcceptDouble { seat } => self.accept_double(*seat)?,
            Command::DeclineDouble { seat } => self.decline_double(*seat)?,
            Command::Beaver { seat } => self.beaver(*seat)?,
            Command::OfferResignation { seat, kind } => self.offer_resignation(*seat, *kind)?,
            Command::AcceptResignation { seat } => self.accept_resignation(*seat)?,
            Command::DeclineResignation { seat } => self.push(Event::ResignationDeclined { seat: *seat }),
            Command::ClaimTimeout { seat } => self.expire(seat.opponent())?,
            Command::Expire => self.expire_if_overdue()?,
            Command::CreditTime { duration, reason } => self.credit_time(*duration, reason)?,
            Command::Pause { reason } => self.pause(reason)?,
            Command::Resume => self.resume()?,
            Command::CloseSession => self.close_session()?,
            Command::AdjudicateGame { win, reason } => self.adjudicate_game(*win, reason)?,
            Command::AdjudicateMatch { winner, reason } => self.adjudicate_match(*winner, reason),
            Command::Update => self.push(Event::MatchUpdated),
            Command::Cancel { reason } => self.end_match(None, MatchEndReason::Cancelled, reason),
        }
        Ok(())
    }

    pub(crate) fn push(&mut self, event: Event) {
        let folded = evolve(&mut self.state, &event, self.now);
        debug_assert_eq!(folded, Ok(()), "decided on {event:?}");
        self.events.push(event);
    }

    fn start_game(&mut self) {
        let board = self.state.terms.rules.start();
        self.push(Event::GameStarted {
            board,
            crawford: self.state.next_is_crawford(),
            cube: Cube::CENTERED,
        });
        self.open_game();
    }

    /// With dice of our own the opening roll needs nobody's asking; equal dice are rolled again.
    pub(crate) fn open_game(&mut self) {
        if let Some(cup) = self.cup {
            while self.opening_roll_is_due() {
                let roll = self.shake(cup);
                self.roll_opening(roll);
            }
        }
    }

    fn opening_roll_is_due(&self) -> bool {
        self.state.game().is_some_and(|game| game.phase == Phase::Turn(Turn::OpeningRoll))
            && !self.state.awaits_entropy()
    }

    pub(crate) fn roll(&mut self, seat: Seat, dice: Option<Dice>) -> Result<(), Refusal> {
        let roll = match (self.cup, dice) {
            (None, Some(dice)) => Roll { dice, link: None },
            (Some(cup), None) => self.shake(cup),
            (None, None) | (Some(_), Some(_)) => return Err(Refusal::DiceNotAccepted),
        };
        if self.opening_roll_is_due() {
            self.roll_opening(roll);
        } else {
            self.rolled(Some(seat), roll, false, false);
        }
        Ok(())
    }

    /// The next roll of the cup; a new epoch is committed to before it when the present one is used up.
    fn shake(&mut self, cup: &dyn DiceCup) -> Roll {
        // Where others contribute, it has been committed to by now.
        if let Some(used_up) = self.state.commitment().filter(|_| self.state.rolls() >= ROLLS_PER_EPOCH)
            && let Some(commitment) = cup.commit(used_up.epoch + 1, &Contributions::NONE)
        {
            self.push(Event::DiceCommitted(Box::new(commitment)));
        }
        let epoch = self.state.commitment().map_or(0, |commitment| commitment.epoch);
        let contributions = self.state.entropy.map_or(Contributions::NONE, |entropy| entropy.openings);
        cup.roll(epoch, self.state.rolls() + 1, &contributions)
    }

    fn roll_opening(&mut self, roll: Roll) {
        let seat = self.state.terms.rules.opening.first_seat(roll.dice);
        self.rolled(seat, roll, true, seat.is_none() && self.state.doubles_automatically());
    }

    /// Logs a roll. One without a legal move is a turn of its own, and lost (A11, A15).
    fn rolled(&mut self, seat: Option<Seat>, roll: Roll, opening: bool, automatic_double: bool) {
        let index = self.state.rolls() + 1;
        self.push(Event::DiceRolled { seat, roll, index, opening, automatic_double });
        if let (Some(seat), Some(game)) = (seat, self.state.game())
            && LegalMoves::new(game.board.position(seat), roll.dice).is_empty()
        {
            self.push(Event::TurnForfeited { seat });
        }
    }

    fn play(&mut self, seat: Seat, written: &Written) -> Result<(), Refusal> {
        let game = self.state.running_game()?;
        let Some(dice) = game.dice() else {
            return Err(Refusal::WrongPhase { action: Action::SubmitMove, phase: game.phase_kind() });
        };
        let legal = LegalMoves::new(game.board.position(seat), dice);
        let played = legal.resolve(written).map_err(Refusal::IllegalMove)?;
        self.played(seat, &played)
    }

    pub(crate) fn played(&mut self, seat: Seat, played: &LegalMove) -> Result<(), Refusal> {
        let after = played.after.turned();
        self.push(Event::MoveMade { seat, mv: played.mv, after });
        if played.after.mover().is_finished() {
            let kind = WinKind::of_finished(&after);
            self.end_game(Some(Win { seat, kind }), GameEndReason::BorneOff)?;
        }
        Ok(())
    }

    fn offer_double(&mut self, seat: Seat) -> Result<(), Refusal> {
        let present = self.state.running_game()?.cube.value;
        let value = self.state.raised(present).map_err(Refusal::CubeNotAvailable)?;
        self.push(Event::DoubleOffered { seat, value });
        Ok(())
    }

    fn pending_double(&self, action: Action) -> Result<PendingDouble, Refusal> {
        let game = self.state.running_game()?;
        match game.phase {
            Phase::DoubleOffered(double) => Ok(double),
            _ => Err(Refusal::WrongPhase { action, phase: game.phase_kind() }),
        }
    }

    fn accept_double(&mut self, seat: Seat) -> Result<(), Refusal> {
        let PendingDouble { value, .. } = self.pending_double(Action::AcceptDouble)?;
        self.push(Event::DoubleAccepted { seat, value });
        Ok(())
    }

    /// Declining loses a single game at the stake before the double, whatever the board (A21, S4).
    fn decline_double(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.push(Event::DoubleDeclined { seat });
        let win = Win { seat: seat.opponent(), kind: WinKind::Single };
        self.end_game(Some(win), GameEndReason::DoubleDeclined)
    }

    fn beaver(&mut self, seat: Seat) -> Result<(), Refusal> {
        let double = self.pending_double(Action::BeaverDouble)?;
        let value = self.state.raised(double.value).map_err(Refusal::CubeNotAvailable)?;
        self.push(Event::DoubleBeavered { seat, value });
        Ok(())
    }

    fn offer_resignation(&mut self, seat: Seat, kind: WinKind) -> Result<(), Refusal> {
        self.state.running_game()?.may_resign(seat, kind)?;
        self.push(Event::ResignationOffered { seat, kind });
        Ok(())
    }

    fn accept_resignation(&mut self, seat: Seat) -> Result<(), Refusal> {
        let game = self.state.running_game()?;
        let Phase::ResignationOffered(PendingResignation { kind, .. }) = game.phase else {
            return Err(Refusal::WrongPhase { action: Action::AcceptResignation, phase: game.phase_kind() });
        };
        self.push(Event::ResignationAccepted { seat });
        self.end_game(Some(Win { seat, kind }), GameEndReason::Resigned)
    }

    fn end_game(&mut self, win: Option<Win>, reason: GameEndReason) -> Result<(), Refusal> {
        let result = self.state.game_result(self.state.running_game()?, win, reason);
        self.push(Event::GameEnded(result));
        match self.state.result_if_decided() {
            Some(result) => self.push(Event::MatchEnded { result, reason: String::new() }),
            None => self.start_game(),
        }
        Ok(())
    }

    pub(crate) fn end_match(&mut self, winner: Option<Seat>, reason: MatchEndReason, why: &str) {
        let result = MatchResult { winner, score: self.state.score(), reason };
        self.push(Event::MatchEnded { result, reason: why.to_owned() });
    }

    fn mark_ready(&mut self, seat: Seat) {
        self.push(Event::PlayerReady { seat });
        self.open_game();
    }

    fn expire_if_overdue(&mut self) -> Result<(), Refusal> {
        match self.state.overdue(self.now) {
            _ if self.state.contributions_are_late(self.now) => {
                self.cancel_late();
                Ok(())
            }
            Some(late) => self.expire(late),
            None => Err(Refusal::TimeNotExpired { flag: self.state.deadline() }),
        }
    }

    /// A game lost on time costs what declining a double would; a match lost on time is lost.
    fn expire(&mut self, late: Seat) -> Result<(), Refusal> {
        self.push(Event::TimeExpired { seat: late });
        let winner = late.opponent();
        match self.state.terms().time.map(|time| time.policy) {
            Some(TimeoutPolicy::ForfeitGame) => {
                self.end_game(Some(Win { seat: winner, kind: WinKind::Single }), GameEndReason::Timeout)?;
            }
            _ => self.end_match(Some(winner), MatchEndReason::Timeout, ""),
        }
        Ok(())
    }

    fn credit_time(&mut self, duration: Millis, reason: &str) -> Result<(), Refusal> {
        let contributes = self.state.entropy.is_some_and(|entropy| entropy.deadline.is_some());
        let runs = contributes || self.state.clocks().and_then(Clocks::flag).is_some();
        if duration <= 0 || !runs {
            return Err(Refusal::NothingToCredit);
        }
        self.push(Event::TimeCredited { duration, reason: reason.to_owned() });
        Ok(())
    }

    fn pause(&mut self, reason: &str) -> Result<(), Refusal> {
        if self.state.is_paused() {
            return Err(Refusal::MatchPaused);
        }
        // Whoever was too late before the pause has lost: pausing does not save.
        self.state.is_in_time(self.now)?;
        self.push(Event::MatchPaused { reason: reason.to_owned() });
        Ok(())
    }

    fn resume(&mut self) -> Result<(), Refusal> {
        if !self.state.is_paused() {
            return Err(Refusal::MatchNotPaused);
        }
        self.push(Event::MatchResumed);
        Ok(())
    }

    fn close_session(&mut self) -> Result<(), Refusal> {
        self.state.may_close()?;
        self.push(Event::SessionClosed);
        self.end_match(leader(self.state.score()), MatchEndReason::SessionClosed, "");
        Ok(())
    }

    fn adjudicate_game(&mut self, win: Option<Win>, reason: &str) -> Result<(), Refusal> {
        self.push(Event::Adjudicated { reason: reason.to_owned(), whole_match: false });
        let why = if win.is_some() { GameEndReason::Adjudicated } else { GameEndReason::Void };
        self.end_game(win, why)
    }

    fn adjudicate_match(&mut self, winner: Seat, reason: &str) {
        self.push(Event::Adjudicated { reason: reason.to_owned(), whole_match: true });
        self.end_match(Some(winner), MatchEndReason::Adjudicated, "");
    }
}
