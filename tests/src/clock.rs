//! A clock that goes only when it is told to.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chaquete_server::clock::{Clock, Millis};

/// A clock that tests move. Clones are the same clock.
#[derive(Clone, Debug)]
pub struct TestClock(Arc<AtomicI64>);

impl TestClock {
    /// A clock that stands at the beginning of 2026.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(AtomicI64::new(1_767_225_600_000)))
    }

    /// Lets this much time go by; less than nothing sets the clock back.
    pub fn advance(&self, millis: Millis) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Default for TestClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Millis {
        self.0.load(Ordering::SeqCst)
    }
}
