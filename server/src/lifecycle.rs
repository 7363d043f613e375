//! From start to end: what is built, how it serves, how it stops.

mod census;
mod connection;
mod identity;
mod meters;
mod secrets;
mod tls;
mod workers;

use std::{net::SocketAddr, num::NonZeroUsize, path::Path, sync::Arc, time::Duration};

use chaquete_proto::{
    FILE_DESCRIPTOR_SET,
    access::AccessTable,
    v1::{
        match_service_server::MatchServiceServer, operator_service_server::OperatorServiceServer,
        play_service_server::PlayServiceServer, rules_service_server::RulesServiceServer,
    },
};
use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};
use tonic::{server::NamedService, service::Routes, transport::server::Server};
use tonic_health::{
    ServingStatus,
    pb::health_server::HealthServer,
    server::{HealthReporter, HealthService},
};

pub(crate) use self::secrets::unnamed;
use self::{
    census::Census,
    identity::authority,
    meters::Measured,
    secrets::{dice_keys, log_keys},
    tls::Tls,
    workers::{Dealer, Service, Workers},
};
pub use tls::TlsError;

use crate::{
    access::{NoKeys, TokenKeyFileError},
    audit::Auditor,
    checkpoint::{CheckpointError, Checkpointer, LogKeyFileError},
    clock::{Clock, SystemClock},
    config::Config,
    damage::Damages,
    dice::{Cups, KeyFileError},
    execute::Executor,
    feed::Feed,
    layer::{BySize, Layers, MAX_IMPORT, MAX_REQUEST, calls::Calls, identity::Gate},
    relay::Relay,
    rpc::{CheckpointParts, MatchParts, MatchRpc, OperatorRpc, PlayRpc, RulesRpc},
    store::{self, Store},
    sweep::Sweep,
    table::Tables,
    telemetry::{metrics::CallMeters, scrape::Scrapes},
    uid::{RandomUids, Uids},
};

/// What health is told of: the server as a whole, and each service of ours.
const SERVICES: [&str; 5] = [
    "",
    MatchServiceServer::<MatchRpc>::NAME,
    PlayServiceServer::<PlayRpc>::NAME,
    RulesServiceServer::<RulesRpc>::NAME,
    OperatorServiceServer::<OperatorRpc>::NAME,
];

/// How long calls under way may take to end once the server is told to stop.
const GRACE: Duration = Duration::from_secs(20);

/// Streams that one connection may have open. (tonic's own default is no limit at all.)
const MAX_STREAMS: u32 = 128;

/// How many bytes of a stream, and of all streams of a connection together, may have arrived without being read.
///
/// A stream that is held back must not hold back others of its connection, so all together is much more than one.
/// And it must be held back by its window: the transport closes a connection when it keeps too many small pieces of
/// data that nobody reads, which many streams of small messages would reach with wider windows.
const WINDOWS: (u32, u32) = (64 * 1024, 4 * 1024 * 1024);

/// The largest header list of a call, in bytes.
const MAX_HEADERS: u32 = 8 * 1024;

/// How often a silent connection is asked whether it is still there, and how long it may take to say so.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(20), Duration::from_secs(10));

