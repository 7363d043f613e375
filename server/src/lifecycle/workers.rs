//! Threads that serve connections. Each has a runtime of its own, and a connection stays where it was dealt to: a task
//! that never changes its thread costs less (docs/performance.md).
//!
//! One listener deals connections out in turn. A listener a thread (`SO_REUSEPORT`) would hand them out by chance, and
//! would let a second server start unnoticed on the port of the first.

use std::{io, net, panic::resume_unwind, thread, time::Duration};

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
use tower::util::option_layer;

use super::{
    census::{Census, Ticket},
    connection::Connection,
    tls::Tls,
};
use crate::layer::{Layers, web::Web};

/// How many connections may wait for the thread that they were dealt to.
const WAITING: usize = 64;

/// The pause after a connection could not be accepted. Mostly too many files are open: the same connection then fails
/// again at once, and nothing tells when there is room.
const PAUSE: Duration = Duration::from_millis(20);

/// What is served, on every thread the same.
#[derive(Clone)]
pub(super) struct Service {
    pub(super) transport: Server,
    pub(super) routes: Routes,
    pub(super) web: Option<Web>,
    pub(super) layers: Layers,
    pub(super) tls: Option<Tls>,
    pub(super) shutdown: CancellationToken,
}

impl Service {
    /// Serves connections until the shutdown, and then those that are there until they end.
    pub(super) async fn serve(self, connections: Connections) -> Result<(), Error> {
        let tls = self.tls;
        self.transport
            .layer(option_layer(self.web))
            .layer(self.layers)
            .add_routes(self.routes)
            .serve_with_incoming_shutdown(connections.accepted(tls), self.shutdown.cancelled_owned())
            .await
    }
}

/// The connections that are dealt to a thread.
pub(super) struct Connections(mpsc::Receiver<Dealt>);

/// A connection on its way to a thread.
type Dealt = (net::TcpStream, Ticket);

impl Connections {
    /// Those that have begun in order. Who takes its time holds up nobody: how many there may be, the census says.
    fn accepted(self, tls: Option<Tls>) -> impl Stream<Item = io::Result<Connection>> {
        let accept = move |(dealt, ticket): Dealt| {
            let tls = tls.clone();
            async move { Connection::new(TcpStream::from_std(dealt)?, ticket, tls).await }
        };
        let begun = ReceiverStream::new(self.0).map(accept).buffer_unordered(usize::MAX);
        begun.filter_map(|begun| async move {
            begun
                .map(Ok)
                .inspect_err(|error| tracing::debug!(%error, "a connection has not begun in order"))
                .ok()
        })
    }
}

/// Deals out the connections of a listener, until it is dropped.
pub(super) struct Dealer {
    listener: TcpListener,
    census: Census,
    threads: Vec<mpsc::Sender<Dealt>>,
}

impl Dealer {
    pub(super) const fn new(listener: TcpListener, census: Census) -> Self {
        Self { listener, census, threads: Vec::new() }
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
            // A thread only stops with the server.
            let _stopped = thread.send(connection).await;
        }
    }

    async fn accept(&self) -> Dealt {
        loop {
            let accepted = async {
                let (connection, from) = self.listener.accept().await?;
                let ticket = self.census.admit(from.ip());
                connection.set_nodelay(true)?;
                Ok::<_, io::Error>((connection.into_std()?, ticket, from))
            };
            match accepted.await {
                Ok((connection, Some(ticket), _)) => return (connection, ticket),
                Ok((_, None, from)) => tracing::debug!(%from, "there are enough connections"),
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
    ///
    /// # Panics
    /// One of them has.
    pub(super) fn end(self) -> Result<(), Error> {
        self.ended.cancel();
        let join = |thread: thread::JoinHandle<_>| thread.join().unwrap_or_else(|why| resume_unwind(why));
        self.threads.into_iter().try_for_each(join)
    }
}

/// Serves, and then lasts until nothing is under way any more: what calls have begun goes on in tasks of this runtime.
async fn work(service: Service, connections: Connections, ended: CancellationToken) -> Result<(), Error> {
    // All threads serve, or none, however this one ends.
    let serving = service.shutdown.clone().drop_guard();
    let served = ended.run_until_cancelled(service.serve(connections)).await.unwrap_or(Ok(()));
    drop(serving);
    ended.cancelled().await;
    served
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use tokio::time::timeout;

    use super::*;
    use crate::config::Limits;

    #[tokio::test]
    async fn connections_are_dealt_in_turn_until_the_shutdown() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut dealer = Dealer::new(listener, Census::new(Limits::default()));
        let mut threads = [dealer.join(), dealer.join(), dealer.join()];
        let shutdown = CancellationToken::new();
        let dealing = tokio::spawn(dealer.run(shutdown.clone()));
        for _turn in 0..2 {
            for Connections(dealt) in &mut threads {
                let client = TcpStream::connect(address).await.unwrap();
                let (connection, _) =
                    timeout(Duration::from_secs(5), dealt.recv()).await.expect("its turn").unwrap();
                assert_eq!(connection.peer_addr().unwrap(), client.local_addr().unwrap());
            }
        }
        shutdown.cancel();
        dealing.await.unwrap();
        TcpStream::connect(address).await.unwrap_err();
    }
}
