//! What can be chosen when the server starts: flags first, then the environment, then a file, then defaults.
//!
//! What is said here to `clap` is all there is to an option: keys of the file, what is printed, what is checked and
//! `docs/chaquete.toml` follow from it.

mod access;
mod check;
mod command_line;
mod file;
mod health;
mod keys;
mod limits;
mod password;
mod print;
mod problems;
mod sources;
mod values;

use std::{
    env,
    net::{Ipv4Addr, SocketAddr},
    num::{NonZeroU8, NonZeroU32, NonZeroUsize},
    path::PathBuf,
    thread,
    time::Duration,
};

use clap::{ArgAction, Args, ValueEnum, ValueHint};

use self::{
    access::AccessArgs,
    limits::LimitArgs,
    values::{batch, switch},
};
use crate::store::Writing;

pub use access::{AccessConfig, TlsFiles};
pub use health::HealthArgs;
pub use keys::{KeyCommand, NewKey};
pub use limits::Limits;

/// The default port.
pub const DEFAULT_PORT: u16 = 50_051;

/// How often a checkpoint is made unless the operator says so, in milliseconds.
const DEFAULT_CHECKPOINT_INTERVAL: NonZeroU32 = NonZeroU32::new(1_000).expect("it is not 0");

/// What the server program is to do.
#[derive(Clone, Debug)]
pub enum Task {
    /// Serve matches.
    Serve(Box<Config>),
    /// Bring the tables of this store up to date.
    Migrate(MigrateArgs),
    /// Bring what is stored beside the logs in line with them.
    Rebuild(RebuildArgs),
    /// Export and drop what ended long ago.
    Retain(RetainArgs),
    /// Make, list or revoke service keys.
    Key(KeyCommand),
    /// Ask a server whether it serves.
    Health(HealthArgs),
    /// Write the compiled contract to a file.
    Contract(ContractArgs),
    /// Only say this.
    Say(String),
}

impl Task {
    /// How log lines are written meanwhile.
    #[must_use]
    pub const fn log_format(&self) -> LogFormat {
        match self {
            Self::Serve(config) => config.log_format,
            Self::Migrate(args) => args.store.log_format,
            Self::Rebuild(args) => args.store.log_format,
            Self::Retain(args) => args.store.log_format,
            Self::Key(command) => command.store().log_format,
            Self::Health(_) | Self::Contract(_) | Self::Say(_) => LogFormat::Text,
        }
    }

    /// Where traces are sent meanwhile, if anywhere.
    #[must_use]
    pub fn otlp_endpoint(&self) -> Option<&str> {
        match self {
            Self::Serve(config) => config.otlp_endpoint.as_deref(),
            _ => None,
        }
    }
}

