//! Arguments of the command that asks for health.

use std::{net::SocketAddr, num::NonZeroU32, path::PathBuf, time::Duration};

use clap::Args;

use super::{Config, milliseconds};

/// How long a server may take to say that it serves unless the operator says so, in milliseconds.
const DEFAULT_PATIENCE: NonZeroU32 = NonZeroU32::new(3_000).expect("it is not 0");

/// Arguments of `health`.
#[derive(Clone, Debug, Args)]
pub struct HealthArgs {
    /// The file of options that the server has.
    #[arg(long, env = "CHAQUETE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    /// Where the server listens.
    #[arg(long, env = "CHAQUETE_LISTEN", value_name = "ADDR", default_value_t = Config::default().listen)]
    pub listen: SocketAddr,

    /// The certificates that the server shows, if it speaks TLS. They are not checked: the question is whether it serves.
    #[arg(long, env = "CHAQUETE_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<PathBuf>,

    /// How long it may take to answer, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_PATIENCE)]
    within: NonZeroU32,

    /// How long to wait for a server that does not serve yet, in milliseconds, before it is asked for the last time.
    #[arg(long, value_name = "MS", default_value_t = 0)]
    wait: u32,
}

impl HealthArgs {
    /// Whether the server speaks TLS.
    #[must_use]
    pub const fn tls(&self) -> bool {
        self.tls_cert.is_some()
    }

    /// How long the server may take to answer.
    #[must_use]
    pub fn within(&self) -> Duration {
        milliseconds(self.within)
    }

    /// How long to wait for a server that does not serve yet.
    #[must_use]
    pub fn wait(&self) -> Duration {
        Duration::from_millis(self.wait.into())
    }
}
