//! One game, followed entry after entry.

use chaquete_rules::{
    BySeat, Command, Cube, CubeValue, Dice, DiceSource, Event, Game, GameEndReason, GameResult, LegalMove,
    LegalMoves, Match, MatchRules, Moment, PendingDouble, Phase, Score, Seat, Terms, Turn, Win, WinKind,
    Written, decide, evolve,
};

use super::fault::{Fault, Halt};
use super::{Act, GameTranscript, RecordedEnd};
use crate::oddity::{Oddity, OddityKind};
use crate::sheet::{self, Cell, Entry, Play};

/// Whether a game has a double in it.
pub(super) fn has_double(game: &sheet::Game) -> bool {
    game.entries.iter().any(|entry| matches!(entry.cell, Cell::Doubles { .. }))
}

/// Follows a game in a match of its own, which begins at the score of the game.
pub(super) struct Follower {
    pub(super) state: Match,
    pub(super) acts: Vec<Act>,
    pub(super) oddities: Vec<Oddity>,
    pub(super) result: Option<GameResult>,
    pub(super) recorded: Option<RecordedEnd>,
    /// Whether the winner's own cell tells the end.
    pub(super) winner_told: bool,
    /// Whether the players stand in each other's columns.
    swapped: bool,
    /// The score at which the next game of the record begins.
    pub(super) next: Option<Score>,
    /// Whether a void double waits for its answer.
    void_double: bool,
}

/// An entry with the seat that it is of, and whether the game goes on behind it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    line: u32,
    column: u32,
    pub(super) seat: Seat,
    goes_on: bool,
}

impl Place {
    /// Where the file tells the end of the game.
    pub(super) const fn at_end(end: RecordedEnd) -> Self {
        Self { line: end.line, column: end.column, seat: end.winner, goes_on: false }
    }

    pub(super) const fn position(self) -> (u32, u32) {
        (self.line, self.column)
    }

    pub(super) const fn halt(self, fault: Fault) -> Halt {
        Halt { line: self.line, column: self.column, fault }
    }
}

/// Records know no clocks: all of it happens at one time.
const UNTIMED: Moment = 0;

impl Follower {
    pub(super) fn new(
        rules: &MatchRules,
        start: Score,
        crawford: bool,
        swapped: bool,
        next: Option<Score>,
    ) -> Self {
        let terms = Terms::new(BySeat::default(), rules.clone(), DiceSource::External);
        let board = rules.start();
        let mut state = Match::new(terms);
        let begin = |crawford| Event::GameStarted { board, crawford, cube: Cube::CENTERED };
        let mut events = vec![begin(crawford)];
        if start != Score::default() {
            // What was played before is not known, only the score.
            events.splice(0..0, [begin(false), Event::GameEnded(before(start))]);
        }
        for event in &events {
            let folded = evolve(&mut state, event, UNTIMED);
            debug_assert_eq!(folded, Ok(()), "a game can begin");
        }
        Self {
            state,
            acts: Vec::new(),
            oddities: Vec::new(),
            result: None,
            recorded: None,
            winner_told: false,
            swapped,
            next,
            void_double: false,
        }
    }

    /// Follows the game as far as that is possible.
    pub(super) fn follow(mut self, game: &sheet::Game) -> (GameTranscript, Vec<Oddity>) {
        let start = self.state.score();
        let crawford = self.state.game().is_some_and(|game| game.crawford);
        let halt = self.follow_all(game).err();
        let transcript = GameTranscript {
            line: game.line,
            start,
            crawford,
            acts: self.acts,
            result: self.result,
            recorded: self.recorded,
            halt,
        };
        (transcript, self.oddities)
    }

    fn follow_all(&mut self, game: &sheet::Game) -> Result<(), Halt> {
        let begin = Place { line: game.line, column: game.column, seat: Seat::One, goes_on: true };
        self.double_automatically(begin, game.automatic_doubles).map_err(|fault| begin.halt(fault))?;
        let last_action = game.entries.iter().rposition(|entry| is_action(&entry.cell));
        for (index, entry) in game.entries.iter().enumerate() {
            let place = Place {
                line: entry.line,
                column: entry.column,
                seat: if self.swapped { entry.seat.opponent() } else { entry.seat },
                goes_on: last_action.is_some_and(|last| index < last),
            };
            self.entry(place, entry).map_err(|fault| place.halt(fault))?;
        }
        self.end(game)
    }

