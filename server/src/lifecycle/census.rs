//! How many connections there are, in all and from each address.

use std::net::IpAddr;

use crate::{
    access::network,
    config::Limits,
    tally::{Counted, Tally},
};

/// Counts connections. Clones count the same.
#[derive(Clone)]
pub(super) struct Census {
    all: Tally<()>,
    by_address: Tally<IpAddr>,
}

/// The place of a connection, which is free again once this is dropped.
pub(super) struct Ticket {
    _of_all: Counted<()>,
    _of_its_address: Counted<IpAddr>,
}

impl Census {
    pub(super) fn new(limits: Limits) -> Self {
        Self { all: Tally::new(limits.connections), by_address: Tally::new(limits.connections_per_address) }
    }

    /// A place for a connection from there, unless there are enough.
    pub(super) fn admit(&self, address: IpAddr) -> Option<Ticket> {
        let of_its_address = self.by_address.enter(network(address))?;
        Some(Ticket { _of_all: self.all.enter(())?, _of_its_address: of_its_address })
    }
}
