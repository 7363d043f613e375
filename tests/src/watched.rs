//! What somebody sees who watches a match.

use std::time::Duration;

use chaquete_client::{Client, Watched};
use chaquete_proto::v1::WatchMatchRequest;
use tokio::{task::JoinHandle, time::timeout};

/// Nothing that is watched takes longer, whatever the machine does besides; and no heartbeat comes as early.
const SOON: Duration = Duration::from_secs(40);

/// Watches a match until it ends, and gives the revisions that were told. Without heartbeats, which would find what notices
/// have missed.
///
/// # Panics
/// Nothing comes for a long time, or something else.
#[must_use]
pub fn revisions(client: &Client, name: &str) -> JoinHandle<Vec<i32>> {
    let heartbeat_interval = Some(prost_types::Duration { seconds: 60, nanos: 0 });
    let mut watch = client.watch_match(WatchMatchRequest {
        name: name.to_owned(),
        heartbeat_interval,
        ..WatchMatchRequest::default()
    });
    tokio::spawn(async move {
        let mut revisions = Vec::new();
        loop {
            match timeout(SOON, watch.next()).await.expect("a notice comes").expect("it is watched") {
                Some(Watched::Update(update)) => revisions.push(update.event.expect("an event").revision),
                None => return revisions,
                other => panic!("{other:?}"),
            }
        }
    })
}
