//! Metrics that are known elsewhere, and asked for when somebody scrapes.

use std::fmt;

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

use super::names::Metric;

/// A metric and who knows its value, if there is one just now.
pub(super) struct Asked {
    metric: Metric,
    kind: MetricType,
    value: Box<dyn Fn() -> Option<f64> + Send + Sync>,
}

impl Asked {
    pub(super) fn new(
        metric: Metric,
        kind: MetricType,
        value: impl Fn() -> Option<f64> + Send + Sync + 'static,
    ) -> Self {
        Self { metric, kind, value: Box::new(value) }
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Asked").field(&self.metric.name).finish()
    }
}

impl Collector for Asked {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(value) = (self.value)() else { return Ok(()) };
        // Registered ones have the full stop, too.
        let help = format!("{}.", self.metric.help);
        let encoder = encoder.encode_descriptor(self.metric.stem(), &help, None, self.kind)?;
        match self.kind {
            MetricType::Counter => ConstCounter::new(value).encode(encoder),
            _ => ConstGauge::new(value).encode(encoder),
        }
    }
}
