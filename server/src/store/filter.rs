//! Which matches a list tells: a condition on what is stored of each.
//!
//! A condition holds or it does not; there is no third. What a match does not have is equal to nothing, and
//! neither before nor after anything. So the negation of a condition is told of exactly the other matches.

#[cfg(test)]
pub(crate) mod arbitrary;
#[cfg(test)]
pub(super) mod oracle;
pub(super) mod sql;

use chaquete_rules::{MatchEndReason, Seat, Variant};

use super::{State, Waiting};
use crate::clock::Millis;

/// A condition on matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Each of these holds. Of none of them: of every match.
    And(Vec<Self>),
    /// At least one of these holds. Of none of them: of no match.
    Or(Vec<Self>),
    /// This does not hold.
    Not(Box<Self>),
    /// This holds.
    Is(Comparison),
}

/// What can be said of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Where it is in its life.
    Stage(Stage),
    /// One of its players has this subject.
    Player(String),
    /// One of its labels has this value.
    Label(LabelKey, String),
    /// To how many points it is played. No money session is played to any.
    Points(Relation, i32),
    /// Its variant.
    Variant(Variant),
    /// The subject of who has won it.
    Winner(String),
    /// Why it has ended.
    Reason(MatchEndReason),
    /// Who has to act in the present game.
    SeatToAct(Seat),
    /// It was imported from a record.
    Imported,
    /// One of its times.
    Time(TimeOf, Relation, Millis),
    /// It has what not every match has.
    Has(Optional),
}

/// Where a match is in its life, as callers are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Both players have to be ready for the first game.
    Pending,
    /// Being played.
    Active,
    /// Suspended.
    Paused,
    /// Ended with a result.
    Completed,
    /// Ended without a result.
    Cancelled,
}

/// How something stands to what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Before it.
    Less,
    /// Before it or equal.
    AtMost,
    /// Equal.
    Equal,
    /// After it or equal.
    AtLeast,
    /// After it.
    Greater,
}

/// A time of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeOf {
    /// When it was created.
    Creation,
    /// When its last event was written.
    Update,
    /// When it ended.
    End,
}

/// What not every match has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optional {
    /// A label with this key.
    Label(LabelKey),
    /// Points that it is played to: it is no money session.
    Points,
    /// A winner.
    Winner,
    /// A reason why it has ended.
    Reason,
    /// A seat that has to act.
    SeatToAct,
    /// A time when it ended.
    EndTime,
}

/// The key of a label: 1 to 63 small letters, digits, `_`, `.` and `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelKey(String);

impl LabelKey {
    /// This key; `None` if no label can have it.
    #[must_use]
    pub fn new(key: &str) -> Option<Self> {
        let is_plain = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' | b'-');
        ((1..=63).contains(&key.len()) && key.bytes().all(is_plain)).then(|| Self(key.to_owned()))
    }

    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Stage {
    /// All stages.
    pub const ALL: [Self; 5] = [Self::Pending, Self::Active, Self::Paused, Self::Completed, Self::Cancelled];

    /// The same as it is stored.
    #[must_use]
    pub const fn stored(self) -> (State, Option<Waiting>) {
        match self {
            Self::Pending => (State::Active, Some(Waiting::Pending)),
            Self::Active => (State::Active, None),
            Self::Paused => (State::Active, Some(Waiting::Paused)),
            Self::Completed => (State::Completed, None),
            Self::Cancelled => (State::Cancelled, None),
        }
    }
}

impl Filter {
    /// Holds of every match.
    pub const EVERY: Self = Self::And(Vec::new());

    /// All of these hold.
    #[must_use]
    pub fn all(parts: Vec<Self>) -> Self {
        Self::only(parts).unwrap_or_else(Self::And)
    }

    /// At least one of these holds.
    #[must_use]
    pub fn any(parts: Vec<Self>) -> Self {
        Self::only(parts).unwrap_or_else(Self::Or)
    }

    /// The only one of these, or all of them if there is more than one, or none.
    fn only(parts: Vec<Self>) -> Result<Self, Vec<Self>> {
        <[Self; 1]>::try_from(parts).map(|[only]| only)
    }

    /// This does not hold.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Not(negated) => *negated,
            other => Self::Not(Box::new(other)),
        }
    }

    /// A subject that every match has for which this holds: a store may begin with the matches of that player.
    #[must_use]
    pub fn required_player(&self) -> Option<&str> {
        self.required(&|comparison| match comparison {
            Comparison::Player(subject) => Some(subject.as_str()),
            _ => None,
        })
    }

    /// A stage that every match is in for which this holds.
    #[must_use]
    pub fn required_stage(&self) -> Option<Stage> {
        self.required(&|comparison| match comparison {
            Comparison::Stage(stage) => Some(*stage),
            _ => None,
        })
    }

    /// The first that is picked of those comparisons without which this does not hold.
    fn required<'a, T>(&'a self, pick: &impl Fn(&'a Comparison) -> Option<T>) -> Option<T> {
        match self {
            Self::Is(comparison) => pick(comparison),
            Self::And(parts) => parts.iter().find_map(|part| part.required(pick)),
            Self::Or(_) | Self::Not(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
