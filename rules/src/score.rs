//! What games and matches are worth.

use std::fmt;

use crate::{BySeat, CubeValue, Position, Seat};

/// By how much a game is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WinKind {
    /// Once the cube (A23).
    Single,
    /// Twice the cube (A24).
    Gammon,
    /// Three times the cube (A24).
    Backgammon,
}

impl WinKind {
    /// How many times the cube the game counts: 1, 2 or 3.
    #[must_use]
    pub const fn multiplier(self) -> u32 {
        match self {
            Self::Single => 1,
            Self::Gammon => 2,
            Self::Backgammon => 3,
        }
    }

    /// The kind that counts this many times the cube.
    #[must_use]
    pub const fn from_multiplier(multiplier: u32) -> Option<Self> {
        match multiplier {
            1 => Some(Self::Single),
            2 => Some(Self::Gammon),
            3 => Some(Self::Backgammon),
            _ => None,
        }
    }

    /// How a game is won whose winner has just borne off the last checker; `loser` is the position from
    /// the loser's view.
    ///
    /// A loser who has borne off at least one checker loses once (A23, S1). One who has borne off none is
    /// gammoned (A24, S3), and backgammoned with a checker on the bar or in the winner's home board (S2).
    #[must_use]
    pub fn of_finished(loser: &Position) -> Self {
        let side = loser.mover();
        let in_winners_home = side.points()[18..].iter().any(|&count| count > 0);
        if side.off() > 0 {
            Self::Single
        } else if side.bar() > 0 || in_winners_home {
            Self::Backgammon
        } else {
            Self::Gammon
        }
    }
}

impl fmt::Display for WinKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Single => "a single game",
            Self::Gammon => "a gammon",
            Self::Backgammon => "a backgammon",
        })
    }
}

/// Points won by each seat. They are kept as won, even beyond the match length (S10).
pub type Score = BySeat<u32>;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameEndReason {
    /// All checkers of the winner were borne off.
    BorneOff,
    /// A double was declined.
    DoubleDeclined,
    /// A resignation was accepted.
    Resigned,
    /// Time ran out.
    Timeout,
    /// An operator or the backend decided.
    Adjudicated,
    /// The game does not count.
    Void,
}

/// Who won a game, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Win {
    /// The winner.
    pub seat: Seat,
    /// What was won on the board, or given up. Points may be fewer under the Jacoby rule.
    pub kind: WinKind,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// Number of the game in the match, from 1.
    pub number: u32,
    /// Who won, and by how much; `None` if the game does not count.
    pub win: Option<Win>,
    /// Why the game ended.
    pub reason: GameEndReason,
    /// The cube value that counted.
    pub cube: CubeValue,
    /// Points won, after cube, kind and the Jacoby rule.
    pub points: u32,
    /// Whether the Jacoby rule reduced a gammon or backgammon to a single win.
    pub jacoby_applied: bool,
    /// The score after the game.
    pub score: Score,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchEndReason {
    /// A player reached the match length.
    PointsReached,
    /// The money session was closed or reached its number of games.
    SessionClosed,
    /// Time ran out.
    Timeout,
    /// An operator or the backend decided.
    Adjudicated,
    /// It was cancelled: no result.
    Cancelled,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchResult {
    /// The winner; `None` if it was cancelled or a session ended level.
    pub winner: Option<Seat>,
    /// The score.
    pub score: Score,
    /// Why it ended.
    pub reason: MatchEndReason,
}
