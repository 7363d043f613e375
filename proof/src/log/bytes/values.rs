//! Values that are written as one text or number: seats, scores, moves, boards, actors.

use chaquete_record::PositionId;
use chaquete_rules::{
    Board, CubeValue, Dice, Die, MAX_CHECKERS, Millis, Move, Position, Score, Seat, Source, Step,
};

use super::{BadEntry, Object, Reader, Word};
use crate::log::{Actor, ActorKind};

impl Object {
    /// 1 or 2; 0 for neither seat.
    pub(crate) fn seat(&mut self, key: &str, seat: Option<Seat>) {
        self.integer(key, seat.map_or(0, Seat::number));
    }

    pub(crate) fn word(&mut self, key: &str, value: impl Word) {
        self.text(key, value.word());
    }

    pub(crate) fn cube(&mut self, key: &str, value: CubeValue) {
        self.integer(key, value.get());
    }

    /// Written only if it is so: for what the first logs did not have.
    pub(crate) fn mark(&mut self, key: &str, is_so: bool) {
        if is_so {
            self.flag(key, true);
        }
    }

    pub(crate) fn score(&mut self, score: Score) {
        self.text("score", &score_text(score));
    }

    /// As seat one sees it.
    pub(crate) fn board(&mut self, board: &Board) {
        self.position("board", &board.position(Seat::One));
    }

    /// What an id does not show is borne off; so where a side has not 15 checkers in all, the number follows.
    pub(crate) fn position(&mut self, key: &str, position: &Position) {
        self.text(key, &PositionId::of(position).to_string());
        let checkers = position.mover().checkers();
        if checkers != MAX_CHECKERS {
            self.integer("checkers", checkers);
        }
    }
}

impl Reader<'_> {
    pub(crate) fn any_seat(&mut self, key: &'static str) -> Result<Option<Seat>, BadEntry> {
        self.number(key, "0, 1 or 2", |number| match number {
            0 => Some(None),
            _ => u8::try_from(number).ok().and_then(Seat::from_number).map(Some),
        })
    }

    pub(crate) fn seat(&mut self) -> Result<Seat, BadEntry> {
        self.one_seat("seat")
    }

    pub(crate) fn one_seat(&mut self, key: &'static str) -> Result<Seat, BadEntry> {
        self.any_seat(key)?.ok_or(BadEntry::Value { key, expected: "1 or 2" })
    }

    pub(crate) fn word<T: Word>(&mut self, key: &'static str) -> Result<T, BadEntry> {
        self.parsed(key, "a word of the format", T::from_word)
    }

    pub(crate) fn cube(&mut self, key: &'static str) -> Result<CubeValue, BadEntry> {
        self.number(key, "a power of two from 1 to 4096", CubeValue::new)
    }

    /// A flag that is left out where it is not so.
    pub(crate) fn mark(&mut self, key: &'static str) -> Result<bool, BadEntry> {
        if self.has(key) { self.flag(key) } else { Ok(false) }
    }

    /// A length of time.
    pub(crate) fn duration(&mut self, key: &'static str) -> Result<Millis, BadEntry> {
        let millis = self.integer(key)?;
        if millis < 0 {
            return Err(BadEntry::Value { key, expected: "a number of milliseconds, 0 or more" });
        }
        Ok(millis)
    }

    pub(crate) fn score(&mut self) -> Result<Score, BadEntry> {
        self.parsed("score", "a score as `3-1`", parse_score)
    }

    pub(crate) fn board(&mut self) -> Result<Board, BadEntry> {
        Ok(Board::from_position(self.position("board")?, Seat::One))
    }

    pub(crate) fn position(&mut self, key: &'static str) -> Result<Position, BadEntry> {
        let id = self.parsed(key, "a GNU position ID", |text| text.parse::<PositionId>().ok())?;
        let checkers = if self.has("checkers") { self.integer("checkers")? } else { MAX_CHECKERS };
        id.position(checkers).map_err(|_| BadEntry::Value { key, expected: "a position of so many checkers" })
    }
}

/// `3-1`.
pub(crate) fn score_text(score: Score) -> String {
    format!("{}-{}", score.one, score.two)
}

pub(crate) fn parse_score(text: &str) -> Option<Score> {
    let (one, two) = text.split_once('-')?;
    Some(Score::new(one.parse().ok()?, two.parse().ok()?))
}

/// `3-1`.
pub(crate) fn parse_dice(text: &str) -> Option<Dice> {
    let (first, second) = text.split_once('-')?;
    Dice::new(first.parse().ok()?, second.parse().ok()?)
}

/// `24/18:6 13/8*:5`, in the numbering of the mover; the bar is 25, off is 0.
pub(crate) fn move_text(mv: &Move) -> String {
    let step = |step: &Step| {
        let hit = if step.hit { "*" } else { "" };
        format!("{}/{}{hit}:{}", step.source.number(), step.target().number(), step.die)
    };
    mv.steps().iter().map(step).collect::<Vec<_>>().join(" ")
}

pub(crate) fn parse_move(text: &str) -> Option<Move> {
    if text.is_empty() {
        return Some(Move::EMPTY);
    }
    let steps = text.split(' ').map(parse_step).collect::<Option<Vec<_>>>()?;
    Move::new(&steps)
}

fn parse_step(text: &str) -> Option<Step> {
    let (way, die) = text.split_once(':')?;
    let (from, to) = way.split_once('/')?;
    let (to, hit) = to.strip_suffix('*').map_or((to, false), |to| (to, true));
    let step =
        Step { source: Source::from_number(from.parse().ok()?)?, die: Die::new(die.parse().ok()?)?, hit };
    (to.parse() == Ok(step.target().number())).then_some(step)
}

/// `backend/1/subject`; the seat is 0 where the actor acted for none. The subject is the rest, slashes
/// included.
pub(crate) fn actor_text(actor: &Actor) -> String {
    let seat = actor.seat.map_or(0, Seat::number);
    format!("{}/{seat}/{}", actor.kind.word(), actor.subject)
}

pub(crate) fn parse_actor(text: &str) -> Option<Actor> {
    let mut parts = text.splitn(3, '/');
    let kind = ActorKind::from_word(parts.next()?)?;
    let seat = match parts.next()? {
        "0" => None,
        number => Some(Seat::from_number(number.parse().ok()?)?),
    };
    Some(Actor { kind, seat, subject: parts.next()?.to_owned() })
}
