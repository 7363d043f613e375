//! How many connections there are, in all and from each address.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::config::{Limits, is_full};

/// Counts connections, and says when there are enough. Clones count the same.
#[derive(Clone)]
pub(super) struct Census {
    limits: Limits,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Default)]
struct Counts {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// The place of a connection. It is free again once this is dropped.
pub(super) struct Ticket {
    census: Census,
    address: IpAddr,
}

impl Census {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, counts: Arc::default() }
    }

    /// A place for a connection from there, unless there are enough.
    pub(super) fn admit(&self, address: IpAddr) -> Option<Ticket> {
        let address = network(address);
        let mut counts = self.lock();
        let from_there = counts.by_address.get(&address).copied().unwrap_or_default();
        if is_full(counts.all, self.limits.connections)
            || is_full(from_there, self.limits.connections_per_address)
        {
            return None;
        }
        counts.all += 1;
        counts.by_address.insert(address, from_there + 1);
        Some(Ticket { census: self.clone(), address })
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        // Nothing is left half-way by whoever panics.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut counts = self.census.lock();
        counts.all -= 1;
        if let Some(from_there) = counts.by_address.get_mut(&self.address) {
            *from_there -= 1;
            if *from_there == 0 {
                counts.by_address.remove(&self.address);
            }
        }
    }
}

/// What counts as one address: of IPv6 the network that one customer has, since all of it is theirs.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        IpAddr::V4(address) => address.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn places_are_given_and_taken_back() {
        let limits = Limits {
            connections: NonZeroU32::new(3),
            connections_per_address: NonZeroU32::new(2),
            ..Limits::default()
        };
        let census = Census::new(limits);
        let [one, other]: [IpAddr; 2] = ["10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap()];
        let first = census.admit(one).unwrap();
        let second = census.admit("::ffff:10.0.0.1".parse().unwrap()).unwrap();
        assert!(census.admit(one).is_none(), "too many from there");
        let third = census.admit(other).unwrap();
        assert!(census.admit(other).is_none(), "too many in all");
        drop(first);
        let fourth = census.admit(one).unwrap();
        assert!(census.admit(other).is_none());
        drop((second, third, fourth));
        assert_eq!(census.lock().all, 0);
        assert!(census.lock().by_address.is_empty(), "nobody is remembered");
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("10.0.0.1"), "10.0.0.1");
    }
}
