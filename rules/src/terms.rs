//! What is agreed before a match: it cannot change once the match is created.

use std::num::NonZeroU32;

use crate::{Board, BySeat, Contributing, CubeValue, Dice, Seat, TimeControl, Variant};

/// Everything that is agreed before a match begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Who plays: opaque identifiers of the caller.
    pub players: BySeat<String>,
    /// The rules.
    pub rules: MatchRules,
    /// Where the dice come from.
    pub dice: DiceSource,
    /// Time limits; `None`: the match is untimed.
    pub time: Option<TimeControl>,
    /// What the server does without being asked.
    pub automation: Automation,
    /// Whether each game waits until both seats are ready.
    pub ready_check: bool,
}

impl Terms {
    /// Terms of a match that is played by hand and without limits of time.
    #[must_use]
    pub const fn new(players: BySeat<String>, rules: MatchRules, dice: DiceSource) -> Self {
        Self { players, rules, dice, time: None, automation: Automation::NONE, ready_check: false }
    }
}

/// What the server does without being asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Automation {
    /// Roll at once when the seat to act cannot double. Not with external dice, which nobody here can roll.
    pub roll_when_cube_unavailable: bool,
    /// Play a roll that has exactly one legal move.
    pub play_forced_moves: bool,
    /// In a race with all checkers home, bear off as many checkers as the roll allows.
    pub bear_off_greedily: bool,
}

impl Automation {
    /// Nothing.
    pub const NONE: Self =
        Self { roll_when_cube_unavailable: false, play_forced_moves: false, bear_off_greedily: false };
}

/// The rules of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRules {
    /// How long the match is, with the rules that exist only in that kind of play.
    pub length: Length,
    /// The variant.
    pub variant: Variant,
    /// The highest cube value; 1 plays without a cube.
    pub max_cube: CubeValue,
    /// How the first player of a game is found.
    pub opening: OpeningRule,
    /// A board to start every game from, instead of the variant's own.
    pub initial: Option<Board>,
}

impl MatchRules {
    /// A match to this many points as it is usually played: standard variant, Crawford rule, cube to 64.
    #[must_use]
    pub const fn points(points: MatchPoints) -> Self {
        Self::usual(Length::Points { points, crawford: true })
    }

    /// Money play as it is usually played: no limit of games, Jacoby rule, no beavers, cube to 64.
    #[must_use]
    pub const fn money() -> Self {
        Self::usual(Length::Money(MoneyRules {
            max_games: None,
            jacoby: true,
            max_beavers: 0,
            max_automatic_doubles: 0,
        }))
    }

    const fn usual(length: Length) -> Self {
        Self {
            length,
            variant: Variant::Standard,
            max_cube: CubeValue::USUAL_LIMIT,
            opening: OpeningRule::Standard,
            initial: None,
        }
    }

    /// The board every game starts from.
    #[must_use]
    pub fn start(&self) -> Board {
        self.initial.unwrap_or_else(|| self.variant.start())
    }
}

/// The length of a match in points, 1 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MatchPoints(u8);

impl MatchPoints {
    /// The longest match, in points.
    pub const MAX: Self = Self(u8::MAX);

    /// The length, if it is 1 to 255 points.
    #[must_use]
    pub const fn new(points: u8) -> Option<Self> {
        if points == 0 { None } else { Some(Self(points)) }
    }

    /// The length as a number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0 as u32
    }
}

/// How long a match is. Some rules exist only in one kind of play, so they are kept with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// A match to a number of points.
    Points {
        /// How many points win the match.
        points: MatchPoints,
        /// Whether the Crawford rule holds: no doubling in the first game in which one side needs exactly
        /// one point (S6).
        crawford: bool,
    },
    /// A money session: games count separately.
    Money(MoneyRules),
}

/// The rules that exist only in money play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoneyRules {
    /// The session closes by itself after this many games; `None`: no limit.
    pub max_games: Option<NonZeroU32>,
    /// Whether gammons and backgammons count once while the cube was never turned (S5).
    pub jacoby: bool,
    /// How often a double may be answered by an immediate redouble: 0 never, 1 beavers, 2 raccoons, …
    pub max_beavers: u32,
    /// How many equal opening rolls double the cube in one game (P7).
    pub max_automatic_doubles: u32,
}

/// How the first player of a game is found. Every game opens so: no winner or loser has precedence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpeningRule {
    /// Each seat rolls one die; the higher begins with both dice (P8).
    #[default]
    Standard,
    /// Seat one begins and rolls two dice, doubles included.
    SeatOne,
    /// Seat two begins and rolls two dice, doubles included.
    SeatTwo,
}

impl OpeningRule {
    /// The seat that an opening roll makes the first to play; `None`: roll again (P7).
    #[must_use]
    pub fn first_seat(self, dice: Dice) -> Option<Seat> {
        match self {
            Self::SeatOne => Some(Seat::One),
            Self::SeatTwo => Some(Seat::Two),
            Self::Standard => match dice.first.cmp(&dice.second) {
                std::cmp::Ordering::Greater => Some(Seat::One),
                std::cmp::Ordering::Less => Some(Seat::Two),
                std::cmp::Ordering::Equal => None,
            },
        }
    }
}

/// Where the dice of a match come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiceSource {
    /// Fixed in advance and provable. Others may mix contributions of their own in.
    Committed(Option<Contributing>),
    /// The caller supplies each roll.
    External,
    /// Deterministic from a given seed, for tests.
    Seeded,
}

impl DiceSource {
    /// Fixed in advance, and nobody contributes.
    pub const COMMITTED: Self = Self::Committed(None);

    /// Whether they are fixed in advance and provable.
    #[must_use]
    pub const fn is_committed(self) -> bool {
        matches!(self, Self::Committed(_))
    }

    /// Who contributes to them, if anybody does.
    #[must_use]
    pub const fn contributing(self) -> Option<Contributing> {
        match self {
            Self::Committed(contributing) => contributing,
            Self::External | Self::Seeded => None,
        }
    }
}
