//! How much of the server one caller can have: calls a second, calls at once, open streams.

use std::{net::IpAddr, num::NonZeroU32, time::Duration};

use chaquete_proto::access::{Method, Streaming};
use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock as _, DefaultClock},
};

use crate::{
    access::{Caller, Peer, network},
    config::Limits,
    status::{Error, Quota as Exceeded},
    tally::{Counted, Tally},
};

/// How much more than in one second may come at once.
const BURST: NonZeroU32 = NonZeroU32::new(4).expect("it is not 0");

/// Counts what callers have of the server.
pub(super) struct Fairness {
    strangers: Option<Rate<IpAddr>>,
    services: Option<Rate<String>>,
    people: Option<Rate<Person>>,
    calls: Tally<()>,
    streams_of_tenants: Tally<String>,
    streams_of_people: Tally<Person>,
}

/// Tenant and subject.
type Person = (String, String);

/// What a call has of the server, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    _call: Option<Counted<()>>,
    _of_its_tenant: Option<Counted<String>>,
    _of_its_person: Option<Counted<Person>>,
}

impl Fairness {
    /// Nobody has anything yet.
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            strangers: limits.strangers_per_second.map(Rate::new),
            services: limits.calls_per_second.map(Rate::new),
            people: limits.player_calls_per_second.map(Rate::new),
            calls: Tally::new(limits.calls),
            streams_of_tenants: Tally::new(limits.streams_per_tenant),
            streams_of_people: Tally::new(limits.streams_per_player),
        }
    }

    /// Whether somebody whom the server does not know may ask to be known, or call what all may call.
    pub(super) fn stranger(&self, peer: Option<&Peer>) -> Result<(), Error> {
        // Whoever has no address is in this process.
        let address = peer.and_then(|peer| peer.address);
        check(self.strangers.as_ref().zip(address), |address| network(address.ip()), Exceeded::Address)
    }

    /// A place for a call of this method.
    pub(super) fn admit(&self, caller: &Caller, method: &Method) -> Result<Place, Error> {
        let person = caller.person().map(|(tenant, subject)| (tenant.to_owned(), subject.to_owned()));
        check(self.services.as_ref().zip(caller.key()), str::to_owned, Exceeded::Key)?;
        check(self.people.as_ref().zip(person.clone()), |person| person, Exceeded::Person)?;
        let (mut call, mut of_its_tenant, mut of_its_person) = (None, None, None);
        if method.streaming == Streaming::Unary {
            call = Some(self.calls.enter(()).ok_or(Error::Overloaded)?);
        } else {
            let enough = || Error::TooManyStreams;
            if let Some(tenant) = caller.tenant() {
                of_its_tenant = Some(self.streams_of_tenants.enter(tenant.to_owned()).ok_or_else(enough)?);
            }
            if let Some(person) = person {
                of_its_person = Some(self.streams_of_people.enter(person).ok_or_else(enough)?);
            }
        }
        Ok(Place { _call: call, _of_its_tenant: of_its_tenant, _of_its_person: of_its_person })
    }
}

/// Counts one more of a rate, if there is one.
fn check<K: Clone + Eq + std::hash::Hash, A>(
    rate: Option<(&Rate<K>, A)>,
    key: impl FnOnce(A) -> K,
    exceeded: Exceeded,
) -> Result<(), Error> {
    let Some((rate, of)) = rate else { return Ok(()) };
    rate.count(&key(of)).map_err(|retry_after| Error::RateLimited { exceeded, retry_after })
}

/// So many a second, of each kind.
struct Rate<K: Clone + Eq + std::hash::Hash> {
    limiter: DefaultKeyedRateLimiter<K>,
    clock: DefaultClock,
}

impl<K: Clone + Eq + std::hash::Hash> Rate<K> {
    /// How many kinds are kept in mind before those are forgotten that have all they may again.
    const KEPT: usize = 10_000;

    fn new(per_second: NonZeroU32) -> Self {
        let quota = Quota::per_second(per_second).allow_burst(per_second.saturating_mul(BURST));
        Self { limiter: RateLimiter::keyed(quota), clock: DefaultClock::default() }
    }

    /// Counts one, or says after which time there is one to be had.
    fn count(&self, key: &K) -> Result<(), Duration> {
        if self.limiter.len() > Self::KEPT {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(key).map_err(|wait| wait.wait_time_from(self.clock.now()))
    }
}
