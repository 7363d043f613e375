//! What is measured in a server, and who knows it.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use chaquete_proto::access::{AccessTable, Streaming};

use super::StartError;
use crate::{
    checkpoint::{Checkpointer, Pending},
    clock::Millis,
    feed::Feed,
    store::{Occupancy, Store},
    sweep::Sweep,
    table::Tables,
    telemetry::{
        metrics::{CallMeters, Metrics, names},
        scrape::Scrapes,
    },
    wire::act,
};

/// Meters for the calls of the contract.
pub(super) fn of_calls(contract: &AccessTable) -> CallMeters {
    let methods = contract.iter();
    let calls = methods.map(|method| (method.path.as_str(), method.streaming == Streaming::Unary));
    CallMeters::new(calls, act::METHODS)
}

/// The parts of a server that know something of themselves.
pub(super) struct Measured<'a> {
    pub(super) calls: &'a CallMeters,
    pub(super) store: &'a Arc<dyn Store>,
    pub(super) tables: &'a Tables,
    pub(super) feed: &'a Feed,
    pub(super) sweep: &'a Sweep,
    pub(super) checkpointer: &'a Checkpointer,
    pub(super) pending: Pending,
}

/// Where they are scraped, if they are to be.
pub(super) async fn scrapes(
    listen: Option<SocketAddr>,
    of: Measured<'_>,
) -> Result<Option<Scrapes>, StartError> {
    let Some(address) = listen else { return Ok(None) };
    let listening = Scrapes::listen(address, metrics(of)).await;
    let scrapes = listening.map_err(|source| StartError::ListenForScrapes { address, source })?;
    tracing::info!("metrics at http://{}/metrics", scrapes.address());
    Ok(Some(scrapes))
}

/// All metrics of a server.
fn metrics(of: Measured<'_>) -> Metrics {
    let mut metrics = Metrics::new();
    metrics.add_calls(of.calls);
    metrics.add_store(of.store.meters());
    for (metric, value) in [
        (names::STORE_QUEUE, (|now| now.waiting) as fn(Occupancy) -> usize),
        (names::STORE_CONNECTIONS_IDLE, |now| now.idle),
        (names::STORE_CONNECTIONS_USED, |now| now.used),
        (names::STORE_CONNECTIONS_LIMIT, |now| now.limit),
    ] {
        let store = Arc::clone(of.store);
        metrics.ask(metric, move || Some(value(store.occupancy()) as f64));
    }
    for (metric, count) in [
        (names::CACHE_HITS, Tables::hits as fn(&Tables) -> u64),
        (names::CACHE_MISSES, Tables::misses),
        (names::MATCHES_DAMAGED, |tables| tables.damages().count()),
    ] {
        let tables = of.tables.clone();
        metrics.ask_count(metric, move || count(&tables));
    }
    let tables = of.tables.clone();
    metrics.ask(names::CACHE_MATCHES, move || Some(tables.count() as f64));
    let feed = of.feed.clone();
    metrics.ask(names::WATCHERS, move || Some(feed.waiter_count() as f64));
    let feed = of.feed.clone();
    metrics.ask(names::FOLLOWERS, move || Some(feed.follower_count() as f64));
    let sweep = of.sweep.clone();
    metrics.ask(names::SWEEP_LAG, move || Some(seconds(sweep.lag())));
    let checkpointer = of.checkpointer.clone();
    metrics.ask(names::CHECKPOINT_AGE, move || checkpointer.age().map(seconds));
    let pending = of.pending;
    metrics.ask(names::CHECKPOINT_PENDING, move || Some(pending.count() as f64));
    metrics
}

/// None if a clock was set back.
fn seconds(millis: Millis) -> f64 {
    Duration::from_millis(millis.try_into().unwrap_or(0)).as_secs_f64()
}
