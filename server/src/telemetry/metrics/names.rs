//! All metrics there are: the single place of their names and of what they say. `docs/operating.md`, the dashboard and the
//! alerts are tested against it.

/// A metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name as it is scraped; of a histogram without `_bucket`, `_sum` and `_count`. Counters end in `_total`.
    pub name: &'static str,
    /// What it says.
    pub help: &'static str,
}

impl Metric {
    /// The name as it is registered: what counters end in is added when they are written.
    pub(super) fn stem(&self) -> &'static str {
        self.name.strip_suffix("_total").unwrap_or(self.name)
    }
}

macro_rules! metrics {
    ($($constant:ident = $name:literal, $help:literal;)*) => {
        $(
            #[doc = $help]
            pub const $constant: Metric = Metric { name: $name, help: $help };
        )*

        /// All of them.
        pub const ALL: &[Metric] = &[$($constant),*];
    };
}

metrics! {
    BUILD = "chaquete_build_info", "The version of the server, as a label";
    CALLS = "chaquete_calls_total",
        "Calls that have ended, by method, code and how they came: as a call, or as an action on an Act stream";
    CALLS_REFUSED = "chaquete_calls_refused_total",
        "Those that failed, by method, reason and the rule of play that was broken";
    CALL_SECONDS = "chaquete_call_seconds",
        "How long calls took that are answered with one message, and actions on Act streams";
    CALLS_UNDER_WAY = "chaquete_calls_under_way", "Calls that are under way, streams included";
    BATCH_WRITES = "chaquete_batch_writes", "How many writes were committed at once";
    COMMIT_SECONDS = "chaquete_commit_seconds", "How long it took to write a batch and make it durable";
    STORE_QUEUE = "chaquete_store_queue", "Writes that wait for the next batch";
    STORE_ERRORS = "chaquete_store_errors_total",
        "Reads and writes that the store failed to do, by what it was and why";
    STORE_CONNECTIONS_IDLE = "chaquete_store_connections_idle", "Connections for reading that are not used";
    STORE_CONNECTIONS_USED = "chaquete_store_connections_used", "Connections for reading that are used";
    STORE_CONNECTIONS_LIMIT = "chaquete_store_connections_limit",
        "How many connections for reading there may be";
    CACHE_HITS = "chaquete_cache_hits_total", "How often a match was wanted and was kept folded";
    CACHE_MISSES = "chaquete_cache_misses_total", "How often a match had to be read and folded";
    CACHE_MATCHES = "chaquete_cache_matches", "Matches that are kept folded";
    WATCHERS = "chaquete_watchers", "Those who wait for one match to move on: watches and long polls";
    FOLLOWERS = "chaquete_followers", "Those who follow all matches of a tenant or of a player";
    SWEEP_LAG = "chaquete_sweep_lag_seconds",
        "How long ago overdue clocks were last looked for: a match may be ended so much too late";
    CHECKPOINT_AGE = "chaquete_checkpoint_age_seconds",
        "Age of the newest checkpoint that this server knows; there is none before the first";
    CHECKPOINT_PENDING = "chaquete_checkpoint_pending",
        "Matches that have moved on here and are not covered by a checkpoint yet";
    MATCHES_DAMAGED = "chaquete_matches_damaged_total", "Matches whose log was found damaged";
}