    /// The dice of automatic doubles are not written, only how many there were.
    fn double_automatically(&mut self, place: Place, count: u32) -> Result<(), Fault> {
        for _ in 0..count {
            self.command(place, Command::Roll { seat: place.seat, dice: Dice::new(1, 1) })?;
        }
        if self.game().is_some_and(|game| game.automatic_doubles != count) {
            return Err(Fault::AutomaticDoubles);
        }
        if count > 0 {
            self.note(place, OddityKind::AutomaticDoubles { count });
        }
        Ok(())
    }

    pub(super) fn note(&mut self, place: Place, kind: OddityKind) {
        self.oddities.push(Oddity { line: place.line, column: place.column, kind });
    }

    fn entry(&mut self, place: Place, entry: &Entry) -> Result<(), Fault> {
        let seat = place.seat;
        if self.result.is_some() && is_action(&entry.cell) {
            return Err(Fault::AfterEnd);
        }
        match &entry.cell {
            Cell::Roll { dice, play } => self.roll(place, *dice, play),
            Cell::NoRoll => {
                self.note(place, OddityKind::NoRoll);
                Ok(())
            }
            Cell::Doubles { value } => self.double(place, *value),
            Cell::Beavers { value } | Cell::Raccoons { value } => {
                self.command(place, Command::Beaver { seat })?;
                self.check_cube(place, *value);
                Ok(())
            }
            Cell::Takes if self.void_double => {
                self.void_double = false;
                Ok(())
            }
            Cell::Takes => self.command(place, Command::AcceptDouble { seat }),
            Cell::Drops if self.void_double => self.resign(place, seat, WinKind::Single),
            Cell::Drops => self.command(place, Command::DeclineDouble { seat }),
            Cell::Concedes => {
                self.note(place, OddityKind::Concession);
                self.record_end(place, seat.opponent(), None, false);
                Ok(())
            }
            Cell::Wins { points, and_the_match } => {
                self.record_end(place, seat, Some(*points), *and_the_match);
                Ok(())
            }
            Cell::Losses { points } => {
                self.note(place, OddityKind::Losses);
                self.record_end(place, seat.opponent(), Some(*points), false);
                Ok(())
            }
            Cell::OffersResignation { points } => {
                let kind = self.kind_of(*points);
                self.command(place, Command::OfferResignation { seat, kind })
            }
            Cell::AcceptsResignation => self.command(place, Command::AcceptResignation { seat }),
            Cell::DeclinesResignation => self.command(place, Command::DeclineResignation { seat }),
            Cell::SetUp => Err(Fault::PositionSetUp),
        }
    }

    /// Gives the rules a command.
    pub(super) fn command(&mut self, place: Place, command: Command) -> Result<(), Fault> {
        let events = decide(&self.state, &command, None, UNTIMED)?.events;
        let mut played = None;
        for event in &events {
            let folded = evolve(&mut self.state, event, UNTIMED);
            debug_assert_eq!(folded, Ok(()), "the rules decided on {event:?}");
            match event {
                Event::MoveMade { mv, .. } => played = Some(*mv),
                Event::GameEnded(result) => self.result = Some(*result),
                _ => {}
            }
        }
        self.acts.push(Act { line: place.line, column: place.column, command, played });
        Ok(())
    }

    pub(super) fn resign(&mut self, place: Place, seat: Seat, kind: WinKind) -> Result<(), Fault> {
        self.command(place, Command::OfferResignation { seat, kind })?;
        self.command(place, Command::AcceptResignation { seat: seat.opponent() })
    }

    fn game(&self) -> Option<&Game> {
        self.state.game()
    }

    fn double(&mut self, place: Place, value: Option<u32>) -> Result<(), Fault> {
        if self.game().is_some_and(|game| game.crawford) {
            self.note(place, OddityKind::CrawfordDouble);
            self.void_double = true;
            return Ok(());
        }
        self.command(place, Command::Double { seat: place.seat })?;
        self.check_cube(place, value);
        Ok(())
    }

    /// Whether the value written is the one offered.
    fn check_cube(&mut self, place: Place, found: Option<u32>) {
        let Some(double) = self.pending_double() else { return };
        let expected = double.value.get();
        if let Some(found) = found.filter(|&found| found != expected) {
            self.note(place, OddityKind::CubeValue { expected, found });
        }
    }

    pub(super) fn pending_double(&self) -> Option<PendingDouble> {
        match self.game()?.phase {
            Phase::DoubleOffered(double) => Some(double),
            _ => None,
        }
    }

