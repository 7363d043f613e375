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

impl Suite {
    pub(crate) fn loads(self) -> Vec<Load> {
        let Self::Issue4 = self;
        let unary = [64, 512].map(|in_flight| (Transport::Unary, in_flight));
        let streamed = [512, 2048].map(|in_flight| (Transport::Act, in_flight));
        unary
            .into_iter()
            .chain(streamed)
            .flat_map(|(transport, in_flight)| {
                [Mode::Memory, Mode::Postgres].map(|mode| Load { mode, transport, in_flight })
            })
            .collect()
    }
}

impl Load {
    /// The same without a database.
    pub(crate) fn in_memory(self) -> Self {
        Self { mode: Mode::Memory, ..self }
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
        let mode = format!("{:?}", self.mode).to_lowercase();
        let transport = match self.transport {
            Transport::Unary => "unary",
            Transport::Act => "act",
        };
        write!(f, "{mode} {transport} {}", self.in_flight)
    }
}
