//! Whether a recorded match can be played as one match, and the whole of it then.

use std::fmt;

use chaquete_rules::{
    Command, DiceSource, Event, Length, Match, MoneyRules, Refusal, Score, Seat, Terms, Win, WinKind, create,
    decide, evolve,
};

use super::fault::{Fault, Halt};
use super::{GameTranscript, Transcript};
use crate::chronicle::Chronicle;
use crate::oddity::{Oddity, OddityKind, Repair};

/// Why a recorded match cannot be played as one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unplayable {
    /// A game cannot be followed to its end.
    Halted(Halt),
    /// What was meant cannot be known.
    Undecided(Oddity),
}

impl Unplayable {
    /// Line and column in the record.
    #[must_use]
    pub const fn place(&self) -> (u32, u32) {
        match self {
            Self::Halted(halt) => (halt.line, halt.column),
            Self::Undecided(oddity) => (oddity.line, oddity.column),
        }
    }

    /// The stable code: that of the rule, if one was broken.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Halted(Halt { fault: Fault::Refused(refusal), .. }) => refusal.code(),
            Self::Halted(halt) => halt.fault.code(),
            Self::Undecided(oddity) => oddity.kind.code(),
        }
    }
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Halted(halt) => halt.fmt(f),
            Self::Undecided(oddity) => oddity.fmt(f),
        }
    }
}

impl std::error::Error for Unplayable {}

/// Why the games before the first of the record were given to the players.
const BEFORE_THE_RECORD: &str = "the record begins at this score";

impl Transcript {
    /// Whether the commands of all games, one after the other, lead through one match.
    #[must_use]
    pub fn is_playable(&self) -> bool {
        self.obstacle().is_none()
    }

    /// The first thing that keeps the record from being played as one match.
    #[must_use]
    pub fn obstacle(&self) -> Option<Unplayable> {
        let halted = self.games.iter().filter_map(|game| game.halt.clone()).map(Unplayable::Halted);
        let undecided = self.oddities.iter().filter(|oddity| self.is_undecided(oddity)).copied();
        halted.chain(undecided.map(Unplayable::Undecided)).min_by_key(Unplayable::place)
    }

    /// Only the last game may have no end.
    fn is_undecided(&self, oddity: &Oddity) -> bool {
        let is_last = || self.games.last().is_none_or(|last| oddity.line >= last.line);
        match oddity.kind {
            OddityKind::GameUnfinished => !is_last(),
            kind => kind.repair() == Repair::Refused,
        }
    }

    /// All commands that lead through the match, from its creation on.
    ///
    /// A record that begins in the middle of a match has games adjudicated before it that lead to its score. A
    /// money session ends with the record, unless its last game does not.
    pub fn commands(&self) -> impl Iterator<Item = Command> {
        let acts = self.games.iter().flat_map(|game| &game.acts).map(|act| act.command.clone());
        self.lead_in().chain(acts).chain(self.closing())
    }

    /// The match as it would be if it had been played under the rules.
    ///
    /// # Errors
    /// The first thing that keeps it from being played as one match.
    pub fn chronicle(&self) -> Result<Chronicle, Unplayable> {
        if let Some(obstacle) = self.obstacle() {
            return Err(obstacle);
        }
        let terms = Terms::new(self.names.clone(), self.rules.clone(), DiceSource::External);
        let events = play(terms.clone(), self.commands()).map_err(|refusal| self.refused(refusal))?;
        Ok(Chronicle::of_played(self.names.clone(), self.facts.clone(), Box::new(terms), events))
    }

    /// Each game was followed already: only where one goes over into the next can anything be refused.
    fn refused(&self, refusal: Refusal) -> Unplayable {
        let line = self.games.first().map_or(1, |game| game.line);
        Unplayable::Halted(Halt { line, column: 1, fault: refusal.into() })
    }

    /// Games without a play that lead to the score at which the record begins.
    fn lead_in(&self) -> impl Iterator<Item = Command> + use<> {
        let most = match self.rules.length {
            Length::Money(MoneyRules { jacoby: true, .. }) => WinKind::Single,
            Length::Money(_) | Length::Points { .. } => WinKind::Backgammon,
        };
        let start = self.start;
        self.first_to_lead().into_iter().flat_map(move |seat| wins(seat, start[seat], most))
    }

    /// The order in which the seats get their points, so that the first game is the Crawford game or is not.
    fn first_to_lead(&self) -> [Seat; 2] {
        let Score { one, two } = self.start;
        let leader = if one > two { Seat::One } else { Seat::Two };
        let is_crawford = self.games.first().is_some_and(|game| game.crawford);
        let first = if is_crawford { leader.opponent() } else { leader };
        [first, first.opponent()]
    }

    fn closing(&self) -> Option<Command> {
        let is_finished = self.games.last().is_some_and(|game: &GameTranscript| game.result.is_some());
        (is_finished && matches!(self.rules.length, Length::Money(_))).then_some(Command::CloseSession)
    }
}

/// Adjudicated games in which a seat wins so many points, each by `most` at most.
fn wins(seat: Seat, points: u32, most: WinKind) -> impl Iterator<Item = Command> {
    let most = most.multiplier();
    (0..points.div_ceil(most)).map(move |game| {
        let kind = WinKind::from_multiplier((points - game * most).min(most)).unwrap_or(WinKind::Single);
        Command::AdjudicateGame { win: Some(Win { seat, kind }), reason: BEFORE_THE_RECORD.to_owned() }
    })
}

/// The events of a match in which these commands are given.
fn play(terms: Terms, commands: impl Iterator<Item = Command>) -> Result<Vec<Event>, Refusal> {
    let mut state = Match::new(terms.clone());
    let mut events = create(terms, None, 0).events;
    let mut folded = 1;
    for command in commands {
        fold(&mut state, &events[folded..]);
        folded = events.len();
        events.extend(decide(&state, &command, None, 0)?.events);
    }
    Ok(events)
}

fn fold(state: &mut Match, events: &[Event]) {
    for event in events {
        let folded = evolve(state, event, 0);
        debug_assert_eq!(folded, Ok(()), "the rules decided on {event:?}");
    }
}