    fn roll(&mut self, place: Place, dice: Dice, play: &Play) -> Result<(), Fault> {
        let seat = place.seat;
        let is_opening = self.game().is_some_and(|game| game.phase == Phase::Turn(Turn::OpeningRoll));
        if is_opening && dice.is_double() {
            return Err(Fault::OpeningDouble);
        }
        // That a beaver was accepted is not written: the roll says it.
        if self.pending_double().is_some_and(|double| double.beavers % 2 == 1 && double.on_roll == seat) {
            self.command(place, Command::AcceptDouble { seat })?;
        }
        let dice = if is_opening { opening(dice, seat) } else { dice };
        self.command(place, Command::Roll { seat, dice: Some(dice) })?;
        match play {
            Play::Written { text, written } => {
                self.command(place, Command::Move { seat, written: *written })?;
                self.check_hits(place, text);
                Ok(())
            }
            Play::Illegal { .. } => Err(Fault::IllegalPlay),
            Play::Blank | Play::CannotMove => self.unwritten(place, Self::omitted),
            Play::Unplayed => self.unwritten(place, Self::unplayed),
            Play::Concedes => {
                self.note(place, OddityKind::Concession);
                self.record_end(place, seat.opponent(), None, false);
                self.unwritten(place, |_, place, legal| must_be_last(place, legal))
            }
        }
    }

    /// A roll without a move: there is nothing to say of it if it had no legal one.
    fn unwritten(
        &mut self,
        place: Place,
        say: impl FnOnce(&mut Self, Place, &LegalMoves) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let legal =
            self.game().and_then(|game| Some(LegalMoves::new(game.board.position(place.seat), game.dice()?)));
        legal.map_or(Ok(()), |legal| say(self, place, &legal))
    }

    /// Stars are a checksum. Many leave them out; but one too many is odd.
    fn check_hits(&mut self, place: Place, text: &str) {
        let played = self.acts.last().and_then(|act| act.played);
        let hits = played.map_or(0, |mv| mv.steps().iter().filter(|step| step.hit).count());
        if text.bytes().filter(|&byte| byte == b'*').count() > hits {
            self.note(place, OddityKind::HitMissing);
        }
    }

    /// A move that is not written: the only one, or the one that bears off most, or none at the end.
    fn omitted(&mut self, place: Place, legal: &LegalMoves) -> Result<(), Fault> {
        let (meant, oddity) = match only(legal.iter()) {
            Some(forced) => (Some(forced), OddityKind::ForcedPlayOmitted),
            None => (bearing_off_most(legal), OddityKind::BearOffOmitted),
        };
        let meant = meant.filter(|meant| place.goes_on || meant.after.mover().is_finished());
        let Some(meant) = meant else { return self.unplayed(place, legal) };
        // What the rules write they read again.
        let written = meant.mv.to_string().parse::<Written>().unwrap_or_else(|_| Written::from_steps([]));
        self.note(place, oddity);
        self.command(place, Command::Move { seat: place.seat, written })
    }

    /// A roll that was not played.
    fn unplayed(&mut self, place: Place, legal: &LegalMoves) -> Result<(), Fault> {
        must_be_last(place, legal)?;
        self.note(place, OddityKind::RollUnplayed);
        Ok(())
    }
}

/// Only the last roll of a game can be left without a move.
fn must_be_last(place: Place, legal: &LegalMoves) -> Result<(), Fault> {
    if place.goes_on { Err(Fault::PlayMissing { choices: legal.len() }) } else { Ok(()) }
}

/// Whether a cell is something done in the game, not said about its end.
const fn is_action(cell: &Cell) -> bool {
    !matches!(cell, Cell::Wins { .. } | Cell::Losses { .. } | Cell::Concedes | Cell::NoRoll)
}

/// The game before the first one of the file, as if one seat had won all.
fn before(score: Score) -> GameResult {
    GameResult {
        number: 1,
        win: Some(Win { seat: Seat::One, kind: WinKind::Single }),
        reason: GameEndReason::Resigned,
        cube: CubeValue::ONE,
        points: score.one,
        jacoby_applied: false,
        score,
    }
}

/// The opening dice by seat: the one who plays them had the higher.
fn opening(dice: Dice, starter: Seat) -> Dice {
    let (first, second) = match starter {
        Seat::One => (dice.larger(), dice.smaller()),
        Seat::Two => (dice.smaller(), dice.larger()),
    };
    Dice { first, second }
}

/// The only item, if there is just one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

/// The move that bears off most checkers, if there is just one.
fn bearing_off_most(legal: &LegalMoves) -> Option<LegalMove> {
    let off = |legal: &LegalMove| legal.after.mover().off();
    let most = legal.iter().map(|legal| off(&legal)).max()?;
    if most == legal.position().mover().off() {
        return None;
    }
    only(legal.iter().filter(|legal| off(legal) == most))
}
