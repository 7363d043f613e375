//! A match game by game, as records write one: what was done, without the words of any format.

use chaquete_rules::{
    CubeValue, Dice, Event, Game, GameEndReason, GameResult, Match, MatchEndReason, Move, PendingDouble,
    Phase, Score, Seat, WinKind,
};

use crate::Chronicle;
use crate::remark::{Remark, RemarkKind};

/// The games of a match, but for those that do not count.
pub(crate) struct PlayedMatch {
    pub(crate) games: Vec<PlayedGame>,
    /// How the match ended, and why, if that was not by the play.
    pub(crate) cut_short: Option<(MatchEndReason, String)>,
    /// What a record has no words for.
    pub(crate) remarks: Vec<Remark>,
}

/// One game.
pub(crate) struct PlayedGame {
    /// Its number in the match, from 1.
    pub(crate) number: u32,
    /// The score at its start.
    pub(crate) start: Score,
    pub(crate) crawford: bool,
    pub(crate) automatic_doubles: u32,
    pub(crate) words: Vec<Word>,
    /// `None` if it was not played to an end.
    pub(crate) result: Option<GameResult>,
    /// Why it was adjudicated, in the words of whoever did; empty otherwise.
    pub(crate) why: String,
}

/// Something that was done in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Rolled, and played; a roll without a legal move is played with no steps.
    Rolled {
        seat: Seat,
        dice: Dice,
        mv: Move,
    },
    /// Rolled, and never played.
    Unplayed {
        seat: Seat,
        dice: Dice,
    },
    /// With the value offered.
    Doubled {
        seat: Seat,
        value: CubeValue,
    },
    /// With the value offered back.
    Beavered {
        seat: Seat,
        value: CubeValue,
    },
    Took {
        seat: Seat,
    },
    Dropped {
        seat: Seat,
    },
}

impl PlayedMatch {
    pub(crate) fn of(chronicle: &Chronicle) -> Self {
        let mut walk = Walk::default();
        let end = chronicle.replay(|state, event| walk.happen(state, event));
        walk.close(&end);
        Self { games: walk.games, cut_short: walk.cut_short, remarks: walk.remarks }
    }
}

impl PlayedGame {
    /// Whether nothing was done in the game.
    pub(crate) const fn is_untouched(&self) -> bool {
        self.words.is_empty() && self.automatic_doubles == 0
    }
}

#[derive(Default)]
struct Walk {
    games: Vec<PlayedGame>,
    game: Option<Course>,
    cut_short: Option<(MatchEndReason, String)>,
    /// Why the game or the match that ends next was adjudicated.
    adjudicated: String,
    remarks: Vec<Remark>,
}

/// A game in its course, and what waits in it.
struct Course {
    game: PlayedGame,
    rolled: Option<(Seat, Dice)>,
    offer: Option<Word>,
    /// What was resigned and not declined.
    resigned: Option<WinKind>,
}