/// Arguments of `serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// Where to listen. Addresses that others can reach need TLS and callers that can be known. Port 0: any free one.
    #[arg(long, env = "CHAQUETE_LISTEN", value_name = "ADDR", default_value_t = Config::default().listen)]
    listen: SocketAddr,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    access: AccessArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// How many threads serve connections; each connection stays with one. Default: as many as there are processors.
    #[arg(long, env = "CHAQUETE_THREADS", value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// How many connections write to Postgres at once, each the matches of its own buckets. One is fastest unless the
    /// disk is far away: all that comes while it commits goes into its next batch.
    #[arg(long, env = "CHAQUETE_WRITERS", value_name = "N", default_value_t = Config::default().writing.writers)]
    writers: NonZeroU8,

    /// The most writes in one transaction of Postgres, up to 1024; 1 to compare with.
    #[arg(
        long,
        env = "CHAQUETE_BATCH",
        value_name = "N",
        default_value_t = Config::default().writing.batch,
        value_parser = batch
    )]
    batch: NonZeroUsize,

    /// File with the secret that committed dice are made from. Default: beside the embedded database, made if
    /// missing. Servers on one Postgres need the same file.
    #[arg(long, env = "CHAQUETE_DICE_KEY_FILE", value_name = "FILE")]
    dice_key_file: Option<PathBuf>,

    /// File with the key that signs checkpoints of all logs. Default: beside the embedded database, made if missing.
    /// Servers on one Postgres need the same file.
    #[arg(long, env = "CHAQUETE_LOG_KEY", value_name = "FILE")]
    log_key: Option<PathBuf>,

    /// Keep the newest checkpoint in this file as well, and refuse to serve a store that is older than it. It belongs
    /// where no backup of the store is restored to.
    // A file that need not be there yet has this hint: `check` looks for all others.
    #[arg(long, env = "CHAQUETE_CHECKPOINT_FILE", value_name = "FILE", value_hint = ValueHint::Other)]
    checkpoint_file: Option<PathBuf>,

    /// How often a checkpoint covers what was written since the last one, in milliseconds.
    #[arg(
        long,
        env = "CHAQUETE_CHECKPOINT_INTERVAL",
        value_name = "MS",
        default_value_t = DEFAULT_CHECKPOINT_INTERVAL
    )]
    checkpoint_interval: NonZeroU32,

    /// Accept matches whose dice follow from a given seed: for tests, since whoever knows the seed foresees
    /// every roll. In the environment: 1, true, yes, on, or 0, false, no, off.
    #[arg(
        long,
        env = "CHAQUETE_ALLOW_SEEDED_DICE",
        action = ArgAction::SetTrue,
        value_parser = switch()
    )]
    allow_seeded_dice: bool,

    /// Where metrics can be scraped, as `/metrics` in the text format of Prometheus. Off unless said. Port 0: any free
    /// one.
    #[arg(long, env = "CHAQUETE_METRICS_LISTEN", value_name = "ADDR")]
    metrics_listen: Option<SocketAddr>,

    /// How long health answers NOT_SERVING before the server stops to serve, in milliseconds: as long as it takes those
    /// who send it calls to ask for its health and to turn to others.
    #[arg(long, env = "CHAQUETE_DRAIN_DELAY", value_name = "MS", default_value_t = 0)]
    drain_delay: u32,

    /// The collector that traces are sent to, by OTLP over gRPC: `http://HOST:4317`. Off unless said.
    #[arg(long, env = "CHAQUETE_OTLP_ENDPOINT", value_name = "URL")]
    otlp_endpoint: Option<String>,
}

/// Arguments of everything that has to do with a store.
#[derive(Clone, Debug, Args)]
pub struct StoreArgs {
    /// Take what neither flags nor the environment say from this file, written as `docs/chaquete.toml`. Its keys are the
    /// long options of `serve`; other commands take theirs from it.
    #[arg(long, env = "CHAQUETE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    /// Where matches are kept: `sqlite:FILE`, `postgres://USER@HOST/DATABASE` (its password is better not here, where
    /// others may see it), or `memory:` to keep them only while the server runs. Default: a file in the user's data
    /// directory.
    #[arg(long, env = "CHAQUETE_STORE", hide_env_values = true, value_name = "URL")]
    store: Option<String>,

    /// File with the password of the store, one line that only its owner and group can read. Default: what the client
    /// library of Postgres takes, `PGPASSWORD` or a password file.
    #[arg(long, env = "CHAQUETE_STORE_PASSWORD_FILE", value_name = "FILE")]
    store_password_file: Option<PathBuf>,

    /// How log lines are written.
    #[arg(long, env = "CHAQUETE_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

impl StoreArgs {
    /// The URL of the store, with its password if there is one. Show it only as [`Shown`](crate::store::Shown).
    #[must_use]
    pub fn url(&self) -> String {
        self.store.clone().unwrap_or_else(|| Config::default().store)
    }
}

/// Arguments of `migrate`.
#[derive(Clone, Debug, Args)]
pub struct MigrateArgs {
    /// Whose store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// Spread the tables over the machines of a cluster of Citus as well.
    #[arg(long)]
    pub citus: bool,
}

/// Arguments of `rebuild`.
#[derive(Clone, Debug, Args)]
pub struct RebuildArgs {
    /// Whose store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// Change nothing, only say what differs.
    #[arg(long)]
    pub check: bool,
}

/// Arguments of `retain`.
#[derive(Clone, Debug, Args)]
pub struct RetainArgs {
    /// Whose store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// Only matches that ended more than so many days ago.
    #[arg(long, value_name = "DAYS")]
    pub older_than: u32,

