//! What is counted while calls are made.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use hdrhistogram::Histogram;
use tonic::Status;

/// The longest that is told apart, in microseconds: two minutes.
const LONGEST: u64 = 120_000_000;

/// Counts answers, but only those that come while it is told to.
pub(crate) struct Meter {
    measuring: AtomicBool,
    over: AtomicBool,
    answered: AtomicU64,
    latencies: Mutex<Histogram<u64>>,
    failures: Mutex<Failures>,
}

/// Failed calls by their code, whenever they failed.
pub(crate) type Failures = BTreeMap<String, Failed>;

/// Calls that failed alike.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failed {
    /// How many.
    pub(crate) count: u64,
    /// What the first of them was told.
    pub(crate) first: String,
}

impl Meter {
    pub(crate) fn new() -> Self {
        let latencies = Histogram::new_with_max(LONGEST, 3).expect("three digits can be kept");
        Self {
            measuring: AtomicBool::new(false),
            over: AtomicBool::new(false),
            answered: AtomicU64::new(0),
            latencies: Mutex::new(latencies),
            failures: Mutex::default(),
        }
    }

    /// From now on answers count.
    pub(crate) fn begin(&self) {
        self.measuring.store(true, Relaxed);
    }

    /// Answers count no more, and no further calls are made.
    pub(crate) fn end(&self) {
        self.measuring.store(false, Relaxed);
        self.over.store(true, Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// How many calls were answered, from the first on, failures included.
    pub(crate) fn answered(&self) -> u64 {
        self.answered.load(Relaxed)
    }

    /// Notes what came of a call.
    pub(crate) fn note(&self, answer: Result<(), Status>, took: Duration) {
        self.answered.fetch_add(1, Relaxed);
        match answer {
            Err(failure) => self.failed(&failure),
            Ok(()) if self.measuring.load(Relaxed) => {
                let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
                let mut latencies = self.latencies.lock().unwrap_or_else(PoisonError::into_inner);
                latencies.saturating_record(micros);
            }
            Ok(()) => {}
        }
    }

    /// Notes a failure, also of what is no single call.
    pub(crate) fn failed(&self, failure: &Status) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let first = || Failed { count: 0, first: failure.message().to_owned() };
        failures.entry(format!("{:?}", failure.code())).or_insert_with(first).count += 1;
    }

    /// The latencies in microseconds of all answers that counted, and all failures.
    pub(crate) fn read(&self) -> (Histogram<u64>, Failures) {
        let latencies = self.latencies.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (latencies, failures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_answered_while_it_measures_counts() {
        let meter = Meter::new();
        let note = |answer, millis| meter.note(answer, Duration::from_millis(millis));
        note(Ok(()), 1);
        meter.begin();
        note(Ok(()), 50);
        note(Ok(()), 100_000);
        note(Err(Status::aborted("the first")), 7);
        note(Err(Status::aborted("the second")), 7);
        assert!(!meter.is_over());
        meter.end();
        note(Ok(()), 2);
        assert!(meter.is_over());
        assert_eq!(meter.answered(), 6);
        let (latencies, failures) = meter.read();
        assert_eq!(latencies.len(), 2);
        assert!(latencies.equivalent(latencies.min(), 50_000));
        assert!(latencies.equivalent(latencies.max(), 100_000_000));
        let failed = &failures["Aborted"];
        assert_eq!((failures.len(), failed.count, failed.first.as_str()), (1, 2, "the first"));
    }
}
