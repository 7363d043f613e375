//! What happened. A match is the fold of its events.

use crate::{
    Board, Contributions, Contributor, Cube, CubeValue, Dice, GameResult, MatchResult, Millis, Move,
    Position, Seat, Terms, WinKind,
};

/// Something that happened in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The match was created. Always the first event, and only that.
    MatchCreated(Box<Terms>),
    /// The server committed to a chain of dice.
    DiceCommitted(Box<DiceCommitment>),
    /// Somebody committed to a contribution to the dice.
    EntropyCommitted {
        /// Who.
        by: Contributor,
        /// The commitment.
        commitment: [u8; 32],
    },
    /// Somebody opened its contribution to the dice.
    EntropyOpened {
        /// Who.
        by: Contributor,
        /// The bytes that were committed to.
        opening: [u8; 32],
    },
    /// A player is ready.
    PlayerReady {
        /// The seat.
        seat: Seat,
    },
    /// A game began.
    GameStarted {
        /// The starting position.
        board: Board,
        /// Whether it is the Crawford game.
        crawford: bool,
        /// The cube at the start.
        cube: Cube,
    },
    /// Dice were rolled.
    DiceRolled {
        /// The seat that has to play the roll; `None` after an opening roll with equal dice.
        seat: Option<Seat>,
        /// What was rolled.
        roll: Roll,
        /// Number of the roll in its epoch, from 1 without gaps.
        index: u32,
        /// Whether this is an opening roll: one die for each seat.
        opening: bool,
        /// Whether equal opening dice doubled the cube.
        automatic_double: bool,
    },
    /// A move was made.
    MoveMade {
        /// The mover.
        seat: Seat,
        /// The move.
        mv: Move,
        /// The position after it, as the opponent sees it, who is on roll then.
        after: Position,
    },
    /// A roll had no legal move: the turn is lost (A11, A15).
    TurnForfeited {
        /// The seat.
        seat: Seat,
    },
    /// A double was offered (A20).
    DoubleOffered {
        /// The seat that offers.
        seat: Seat,
        /// The cube value offered.
        value: CubeValue,
    },
    /// A double was accepted (A22).
    DoubleAccepted {
        /// The seat that accepts.
        seat: Seat,
        /// The cube value from now on.
        value: CubeValue,
    },
    /// A double was declined (A21).
    DoubleDeclined {
        /// The seat that declines and loses the game.
        seat: Seat,
    },
    /// A double was answered by a beaver.
    DoubleBeavered {
        /// The seat that accepts and redoubles at once.
        seat: Seat,
        /// The cube value offered back.
        value: CubeValue,
    },
    /// A resignation was offered.
    ResignationOffered {
        /// The seat that resigns.
        seat: Seat,
        /// What it gives up.
        kind: WinKind,
    },
    /// A resignation was accepted.
    ResignationAccepted {
        /// The seat that accepts.
        seat: Seat,
    },
    /// A resignation was declined.
    ResignationDeclined {
        /// The seat that declines.
        seat: Seat,
    },
    /// Time ran out.
    TimeExpired {
        /// The seat whose time it was.
        seat: Seat,
    },
    /// Time was given back to the seat whose time runs, for example after the service was down.
    TimeCredited {
        /// How much.
        duration: Millis,
        /// Why.
        reason: String,
    },
    /// The match was paused.
    MatchPaused {
        /// Why.
        reason: String,
    },
    /// The match goes on.
    MatchResumed,
    /// A money session was closed between two games.
    SessionClosed,
    /// An operator or the backend decided a game or the match.
    Adjudicated {
        /// Why.
        reason: String,
        /// Whether the whole match was decided.
        whole_match: bool,
    },
    /// Labels or annotations changed. They are kept beside the log, so that they can be erased, and it makes nothing of
    /// the match: it may happen at any time, also after the end.
    MatchUpdated,
    /// A game ended.
    GameEnded(GameResult),
    /// The match ended.
    MatchEnded {
        /// The result.
        result: MatchResult,
        /// Why, in the words of the one who cancelled; empty otherwise.
        reason: String,
    },
}

/// One roll of the dice, with what proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The dice.
    pub dice: Dice,
    /// The link of the server's hash chain that the roll reveals, for committed dice.
    pub link: Option<[u8; 32]>,
}

/// All that is fixed before the first roll of an epoch of committed dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiceCommitment {
    /// Which secret key of the server the chain comes from.
    pub key_id: String,
    /// Number of the chain in the match, from 0.
    pub epoch: u32,
    /// The anchor of the hash chain.
    pub anchor: [u8; 32],
    /// Commitments of seat one, seat two and the creator; zeros where there is no contribution.
    pub commitments: [[u8; 32]; 3],
}

/// Where a match takes its rolls from: randomness is an argument.
///
/// Both answers must be pure functions of their arguments, so that a crash or a retry cannot re-roll.
pub trait DiceCup {
    /// The commitment of an epoch to which others have committed these contributions, or `None` if this cup commits
    /// to nothing.
    fn commit(&self, epoch: u32, commitments: &Contributions) -> Option<DiceCommitment>;

    /// Whether these bytes are what somebody has committed to.
    fn opens(&self, by: Contributor, commitment: &[u8; 32], opening: &[u8; 32]) -> bool;

    /// Roll number `index` of an epoch, from 1, into which others have mixed these contributions.
    fn roll(&self, epoch: u32, index: u32, contributions: &Contributions) -> Roll;
}
