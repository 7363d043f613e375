//! What a format had no place for.

use std::fmt;

use chaquete_rules::{
    GameEndReason, Length, MatchEndReason, MatchPoints, OpeningRule, Seat, Terms, Variant, WinKind,
};
use thiserror::Error;

/// Something of a match that could not be written as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The number of the game, from 1; `None` if it is about the whole match.
    pub game: Option<u32>,
    /// What was done about it.
    pub kind: RemarkKind,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            Some(game) => write!(f, "game {game}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

/// What could not be written as it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RemarkKind {
    /// A name had to be changed.
    #[error("seat {} is written as {written:?}", .seat.number())]
    NameChanged {
        /// Whose name.
        seat: Seat,
        /// The name written.
        written: String,
    },
    /// A fact of the head had to be changed.
    #[error("the {fact} is written in other characters")]
    FactChanged {
        /// Which one.
        fact: &'static str,
    },
    /// The format has no place for a fact of the head.
    #[error("the {fact} is not written")]
    FactLeftOut {
        /// Which one.
        fact: &'static str,
    },
    /// The last roll, which nobody played, was left out.
    #[error("the last roll is left out: nobody has played it")]
    RollLeftOut,
    /// Other programs read no match as long as this.
    #[error("other programs read no match to {} points", .points.get())]
    MatchTooLong {
        /// The match length.
        points: MatchPoints,
    },
    /// Other programs do not know the variant.
    #[error("other programs do not know this variant")]
    VariantUnknown,
    /// Something that was agreed has no place.
    #[error("{0}")]
    Term(Term),
    /// What happened beside the play was left out.
    #[error("pauses, time given back and other things beside the play are left out")]
    BesidePlay,
    /// Equal opening dice were left out.
    #[error("equal opening dice are left out: they were rolled again")]
    EqualOpeningDice,
    /// Automatic doubles were left out: the cube is higher than the record tells.
    #[error("automatic doubles are left out: the cube was higher than it is written")]
    AutomaticDoubles,
    /// That there were automatic doubles is written, but not with which dice.
    #[error("the dice of automatic doubles are not written, only how many there were")]
    AutomaticDoubleDice,
    /// A beaver was declined: GNU Backgammon reads no further then.
    #[error("a beaver is declined; GNU Backgammon does not read the games after this one")]
    BeaverDeclined,
    /// A resignation that was declined, or not answered, was left out.
    #[error("a resignation that was not accepted is left out")]
    ResignationLeftOut,
    /// A resignation counted less than its name, by the Jacoby rule, and only the points are written.
    #[error("{kind} was resigned and counted once: only the points are written")]
    ResignedForLess {
        /// What was resigned.
        kind: WinKind,
    },
    /// The game ended in another way than the record can tell: it reads like a resignation.
    #[error("{}: it is written like a resignation", end_of_game(*.reason))]
    EndChanged {
        /// How it ended.
        reason: GameEndReason,
    },
    /// A game that does not count was left out.
    #[error("the game does not count and is left out")]
    VoidGame,
    /// The match ended in another way than by the play.
    #[error("{}: only a tag says so", end_of_match(*.reason))]
    MatchEnd {
        /// How it ended.
        reason: MatchEndReason,
    },
    /// The match is not over.
    #[error("the match has not ended")]
    MatchUnfinished,
}

/// Something that was agreed before a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Term {
    /// That a seat opens every game.
    #[error("which seat opens the games is not written")]
    Opening,
    /// How many games the session had at most.
    #[error("the number of games agreed for the session is not written")]
    MaxGames,
    /// The limit of the cube.
    #[error("the limit of the cube is not written")]
    CubeLimit,
    /// How many beavers were allowed.
    #[error("how many beavers were allowed is not written")]
    Beavers,
    /// How many automatic doubles were allowed.
    #[error("automatic doubles are not written")]
    AutomaticDoubles,
    /// Limits of time.
    #[error("limits of time are not written")]
    Time,
    /// That players declare themselves ready.
    #[error("that games waited for both players is not written")]
    ReadyCheck,
    /// What proves the dice.
    #[error("what proves the dice is not written")]
    DiceProof,
}

