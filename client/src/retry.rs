//! When a call is made again.

use std::time::Duration;

use tokio::time::Instant;

use crate::{Client, Error};

/// When and how often a call is made again that found no server to answer it.
///
/// Only `UNAVAILABLE` is tried again, which includes a connection that cannot be made or breaks: no
/// other code promises that the same call may succeed later. A call that changes a match carries the
/// same `request_id` in every attempt, so it is done once however often it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The wait before the second attempt; it doubles with each further one.
    pub first_delay: Duration,
    /// The longest wait between two attempts.
    pub longest_delay: Duration,
    /// How long after its beginning a call may still be tried again.
    pub patience: Duration,
}

impl RetryPolicy {
    /// Every call is made once.
    pub const NEVER: Self =
        Self { first_delay: Duration::ZERO, longest_delay: Duration::ZERO, patience: Duration::ZERO };

    /// The wait after the `attempt`th attempt (from 1), given a random `fraction` of 0 to 1.
    ///
    /// Half of the wait is random, so that clients cut off together do not come back together. What the
    /// server asked for (`asked`) is waited in full, with the rest on top of it.
    #[must_use]
    pub fn delay(&self, attempt: u32, fraction: f64, asked: Option<Duration>) -> Duration {
        let doublings = attempt.saturating_sub(1).min(31);
        let full = self.first_delay.saturating_mul(1 << doublings).min(self.longest_delay);
        asked.unwrap_or_default() + full.mul_f64(0.5 + 0.5 * fraction.clamp(0.0, 1.0))
    }
}

/// How often a stream was taken up again since something came on it, and when that was.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    attempts: u32,
    since: Option<Instant>,
}

impl Patience {
    /// The next message is waited for.
    pub(crate) fn begin(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// Something came: patience is counted from now.
    pub(crate) fn rewarded(&mut self) {
        *self = Self { attempts: 0, since: Some(Instant::now()) };
    }

    /// Waits until the stream may be taken up again; or gives the error if it may not, and begins anew.
    pub(crate) async fn try_again(&mut self, client: &Client, error: Error) -> Result<(), Error> {
        self.attempts += 1;
        let since = *self.since.get_or_insert_with(Instant::now);
        if client.may_retry(&error, self.attempts, since).await {
            return Ok(());
        }
        let Self { attempts, .. } = std::mem::take(self);
        Err(error.after(attempts))
    }
}

impl Default for RetryPolicy {
    /// 50 ms at first, 2 s at most, for half a minute.
    fn default() -> Self {
        Self {
            first_delay: Duration::from_millis(50),
            longest_delay: Duration::from_secs(2),
            patience: Duration::from_secs(30),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_the_longest() {
        let policy = RetryPolicy::default();
        let waits: Vec<u128> =
            [1, 2, 3, 6, 7, 60].map(|attempt| policy.delay(attempt, 1.0, None).as_millis()).to_vec();
        assert_eq!(waits, [50, 100, 200, 1600, 2000, 2000]);
    }

    #[test]
    fn half_of_the_wait_is_random() {
        let policy = RetryPolicy::default();
        assert_eq!(policy.delay(3, 0.0, None), Duration::from_millis(100));
        assert_eq!(policy.delay(3, 0.5, None), Duration::from_millis(150));
    }

    #[test]
    fn what_the_server_asks_is_waited_in_full() {
        let asked = Duration::from_secs(5);
        let policy = RetryPolicy::default();
        assert_eq!(policy.delay(1, 0.0, Some(asked)), asked + Duration::from_millis(25));
        assert_eq!(RetryPolicy::NEVER.delay(1, 0.5, Some(asked)), asked);
    }
}
