//! What somebody wants to happen.

use crate::{Action, Contribution, Contributor, Dice, Millis, Seat, Win, WinKind, Written};

/// Something that a player, or the backend, wants to happen in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Roll the dice.
    Roll {
        /// The seat that rolls; in an opening roll either.
        seat: Seat,
        /// The roll: always with external dice, never otherwise.
        dice: Option<Dice>,
    },
    /// Play the roll: the whole move at once.
    Move {
        /// The mover.
        seat: Seat,
        /// The move as the player wrote it.
        written: Written,
    },
    /// Offer to double the stake.
    Double {
        /// The seat that offers.
        seat: Seat,
    },
    /// Accept a double or a beaver.
    AcceptDouble {
        /// The seat that accepts.
        seat: Seat,
    },
    /// Decline a double or a beaver, and lose the game.
    DeclineDouble {
        /// The seat that declines.
        seat: Seat,
    },
    /// Accept a double, redouble at once and keep the cube.
    Beaver {
        /// The seat that beavers.
        seat: Seat,
    },
    /// Offer to resign the game.
    OfferResignation {
        /// The seat that resigns.
        seat: Seat,
        /// What it gives up.
        kind: WinKind,
    },
    /// Accept a resignation.
    AcceptResignation {
        /// The seat that accepts.
        seat: Seat,
    },
    /// Decline a resignation.
    DeclineResignation {
        /// The seat that declines.
        seat: Seat,
    },
    /// Contribute to the dice.
    Contribute {
        /// Who contributes.
        by: Contributor,
        /// What.
        contribution: Contribution,
    },
    /// Declare a seat ready for the game.
    MarkReady {
        /// The seat.
        seat: Seat,
    },
    /// Claim what the opponent loses by running out of time.
    ClaimTimeout {
        /// The seat that claims.
        seat: Seat,
    },
    /// Notice that time has run out, as the server does by itself unless it has to be claimed.
    Expire,
    /// Give time back to the seat whose time runs.
    CreditTime {
        /// How much.
        duration: Millis,
        /// Why.
        reason: String,
    },
    /// Stop the clocks and refuse actions until [`Command::Resume`].
    Pause {
        /// Why.
        reason: String,
    },
    /// Let a paused match go on.
    Resume,
    /// Close a money session between two games.
    CloseSession,
    /// End the present game with this result.
    AdjudicateGame {
        /// Who wins, and by how much; `None`: the game does not count.
        win: Option<Win>,
        /// Why.
        reason: String,
    },
    /// End the match with this winner.
    AdjudicateMatch {
        /// The winner.
        winner: Seat,
        /// Why.
        reason: String,
    },
    /// Note that what is kept beside the log changes. No part of the game: it may be done at any time.
    Update,
    /// End the match without a result.
    Cancel {
        /// Why.
        reason: String,
    },
}

impl Command {
    /// The seat and the action, if this is something that a seat does.
    #[must_use]
    pub const fn seat_action(&self) -> Option<(Seat, Action)> {
        Some(match *self {
            Self::Roll { seat, .. } => (seat, Action::RollDice),
            Self::Move { seat, .. } => (seat, Action::SubmitMove),
            Self::Double { seat } => (seat, Action::OfferDouble),
            Self::AcceptDouble { seat } => (seat, Action::AcceptDouble),
            Self::DeclineDouble { seat } => (seat, Action::DeclineDouble),
            Self::Beaver { seat } => (seat, Action::BeaverDouble),
            Self::OfferResignation { seat, .. } => (seat, Action::OfferResignation),
            Self::AcceptResignation { seat } => (seat, Action::AcceptResignation),
            Self::DeclineResignation { seat } => (seat, Action::DeclineResignation),
            Self::MarkReady { seat } => (seat, Action::MarkReady),
            Self::ClaimTimeout { seat } => (seat, Action::ClaimTimeout),
            Self::Contribute { by, .. } => match by.seat() {
                Some(seat) => (seat, Action::ContributeEntropy),
                None => return None,
            },
            Self::Expire
            | Self::CreditTime { .. }
            | Self::Pause { .. }
            | Self::Resume
            | Self::CloseSession
            | Self::AdjudicateGame { .. }
            | Self::AdjudicateMatch { .. }
            | Self::Update
            | Self::Cancel { .. } => return None,
        })
    }
}
