//! From start to end: what is built, how it serves, how it stops.

mod census;
mod connection;
mod error;
mod identity;
mod meters;
mod secrets;
mod services;
mod tls;
mod workers;

use std::{net::SocketAddr, num::NonZeroUsize, path::Path, sync::Arc, time::Duration};

use chaquete_proto::access::AccessTable;
use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};
use tonic::service::Routes;
use tonic_health::{ServingStatus, server::HealthReporter};

pub(crate) use self::secrets::unfit;
use self::{
    census::Census,
    identity::authority,
    meters::Measured,
    secrets::{dice_keys, log_keys},
    services::{report, routes, transport},
    tls::{Tls, protocols},
    workers::{Dealer, Service, Workers},
};
use crate::{
    audit::Auditor,
    checkpoint::Checkpointer,
    clock::{Clock, SystemClock},
    config::Config,
    damage::Damages,
    dice::Cups,
    execute::{Capacity, Executor},
    feed::Feed,
    layer::{Layers, calls::Calls, identity::Gate, web::Web},
    relay::Relay,
    rpc::{CheckpointParts, MatchParts},
    store::{self, Store},
    sweep::Sweep,
    table::Tables,
    telemetry::{metrics::CallMeters, scrape::Scrapes},
    uid::{RandomUids, Uids},
};

pub use error::{RunError, StartError};
pub use tls::TlsError;

/// How long calls under way may take to end once the server is told to stop.
const GRACE: Duration = Duration::from_secs(20);

/// A server that is ready to serve.
pub struct App {
    address: SocketAddr,
    listener: TcpListener,
    threads: NonZeroUsize,
    routes: Routes,
    web: Option<Web>,
    gate: Gate,
    tls: Option<Tls>,
    census: Census,
    health: HealthReporter,
    executor: Executor,
    store: Arc<dyn Store>,
    sweep: Sweep,
    checkpointer: Checkpointer,
    checkpoint_interval: Duration,
    shutdown: CancellationToken,
    damages: Damages,
    meters: CallMeters,
    scrapes: Option<Scrapes>,
    drain_delay: Duration,
}

impl App {
    /// Opens the store and the port.
    ///
    /// # Errors
    /// See [`StartError`].
    pub async fn build(config: Config) -> Result<Self, StartError> {
        Self::build_with(config, Arc::new(SystemClock), Arc::new(RandomUids)).await
    }

    /// The same, with a clock and uids of the caller's own.
    ///
    /// # Errors
    /// See [`StartError`].
    pub async fn build_with(
        config: Config,
        clock: Arc<dyn Clock>,
        uids: Arc<dyn Uids>,
    ) -> Result<Self, StartError> {
        let access = AccessTable::load()?;
        let meters = meters::of_calls(&access);
        if !config.listen.ip().is_loopback() && config.access.tls.is_none() && !config.access.allow_plaintext
        {
            return Err(StartError::Plaintext(config.listen));
        }
        let listen_error = |source| StartError::Listen { address: config.listen, source };
        let listener = TcpListener::bind(config.listen).await.map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;

        let has_matches = store::file_of(&config.store).is_some_and(Path::exists);
        let store = store::open_writing(&config.store, config.writing).await?;
        let web = Web::new(&config.access.web_origins);
        let protocols = protocols(web.is_some());
        let tls = config.access.tls.clone().map(|files| Tls::load(files, protocols)).transpose()?;
        let authority = authority(&config, &store, &clock).await?;
        let cups = Cups::new(dice_keys(&config, has_matches)?, config.tables);
        let feed = Feed::default();
        let tables = Tables::new(config.tables);
        let auditor = Auditor::new(Arc::clone(&store), tables.clone(), half(config.threads));
        let executor = Executor::new(
            Arc::clone(&store),
            tables.clone(),
            feed.clone(),
            cups,
            Arc::clone(&clock),
            uids,
            Capacity {
                concurrency: config.concurrency,
                running_matches: config.limits.running_matches_per_tenant,
            },
        );
        let keys = log_keys(&config)?;
        let checkpointer = Checkpointer::start(
            Arc::clone(&store),
            executor.pending(),
            keys,
            Arc::clone(&clock),
            config.checkpoint_file,
        )
        .await?;
        let shutdown = CancellationToken::new();
        if let Some(news) = store.news() {
            let relay = Relay::new(Arc::clone(&store), executor.clone(), feed.clone());
            tokio::spawn(shutdown.clone().run_until_cancelled_owned(relay.run(news)));
        }
        let sweep = Sweep::new(Arc::clone(&store), executor.clone(), Arc::clone(&clock));
        // Before anybody can act: time in which nobody served is given back first.
        sweep.once().await.map_err(|failure| StartError::Sweep(failure.to_string()))?;
        let measured = Measured {
            calls: &meters,
            store: &store,
            tables: &tables,
            feed: &feed,
            sweep: &sweep,
            checkpointer: &checkpointer,
            pending: executor.pending(),
        };
        let scrapes = meters::scrapes(config.metrics_listen, measured).await?;
        let parts = MatchParts {
            executor: executor.clone(),
            feed,
            store: Arc::clone(&store),
            clock,
            shutdown: shutdown.clone(),
            authority: authority.clone(),
            allow_seeded_dice: config.allow_seeded_dice,
        };
        let health = HealthReporter::new();
        report(&health, ServingStatus::Serving).await;
        let checkpoints = CheckpointParts { proofs: checkpointer.proofs(), keys: checkpointer.keys() };
        let routes = routes(parts, auditor, checkpoints, &meters, &health)?;
        Ok(Self {
            address,
            listener,
            threads: config.threads,
            routes,
            web,
            gate: Gate::new(authority, access, config.limits),
            tls,
            census: Census::new(config.limits),
            health,
            executor,
            store,
            sweep,
            checkpointer,
            checkpoint_interval: config.checkpoint_interval,
            shutdown,
            damages: tables.damages().clone(),
            meters,
            scrapes,
            drain_delay: config.drain_delay,
        })
    }

