//! A server inside the test's own process, on a port of its own.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use chaquete_client::Client;
use chaquete_server::{
    App,
    clock::{Clock, SystemClock},
    config::Config,
    damage::Damages,
    uid::{RandomUids, Uids},
};
use tokio::{sync::oneshot, task::JoinHandle};

use crate::Scraped;

/// A server that runs until it is stopped or dropped.
pub struct Service {
    address: SocketAddr,
    metrics: Option<SocketAddr>,
    damages: Damages,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

impl Service {
    /// A server that keeps matches in memory, and takes seeded dice.
    ///
    /// # Panics
    /// It does not start.
    pub async fn start() -> Self {
        let store = "memory:".to_owned();
        Self::start_with(Config { store, allow_seeded_dice: true, ..Config::default() }).await
    }

    /// A server with this configuration, on any free port of the loopback.
    ///
    /// # Panics
    /// It does not start.
    pub async fn start_with(config: Config) -> Self {
        Self::start_at(config, SystemClock).await
    }

    /// The same with a clock of the test's own.
    ///
    /// # Panics
    /// It does not start.
    pub async fn start_at(config: Config, clock: impl Clock + 'static) -> Self {
        Self::start_as(config, clock, RandomUids).await
    }

    /// The same with uids of the test's own as well.
    ///
    /// # Panics
    /// It does not start.
    pub async fn start_as(config: Config, clock: impl Clock + 'static, uids: impl Uids + 'static) -> Self {
        let config = Config { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), ..config };
        let app = App::build_with(config, Arc::new(clock), Arc::new(uids)).await.expect("the server starts");
        let address = app.address();
        let metrics = app.metrics_address();
        let damages = app.damages().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(async move {
            let stopped = async { stopped.await.unwrap_or_default() };
            app.run(stopped).await.expect("the server serves");
        });
        Self { address, metrics, damages, stop: Some(stop), running }
    }

    /// The matches that it finds damaged.
    #[must_use]
    pub const fn damages(&self) -> &Damages {
        &self.damages
    }

    /// Where its metrics are scraped.
    ///
    /// # Panics
    /// They are not.
    #[must_use]
    pub fn metrics_address(&self) -> SocketAddr {
        self.metrics.expect("the server listens for scrapes")
    }

    /// Its metrics, as they are scraped.
    ///
    /// # Panics
    /// They are not.
    pub async fn scrape(&self) -> Scraped {
        Scraped::from(self.metrics_address()).await
    }

    /// Where it listens.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A client of this server.
    ///
    /// # Panics
    /// It cannot be reached.
    pub async fn client(&self) -> Client {
        Client::connect(self.endpoint()).await.expect("the server is reached")
    }

    /// Stops the server as an operator would, and waits until it is gone.
    ///
    /// # Panics
    /// It fails while it stops.
    pub async fn stop(mut self) {
        self.stop.take().map(|stop| stop.send(()));
        self.running.await.expect("the server stops in order");
    }
}
