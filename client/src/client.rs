//! The connection and how a call is made on it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Request, Response, Status};

use crate::credentials::{Bearer, Transport};
use crate::request_id::Mutating;
use crate::{Error, RetryPolicy};

/// A client of one server, over one connection that is made anew when it breaks.
///
/// Clones share the connection and are cheap: give each task its own.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
    settings: Arc<Settings>,
}

struct Settings {
    bearer: Bearer,
    retry: RetryPolicy,
    call_deadline: Duration,
    jitter: Box<dyn Fn() -> f64 + Send + Sync>,
}

/// Settings of a [`Client`] to be.
pub struct ClientBuilder {
    endpoint: String,
    token: Option<String>,
    tls: ClientTlsConfig,
    connect_timeout: Duration,
    settings: Settings,
}

impl Client {
    /// Connects to a server, for example `http://127.0.0.1:50051`, with the usual settings.
    ///
    /// # Errors
    /// If the address is none, or no server answers there within the patience of [`RetryPolicy`].
    pub async fn connect(endpoint: impl Into<String>) -> Result<Self, Error> {
        Self::builder(endpoint).connect().await
    }

    /// Settings for a client of the server at `endpoint`.
    pub fn builder(endpoint: impl Into<String>) -> ClientBuilder {
        ClientBuilder {
            endpoint: endpoint.into(),
            token: None,
            tls: ClientTlsConfig::new().with_native_roots(),
            connect_timeout: Duration::from_secs(5),
            settings: Settings {
                bearer: Bearer::default(),
                retry: RetryPolicy::default(),
                call_deadline: Duration::from_secs(10),
                jitter: Box::new(rand::random),
            },
        }
    }

    pub(crate) fn channel(&self) -> Transport {
        InterceptedService::new(self.channel.clone(), self.settings.bearer.clone())
    }

    pub(crate) fn call_deadline(&self) -> Duration {
        self.settings.call_deadline
    }

    /// Waits before a further attempt, unless the patience of the call is at its end.
    pub(crate) async fn may_retry(&self, error: &Error, attempt: u32, begun: Instant) -> bool {
        may_retry(&self.settings, error, attempt, begun).await
    }

    /// Opens a stream. The deadline is for the answer to begin: the stream itself has none.
    pub(crate) async fn open<S>(
        &self,
        call: impl Future<Output = Result<Response<S>, Status>>,
    ) -> Result<S, Error> {
        match timeout(self.call_deadline(), call).await {
            Ok(Ok(response)) => Ok(response.into_inner()),
            Ok(Err(status)) => Err(Error::from_status(&status)),
            Err(_) => Err(Error::deadline()),
        }
    }

    /// Makes a call that changes something: with the same `request_id` in every attempt.
    pub(crate) async fn mutate<Q, A, F>(
        &self,
        mut message: Q,
        send: impl Fn(Transport, Request<Q>) -> F,
    ) -> Result<A, Error>
    where
        Q: Clone + Mutating,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        message.ensure_request_id();
        self.call(message, self.call_deadline(), send).await
    }

    /// Makes a call, again and again while there is no server to answer it.
    pub(crate) async fn call<Q, A, F>(
        &self,
        message: Q,
        deadline: Duration,
        send: impl Fn(Transport, Request<Q>) -> F,
    ) -> Result<A, Error>
    where
        Q: Clone,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let begun = Instant::now();
        let mut attempt = 1;
        loop {
            let mut request = Request::new(message.clone());
            // The server is told, so that it does not work for somebody who has gone.
            request.set_timeout(deadline);
            let error = match timeout(deadline, send(self.channel(), request)).await {
                Ok(Ok(response)) => return Ok(response.into_inner()),
                Ok(Err(status)) => Error::from_status(&status),
                Err(_) => Error::deadline(),
            };
            if !self.may_retry(&error, attempt, begun).await {
                return Err(error.after(attempt));
            }
            attempt += 1;
        }
    }
}

async fn may_retry(settings: &Settings, error: &Error, attempt: u32, begun: Instant) -> bool {
    if !error.is_unavailable() {
        return false;
    }
    let delay = settings.retry.delay(attempt, (settings.jitter)(), error.retry_after());
    let in_time = begun.elapsed() + delay < settings.retry.patience;
    if in_time {
        sleep(delay).await;
    }
    in_time
}

impl ClientBuilder {
    /// When calls are made again.
    #[must_use]
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.settings.retry = policy;
        self
    }

    /// How long each attempt of a call may take. Default: 10 s.
    #[must_use]
    pub fn call_deadline(mut self, deadline: Duration) -> Self {
        self.settings.call_deadline = deadline;
        self
    }

    /// How long making a connection may take. Default: 5 s.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Where the random part of waits comes from: numbers from 0 to 1.
    #[must_use]
    pub fn jitter(mut self, fraction: impl Fn() -> f64 + Send + Sync + 'static) -> Self {
        self.settings.jitter = Box::new(fraction);
        self
    }

    /// The service key of a backend or operator, or the token of a player or spectator, to be shown with every call.
    #[must_use]
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Certificates (PEM) of those who may sign that of the server, besides those whom the machine trusts. TLS is spoken
    /// where the address begins with `https:`.
    #[must_use]
    pub fn authorities(mut self, pem: impl AsRef<[u8]>) -> Self {
        self.tls = self.tls.ca_certificate(Certificate::from_pem(pem));
        self
    }

    /// The client's own certificates, the first its own, and their private key (PEM both).
    #[must_use]
    pub fn identity(mut self, certificates: impl AsRef<[u8]>, key: impl AsRef<[u8]>) -> Self {
        self.tls = self.tls.identity(Identity::from_pem(certificates, key));
        self
    }

    /// Connects.
    ///
    /// # Errors
    /// If the address is none, or no server answers there within the patience of the [`RetryPolicy`].
    pub async fn connect(mut self) -> Result<Client, Error> {
        let endpoint = self.endpoint()?;
        let begun = Instant::now();
        let mut attempt = 1;
        loop {
            let error = match endpoint.connect().await {
                Ok(channel) => return Ok(Client { channel, settings: Arc::new(self.settings) }),
                Err(error) => Error::transport(&error),
            };
            if !may_retry(&self.settings, &error, attempt, begun).await {
                return Err(error.after(attempt));
            }
            attempt += 1;
        }
    }

    /// A client that connects with its first call. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// If the address is none.
    pub fn connect_lazy(mut self) -> Result<Client, Error> {
        let channel = self.endpoint()?.connect_lazy();
        Ok(Client { channel, settings: Arc::new(self.settings) })
    }

    /// The address as it is connected to, with what is shown there.
    fn endpoint(&mut self) -> Result<Endpoint, Error> {
        if let Some(token) = self.token.take() {
            self.settings.bearer = Bearer::new(&token).ok_or_else(Error::bad_token)?;
        }
        let bad = |error: tonic::transport::Error| Error::bad_endpoint(&self.endpoint, &error);
        let mut endpoint = Endpoint::from_shared(self.endpoint.clone()).map_err(bad)?;
        if endpoint.uri().scheme_str() == Some("https") {
            endpoint = endpoint.tls_config(self.tls.clone()).map_err(bad)?;
        }
        Ok(endpoint
            .connect_timeout(self.connect_timeout)
            .tcp_nodelay(true)
            .tcp_keepalive(Some(Duration::from_secs(30)))
            // A peer that went without a word is found out, also under a watch in which nothing happens.
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10))
            .keep_alive_while_idle(true))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Client").field("retry", &self.settings.retry).finish_non_exhaustive()
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ClientBuilder").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}