/// Why the server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Others could do everything.
    #[error(
        "others can reach {0}, and nobody would be asked who they are: make a key (chaquete-server key create) or name \
         an issuer (--issuer), or serve this machine only (--listen 127.0.0.1:50051); --allow-anyone serves all the same"
    )]
    OpenToAnyone(SocketAddr),
    /// Others could listen.
    #[error(
        "others can reach {0}, and could listen: name a certificate and its key (--tls-cert, --tls-key), or serve this \
         machine only; --allow-plaintext serves all the same, for a server behind a proxy that ends TLS"
    )]
    Plaintext(SocketAddr),
    /// Connections cannot be protected.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The keys of tokens cannot be read or made.
    #[error("cannot use the keys that sign tokens: {0}")]
    TokenKeys(#[from] TokenKeyFileError),
    /// Service keys cannot be looked for.
    #[error("service keys cannot be read: {0}")]
    ServiceKeys(store::StoreError),
    /// The keys of an issuer cannot be read from their file.
    #[error(transparent)]
    Issuer(#[from] NoKeys),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The store cannot be opened.
    #[error("cannot open the store: {0}")]
    Store(#[from] store::OpenError),
    /// The secret of the dice cannot be read or made.
    #[error("cannot use the secret of the dice: {0}")]
    Dice(#[from] KeyFileError),
    /// Servers on one database need one secret, and the database must not hold it.
    #[error("name a file with the secret of the dice (--dice-key-file): on Postgres none is made")]
    NoDiceKey,
    /// The keys of the log cannot be read or made.
    #[error("cannot use the keys that sign checkpoints: {0}")]
    LogKeys(#[from] LogKeyFileError),
    /// Servers on one database sign in one name.
    #[error("name a file with the key that signs checkpoints (--log-key): on Postgres none is made")]
    NoLogKey,
    /// The store is not what was signed.
    #[error("the store is not served: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// A method of the contract does not say who may call it.
    #[error("the contract is not complete: {0}")]
    Access(#[from] chaquete_proto::access::AccessError),
    /// Overdue matches cannot be swept.
    #[error("the clocks cannot be looked after: {0}")]
    Sweep(String),
    /// The contract cannot be served for reflection.
    #[error("reflection cannot be served: {0}")]
    Reflection(String),
}

impl StartError {
    /// Whether the server was told something wrong, so that trying again is of no use until that is changed.
    #[must_use]
    pub const fn is_of_configuration(&self) -> bool {
        matches!(
            self,
            Self::OpenToAnyone(_)
                | Self::Plaintext(_)
                | Self::Tls(_)
                | Self::TokenKeys(_)
                | Self::Issuer(_)
                | Self::Store(store::OpenError::Url { .. } | store::OpenError::OneWriter)
                | Self::Dice(_)
                | Self::NoDiceKey
                | Self::LogKeys(_)
                | Self::NoLogKey
        )
    }
}

/// Why the server stopped by itself.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No connections can be served.
    #[error("connections cannot be served: {0}")]
    Transport(#[from] tonic::transport::Error),
    /// The system gives no thread.
    #[error("no thread can be started: {0}")]
    Thread(std::io::Error),
}

/// A server that is ready to serve.
pub struct App {
    address: SocketAddr,
    listener: TcpListener,
    threads: NonZeroUsize,
    routes: Routes,
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
        let tls = config.access.tls.clone().map(Tls::load).transpose()?;
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
            config.concurrency,
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
        let service =
            Service { transport: server(), routes, layers, tls: tls.clone(), shutdown: shutdown.clone() };
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

/// The transport, with its limits.
fn server() -> Server {
    Server::builder()
        .max_concurrent_streams(Some(MAX_STREAMS))
        .initial_stream_window_size(WINDOWS.0)
        .initial_connection_window_size(WINDOWS.1)
        .http2_max_header_list_size(Some(MAX_HEADERS))
        .http2_keepalive_interval(Some(KEEPALIVE.0))
        .http2_keepalive_timeout(Some(KEEPALIVE.1))
}

/// Tells whoever asks for our health.
async fn report(health: &HealthReporter, status: ServingStatus) {
    for service in SERVICES {
        health.set_service_status(service, status).await;
    }
}

/// All services on one port: ours, health, reflection in both versions that tools ask for.
fn routes(
    parts: MatchParts,
    auditor: Auditor,
    checkpoints: CheckpointParts,
    meters: &CallMeters,
    health: &HealthReporter,
) -> Result<Routes, StartError> {
    let health = HealthServer::new(HealthService::from_health_reporter(health.clone()));
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let failed = |error: tonic_reflection::server::Error| StartError::Reflection(error.to_string());
    let reflection_v1 = reflection().build_v1().map_err(failed)?;
    let reflection_v1alpha = reflection().build_v1alpha().map_err(failed)?;

    let (executor, shutdown) = (parts.executor.clone(), parts.shutdown.clone());
    let play = PlayRpc::new(executor, meters.clone(), shutdown, parts.allow_seeded_dice);
    let rules = RulesRpc::new(parts.allow_seeded_dice);
    let matches = MatchRpc::new(parts);
    let operator = OperatorRpc::new(matches.clone(), auditor, checkpoints);
    let matches = MatchServiceServer::new(matches);
    let matches = BySize::new(
        matches.clone().max_decoding_message_size(MAX_IMPORT),
        matches.max_decoding_message_size(MAX_REQUEST),
    );
    Ok(Routes::new(health)
        .add_service(reflection_v1)
        .add_service(reflection_v1alpha)
        .add_service(matches)
        .add_service(PlayServiceServer::new(play).max_decoding_message_size(MAX_REQUEST))
        .add_service(RulesServiceServer::new(rules).max_decoding_message_size(MAX_REQUEST))
        .add_service(OperatorServiceServer::new(operator).max_decoding_message_size(MAX_REQUEST)))
}
