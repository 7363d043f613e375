//! Answers those who scrape metrics, on a port of its own: whoever may see them need not be among those who play.

use std::{convert::Infallible, future::ready, io, net::SocketAddr, sync::Arc, time::Duration};

use futures_util::StreamExt;
use http::{Method, Request, Response, StatusCode, header::CONTENT_TYPE};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};
use tokio_stream::wrappers::TcpListenerStream;

use super::metrics::{CONTENT, Metrics};

/// How many connections there are at once; more wait.
const MOST: usize = 64;

/// How long one may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The pause after a connection could not be accepted.
const PAUSE: Duration = Duration::from_secs(1);

/// Where metrics are scraped.
#[derive(Debug)]
pub struct Scrapes {
    listener: TcpListener,
    address: SocketAddr,
    metrics: Arc<Metrics>,
}

impl Scrapes {
    /// Listens at this address.
    ///
    /// # Errors
    /// It cannot be listened on.
    pub async fn listen(address: SocketAddr, metrics: Metrics) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, metrics: Arc::new(metrics) })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until it is dropped.
    pub async fn run(self) {
        let connections = TcpListenerStream::new(self.listener);
        let answer = |connection| answer(connection, Arc::clone(&self.metrics));
        connections.for_each_concurrent(MOST, answer).await;
    }
}

/// Answers one request. Who scrapes comes again in a new connection, so none is kept that nobody uses.
async fn answer(connection: io::Result<TcpStream>, metrics: Arc<Metrics>) {
    let connection = match connection {
        Ok(connection) => TokioIo::new(connection),
        Err(error) => {
            tracing::warn!(%error, "a scrape could not be accepted");
            return sleep(PAUSE).await;
        }
    };
    let service = service_fn(|request| ready(Ok::<_, Infallible>(respond(&request, &metrics))));
    let answering = http1::Builder::new().keep_alive(false).serve_connection(connection, service);
    // Whatever went wrong, who scrapes has noticed.
    let _failed = timeout(PATIENCE, answering).await;
}

fn respond<B>(request: &Request<B>, metrics: &Metrics) -> Response<String> {
    if (request.method(), request.uri().path()) != (&Method::GET, "/metrics") {
        let mut nothing = Response::default();
        *nothing.status_mut() = StatusCode::NOT_FOUND;
        return nothing;
    }
    let mut response = Response::new(metrics.encode());
    response.headers_mut().insert(CONTENT_TYPE, CONTENT);
    response
}
