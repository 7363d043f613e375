//! What is told to whoever started the server and looks after it, if that listens at `NOTIFY_SOCKET` as systemd does.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::time::{MissedTickBehavior, interval};

/// The server accepts calls.
pub fn ready() {
    tell(&NotifyState::Ready);
}

/// The server was told to stop, and lets open calls end.
pub fn stopping() {
    tell(&NotifyState::Stopping);
}

/// Says that this runtime goes on, for as long as it does and twice as often as is asked for; returns at once if nobody
/// asks.
pub async fn stay_alive() {
    let Some(within) = sd_notify::watchdog_enabled().filter(|within| *within > Duration::ZERO) else {
        return;
    };
    let mut beat = interval(within / 2);
    // After a pause one word is enough.
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        tell(&NotifyState::Watchdog);
    }
}

/// Nobody hearing it is no reason to stop: then the supervisor does as it was told to.
fn tell(state: &NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(std::slice::from_ref(state)) {
        tracing::warn!("the supervisor cannot be told {state}: {error}");
    }
}
