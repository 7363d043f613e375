//! Arguments of `chaquete new`.
//!
//! An option that holds only beside another names both what it `requires` and what it
//! `conflicts_with`: a requirement alone is waived where the required option is ruled out by a third.

use chaquete_client::proto::{ClockMode, DiceSource, TimeoutPolicy, Variant};
use clap::{ArgGroup, ValueEnum};

use super::span::Span;

#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("length").required(true))]
pub(crate) struct New {
    /// Who plays on seat one.
    #[arg(value_name = "SEAT ONE")]
    pub(crate) one: String,
    /// Who plays on seat two.
    #[arg(value_name = "SEAT TWO")]
    pub(crate) two: String,
    /// A match to this many points.
    #[arg(long, group = "length", value_parser = clap::value_parser!(i32).range(1..=255))]
    pub(crate) points: Option<i32>,
    /// A money session.
    #[arg(long, group = "length")]
    pub(crate) money: bool,
    /// Close the money session after this many games.
    #[arg(long, value_name = "N", requires = "money", conflicts_with = "points", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    pub(crate) games: i32,
    /// Where the dice come from.
    #[arg(long, value_enum, default_value_t = Dice::Committed)]
    pub(crate) dice: Dice,
    /// The seed of seeded dice: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", required_if_eq("dice", "seeded"))]
    pub(crate) seed: Option<Seed>,
    /// Starting position and rules.
    #[arg(long, value_enum, default_value_t = Kind::Standard)]
    pub(crate) variant: Kind,
    /// Play without the Crawford rule.
    #[arg(long, requires = "points", conflicts_with = "money")]
    pub(crate) no_crawford: bool,
    /// Play money without the Jacoby rule.
    #[arg(long, requires = "money", conflicts_with = "points")]
    pub(crate) no_jacoby: bool,
    /// How often a double may be answered by a redouble at once, in a money session.
    #[arg(long, value_name = "N", requires = "money", conflicts_with = "points", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    pub(crate) beavers: i32,
    /// How many equal opening rolls double the cube in one game of a money session.
    #[arg(long, value_name = "N", requires = "money", conflicts_with = "points", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    pub(crate) automatic_doubles: i32,
    /// The highest cube value; 1 plays without a cube.
    #[arg(long, value_name = "VALUE", default_value_t = 64)]
    pub(crate) max_cube: i32,
    /// Each game waits until both players are ready.
    #[arg(long)]
    pub(crate) ready_check: bool,
    /// The id of the match. Default: the server makes one.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    pub(crate) id: String,
    // Last: their headings hold for all options after them.
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) helpers: Helpers,
}

impl New {
    /// What cannot be meant: options that hold only with some value of another.
    pub(crate) fn contradiction(&self) -> Option<&'static str> {
        match self.dice {
            Dice::Committed | Dice::External if self.seed.is_some() => {
                Some("--seed is for --dice seeded only")
            }
            Dice::External if self.helpers.auto_roll => {
                Some("--auto-roll is not for --dice external: the server cannot roll those dice")
            }
            _ => None,
        }
    }
}

/// Limits of time. Times are written like 90s, 10m, 1h30m or 2d.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("limit"), next_help_heading = "Limits of time (like 90s, 10m, 1h30m, 2d)")]
pub(crate) struct Limits {
    /// A clock for each side, with this much in reserve for the whole match.
    #[arg(long, value_name = "RESERVE", group = "limit")]
    pub(crate) clock: Option<Span>,
    /// The time of each turn, beside the reserve.
    #[arg(long, value_name = "TIME", requires = "clock", conflicts_with = "action_deadline")]
    pub(crate) per_turn: Option<Span>,
    /// How the time of each turn is used [default: delay]
    #[arg(long, value_enum, requires = "per_turn", conflicts_with = "action_deadline")]
    pub(crate) mode: Option<Mode>,
    /// A limit for each single action instead of clocks.
    #[arg(long, value_name = "TIME", group = "limit")]
    pub(crate) action_deadline: Option<Span>,
    /// What running out of time loses [default: match]
    #[arg(long, value_enum, requires = "limit")]
    pub(crate) timeout: Option<Timeout>,
}

/// What the server does for the players.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What the server does without being asked")]
pub(crate) struct Helpers {
    /// Roll at once for a side that cannot double.
    #[arg(long)]
    pub(crate) auto_roll: bool,
    /// Play a roll that has only one legal move.
    #[arg(long)]
    pub(crate) auto_move: bool,
    /// Bear off as many checkers as the roll allows, once nobody can be hit any more.
    #[arg(long)]
    pub(crate) auto_bear_off: bool,
}

/// How the time of each turn is used.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Mode {
    /// The reserve runs after it.
    Delay,
    /// What was used of it is given back.
    Bronstein,
    /// It is added to the reserve.
    Fischer,
}

impl From<Mode> for ClockMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Delay => Self::SimpleDelay,
            Mode::Bronstein => Self::Bronstein,
            Mode::Fischer => Self::Fischer,
        }
    }
}

/// What running out of time loses.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Timeout {
    /// The match.
    Match,
    /// The game.
    Game,
    /// The match, once the opponent claims it.
    Claim,
}

impl From<Timeout> for TimeoutPolicy {
    fn from(timeout: Timeout) -> Self {
        match timeout {
            Timeout::Match => Self::ForfeitMatch,
            Timeout::Game => Self::ForfeitGame,
            Timeout::Claim => Self::Claim,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Dice {
    /// Fixed in advance by the server and provable.
    Committed,
    /// Told to the server with each roll.
    External,
    /// From a seed, for tests.
    Seeded,
}

impl From<Dice> for DiceSource {
    fn from(dice: Dice) -> Self {
        match dice {
            Dice::Committed => Self::Committed,
            Dice::External => Self::External,
            Dice::Seeded => Self::Seeded,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Kind {
    Standard,
    Nackgammon,
    Hypergammon,
    Longgammon,
}

impl From<Kind> for Variant {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Standard => Self::Standard,
            Kind::Nackgammon => Self::Nackgammon,
            Kind::Hypergammon => Self::Hypergammon,
            Kind::Longgammon => Self::Longgammon,
        }
    }
}

/// The seed of seeded dice.
#[derive(Clone, Debug)]
pub(crate) struct Seed(pub(crate) Vec<u8>);

impl std::str::FromStr for Seed {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "a seed has 64 hexadecimal digits";
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong);
        }
        let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16);
        let bytes: Result<Vec<u8>, _> = (0..64).step_by(2).map(byte).collect();
        bytes.map(Self).map_err(|_| wrong)
    }
}
