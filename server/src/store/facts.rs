//! What lists look for in a match. All of it follows from the log, so it can always be made again.

use chaquete_rules::{BySeat, MatchEndReason, Seat, Variant};

/// What was agreed when the match was created, and will not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// Who plays.
    pub subjects: BySeat<String>,
    /// To how many points; `None`: a money session.
    pub points: Option<u32>,
    /// The variant.
    pub variant: Variant,
}

/// How a match stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Why nobody can act, if that is so in a running match.
    pub waiting: Option<Waiting>,
    /// Who has to act in the present game.
    pub seat_to_act: Option<Seat>,
    /// Who has won the match.
    pub winner: Option<Seat>,
    /// Why the match has ended, if it has.
    pub reason: Option<MatchEndReason>,
}

/// Why nobody can act in a running match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Both players have to be ready for the first game.
    Pending,
    /// Somebody has to resume it.
    Paused,
}
