//! TLS, with certificates that can be replaced while the server runs.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use rustls_pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use tokio::{
    net::TcpStream,
    signal::unix::{SignalKind, signal},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        RootCertStore, ServerConfig,
        crypto::ring,
        server::WebPkiClientVerifier,
        version::{TLS12, TLS13},
    },
    server::TlsStream,
};

use crate::config::TlsFiles;

/// What can be spoken. Browsers may choose HTTP/1 where they may call.
pub(super) const fn protocols(browsers: bool) -> &'static [&'static [u8]] {
    if browsers { &[b"h2", b"http/1.1"] } else { &[b"h2"] }
}

/// Why connections cannot be protected.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {} for TLS: {because}", path.display())]
pub struct TlsError {
    /// The file.
    path: PathBuf,
    /// What is wrong with it.
    because: String,
}

/// Protects connections.
#[derive(Clone)]
pub(super) struct Tls {
    files: Arc<TlsFiles>,
    protocols: &'static [&'static [u8]],
    current: Arc<RwLock<Arc<ServerConfig>>>,
}

impl Tls {
    /// TLS from what is in these files.
    pub(super) fn load(files: TlsFiles, protocols: &'static [&'static [u8]]) -> Result<Self, TlsError> {
        let current = read(&files, protocols)?;
        Ok(Self { files: Arc::new(files), protocols, current: Arc::new(RwLock::new(Arc::new(current))) })
    }

    /// Reads the files again: new connections get what is in them now. What cannot be used changes nothing.
    fn reload(&self) {
        match read(&self.files, self.protocols) {
            Ok(read) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(read);
                tracing::info!("the certificates were read again");
            }
            Err(error) => tracing::error!("the certificates stay as they were: {error}"),
        }
    }

    /// Reads the files again whenever the process is told to (SIGHUP).
    pub(super) async fn reload_when_told(self) {
        let Ok(mut told) = signal(SignalKind::hangup()) else {
            return tracing::warn!(
                "SIGHUP cannot be waited for: certificates are read again only by a restart"
            );
        };
        while told.recv().await.is_some() {
            self.reload();
        }
    }

    /// Protects a connection.
    pub(super) async fn accept(&self, connection: TcpStream) -> std::io::Result<TlsStream<TcpStream>> {
        let current = Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner));
        TlsAcceptor::from(current).accept(connection).await
    }
}

/// What is in the files, if it can be used together.
pub(super) fn read(files: &TlsFiles, protocols: &[&[u8]]) -> Result<ServerConfig, TlsError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&[&TLS13, &TLS12])
        .map_err(bad(&files.certificates))?;
    let builder = match &files.client_authorities {
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates(path)? {
                roots.add(certificate).map_err(bad(path))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            // Others come with a token.
            let verifier = verifier.allow_unauthenticated().build().map_err(bad(path))?;
            builder.with_client_cert_verifier(verifier)
        }
        None => builder.with_no_client_auth(),
    };
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(bad(&files.key))?;
    let shown = certificates(&files.certificates)?;
    let mut config = builder.with_single_cert(shown, key).map_err(bad(&files.certificates))?;
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(config)
}

/// The certificates in a file; at least one.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read = CertificateDer::pem_file_iter(path).map_err(bad(path))?;
    let certificates = read.collect::<Result<Vec<_>, _>>().map_err(bad(path))?;
    if certificates.is_empty() { Err(bad(path)("there is no certificate in it")) } else { Ok(certificates) }
}

fn bad<E: Display>(path: &Path) -> impl FnOnce(E) -> TlsError {
    move |because| TlsError { path: path.to_owned(), because: because.to_string() }
}