    /// Folder for the files, one a match. It must be there.
    #[arg(long, value_name = "DIR")]
    pub export: PathBuf,

    /// Change nothing, only say how many matches it would be, and which of them would be left.
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `contract`.
#[derive(Clone, Debug, Args)]
pub struct ContractArgs {
    /// The file, which is written anew.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Everything that can be chosen.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0: any free one.
    pub listen: SocketAddr,
    /// Where matches are kept: `sqlite:FILE`, `postgres://…` or `memory:`.
    pub store: String,
    /// How many threads serve connections, the one that runs the server among them.
    pub threads: NonZeroUsize,
    /// File with the secret of the dice; `None`: beside the database.
    pub dice_key_file: Option<PathBuf>,
    /// File with the key that signs checkpoints; `None`: beside the database.
    pub log_key: Option<PathBuf>,
    /// Where the newest checkpoint is kept outside the database.
    pub checkpoint_file: Option<PathBuf>,
    /// How often a checkpoint is made, if something was written.
    pub checkpoint_interval: Duration,
    /// Who may call.
    pub access: AccessConfig,
    /// How much of the server one caller can have.
    pub limits: Limits,
    /// Whether seeded dice may be chosen.
    pub allow_seeded_dice: bool,
    /// Where metrics are scraped; port 0: any free one.
    pub metrics_listen: Option<SocketAddr>,
    /// How long health answers `NOT_SERVING` before the server stops to serve.
    pub drain_delay: Duration,
    /// Where traces are sent.
    pub otlp_endpoint: Option<String>,
    /// How log lines are written.
    pub log_format: LogFormat,
    /// How the store writes.
    pub writing: Writing,
    /// How many folded matches are kept in memory.
    pub tables: u64,
    /// How many commands and reads are worked on at once.
    pub concurrency: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT)),
            store: format!("sqlite:{}", data_directory().join("chaquete.sqlite").display()),
            threads: NonZeroUsize::MIN,
            dice_key_file: None,
            log_key: None,
            checkpoint_file: None,
            checkpoint_interval: milliseconds(DEFAULT_CHECKPOINT_INTERVAL),
            access: AccessConfig::default(),
            limits: Limits::default(),
            allow_seeded_dice: false,
            metrics_listen: None,
            drain_delay: Duration::ZERO,
            otlp_endpoint: None,
            log_format: LogFormat::Text,
            writing: Writing::default(),
            tables: 10_000,
            concurrency: 1_024,
        }
    }
}

impl From<ServeArgs> for Config {
    fn from(args: ServeArgs) -> Self {
        let all = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self {
            listen: args.listen,
            store: args.store.url(),
            threads: args.threads.unwrap_or_else(all),
            dice_key_file: args.dice_key_file,
            log_key: args.log_key,
            checkpoint_file: args.checkpoint_file,
            checkpoint_interval: milliseconds(args.checkpoint_interval),
            access: args.access.into(),
            limits: args.limits.into(),
            allow_seeded_dice: args.allow_seeded_dice,
            metrics_listen: args.metrics_listen,
            drain_delay: Duration::from_millis(args.drain_delay.into()),
            otlp_endpoint: args.otlp_endpoint,
            log_format: args.store.log_format,
            writing: Writing { writers: args.writers, batch: args.batch },
            ..Self::default()
        }
    }
}

fn milliseconds(count: NonZeroU32) -> Duration {
    Duration::from_millis(count.get().into())
}

/// The user's data directory, by the rules of the XDG base directories.
fn data_directory() -> PathBuf {
    let base = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    base.or_else(home).unwrap_or_else(|| PathBuf::from(".")).join("chaquete")
}
