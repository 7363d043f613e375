//! What is measured of a store.

use super::StoreError;
use crate::telemetry::metrics::{Access, Fault, StoreMeters};

/// How busy a store is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    /// Writes that wait for the next batch.
    pub waiting: usize,
    /// Connections for reading that are not used.
    pub idle: usize,
    /// Connections for reading that are used.
    pub used: usize,
    /// How many connections for reading there may be.
    pub limit: usize,
}

impl StoreError {
    /// Counts it, unless the store did what it should: then somebody else was first.
    pub(super) fn note(&self, meters: &StoreMeters, access: Access) {
        let fault = match self {
            Self::Exists | Self::Conflict => return,
            Self::Unavailable(_) => Fault::Unavailable,
            Self::Denied(_) => Fault::Denied,
            Self::Damaged { .. } => Fault::Damaged,
            Self::Unfit(_) => Fault::Unfit,
        };
        meters.failed(access, fault);
    }
}
