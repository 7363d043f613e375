//! What is measured of a store.

use std::time::Duration;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{
        counter::Counter,
        family::Family,
        histogram::{Histogram, exponential_buckets},
    },
};

use super::{Metrics, SECONDS, names};

/// What is done with a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Something is read.
    Read,
    /// Something is written.
    Write,
}

impl Access {
    const ALL: [Self; 2] = [Self::Read, Self::Write];

    const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// How a store fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It cannot be reached, or does not work.
    Unavailable,
    /// The server may not do this to it.
    Denied,
    /// What is stored cannot be read.
    Damaged,
    /// What was to be stored cannot be.
    Unfit,
}

impl Fault {
    const ALL: [Self; 4] = [Self::Unavailable, Self::Denied, Self::Damaged, Self::Unfit];

    const fn word(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Denied => "denied",
            Self::Damaged => "damaged",
            Self::Unfit => "unfit",
        }
    }
}

/// What is measured of a store. Clones are the same.
#[derive(Clone, Debug)]
pub struct StoreMeters {
    batch: Histogram,
    commit: Histogram,
    errors: Family<Failed, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Failed {
    access: &'static str,
    kind: &'static str,
}

impl Default for StoreMeters {
    fn default() -> Self {
        // Up to the largest batch.
        let batch = Histogram::new(exponential_buckets(1.0, 2.0, 11));
        let this = Self { batch, commit: Histogram::new(SECONDS), errors: Family::default() };
        // They are shown before the first: of a counter that begins with 1, nobody can say that it has gone up.
        for access in Access::ALL {
            for fault in Fault::ALL {
                this.failures(access, fault);
            }
        }
        this
    }
}

impl StoreMeters {
    /// So many writes were made durable in this time.
    pub fn committed(&self, writes: usize, took: Duration) {
        self.batch.observe(writes as f64);
        self.commit.observe(took.as_secs_f64());
    }

    /// The store failed, in this way.
    pub fn failed(&self, access: Access, fault: Fault) {
        self.failures(access, fault).inc();
    }

    fn failures(&self, access: Access, fault: Fault) -> Counter {
        self.errors.get_or_create_owned(&Failed { access: access.word(), kind: fault.word() })
    }

    pub(super) fn register(&self, metrics: &mut Metrics) {
        metrics.register(names::BATCH_WRITES, self.batch.clone());
        metrics.register(names::COMMIT_SECONDS, self.commit.clone());
        metrics.register(names::STORE_ERRORS, self.errors.clone());
    }
}
