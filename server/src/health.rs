//! Asks a running server whether it serves: for whoever watches it where there is no other program to ask with.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use hyper_util::rt::TokioIo;
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        self, ClientConfig, DEFAULT_VERSIONS, DigitallySignedStruct, SignatureScheme,
        client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
    },
};
use tonic::transport::Endpoint;
use tonic_health::{
    ServingStatus,
    pb::{HealthCheckRequest, health_client::HealthClient},
};
use tower::service_fn;

/// Why a server does not serve, as far as can be told from outside.
#[derive(Debug, thiserror::Error)]
pub enum NotServing {
    /// Nobody answers.
    #[error("nobody answers at {address}: {source}")]
    Unreachable {
        /// Who was asked.
        address: SocketAddr,
        /// Why nobody does.
        source: tonic::transport::Error,
    },
    /// The answer is an error.
    #[error("{address} answers {}: {}", status.code(), status.message())]
    Failed {
        /// Who was asked.
        address: SocketAddr,
        /// The answer.
        status: tonic::Status,
    },
    /// It says so itself.
    #[error("{address} does not serve: it starts or stops")]
    Said {
        /// Who was asked.
        address: SocketAddr,
    },
}

/// How long to wait before a server is asked again.
const PAUSE: Duration = Duration::from_millis(100);

/// Asks again and again for so long, until a server [serves](ask); what it says then counts.
///
/// # Errors
/// It does not serve after that time.
pub async fn wait_for(
    address: SocketAddr,
    tls: bool,
    within: Duration,
    wait: Duration,
) -> Result<(), NotServing> {
    let serves = async {
        while ask(address, tls, within).await.is_err() {
            sleep(PAUSE).await;
        }
    };
    match timeout(wait, serves).await {
        Ok(()) => Ok(()),
        Err(_) => ask(address, tls, within).await,
    }
}

/// Asks the server that listens there, over TLS or not; one that listens on all addresses is asked on this machine.
///
/// # Errors
/// It does not say within that time that it serves.
pub async fn ask(address: SocketAddr, tls: bool, within: Duration) -> Result<(), NotServing> {
    let unreachable = |source| NotServing::Unreachable { address, source };
    let endpoint = Endpoint::from_shared(format!("http://{address}")).map_err(unreachable)?;
    let endpoint = endpoint.connect_timeout(within).timeout(within);
    let channel = if tls {
        let connect = move |_| async move { protected(address).await.map(TokioIo::new) };
        endpoint.connect_with_connector(service_fn(connect)).await
    } else {
        endpoint.connect().await
    };
    let answer = HealthClient::new(channel.map_err(unreachable)?).check(HealthCheckRequest::default()).await;
    let answer = answer.map_err(|status| NotServing::Failed { address, status })?;
    let serves = answer.get_ref().status == ServingStatus::Serving as i32;
    if serves { Ok(()) } else { Err(NotServing::Said { address }) }
}

/// A connection over TLS to whoever listens there.
async fn protected(address: SocketAddr) -> io::Result<TlsStream<TcpStream>> {
    let provider = Arc::new(ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(DEFAULT_VERSIONS)
        .map_err(io::Error::other)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Anybody(provider)))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let connection = TcpStream::connect(address).await?;
    TlsConnector::from(Arc::new(config)).connect(address.ip().into(), connection).await
}

/// Takes every certificate for a good one. Nothing is said that others must not hear, and the question is whether what
/// listens there serves: a certificate that has run out is no reason to start it again.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _shown: &CertificateDer<'_>,
        _further: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _stapled: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, shown, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, shown, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
