//! Time, as an argument: the one place that asks the operating system for it.

/// A moment: milliseconds since the beginning of 1970, UTC.
pub type Millis = i64;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Millis;
}

/// The clock of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that may ask")]
    fn now(&self) -> Millis {
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since_1970.map_or(0, |duration| duration.as_millis().try_into().unwrap_or(Millis::MAX))
    }
}

/// How long something may still be tried. No event of a match follows from it.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    ends: tokio::time::Instant,
}

impl Patience {
    /// Patience that begins now.
    #[must_use]
    pub fn of(duration: std::time::Duration) -> Self {
        Self { ends: tokio::time::Instant::now() + duration }
    }

    /// Whether there is none left.
    #[must_use]
    pub fn is_over(self) -> bool {
        tokio::time::Instant::now() >= self.ends
    }
}

/// How long something takes. No event of a match follows from it.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    began: tokio::time::Instant,
}

impl Stopwatch {
    /// One that runs from now on.
    #[must_use]
    pub fn start() -> Self {
        Self { began: tokio::time::Instant::now() }
    }

    /// How long it has run.
    #[must_use]
    pub fn elapsed(self) -> std::time::Duration {
        self.began.elapsed()
    }
}
