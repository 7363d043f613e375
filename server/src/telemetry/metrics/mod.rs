//! Metrics in the text format of Prometheus. What is counted often has a counter here; what is known anyway is asked for
//! when somebody scrapes, and costs nothing until then.

mod asked;
mod calls;
pub mod names;
mod store;

use http::HeaderValue;
use prometheus_client::{
    encoding::prometheus_text,
    metrics::{MetricType, info::Info},
    registry::{Metric as Measures, Registry},
};

use self::{asked::Asked, names::Metric};

pub use calls::{CallMeters, CallUnderWay, Ending, Refused};
pub use store::{Access, Fault, StoreMeters};

/// What [`Metrics::encode`] makes.
pub(super) const CONTENT: HeaderValue = HeaderValue::from_static(prometheus_text::CONTENT_TYPE);

/// Upper ends of what times are sorted into: from what a read of a kept match takes to the longest that callers wait.
const SECONDS: [f64; 15] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// The metrics of one server.
#[derive(Debug, Default)]
pub struct Metrics(Registry);

impl Metrics {
    /// Metrics that say which version of the server they are of.
    #[must_use]
    pub fn new() -> Self {
        let mut this = Self::default();
        // An info is written with this ending.
        let name = names::BUILD.name.trim_end_matches("_info");
        this.0.register(name, names::BUILD.help, Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        this
    }

    /// Adds those of calls.
    pub fn add_calls(&mut self, meters: &CallMeters) {
        meters.register(self);
    }

    /// Adds those of the store.
    pub fn add_store(&mut self, meters: &StoreMeters) {
        meters.register(self);
    }

    /// Adds one that goes up and down and is asked for.
    pub fn ask(&mut self, metric: Metric, value: impl Fn() -> Option<f64> + Send + Sync + 'static) {
        self.0.register_collector(Box::new(Asked::new(metric, MetricType::Gauge, value)));
    }

    /// Adds one that only goes up and is asked for.
    pub fn ask_count(&mut self, metric: Metric, count: impl Fn() -> u64 + Send + Sync + 'static) {
        let value = move || Some(count() as f64);
        self.0.register_collector(Box::new(Asked::new(metric, MetricType::Counter, value)));
    }

    fn register(&mut self, metric: Metric, meter: impl Measures) {
        self.0.register(metric.stem(), metric.help, meter);
    }

    /// All of them, in the text format of Prometheus.
    #[must_use]
    pub fn encode(&self) -> String {
        let mut text = String::new();
        // A string takes all that is written into it.
        let _written = prometheus_text::encode(&mut text, &self.0);
        text
    }
}
