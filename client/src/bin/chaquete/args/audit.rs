//! Arguments of `chaquete audit` and `chaquete dice`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use chaquete_client::RetryPolicy;

use super::{Destination, destination, patient};

#[derive(Debug, clap::Args)]
pub(crate) struct Audit {
    /// Matches of the server, by their ids or full names; or with --files their exported logs, or folders of them; `-` is
    /// standard input.
    #[arg(value_name = "MATCH", required_unless_present = "all", conflicts_with = "all")]
    pub(crate) what: Vec<PathBuf>,
    /// MATCH are files, and no server is needed: JSON logs, as `chaquete export --format json` and
    /// `chaquete-server retain` write them.
    #[arg(long, conflicts_with = "all")]
    pub(crate) files: bool,
    /// All matches of the server.
    #[arg(long)]
    pub(crate) all: bool,
    /// Which of them, for example `state = "MATCH_STATE_COMPLETED"`.
    #[arg(long, requires = "all", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    /// How many logs are verified at the same time. Default: as many as there are processors.
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Note in this file each match that was verified, with its last revision and hash. The same command with the same
    /// file goes on where it was interrupted. Keep it where nobody who can write to the server's store can write to it.
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Compare with the journal of an earlier audit: every match that was in order then must still be there, with the
    /// same events up to where it was.
    #[arg(long, value_name = "JOURNAL")]
    pub(crate) against: Option<PathBuf>,
    /// Compare with the server's checkpoints as well: the key that signs them (a C2SP verifier key), which should come another
    /// way than from this server.
    #[arg(long, value_name = "KEY", conflicts_with = "files")]
    pub(crate) verifier_key: Option<String>,
    /// The newest checkpoint of an earlier audit, in this file: the tree over all logs must go on from it. Afterwards the
    /// newest is kept there.
    #[arg(long, value_name = "FILE", requires = "verifier_key")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Write the report as JSON as well: into this file, or to standard output with `-`, instead of the one for people.
    #[arg(long, value_name = "FILE", value_parser = destination())]
    pub(crate) json: Option<Destination>,
    /// How many seconds to look for a server that has gone.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) patience: u64,
}

impl Audit {
    pub(crate) fn retry(&self) -> RetryPolicy {
        patient(self.patience)
    }

    pub(crate) fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.map_or_else(processors, NonZeroUsize::get)
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Dice {
    /// The match: its id or full name; or with --file its exported log, `-` for standard input.
    #[arg(value_name = "MATCH")]
    pub(crate) what: PathBuf,
    /// MATCH is a file, and no server is needed.
    #[arg(long)]
    pub(crate) file: bool,
    /// Which epoch of the dice, from 0; only a session of more than 4000 rolls has several.
    #[arg(long, value_name = "N")]
    pub(crate) epoch: Option<u32>,
}
