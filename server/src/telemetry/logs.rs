//! Log lines, to standard error: standard output is for what scripts wait for.

use std::{
    env,
    io::{self, IsTerminal},
};

use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt, filter_fn},
    fmt,
    registry::LookupSpan,
};

use crate::config::LogFormat;

/// Lines of what happens. `RUST_LOG` chooses which; by default those of level `info` and above.
pub(super) fn lines<S>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let chosen = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let chosen = chosen.and(filter_fn(is_fit));
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(in_colour());
    match format {
        LogFormat::Text => lines.with_filter(chosen).boxed(),
        LogFormat::Json => lines.json().with_filter(chosen).boxed(),
    }
}

/// Whether what is said there may stand in a log, whatever was chosen. Libraries do not know what is secret: when they are
/// asked for every detail, they say what came in headers of calls, where callers put their tokens.
fn is_fit(said: &Metadata<'_>) -> bool {
    said.target().starts_with("chaquete") || *said.level() <= Level::INFO
}

/// Colours are for people who want them: in files they are noise.
fn in_colour() -> bool {
    io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
