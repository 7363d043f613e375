//! What others mix into committed dice, so that nobody has to trust the server's secret alone.
//!
//! Whoever contributes commits first, then the server commits to its chain, and only then is anything opened: nobody
//! can choose what it contributes by what the others have. This crate keeps the order; what a commitment is made of
//! is the cup's to know.

use std::{
    fmt,
    ops::{Index, IndexMut},
};

use crate::{Millis, Moment, Seat};

/// Who can contribute to the dice of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contributor {
    /// Seat one.
    SeatOne,
    /// Seat two.
    SeatTwo,
    /// The one who created the match.
    Creator,
}

impl Contributor {
    /// All of them, in their order.
    pub const ALL: [Self; 3] = [Self::SeatOne, Self::SeatTwo, Self::Creator];

    /// The one that plays this seat; without a seat, the creator.
    #[must_use]
    pub const fn of(seat: Option<Seat>) -> Self {
        match seat {
            Some(Seat::One) => Self::SeatOne,
            Some(Seat::Two) => Self::SeatTwo,
            None => Self::Creator,
        }
    }

    /// The seat, if it plays one.
    #[must_use]
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::SeatOne => Some(Seat::One),
            Self::SeatTwo => Some(Seat::Two),
            Self::Creator => None,
        }
    }

    /// 1 seat one, 2 seat two, 3 the creator.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::SeatOne => 1,
            Self::SeatTwo => 2,
            Self::Creator => 3,
        }
    }
}

impl fmt::Display for Contributor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SeatOne => "seat one",
            Self::SeatTwo => "seat two",
            Self::Creator => "the creator",
        })
    }
}

/// 32 bytes of each contributor, or nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contributions(pub [Option<[u8; 32]>; 3]);

impl Contributions {
    /// Of nobody.
    pub const NONE: Self = Self([None; 3]);
}

impl Index<Contributor> for Contributions {
    type Output = Option<[u8; 32]>;

    fn index(&self, by: Contributor) -> &Self::Output {
        &self.0[by as usize]
    }
}

impl IndexMut<Contributor> for Contributions {
    fn index_mut(&mut self, by: Contributor) -> &mut Self::Output {
        &mut self.0[by as usize]
    }
}

/// Who contributes to the dice of a match: somebody does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contributing {
    players: bool,
    creator: Option<[u8; 32]>,
    timeout: Millis,
}

impl Contributing {
    /// Both seats, or the creator with this commitment, or all three. All contributions to an epoch must be there
    /// within `timeout`. `None` if nobody contributes, or there is no time.
    #[must_use]
    pub const fn new(players: bool, creator: Option<[u8; 32]>, timeout: Millis) -> Option<Self> {
        if (players || creator.is_some()) && timeout > 0 {
            Some(Self { players, creator, timeout })
        } else {
            None
        }
    }

    /// Whether both seats do.
    #[must_use]
    pub const fn players(self) -> bool {
        self.players
    }

    /// The commitment of the creator to what it contributes to the first epoch, if it does.
    #[must_use]
    pub const fn creator(self) -> Option<[u8; 32]> {
        self.creator
    }

    /// How long all contributions to an epoch may take.
    #[must_use]
    pub const fn timeout(self) -> Millis {
        self.timeout
    }

    /// Whether this one does.
    #[must_use]
    pub const fn includes(self, by: Contributor) -> bool {
        match by {
            Contributor::SeatOne | Contributor::SeatTwo => self.players,
            Contributor::Creator => self.creator.is_some(),
        }
    }

    /// Those who do.
    pub(crate) fn all(self) -> impl Iterator<Item = Contributor> {
        Contributor::ALL.into_iter().filter(move |&by| self.includes(by))
    }
}

/// What a contributor gives: first what it commits to, then what that was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contribution {
    /// A commitment to 32 bytes.
    Commitment([u8; 32]),
    /// The bytes that were committed to.
    Opening([u8; 32]),
}

/// What the dice wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// The commitment to a contribution.
    Commitment,
    /// The bytes that were committed to.
    Opening,
}

impl Awaited {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Commitment => "COMMITMENT",
            Self::Opening => "OPENING",
        }
    }
}

impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Commitment => "commitment",
            Self::Opening => "opening",
        })
    }
}

/// What others have contributed to an epoch of dice so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entropy {
    /// Number of the epoch, from 0.
    pub epoch: u32,
    /// What they have committed to.
    pub commitments: Contributions,
    /// What they have opened.
    pub openings: Contributions,
    /// When all of it must be there; `None` once it is, and while the match is paused.
    pub deadline: Option<Moment>,
}

impl Entropy {
    /// Nothing yet, but for what the creator has committed to beforehand.
    pub(crate) const fn new(epoch: u32, creator: Option<[u8; 32]>, deadline: Option<Moment>) -> Self {
        let commitments = Contributions([None, None, creator]);
        Self { epoch, commitments, openings: Contributions::NONE, deadline }
    }

    pub(crate) fn all_have_committed(&self, contributing: Contributing) -> bool {
        contributing.all().all(|by| self.commitments[by].is_some())
    }

    pub(crate) fn all_have_opened(&self, contributing: Contributing) -> bool {
        contributing.all().all(|by| self.openings[by].is_some())
    }
}
