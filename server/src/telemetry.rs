//! Log lines, to standard error: standard output is for what scripts wait for.

use std::{
    env,
    io::{self, IsTerminal},
};

use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Begins to write log lines. `RUST_LOG` chooses which; by default those of level `info` and above.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let lines =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(in_colour());
    match format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().init(),
    }
}

/// Colours are for people who want them: in files they are noise.
fn in_colour() -> bool {
    io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
