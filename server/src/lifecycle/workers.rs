//! Threads that serve connections. Each has a runtime of its own, and a connection stays where it was dealt to: a task
//! that never changes its thread costs less (docs/performance.md).
//!
//! One listener deals connections out in turn. A listener a thread (`SO_REUSEPORT`) would hand them out by chance, and
//! would let a second server start unnoticed on the port of the first.

use std::{io, net, thread, time::Duration};

use futures_util::{Stream, StreamExt};
use tokio::{
    net::{TcpListener, TcpStream},
    runtime,
    sync::mpsc,
    time::sleep,
};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{
    service::Routes,
    transport::{Error, server::Server},
};

use crate::layer::{Layers, calls::Calls};

/// How many connections may wait for the thread that they were dealt to.
const WAITING: usize = 64;

/// The pause after a connection could not be accepted, for one because too many files are open.
const PAUSE: Duration = Duration::from_millis(20);

/// What is served, on every thread the same.
#[derive(Clone)]
pub(super) struct Service {
    pub(super) transport: Server,
    pub(super) routes: Routes,
    pub(super) calls: Calls,
    pub(super) shutdown: CancellationToken,
}

impl Service {
    /// Serves connections until the shutdown, and then those that are there until they end.
    pub(super) async fn serve(self, connections: Connections) -> Result<(), Error> {
        self.transport
            .layer(Layers::new(self.calls))
            .add_routes(self.routes)
            .serve_with_incoming_shutdown(connections.accepted(), self.shutdown.cancelled_owned())
            .await
    }
}

/// The connections that are dealt to a thread.
pub(super) struct Connections(mpsc::Receiver<net::TcpStream>);

impl Connections {
    fn accepted(self) -> impl Stream<Item = io::Result<TcpStream>> {
        ReceiverStream::new(self.0).map(TcpStream::from_std)
    }
}

/// Deals out the connections of a listener, until it is dropped.
pub(super) struct Dealer {
    listener: TcpListener,
    threads: Vec<mpsc::Sender<net::TcpStream>>,
}

impl Dealer {
    pub(super) const fn new(listener: TcpListener) -> Self {
        Self { listener, threads: Vec::new() }
    }

    /// Lets one thread more take part.
    pub(super) fn join(&mut self) -> Connections {
        let (sender, receiver) = mpsc::channel(WAITING);
        self.threads.push(sender);
        Connections(receiver)
    }

    /// Deals until the shutdown.
    pub(super) async fn run(self, shutdown: CancellationToken) {
        shutdown.run_until_cancelled(self.deal()).await;
    }

    async fn deal(self) {
        for thread in self.threads.iter().cycle() {
            let connection = self.accept().await;
            // A thread that has stopped is one of a server that stops.
            let _stopped = thread.send(connection).await;
        }
    }

    async fn accept(&self) -> net::TcpStream {
        loop {
            let accepted = async {
                let (connection, _) = self.listener.accept().await?;
                connection.set_nodelay(true)?;
                connection.into_std()
            };
            match accepted.await {
                Ok(connection) => return connection,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    sleep(PAUSE).await;
                }
            }
        }
    }
}

/// The threads besides the one that calls.
pub(super) struct Workers {
    threads: Vec<thread::JoinHandle<Result<(), Error>>>,
    /// Nothing is under way any more.
    ended: CancellationToken,
}

impl Workers {
    /// Starts a thread for each of these.
    pub(super) fn start(
        service: &Service,
        connections: impl IntoIterator<Item = Connections>,
    ) -> io::Result<Self> {
        let mut workers = Self { threads: Vec::new(), ended: CancellationToken::new() };
        for connections in connections {
            let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
            let (service, ended) = (service.clone(), workers.ended.clone());
            let work = move || runtime.block_on(work(service, connections, ended));
            workers.threads.push(thread::Builder::new().name("worker".to_owned()).spawn(work)?);
        }
        Ok(workers)
    }

    /// Ends the threads, and with them whatever is still under way there.
    pub(super) fn end(self) -> Result<(), Error> {
        self.ended.cancel();
        for thread in self.threads {
            match thread.join() {
                Ok(served) => served?,
                Err(_) => tracing::error!("a thread that serves connections broke down"),
            }
        }
        Ok(())
    }
}

/// Serves, and then lasts until nothing is under way any more: what calls have begun goes on in tasks of this runtime.
async fn work(service: Service, connections: Connections, ended: CancellationToken) -> Result<(), Error> {
    let shutdown = service.shutdown.clone();
    let served = ended.run_until_cancelled(service.serve(connections)).await.unwrap_or(Ok(()));
    if served.is_err() {
        // All threads serve, or none.
        shutdown.cancel();
    }
    ended.cancelled().await;
    served
}
