//! A server of one's own making: each test says what it answers.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chaquete_client::{Client, RetryPolicy};
use prost::Message;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::{BoxFuture, BoxStream, Bytes, Context, Poll, Service, http};
use tonic::server::{NamedService, ServerStreamingService};
use tonic::{Request, Response, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

/// One call that came in.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The method, for example `RollDice`.
    pub(crate) method: String,
    /// The request.
    pub(crate) message: Vec<u8>,
    /// Whether it said how long the caller waits.
    pub(crate) has_deadline: bool,
}

impl Call {
    /// The request as the message that it is.
    pub(crate) fn decode<M: Message + Default>(&self) -> M {
        M::decode(self.message.as_slice()).expect("a request of the contract")
    }
}

/// What a call is answered with: messages, and then a status unless it ends well.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    messages: Vec<Vec<u8>>,
    end: Option<Status>,
    stays_open: bool,
}

impl Reply {
    pub(crate) fn message(message: &impl Message) -> Self {
        Self::messages([message])
    }

    pub(crate) fn messages<'m, M: Message + 'm>(messages: impl IntoIterator<Item = &'m M>) -> Self {
        Self { messages: messages.into_iter().map(Message::encode_to_vec).collect(), ..Self::default() }
    }

    pub(crate) fn status(status: Status) -> Self {
        Self::default().then(status)
    }

    pub(crate) fn then(self, status: Status) -> Self {
        Self { end: Some(status), ..self }
    }

    pub(crate) fn stays_open(self) -> Self {
        Self { stays_open: true, ..self }
    }

    fn stream(self) -> BoxStream<Vec<u8>> {
        use tokio_stream::StreamExt as _;
        let items = self.messages.into_iter().map(Ok).chain(self.end.map(Err));
        let items = tokio_stream::iter(items.collect::<Vec<_>>());
        if self.stays_open { Box::pin(items.chain(tokio_stream::pending())) } else { Box::pin(items) }
    }
}

/// `UNAVAILABLE`, as a server says it that is going away.
pub(crate) fn unavailable(wait: Option<Duration>) -> Status {
    let mut details = ErrorDetails::with_error_info("SERVER_DRAINING", "backgammon.v1", HashMap::new());
    details.set_retry_info(wait);
    Status::with_error_details(tonic::Code::Unavailable, "the server drains", details)
}

type Answer = dyn Fn(&Call, usize) -> Reply + Send + Sync;

/// A running server. Dropped, it is gone at once with all connections, as if it had been killed.
pub(crate) struct Server {
    pub(crate) address: String,
    calls: Arc<Mutex<Vec<Call>>>,
    runtime: Option<Runtime>,
}

impl Server {
    /// Starts a server that answers by a function of the call and of how many came before it.
    pub(crate) fn start(answer: impl Fn(&Call, usize) -> Reply + Send + Sync + 'static) -> Self {
        Self::on("127.0.0.1:0", answer)
    }

    /// The same, at an address.
    pub(crate) fn on(address: &str, answer: impl Fn(&Call, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = std::net::TcpListener::bind(address).expect("a port");
        listener.set_nonblocking(true).expect("a listener that does not block");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let calls = Arc::default();
        let routes = Routes { answer: Arc::new(answer), calls: Arc::clone(&calls) };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.spawn(async move {
            let listener = TcpListener::from_std(listener).expect("a listener");
            tonic::transport::Server::builder()
                .add_service(Play(routes.clone()))
                .add_service(Operator(routes.clone()))
                .add_service(Matches(routes))
                .serve_with_incoming(TcpListenerStream::new(listener))
                .await
        });
        Self { address, calls, runtime: Some(runtime) }
    }

    /// A client that is quick to try again.
    pub(crate) async fn client(&self) -> Client {
        let policy = RetryPolicy {
            first_delay: Duration::from_millis(5),
            longest_delay: Duration::from_millis(20),
            patience: Duration::from_secs(5),
        };
        let builder = Client::builder(&self.address).retry(policy).jitter(|| 0.5);
        builder.connect().await.expect("connected")
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.lock().expect("the calls").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[derive(Clone)]
struct Routes {
    answer: Arc<Answer>,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl Routes {
    fn answer(&self, call: Call) -> Reply {
        let mut calls = self.calls.lock().expect("the calls");
        let reply = (self.answer)(&call, calls.len());
        calls.push(call);
        reply
    }
}

macro_rules! service {
    ($service:ident, $name:literal) => {
        #[derive(Clone)]
        struct $service(Routes);

        impl NamedService for $service {
            const NAME: &'static str = $name;
        }

        impl Service<http::Request<Body>> for $service {
            type Response = http::Response<Body>;
            type Error = Infallible;
            type Future = BoxFuture<Self::Response, Infallible>;

            fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
                Poll::Ready(Ok(()))
            }

            fn call(&mut self, request: http::Request<Body>) -> Self::Future {
                let method = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
                let handler = Handler { routes: self.0.clone(), method };
                Box::pin(
                    async move { Ok(tonic::server::Grpc::new(Raw).server_streaming(handler, request).await) },
                )
            }
        }
    };
}

service!(Play, "backgammon.v1.PlayService");
service!(Operator, "backgammon.v1.OperatorService");
service!(Matches, "backgammon.v1.MatchService");

struct Handler {
    routes: Routes,
    method: String,
}

impl ServerStreamingService<Bytes> for Handler {
    type Response = Vec<u8>;
    type ResponseStream = BoxStream<Vec<u8>>;
    type Future = BoxFuture<Response<Self::ResponseStream>, Status>;

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let call = Call {
            method: self.method.clone(),
            has_deadline: request.metadata().contains_key("grpc-timeout"),
            message: request.into_inner().to_vec(),
        };
        let stream = self.routes.answer(call).stream();
        Box::pin(async move { Ok(Response::new(stream)) })
    }
}

/// Messages as the bytes that they are.
#[derive(Clone, Copy, Default)]
struct Raw;

impl Codec for Raw {
    type Encode = Vec<u8>;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, item: Vec<u8>, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        use prost::bytes::BufMut as _;
        to.put_slice(&item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        use prost::bytes::Buf as _;
        let length = from.remaining();
        Ok(Some(from.copy_to_bytes(length)))
    }
}
