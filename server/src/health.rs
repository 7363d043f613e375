//! Asks a running server whether it serves: for whoever watches it where there is no other program to ask with.

use std::{net::SocketAddr, time::Duration};

use tonic::transport::Endpoint;
use tonic_health::{
    ServingStatus,
    pb::{HealthCheckRequest, health_client::HealthClient},
};

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

/// Asks the server that listens there; one that listens on all addresses is asked on this machine.
///
/// # Errors
/// It does not say within that time that it serves.
pub async fn ask(address: SocketAddr, within: Duration) -> Result<(), NotServing> {
    let unreachable = |source| NotServing::Unreachable { address, source };
    let endpoint = Endpoint::from_shared(format!("http://{address}")).map_err(unreachable)?;
    let channel = endpoint.connect_timeout(within).timeout(within).connect().await.map_err(unreachable)?;
    let answer = HealthClient::new(channel).check(HealthCheckRequest::default()).await;
    let answer = answer.map_err(|status| NotServing::Failed { address, status })?;
    let serves = answer.get_ref().status == ServingStatus::Serving as i32;
    if serves { Ok(()) } else { Err(NotServing::Said { address }) }
}
