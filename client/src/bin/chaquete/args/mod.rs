//! Arguments.

mod audit;
mod destination;
mod new;
mod record;
mod server;
mod show;
mod span;
mod token;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use chaquete_client::RetryPolicy;
use chaquete_client::replay::RunId;
use clap::{Parser, Subcommand};

pub(crate) use audit::{Audit, Dice};
pub(crate) use destination::Destination;
pub(crate) use new::{Helpers, Limits, New};
pub(crate) use record::{Convert, Export, Import};
pub(crate) use server::Server;
pub(crate) use show::{PictureArgs, Show};
pub(crate) use token::{Issue, Token};

use crate::perft::Perft;
use destination::destination;

/// Backgammon matches on a server: make, show, watch and list them; replay, import, export, convert and audit records;
/// let people in.
///
/// Exit codes: 0 done, also when nobody reads the output to its end; 1 a replay came out differently, records were
/// refused, or a log is not in order; 2 not done.
#[derive(Debug, Parser)]
#[command(name = "chaquete", version)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) server: Server,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show a match: the board, and what is to be done; as text or as a picture.
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
    /// Store recorded matches on the server: .mat, .sgf, JSON logs, `oldmoves` of FIBS.
    ///
    /// Everything odd about a record is told with its line and column. A match is called after the content of its
    /// record, or as its log says, so nothing is imported twice. Exit codes: 0 all are there, 1 some were refused, 2 not done.
    Import(Import),
    /// Write matches as records for other programs: .mat, .sgf, .ogxm, or complete as JSON logs.
    ///
    /// What the format could not hold is told. Nothing is replaced without --force. Exit codes: 0 done, 1 some could not
    /// be written, 2 not done.
    Export(Export),
    /// Convert records from one format into another, or show a position in every form. No server is needed.
    ///
    /// Everything odd about a record is told with its line and column. Nothing is replaced without --force. Exit codes: 0
    /// done, 1 some were refused or could not be written, 2 not done.
    Convert(Convert),
    /// Verify logs: hash chain, rules, dice, clocks and results; of some matches, of all, or of exported files.
    ///
    /// The logs are verified here: nothing is believed that the server says of them. Exit codes: 0 all are in order, 1 some
    /// are not, 2 not done.
    Audit(Audit),
    /// Print what proves the dice of a match, as the independent verifier of `docs/verifying.md` takes it.
    Dice(Dice),
    /// Issue and revoke tokens of players and spectators, as a backend with a service key.
    #[command(subcommand)]
    Token(Token),
    /// Count all results of some rolls: how fast is the move generator? No server is needed.
    Perft(Perft),
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
    #[arg(long, value_name = "ID", conflicts_with = "dry_run")]
    pub(crate) run: Option<RunId>,
    /// How many seconds to look for a server that has gone.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, conflicts_with = "dry_run")]
    pub(crate) patience: u64,
    /// Append a line to this file for each acknowledged action: match, request id, first and last
    /// revision.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
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

#[cfg(test)]
mod tests;