impl Walk {
    fn remark(&mut self, game: Option<u32>, kind: RemarkKind) {
        let remark = Remark { game, kind };
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    fn happen(&mut self, state: &Match, event: &Event) {
        match *event {
            Event::GameStarted { crawford, .. } => self.game = Some(Course::new(state, crawford)),
            Event::GameEnded(result) => self.end_game(state, result),
            Event::MatchEnded { result, ref reason } => self.end_match(result.reason, reason),
            Event::Adjudicated { ref reason, .. } => self.adjudicated.clone_from(reason),
            Event::PlayerReady { .. }
            | Event::TimeCredited { .. }
            | Event::MatchPaused { .. }
            | Event::MatchResumed
            | Event::MatchUpdated => self.remark(None, RemarkKind::BesidePlay),
            _ => {
                let left_out =
                    self.game.as_mut().and_then(|course| Some((course.game.number, course.happen(event)?)));
                if let Some((number, kind)) = left_out {
                    self.remark(Some(number), kind);
                }
            }
        }
    }

    fn end_game(&mut self, state: &Match, result: GameResult) {
        let (Some(mut course), Some(game)) = (self.game.take(), state.game()) else { return };
        let number = Some(course.game.number);
        if result.win.is_none() {
            self.remark(number, RemarkKind::VoidGame);
            return;
        }
        match result.reason {
            GameEndReason::Resigned => {
                if let Some(kind) = course.resigned.filter(|_| result.jacoby_applied) {
                    self.remark(number, RemarkKind::ResignedForLess { kind });
                }
            }
            GameEndReason::Timeout | GameEndReason::Adjudicated | GameEndReason::Void => {
                if course.resigned.is_some() {
                    self.remark(number, RemarkKind::ResignationLeftOut);
                }
                course.cut_short(game);
                course.game.why = std::mem::take(&mut self.adjudicated);
                self.remark(number, RemarkKind::EndChanged { reason: result.reason });
            }
            GameEndReason::BorneOff | GameEndReason::DoubleDeclined => {}
        }
        self.games.push(course.end(Some(result)));
    }

    fn end_match(&mut self, reason: MatchEndReason, words: &str) {
        match reason {
            MatchEndReason::PointsReached | MatchEndReason::SessionClosed => {}
            MatchEndReason::Timeout | MatchEndReason::Adjudicated | MatchEndReason::Cancelled => {
                self.cut_short = Some((reason, std::mem::take(&mut self.adjudicated) + words));
                self.remark(None, RemarkKind::MatchEnd { reason });
            }
        }
    }

    /// The game that was not played to its end.
    fn close(&mut self, end: &Match) {
        if let Some(course) = self.game.take() {
            if course.resigned.is_some() {
                self.remark(Some(course.game.number), RemarkKind::ResignationLeftOut);
            }
            self.games.push(course.end(None));
        }
        if end.result().is_none() {
            self.remark(None, RemarkKind::MatchUnfinished);
        }
    }
}

impl Course {
    fn new(state: &Match, crawford: bool) -> Self {
        let game = PlayedGame {
            // As many games as numbers of 32 bits.
            number: state.games().len() as u32 + 1,
            start: state.score(),
            crawford,
            automatic_doubles: 0,
            words: Vec::new(),
            result: None,
            why: String::new(),
        };
        Self { game, rolled: None, offer: None, resigned: None }
    }

    /// Keeps what happened, or says why not.
    fn happen(&mut self, event: &Event) -> Option<RemarkKind> {
        match *event {
            Event::DiceRolled { seat: Some(seat), roll, opening, .. } => {
                // In an opening roll the dice are those of the seats: the mover's own comes first.
                let Dice { first, second } = roll.dice;
                let is_other_way = opening && seat == Seat::Two;
                let dice = if is_other_way { Dice { first: second, second: first } } else { roll.dice };
                self.rolled = Some((seat, dice));
            }
            Event::DiceRolled { automatic_double: true, .. } => self.game.automatic_doubles += 1,
            Event::DiceRolled { .. } => return Some(RemarkKind::EqualOpeningDice),
            Event::MoveMade { mv, .. } => self.played(mv),
            Event::TurnForfeited { .. } => self.played(Move::EMPTY),
            Event::DoubleOffered { seat, value } => self.offer = Some(Word::Doubled { seat, value }),
            Event::DoubleBeavered { seat, value } => {
                self.answer(None);
                self.offer = Some(Word::Beavered { seat, value });
            }
            Event::DoubleAccepted { seat, .. } => self.answer(Some(Word::Took { seat })),
            Event::DoubleDeclined { seat } => self.answer(Some(Word::Dropped { seat })),
            Event::ResignationOffered { kind, .. } => self.resigned = Some(kind),
            Event::ResignationDeclined { .. } => {
                self.resigned = None;
                return Some(RemarkKind::ResignationLeftOut);
            }
            _ => {}
        }
        None
    }

    fn played(&mut self, mv: Move) {
        self.game.words.extend(self.rolled.take().map(|(seat, dice)| Word::Rolled { seat, dice, mv }));
    }

    fn answer(&mut self, answer: Option<Word>) {
        self.game.words.extend(self.offer.take().into_iter().chain(answer));
    }

    /// The game ended while something waited for its answer.
    fn cut_short(&mut self, game: &Game) {
        // The double is left out. A beaver as well, but the double before it was accepted by that.
        if let (Some(Word::Beavered { seat, .. }), Some(_)) = (self.offer.take(), pending(game)) {
            self.game.words.push(Word::Took { seat });
        }
    }

    fn end(mut self, result: Option<GameResult>) -> PlayedGame {
        self.answer(None);
        self.game.words.extend(self.rolled.map(|(seat, dice)| Word::Unplayed { seat, dice }));
        PlayedGame { result, ..self.game }
    }
}

const fn pending(game: &Game) -> Option<PendingDouble> {
    match game.phase {
        Phase::DoubleOffered(double) => Some(double),
        _ => None,
    }
}
