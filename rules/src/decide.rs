//! Which events a command causes, or which rule refuses it.

use crate::{
    Action, Command, Cube, Dice, DiceCup, Event, GameEndReason, LegalMoves, Match, MatchEndReason,
    MatchResult, PendingDouble, PendingResignation, Phase, Refusal, Roll, Seat, Terms, Turn, WinKind,
    Written, evolve,
};

/// How many rolls of committed dice an epoch has. Then a new chain is committed before it is used.
pub const ROLLS_PER_EPOCH: u32 = 4_000;

/// The events that create a match: it is created, its dice are committed to, its first game begins.
///
/// `cup` is where the rolls come from; `None` for external dice.
#[must_use]
pub fn create(terms: Terms, cup: Option<&dyn DiceCup>) -> Vec<Event> {
    let created = Event::MatchCreated(Box::new(terms.clone()));
    let mut draft = Draft { state: Match::new(terms), events: vec![created], cup };
    if let Some(commitment) = cup.and_then(|cup| cup.commit(0)) {
        draft.push(Event::DiceCommitted(Box::new(commitment)));
    }
    draft.start_game();
    draft.events
}

/// The events that a command causes in a match.
///
/// `cup` is where the rolls come from; `None` for external dice. The answer depends on nothing but the
/// arguments.
///
/// # Errors
/// The rule that the command breaks; nothing happens then.
pub fn decide(state: &Match, command: &Command, cup: Option<&dyn DiceCup>) -> Result<Vec<Event>, Refusal> {
    state.running_game()?;
    if let Some((seat, action)) = command.seat_action() {
        state.permits(seat, action)?;
    }
    let mut draft = Draft { state: state.clone(), events: Vec::new(), cup };
    match command {
        Command::Roll { seat, dice } => draft.roll(*seat, *dice)?,
        Command::Move { seat, written } => draft.play(*seat, written)?,
        Command::Double { seat } => draft.offer_double(*seat)?,
        Command::AcceptDouble { seat } => draft.accept_double(*seat)?,
        Command::DeclineDouble { seat } => draft.decline_double(*seat)?,
        Command::Beaver { seat } => draft.beaver(*seat)?,
        Command::OfferResignation { seat, kind } => draft.offer_resignation(*seat, *kind)?,
        Command::AcceptResignation { seat } => draft.accept_resignation(*seat)?,
        Command::DeclineResignation { seat } => draft.push(Event::ResignationDeclined { seat: *seat }),
        Command::Cancel { reason } => draft.cancel(reason),
    }
    Ok(draft.events)
}

/// A match in which events are happening: each is folded in at once, so that what follows can look at it.
struct Draft<'a> {
    state: Match,
    events: Vec<Event>,
    cup: Option<&'a dyn DiceCup>,
}

impl Draft<'_> {
    fn push(&mut self, event: Event) {
        let folded = evolve(&mut self.state, &event);
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
        // With dice of our own the opening roll needs nobody's asking; equal dice are rolled again.
        if let Some(cup) = self.cup {
            while self.opening_roll_is_due() {
                let roll = self.shake(cup);
                self.roll_opening(roll);
            }
        }
    }

    fn opening_roll_is_due(&self) -> bool {
        self.state.game().is_some_and(|game| game.phase == Phase::Turn(Turn::OpeningRoll))
    }

    fn roll(&mut self, seat: Seat, dice: Option<Dice>) -> Result<(), Refusal> {
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
        if let Some(used_up) = self.state.commitment().filter(|_| self.state.rolls() >= ROLLS_PER_EPOCH)
            && let Some(commitment) = cup.commit(used_up.epoch + 1)
        {
            self.push(Event::DiceCommitted(Box::new(commitment)));
        }
        let epoch = self.state.commitment().map_or(0, |commitment| commitment.epoch);
        cup.roll(epoch, self.state.rolls() + 1)
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
        let after = played.after.turned();
        self.push(Event::MoveMade { seat, mv: played.mv, after });
        if played.after.mover().is_finished() {
            let kind = WinKind::of_finished(&after);
            self.end_game(seat, kind, GameEndReason::BorneOff)?;
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
        self.end_game(seat.opponent(), WinKind::Single, GameEndReason::DoubleDeclined)
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
        self.end_game(seat, kind, GameEndReason::Resigned)
    }

    fn end_game(&mut self, winner: Seat, kind: WinKind, reason: GameEndReason) -> Result<(), Refusal> {
        let result = self.state.game_result(self.state.running_game()?, winner, kind, reason);
        self.push(Event::GameEnded(result));
        match self.state.result_if_decided() {
            Some(result) => self.push(Event::MatchEnded { result, reason: String::new() }),
            None => self.start_game(),
        }
        Ok(())
    }

    fn cancel(&mut self, reason: &str) {
        let result =
            MatchResult { winner: None, score: self.state.score(), reason: MatchEndReason::Cancelled };
        self.push(Event::MatchEnded { result, reason: reason.to_owned() });
    }
}
