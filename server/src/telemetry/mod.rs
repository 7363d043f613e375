//! What can be seen of a server from outside: log lines, metrics, traces.
//!
//! Log lines and traces are of the whole process. Metrics are of one server: nothing here is global, so that many of them
//! can run in one process without being taken for each other.

mod logs;
pub mod metrics;
pub mod scrape;
pub mod traces;

use tracing_subscriber::{layer::SubscriberExt, util::SubscriberInitExt};

use self::traces::Traces;
use crate::config::LogFormat;

/// Begins to write log lines, and to send traces if there is a place for them. Once a process.
pub fn start(format: LogFormat, traces: Option<&Traces>) {
    tracing_subscriber::registry().with(logs::lines(format)).with(traces.map(Traces::layer)).init();
}
