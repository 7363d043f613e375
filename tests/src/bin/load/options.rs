//! The command line.

use std::{num::NonZeroUsize, time::Duration};

use chaquete_rules::MatchPoints;
use clap::Parser;

use crate::{
    load::{Load, Mode, Suite, Transport},
    table::Style,
};

/// Plays whole matches at full speed, and says what that takes.
///
/// Server, database and this program share the machine, so only CPU per action and ratios of one run mean
/// anything. For Postgres a cluster of its own is started, and pgbench inserts rows like events, one a
/// transaction, in the same run: P is its best rate.
#[derive(Debug, Parser)]
#[command(name = "load")]
pub(crate) struct Options {
    /// What is called, on which server.
    #[arg(value_enum, default_value = "memory")]
    modes: Vec<Mode>,

    /// A list of loads in place of modes.
    #[arg(long, conflicts_with_all = ["modes", "in_flight", "act"])]
    suite: Option<Suite>,

    /// How many calls are under way at any time; several numbers are several loads.
    #[arg(long, value_name = "K", value_delimiter = ',', default_value = "64")]
    in_flight: Vec<NonZeroUsize>,

    /// Over `PlayService.Act` instead of single calls, where matches are played.
    #[arg(long)]
    act: bool,

    /// Connections to the server. Default: as few as it takes that many calls over.
    #[arg(long, value_name = "N")]
    connections: Option<NonZeroUsize>,

    /// Matches that are played at once. Default: as many as calls are under way; never fewer.
    #[arg(long, value_name = "M", default_value_t = 0)]
    matches: usize,

    /// How many points win a match.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..))]
    points: u8,

    /// Send a request id with every action, besides the expected revision.
    #[arg(long)]
    request_ids: bool,

    /// What dice and moves follow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How long each load is measured, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,

    /// How long each load goes on before that, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 2)]
    warm_up: u64,

    /// How often all of it is measured, one after the other.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,

    /// How long each run of pgbench takes, in seconds; 0: none. It runs only beside loads on Postgres.
    #[arg(long, value_name = "SECONDS", default_value_t = 4)]
    pgbench: u64,

    /// A further argument of the server.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub(crate) server_arg: Vec<String>,

    /// Print JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Options {
    /// What is measured in each round.
    pub(crate) fn loads(&self) -> Vec<Load> {
        let transport = |mode| match mode {
            Mode::Memory | Mode::Sqlite | Mode::Postgres | Mode::PostgresSingle if self.act => Transport::Act,
            _ => Transport::Unary,
        };
        let load = |mode, in_flight: &NonZeroUsize| Load {
            mode,
            transport: transport(mode),
            in_flight: in_flight.get(),
        };
        let every = |&mode| self.in_flight.iter().map(move |in_flight| load(mode, in_flight));
        self.suite.map_or_else(|| self.modes.iter().flat_map(every).collect(), Suite::loads)
    }

    /// How long each run of pgbench takes, if there are to be any.
    pub(crate) fn pgbench_seconds(&self) -> Option<u64> {
        let wanted = self.pgbench > 0 && self.needs_postgres();
        wanted.then_some(self.pgbench)
    }

    /// Whether anything is measured on Postgres.
    pub(crate) fn needs_postgres(&self) -> bool {
        self.loads().iter().any(|load| load.mode.is_postgres())
    }

    pub(crate) fn connections(&self, load: Load) -> usize {
        self.connections.map_or_else(|| load.connections(), NonZeroUsize::get)
    }

    pub(crate) fn matches(&self, load: Load) -> usize {
        self.matches.max(load.in_flight)
    }

    pub(crate) fn style(&self) -> Style {
        let points = MatchPoints::new(self.points).expect("the command line takes no 0");
        Style { points, request_ids: self.request_ids, seed: self.seed }
    }

    pub(crate) fn warm_up(&self) -> Duration {
        Duration::from_secs(self.warm_up)
    }

    pub(crate) fn measured(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}
