//! What can be asked of a server, and how much of it at once.

use std::fmt;

use clap::ValueEnum;

/// One kind of load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    /// What is called, on which server.
    pub(crate) mode: Mode,
    /// How.
    pub(crate) transport: Transport,
    /// How many calls are under way at any time.
    pub(crate) in_flight: usize,
}

/// What is called, on which server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// `GetServerInfo`: nothing but transport.
    Echo,
    /// `ApplyMove`: rules without a match.
    Rules,
    /// Matches on a server that keeps them in memory.
    Memory,
    /// Matches on a server that keeps them in a file.
    Sqlite,
    /// Matches on a server that keeps them in Postgres.
    Postgres,
    /// The same, but every call in a transaction of its own, over 16 connections: what batches are worth.
    PostgresSingle,
}

/// How actions get to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// A call for each.
    Unary,
    /// `PlayService.Act`, a stream on each connection.
    Act,
}

/// Lists of loads that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Suite {
    /// The aims of the store on Postgres: single calls and streams, with the database and without.
    Issue4,
}

impl Mode {
    /// Whether there is a database beside the server.
    pub(crate) const fn is_postgres(self) -> bool {
        matches!(self, Self::Postgres | Self::PostgresSingle)
    }
}

impl Suite {
    pub(crate) fn loads(self) -> Vec<Load> {
        let Self::Issue4 = self;
        let unary = [64, 512].map(|in_flight| (Transport::Unary, in_flight));
        let streamed = [512, 2048].map(|in_flight| (Transport::Act, in_flight));
        let with = |modes: &'static [Mode], (transport, in_flight)| {
            modes.iter().map(move |&mode| Load { mode, transport, in_flight })
        };
        let unary = unary
            .into_iter()
            .flat_map(|calls| with(&[Mode::Memory, Mode::Postgres, Mode::PostgresSingle], calls));
        let streamed = streamed.into_iter().flat_map(|calls| with(&[Mode::Memory, Mode::Postgres], calls));
        unary.chain(streamed).collect()
    }
}

impl Load {
    /// The same in another mode.
    pub(crate) fn with(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// How many connections are made unless something else is said: the fewest over which the server takes so much
    /// (128 calls on a connection, 1,024 actions on a stream).
    pub(crate) fn connections(self) -> usize {
        self.in_flight.div_ceil(match self.transport {
            Transport::Unary => 128,
            Transport::Act => 1_024,
        })
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = self.mode.to_possible_value().map_or_else(String::new, |mode| mode.get_name().to_owned());
        let transport = match self.transport {
            Transport::Unary => "unary",
            Transport::Act => "act",
        };
        write!(f, "{mode} {transport} {}", self.in_flight)
    }
}
