//! A match on paper: given these events, when this command, then these events.

use chaquete_rules::{
    Board, BySeat, Command, Dice, DiceSource, Event, Length, Match, MatchPoints, MatchRules, Millis, Moment,
    MoneyRules, Refusal, Seat, Setup, SideSetup, Terms, WinKind, create, decide, evolve,
};

pub(crate) use chaquete_rules::Seat::{One, Two};

/// A match that is being played with external dice.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    pub(crate) state: Match,
    pub(crate) events: Vec<Event>,
    /// The time, in milliseconds.
    pub(crate) now: Moment,
}

/// A match under these rules, before its first opening roll.
pub(crate) fn given(rules: MatchRules) -> Play {
    given_terms(terms(rules))
}

/// A match on these terms, just created.
pub(crate) fn given_terms(terms: Terms) -> Play {
    let events = create(terms.clone(), None, 0).events;
    Play { state: fold(Match::new(terms), &events[1..], 0), events, now: 0 }
}

/// The usual terms for rules: external dice, no limits of time, nothing automatic.
pub(crate) fn terms(rules: MatchRules) -> Terms {
    Terms::new(BySeat::new("u-1".to_owned(), "u-2".to_owned()), rules, DiceSource::External)
}

/// A match after these events, which all happen at one time.
pub(crate) fn fold(mut state: Match, events: &[Event], time: Moment) -> Match {
    for event in events {
        evolve(&mut state, event, time).unwrap();
    }
    state
}

/// A match to this many points.
pub(crate) fn points(points: u8) -> MatchRules {
    MatchRules::points(MatchPoints::new(points).unwrap())
}

/// Money play with these rules changed.
pub(crate) fn money(change: impl FnOnce(&mut MoneyRules)) -> MatchRules {
    let mut rules = MatchRules::money();
    if let Length::Money(money) = &mut rules.length {
        change(money);
    }
    rules
}

/// Rules whose games start from a board of one's own.
pub(crate) fn from_board(mut rules: MatchRules, board: Board) -> MatchRules {
    rules.initial = Some(board);
    rules
}

/// A board: the checkers of each seat as (place, count), place 25 the bar; what is missing to 15 is off.
pub(crate) fn board(one: &[(u8, u8)], two: &[(u8, u8)]) -> Board {
    let setup = Setup { mover: side(one), opponent: side(two), checkers: 15 };
    Board::from_position(setup.position().unwrap(), One)
}

fn side(places: &[(u8, u8)]) -> SideSetup {
    let mut side = SideSetup::default();
    for &(place, count) in places {
        match place {
            25 => side.bar = count,
            point => side.points[usize::from(point) - 1] = count,
        }
    }
    side
}

impl Play {
    /// What a command causes; nothing changes.
    pub(crate) fn when(&self, command: &Command) -> Result<Vec<Event>, Refusal> {
        decide(&self.state, command, None, self.now).map(|decision| decision.events)
    }

    /// The same a while later.
    pub(crate) fn after(mut self, duration: Millis) -> Self {
        self.now += duration;
        self
    }

    /// Carries a command out that must be accepted.
    #[track_caller]
    pub(crate) fn then(mut self, command: &Command) -> Self {
        let events = self.when(command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
        self.state = fold(self.state, &events, self.now);
        self.events.extend(events);
        self
    }

    /// A command that must be refused, for this reason, leaving everything as it is.
    #[track_caller]
    pub(crate) fn refused(self, command: &Command, reason: Refusal) -> Self {
        assert_eq!(self.when(command), Err(reason), "{command:?}");
        self
    }

    #[track_caller]
    pub(crate) fn roll(self, seat: Seat, first: u8, second: u8) -> Self {
        self.then(&roll(seat, first, second))
    }

    #[track_caller]
    pub(crate) fn play(self, seat: Seat, notation: &str) -> Self {
        self.then(&play(seat, notation))
    }

    #[track_caller]
    pub(crate) fn double(self, seat: Seat) -> Self {
        self.then(&Command::Double { seat })
    }

    #[track_caller]
    pub(crate) fn take(self, seat: Seat) -> Self {
        self.then(&Command::AcceptDouble { seat })
    }

    #[track_caller]
    pub(crate) fn pass(self, seat: Seat) -> Self {
        self.then(&Command::DeclineDouble { seat })
    }

    #[track_caller]
    pub(crate) fn beaver(self, seat: Seat) -> Self {
        self.then(&Command::Beaver { seat })
    }

    #[track_caller]
    pub(crate) fn resign(self, seat: Seat, kind: WinKind) -> Self {
        self.then(&Command::OfferResignation { seat, kind })
    }

    #[track_caller]
    pub(crate) fn accept_resignation(self, seat: Seat) -> Self {
        self.then(&Command::AcceptResignation { seat })
    }

    #[track_caller]
    pub(crate) fn decline_resignation(self, seat: Seat) -> Self {
        self.then(&Command::DeclineResignation { seat })
    }

    /// Plays a whole game that `winner` wins by this many times the cube, by the loser's resignation.
    #[track_caller]
    pub(crate) fn won_by(self, winner: Seat, kind: WinKind) -> Self {
        self.resign(winner.opponent(), kind).accept_resignation(winner)
    }

    /// The first turn of a game on the usual board, by seat one; seat two is on roll then.
    #[track_caller]
    pub(crate) fn opened(self) -> Self {
        self.roll(One, 3, 1).play(One, "8/5 6/5")
    }

    /// The score as a pair.
    pub(crate) fn score(&self) -> (u32, u32) {
        (self.state.score().one, self.state.score().two)
    }

    /// The cube as value and owner.
    pub(crate) fn cube(&self) -> (u32, Option<Seat>) {
        let cube = self.state.game().unwrap().cube;
        (cube.value.get(), cube.owner)
    }
}

pub(crate) fn roll(seat: Seat, first: u8, second: u8) -> Command {
    Command::Roll { seat, dice: Some(Dice::new(first, second).unwrap()) }
}

pub(crate) fn play(seat: Seat, notation: &str) -> Command {
    Command::Move { seat, written: notation.parse().unwrap() }
}
