//! Arguments of `chaquete token`.

use clap::{Args, Subcommand};

use super::span::Span;

/// What can be done with tokens of players and spectators.
#[derive(Debug, Subcommand)]
pub(crate) enum Token {
    /// Issue a token and print it, alone on a line: a player's, unless --spectator says otherwise.
    Issue(Issue),
    /// Revoke all tokens of a subject that were issued until now.
    Revoke {
        /// The person or bot that holds them.
        subject: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Issue {
    /// The person or bot that will hold it, as seats of matches name it.
    pub(crate) subject: String,
    /// For somebody who watches a match, and does not play.
    #[arg(long, requires = "only")]
    pub(crate) spectator: bool,
    /// For this match alone: its id or full name. Default: all matches that the subject plays in.
    #[arg(long = "match", value_name = "MATCH")]
    pub(crate) only: Option<String>,
    /// How long it counts, from a minute to a day: 90s, 10m, 1h30m.
    #[arg(long = "for", value_name = "TIME", default_value = "1h")]
    pub(crate) ttl: Span,
}
