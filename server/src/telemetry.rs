//! Log lines, to standard error: standard output is for what scripts wait for.

use std::io;

use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Begins to write log lines. `RUST_LOG` chooses which; by default those of level `info` and above.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().init(),
    }
}
