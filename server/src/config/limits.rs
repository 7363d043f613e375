//! How much of the server one caller can have.

use std::num::NonZeroU32;

use clap::Args;

/// Arguments of limits. Each may be 0: none.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct LimitArgs {
    /// How many connections there may be in all; more are closed at once.
    #[arg(long, env = "CHAQUETE_MAX_CONNECTIONS", value_name = "N", default_value_t = 10_000)]
    max_connections: u32,

    /// The same from one address (IPv4), or one network of 64 bits (IPv6). Behind a proxy all come from one address.
    #[arg(long, env = "CHAQUETE_MAX_CONNECTIONS_PER_ADDRESS", value_name = "N", default_value_t = 1_000)]
    max_connections_per_address: u32,

    /// How many calls one server works on at once; more are refused for a moment. Open streams do not count.
    #[arg(long, env = "CHAQUETE_MAX_CALLS", value_name = "N", default_value_t = 8_192)]
    max_calls: u32,

    /// How many calls a second a backend or operator may begin, by its key.
    #[arg(long, env = "CHAQUETE_CALLS_PER_SECOND", value_name = "N", default_value_t = 10_000)]
    calls_per_second: u32,

    /// How many calls a second a player or spectator may begin.
    #[arg(long, env = "CHAQUETE_PLAYER_CALLS_PER_SECOND", value_name = "N", default_value_t = 50)]
    player_calls_per_second: u32,

    /// How many calls a second may come from one address without credentials, or with ones that were not seen lately.
    #[arg(long, env = "CHAQUETE_STRANGERS_PER_SECOND", value_name = "N", default_value_t = 200)]
    strangers_per_second: u32,

    /// How many streams a player or spectator may have open at once on one server.
    #[arg(long, env = "CHAQUETE_MAX_STREAMS_PER_PLAYER", value_name = "N", default_value_t = 16)]
    max_streams_per_player: u32,

    /// How many streams all of a tenant may have open at once on one server.
    #[arg(long, env = "CHAQUETE_MAX_STREAMS_PER_TENANT", value_name = "N", default_value_t = 10_000)]
    max_streams_per_tenant: u32,

    /// How many matches of a tenant may run at once. Servers on one database count together, every five seconds.
    #[arg(
        long,
        env = "CHAQUETE_MAX_RUNNING_MATCHES_PER_TENANT",
        value_name = "N",
        default_value_t = 100_000
    )]
    max_running_matches_per_tenant: u32,
}

/// How much of the server one caller can have. `None`: as much as it wants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Connections in all.
    pub connections: Option<NonZeroU32>,
    /// Connections from one address.
    pub connections_per_address: Option<NonZeroU32>,
    /// Calls under way at once, but for streams.
    pub calls: Option<NonZeroU32>,
    /// Calls of a key in a second.
    pub calls_per_second: Option<NonZeroU32>,
    /// Calls of a player or spectator in a second.
    pub player_calls_per_second: Option<NonZeroU32>,
    /// Calls in a second from one address of those who are not known yet.
    pub strangers_per_second: Option<NonZeroU32>,
    /// Open streams of a player or spectator.
    pub streams_per_player: Option<NonZeroU32>,
    /// Open streams of a tenant.
    pub streams_per_tenant: Option<NonZeroU32>,
    /// Running matches of a tenant.
    pub running_matches_per_tenant: Option<NonZeroU32>,
}

impl From<LimitArgs> for Limits {
    fn from(args: LimitArgs) -> Self {
        Self {
            connections: NonZeroU32::new(args.max_connections),
            connections_per_address: NonZeroU32::new(args.max_connections_per_address),
            calls: NonZeroU32::new(args.max_calls),
            calls_per_second: NonZeroU32::new(args.calls_per_second),
            player_calls_per_second: NonZeroU32::new(args.player_calls_per_second),
            strangers_per_second: NonZeroU32::new(args.strangers_per_second),
            streams_per_player: NonZeroU32::new(args.max_streams_per_player),
            streams_per_tenant: NonZeroU32::new(args.max_streams_per_tenant),
            running_matches_per_tenant: NonZeroU32::new(args.max_running_matches_per_tenant),
        }
    }
}