/// The longest match that other programs read, in points.
const LONGEST: u32 = 64;

impl RemarkKind {
    /// What was agreed that no record tells, or other programs do not know.
    pub(crate) fn of_terms(terms: &Terms) -> Vec<Self> {
        let rules = &terms.rules;
        let money = match rules.length {
            Length::Money(money) => Some(money),
            Length::Points { .. } => None,
        };
        let left_out = [
            (Term::MaxGames, money.is_some_and(|money| money.max_games.is_some())),
            (Term::AutomaticDoubles, money.is_some_and(|money| money.max_automatic_doubles > 0)),
            (Term::Opening, rules.opening != OpeningRule::Standard),
            (Term::Time, terms.time.is_some()),
            (Term::ReadyCheck, terms.ready_check),
            (Term::DiceProof, terms.dice.is_committed()),
        ];
        let unknown = (rules.variant == Variant::LongGammon).then_some(Self::VariantUnknown);
        let too_long = match rules.length {
            Length::Points { points, .. } if points.get() > LONGEST => Some(Self::MatchTooLong { points }),
            Length::Points { .. } | Length::Money(_) => None,
        };
        let left_out = left_out.into_iter().filter(|(_, is)| *is).map(|(term, _)| Self::Term(term));
        unknown.into_iter().chain(too_long).chain(left_out).collect()
    }

    /// The stable code of the remark.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NameChanged { .. } => "NAME_CHANGED",
            Self::FactChanged { .. } => "FACT_CHANGED",
            Self::FactLeftOut { .. } => "FACT_LEFT_OUT",
            Self::RollLeftOut => "ROLL_LEFT_OUT",
            Self::MatchTooLong { .. } => "MATCH_TOO_LONG",
            Self::VariantUnknown => "VARIANT_UNKNOWN",
            Self::Term(term) => term.code(),
            Self::BesidePlay => "BESIDE_PLAY",
            Self::EqualOpeningDice => "EQUAL_OPENING_DICE",
            Self::AutomaticDoubles => "AUTOMATIC_DOUBLES",
            Self::AutomaticDoubleDice => "AUTOMATIC_DOUBLE_DICE",
            Self::BeaverDeclined => "BEAVER_DECLINED",
            Self::ResignationLeftOut => "RESIGNATION_LEFT_OUT",
            Self::ResignedForLess { .. } => "RESIGNED_FOR_LESS",
            Self::EndChanged { .. } => "END_CHANGED",
            Self::VoidGame => "VOID_GAME",
            Self::MatchEnd { .. } => "MATCH_END",
            Self::MatchUnfinished => "MATCH_UNFINISHED",
        }
    }
}

impl Term {
    /// The stable code of the remark about it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Opening => "TERM_OPENING",
            Self::MaxGames => "TERM_MAX_GAMES",
            Self::CubeLimit => "TERM_CUBE_LIMIT",
            Self::Beavers => "TERM_BEAVERS",
            Self::AutomaticDoubles => "TERM_AUTOMATIC_DOUBLES",
            Self::Time => "TERM_TIME",
            Self::ReadyCheck => "TERM_READY_CHECK",
            Self::DiceProof => "TERM_DICE_PROOF",
        }
    }
}

/// How a game ended, in words.
pub(crate) const fn end_of_game(reason: GameEndReason) -> &'static str {
    match reason {
        GameEndReason::BorneOff => "all checkers were borne off",
        GameEndReason::DoubleDeclined => "a double was declined",
        GameEndReason::Resigned => "it was resigned",
        GameEndReason::Timeout => "time ran out",
        GameEndReason::Adjudicated => "the game was adjudicated",
        GameEndReason::Void => "the game does not count",
    }
}

/// How a match ended, in words.
pub(crate) const fn end_of_match(reason: MatchEndReason) -> &'static str {
    match reason {
        MatchEndReason::PointsReached => "the points were reached",
        MatchEndReason::SessionClosed => "the session was closed",
        MatchEndReason::Timeout => "time ran out",
        MatchEndReason::Adjudicated => "the match was adjudicated",
        MatchEndReason::Cancelled => "the match was cancelled",
    }
}
