//! Calls as no client of ours would write them: any bytes under any headers.

use std::io::Cursor;

use h2::{
    RecvStream, SendStream,
    client::{ResponseFuture, SendRequest},
};
use http::{HeaderMap, Request};
use prost::Message;
use tokio::{net::TcpStream, sync::mpsc};
use tonic::Status;

type Bytes = Cursor<Vec<u8>>;

/// A connection that is written to by hand.
#[derive(Clone)]
pub struct Raw {
    sender: SendRequest<Bytes>,
    windows: mpsc::UnboundedSender<u32>,
}

/// A call whose request may still be written.
pub struct RawCall {
    request: SendStream<Bytes>,
    response: ResponseFuture,
}

/// What came of a call.
#[derive(Debug)]
pub struct RawAnswer {
    /// Its headers.
    pub headers: HeaderMap,
    /// The data after them.
    pub data: Vec<u8>,
    /// The status from headers or trailers, if there is one.
    pub status: Option<Status>,
}

impl Raw {
    /// A connection to a server (`http://ADDRESS`).
    ///
    /// # Panics
    /// It cannot be reached.
    pub async fn connect(endpoint: &str) -> Self {
        Self::connect_with_window(endpoint, 65_535).await
    }

    /// The same, where the server may send so many bytes of each answer before some of it is read.
    ///
    /// # Panics
    /// It cannot be reached.
    pub async fn connect_with_window(endpoint: &str, window: u32) -> Self {
        let stream = TcpStream::connect(endpoint.trim_start_matches("http://")).await.expect("a connection");
        let mut builder = h2::client::Builder::new();
        let handshake = builder.initial_window_size(window).handshake(stream);
        let (sender, mut connection) = handshake.await.expect("the server speaks HTTP/2");
        let (windows, mut asked) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    _ended = &mut connection => return,
                    Some(window) = asked.recv() => {
                        connection.set_initial_window_size(window).expect("one change at a time");
                    }
                }
            }
        });
        Self { sender, windows }
    }

    /// Lets the server send so many bytes of each answer from now on.
    ///
    /// # Panics
    /// The connection is gone.
    pub fn open_windows(&self, window: u32) {
        self.windows.send(window).expect("the connection is there");
    }

    /// Begins a call: nothing but its headers.
    ///
    /// # Panics
    /// The connection is gone.
    pub async fn begin(&self, path: &str, headers: &[(&str, &str)]) -> RawCall {
        let mut request = Request::post(format!("http://localhost{path}"))
            .header("te", "trailers")
            .header("content-type", "application/grpc");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut sender = self.sender.clone().ready().await.expect("the connection is there");
        let request = request.body(()).expect("headers that can be sent");
        let (response, request) = sender.send_request(request, false).expect("the call is begun");
        RawCall { request, response }
    }

    /// Makes a call with these bytes as all of its body, and waits for what comes of it.
    pub async fn call(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> RawAnswer {
        let mut call = self.begin(path, headers).await;
        call.write(body, true);
        call.answer().await
    }
}

impl RawCall {
    /// Writes some of the request. A server that has answered already takes no more; that is no fault.
    pub fn write(&mut self, body: &[u8], last: bool) {
        let _answered_already = self.request.send_data(Cursor::new(body.to_vec()), last);
    }

    /// Waits until the answer has ended.
    ///
    /// # Panics
    /// It does not end in order.
    pub async fn answer(self) -> RawAnswer {
        // The request stays open as it is until then.
        let Self { request: _open, response } = self;
        let (head, mut body) = response.await.expect("an answer").into_parts();
        let mut data = Vec::new();
        while let Some(chunk) = body.data().await {
            let chunk = chunk.expect("the answer is not cut off");
            body.flow_control().release_capacity(chunk.len()).expect("what came was allowed");
            data.extend_from_slice(&chunk);
        }
        let status = match Status::from_header_map(&head.headers) {
            Some(status) => Some(status),
            None => trailers(&mut body).await.as_ref().and_then(Status::from_header_map),
        };
        RawAnswer { headers: head.headers, data, status }
    }
}

impl RawAnswer {
    /// Its messages.
    ///
    /// # Panics
    /// The data are none of this kind.
    #[must_use]
    pub fn messages<M: Message + Default>(&self) -> Vec<M> {
        let (mut rest, mut messages) = (self.data.as_slice(), Vec::new());
        while let Some((header, from)) = rest.split_first_chunk::<5>() {
            let [_, length @ ..] = *header;
            let (message, next) = from.split_at(u32::from_be_bytes(length) as usize);
            messages.push(M::decode(message).expect("a message of this kind"));
            rest = next;
        }
        messages
    }
}

async fn trailers(body: &mut RecvStream) -> Option<HeaderMap> {
    body.trailers().await.expect("the answer is not cut off")
}

/// A message as it stands in the body of a call.
///
/// # Panics
/// It is larger than four gigabytes.
#[must_use]
pub fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).expect("a message of a size that can be sent");
    [&[0], length.to_be_bytes().as_slice(), message].concat()
}
