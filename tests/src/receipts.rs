//! Receipts, as soon as there are any.

use std::time::Duration;

use chaquete_client::Client;
use chaquete_proto::v1::{ErrorReason, GetInclusionProofRequest, GetInclusionProofResponse, Match};
use tokio::time::{Instant, sleep};

/// The receipt for a match as it is, as soon as a checkpoint covers it.
///
/// # Panics
/// None does within a minute, or there will be none.
pub async fn covered(client: &Client, played: &Match) -> GetInclusionProofResponse {
    let request = GetInclusionProofRequest { name: played.name.clone(), revision: played.revision };
    let begun = Instant::now();
    loop {
        match client.get_inclusion_proof(request.clone()).await {
            Ok(receipt) => return receipt,
            Err(error) => assert_eq!(error.reason(), Some(ErrorReason::NotCheckpointed), "{error}"),
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{} is not covered", played.name);
        // Nobody tells when it is.
        sleep(Duration::from_millis(10)).await;
    }
}
