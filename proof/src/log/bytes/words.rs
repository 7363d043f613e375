//! The words that stand in logs and snapshots for what the types name.

use chaquete_rules::{
    ClockMode, GameEndReason, MatchEndReason, OpeningRule, PhaseKind, TimeoutPolicy, Variant, WinKind,
};

use crate::log::ActorKind;

/// A type each of whose values has one word.
pub trait Word: Copy + 'static {
    /// All values.
    const ALL: &'static [Self];

    /// The word of a value.
    fn word(self) -> &'static str;

    /// The value with this word.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.word() == word)
    }
}

/// The word of each value of a type, each value once.
#[macro_export]
macro_rules! words {
    ($type:ident { $($value:ident: $word:literal),+ $(,)? }) => {
        impl $crate::log::Word for $type {
            const ALL: &'static [Self] = &[$(Self::$value),+];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$value => $word),+
                }
            }
        }
    };
}

words!(ActorKind { Player: "player", Backend: "backend", Operator: "operator", Server: "server" });
words!(ClockMode { SimpleDelay: "simple_delay", Bronstein: "bronstein", Fischer: "fischer" });
words!(GameEndReason {
    BorneOff: "borne_off",
    DoubleDeclined: "double_declined",
    Resigned: "resigned",
    Timeout: "timeout",
    Adjudicated: "adjudicated",
    Void: "void",
});
words!(MatchEndReason {
    PointsReached: "points_reached",
    SessionClosed: "session_closed",
    Timeout: "timeout",
    Adjudicated: "adjudicated",
    Cancelled: "cancelled",
});
words!(OpeningRule { Standard: "standard", SeatOne: "seat_one", SeatTwo: "seat_two" });
words!(PhaseKind {
    Waiting: "waiting",
    OpeningRoll: "opening_roll",
    Roll: "roll",
    Move: "move",
    DoubleOffered: "double_offered",
    ResignationOffered: "resignation_offered",
    Over: "over",
});
words!(TimeoutPolicy { ForfeitMatch: "forfeit_match", ForfeitGame: "forfeit_game", Claim: "claim" });
words!(Variant {
    Standard: "standard",
    Nackgammon: "nackgammon",
    Hypergammon: "hypergammon",
    LongGammon: "longgammon",
});
words!(WinKind { Single: "single", Gammon: "gammon", Backgammon: "backgammon" });
