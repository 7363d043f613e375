//! A connection as it is served: protected or not, from whom, and with little patience at its beginning.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};
use tokio_rustls::server::TlsStream;
use tonic::transport::server::Connected;

use super::{census::Ticket, tls::Tls};
use crate::access::{Peer, service_key};

/// How long a client may take to say what it speaks: to shake hands for TLS, and then to begin.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// With how many bytes HTTP/2 begins: its greeting, and the head of a frame of settings. A call over HTTP/1 has more.
const GREETING: usize = 24 + 9;

/// A connection.
pub(super) struct Connection {
    stream: Stream,
    peer: Peer,
    /// `None` once the client has begun.
    beginning: Option<Beginning>,
    /// Its place among the connections that there may be.
    _ticket: Ticket,
}

enum Stream {
    Plain(TcpStream),
    Protected(Box<TlsStream<TcpStream>>),
}

struct Beginning {
    /// How many bytes are missing.
    missing: usize,
    clock: Pin<Box<Sleep>>,
}

impl Connection {
    /// A connection that was accepted, protected if there is TLS.
    pub(super) async fn new(accepted: TcpStream, ticket: Ticket, tls: Option<Tls>) -> io::Result<Self> {
        let mut peer = Peer { address: accepted.peer_addr().ok(), certificate: None };
        let stream = match tls {
            Some(tls) => {
                let handshake = tokio::time::timeout(PATIENCE, tls.accept(accepted));
                let protected = handshake.await.map_err(|_| io::ErrorKind::TimedOut)??;
                let shown = protected.get_ref().1.peer_certificates().and_then(<[_]>::first);
                peer.certificate = shown.map(|certificate| service_key::hash(certificate));
                Stream::Protected(Box::new(protected))
            }
            None => Stream::Plain(accepted),
        };
        let beginning = Beginning { missing: GREETING, clock: Box::pin(sleep(PATIENCE)) };
        Ok(Self { stream, peer, beginning: Some(beginning), _ticket: ticket })
    }

    /// Notes what has arrived, and that something should have.
    fn wait(&mut self, arrived: usize, cx: &mut Context<'_>) -> io::Result<()> {
        let Some(beginning) = &mut self.beginning else { return Ok(()) };
        beginning.missing = beginning.missing.saturating_sub(arrived);
        if beginning.missing == 0 {
            self.beginning = None;
        } else if beginning.clock.as_mut().poll(cx).is_ready() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, buffer),
            Stream::Protected(stream) => Pin::new(stream).poll_read(cx, buffer),
        };
        self.wait(buffer.filled().len() - before, cx)?;
        read
    }
}

/// Does the same with whichever stream it is.
macro_rules! on {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match &mut $self.stream {
            Stream::Plain(stream) => Pin::new(stream).$method($($argument),*),
            Stream::Protected(stream) => Pin::new(stream).$method($($argument),*),
        }
    };
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        on!(self.poll_write(cx, bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        on!(self.poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        on!(self.poll_shutdown(cx))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        on!(self.poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Protected(stream) => stream.is_write_vectored(),
        }
    }
}
