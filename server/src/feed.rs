//! Who waits for a match to move on. A notice is only a hint: what happened is read from the store.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::watch;
use uuid::Uuid;

/// Tells waiters that a match has a new revision.
#[derive(Clone, Debug, Default)]
pub struct Feed {
    waited_for: Arc<Mutex<HashMap<Uuid, watch::Sender<u32>>>>,
}

impl Feed {
    /// Says that the match has this revision now.
    pub fn publish(&self, uid: Uuid, revision: u32) {
        let mut waited_for = self.waited_for.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = waited_for.get(&uid) {
            if sender.receiver_count() == 0 {
                waited_for.remove(&uid);
            } else {
                sender.send_if_modified(|known| {
                    let newer = revision > *known;
                    *known = revision.max(*known);
                    newer
                });
            }
        }
    }

    /// A receiver that changes whenever the match moves on from now.
    #[must_use]
    pub fn subscribe(&self, uid: Uuid) -> watch::Receiver<u32> {
        let mut waited_for = self.waited_for.lock().unwrap_or_else(PoisonError::into_inner);
        waited_for.retain(|_, sender| sender.receiver_count() > 0);
        waited_for.entry(uid).or_insert_with(|| watch::channel(0).0).subscribe()
    }
}