    /// The matches that it finds damaged.
    #[must_use]
    pub const fn damages(&self) -> &Damages {
        &self.damages
    }

    /// Where the server listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where metrics are scraped, if they are.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.scrapes.as_ref().map(Scrapes::address)
    }

    /// Serves until `stop` is there, then lets calls under way end, for a while, and closes the store. Nothing else
    /// is waited for: silent connections, and streams of health and reflection, are cut off.
    ///
    /// # Errors
    /// See [`RunError`].
    pub async fn run(self, stop: impl Future<Output = ()> + Send) -> Result<(), RunError> {
        let Self {
            listener,
            threads,
            routes,
            web,
            gate,
            tls,
            census,
            health,
            executor,
            store,
            sweep,
            checkpointer,
            shutdown,
            ..
        } = self;
        // To the very end: how a server stops is of interest, too.
        let _scraping = self.scrapes.map(|scrapes| AbortOnDropHandle::new(tokio::spawn(scrapes.run())));
        let calls = Calls::new(shutdown.clone());
        let layers = Layers::new(calls.clone(), gate, self.meters);
        let service = Service {
            transport: transport(web.is_some()),
            routes,
            web,
            layers,
            tls: tls.clone(),
            shutdown: shutdown.clone(),
        };
        let mut dealer = Dealer::new(listener, census);
        let here = dealer.join();
        let others: Vec<_> = (1..threads.get()).map(|_| dealer.join()).collect();
        let workers = Workers::start(&service, others).map_err(RunError::Thread)?;
        let dealing = tokio::spawn(dealer.run(shutdown.clone()));
        let sweeping = tokio::spawn(sweep.run(shutdown.clone()));
        let checkpointing = checkpointer.clone().run(self.checkpoint_interval, shutdown.clone());
        let checkpointing = tokio::spawn(checkpointing);
        if let Some(tls) = tls {
            tokio::spawn(shutdown.clone().run_until_cancelled_owned(tls.reload_when_told()));
        }

        let stopping = async {
            tokio::select! {
                () = stop => {}
                // A thread cannot serve any more.
                () = shutdown.cancelled() => {}
            }
            report(&health, ServingStatus::NotServing).await;
            // Those who send calls here have to notice first.
            shutdown.run_until_cancelled(tokio::time::sleep(self.drain_delay)).await;
            // Our streams end at this token.
            shutdown.cancel();
            if tokio::time::timeout(GRACE, calls.ended()).await.is_err() {
                tracing::warn!("some calls did not end in time and were cut off");
            }
        };
        let serving = async {
            match service.serve(here).await {
                // It has stopped; calls on other threads may not have ended yet.
                Ok(()) => std::future::pending().await,
                Err(error) => error,
            }
        };
        let served = tokio::select! {
            error = serving => Err(error),
            () = stopping => Ok(()),
        };
        // Whatever ended the serving: nothing else goes on either.
        shutdown.cancel();
        for (task, what) in [
            (dealing, "accepting connections"),
            (sweeping, "the sweep"),
            (checkpointing, "making checkpoints"),
        ] {
            if let Err(panicked) = task.await {
                tracing::error!("{what} broke down: {panicked}");
            }
        }
        executor.drain().await;
        checkpointer.finish().await;
        store.close().await;
        let others = workers.end();
        Ok(served.and(others)?)
    }
}

/// Half of the threads, for those who audit: the others are left to those who play.
fn half(threads: NonZeroUsize) -> NonZeroUsize {
    NonZeroUsize::new(threads.get() / 2).unwrap_or(NonZeroUsize::MIN)
}
