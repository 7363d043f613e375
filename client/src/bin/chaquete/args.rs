//! Arguments.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use chaquete_client::RetryPolicy;
use chaquete_client::proto::{DiceSource, Variant};
use chaquete_client::replay::RunId;
use clap::{ArgGroup, Parser, Subcommand, ValueEnum};

/// Backgammon matches on a server: make, show, watch and list them, and replay recorded ones.
#[derive(Debug, Parser)]
#[command(name = "chaquete", version)]
pub(crate) struct Args {
    /// The server.
    #[arg(long, global = true, env = "CHAQUETE_SERVER", default_value = "http://127.0.0.1:50051")]
    pub(crate) server: String,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show a match: the board, and what is to be done.
    Show(Show),
    /// Watch a match to its end.
    Watch(Watch),
    /// Create a match and print its name.
    New(New),
    /// List matches.
    List(List),
    /// Play recorded matches (.mat) through the server and compare every result.
    ///
    /// Exit codes: 0 all as recorded, 1 something was refused or came out differently, 2 not done.
    Replay(Replay),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    /// The match: its id or full name.
    #[arg(value_name = "MATCH")]
    pub(crate) name: String,
    /// Print the list of events instead of the board.
    #[arg(long)]
    pub(crate) log: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Watch {
    /// The match: its id or full name.
    #[arg(value_name = "MATCH")]
    pub(crate) name: String,
    /// Begin after this revision; 0 is the beginning.
    #[arg(long, value_name = "REVISION", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    pub(crate) after: i32,
    /// Draw the board after each turn.
    #[arg(long)]
    pub(crate) board: bool,
    /// How many seconds to look for a server that has gone.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub(crate) patience: u64,
}

impl Watch {
    pub(crate) fn retry(&self) -> RetryPolicy {
        patient(self.patience)
    }
}

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
    #[arg(long, value_name = "N", requires = "money", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
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
    #[arg(long, conflicts_with = "money")]
    pub(crate) no_crawford: bool,
    /// Play money without the Jacoby rule.
    #[arg(long, requires = "money")]
    pub(crate) no_jacoby: bool,
    /// How often a double may be answered by a redouble at once.
    #[arg(long, value_name = "N", requires = "money", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    pub(crate) beavers: i32,
    /// The highest cube value; 1 plays without a cube.
    #[arg(long, value_name = "VALUE", default_value_t = 64)]
    pub(crate) max_cube: i32,
    /// The id of the match. Default: the server makes one.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    pub(crate) id: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct List {
    /// Which matches, for example `state = "MATCH_STATE_ACTIVE"`.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    /// `create_time` or `end_time`, with ` desc` for the latest first.
    #[arg(long, value_name = "ORDER", default_value = "create_time desc")]
    pub(crate) order: String,
    /// The most matches to list.
    #[arg(long, value_name = "N", default_value = "50")]
    pub(crate) limit: NonZeroUsize,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Replay {
    /// Match files, or folders of them.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// How many matches are played at the same time.
    #[arg(long, value_name = "N", default_value = "4")]
    pub(crate) jobs: NonZeroUsize,
    /// The name of the run. The same command with the same name goes on where it was interrupted.
    /// Default: a new name.
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<RunId>,
    /// How many seconds to look for a server that has gone.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) patience: u64,
    /// Append a line to this file for each acknowledged action: match, request id, first and last
    /// revision.
    #[arg(long, value_name = "FILE")]
    pub(crate) ack_log: Option<PathBuf>,
    /// Only read the records and follow them under the rules; no server is needed.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// List every oddity of the records, not only how many there are.
    #[arg(long)]
    pub(crate) oddities: bool,
}

impl Replay {
    pub(crate) fn retry(&self) -> RetryPolicy {
        patient(self.patience)
    }
}

fn patient(seconds: u64) -> RetryPolicy {
    RetryPolicy { patience: Duration::from_secs(seconds), ..RetryPolicy::default() }
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
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong);
        }
        let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16);
        let bytes: Result<Vec<u8>, _> = (0..64).step_by(2).map(byte).collect();
        bytes.map(Self).map_err(|_| wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_are_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_match_has_one_length() {
        let parse = |arguments: &[&str]| {
            let all = ["chaquete", "new", "ann", "ben"].iter().chain(arguments);
            Args::try_parse_from(all).is_ok()
        };
        assert!(parse(&["--points", "7"]));
        assert!(parse(&["--money", "--games", "3"]));
        assert!(!parse(&[]));
        assert!(!parse(&["--points", "7", "--money"]));
        assert!(!parse(&["--points", "0"]));
        assert!(!parse(&["--points", "7", "--dice", "seeded"]));
        assert!(parse(&["--points", "7", "--dice", "seeded", "--seed", &"0f".repeat(32)]));
    }
}
