//! Who calls, and what that one may see and do.
//!
//! Before any service is asked, [`crate::layer`] has the [`Authority`] make a [`Caller`] of the credentials that came
//! with a call: a service key or the certificate of a backend or operator, a token of a player or spectator that this
//! service has issued, or one of another issuer that it was told to trust. What a caller may call stands in the
//! contract itself; what it may see is asked of the [`Caller`] wherever a match is read (`rpc::visit`).

mod authority;
mod caller;
mod issuer;
mod jws;
pub mod service_key;
mod token;

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use crate::store::KeyHash;

/// The other end of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peer {
    /// Where it is.
    pub address: Option<SocketAddr>,
    /// The hash of the certificate that it has shown, which a trusted authority has signed.
    pub certificate: Option<KeyHash>,
}

pub use authority::{Authority, Known, Shown, Unknown};
pub use caller::{Backend, Caller, Player};
pub use issuer::{IssuedRole, Issuer, IssuerConfig, KeySource, NoKeys};
pub use token::{BadToken, Token, TokenKeyFileError, TokenKeys};

/// What counts as one address: of IPv6 the network that one customer has, since all of it is theirs.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        IpAddr::V4(address) => address.into(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_network_of_ipv6_counts_as_one() {
        let network = |text: &str| super::network(text.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("10.0.0.1"), "10.0.0.1");
        assert_eq!(network("::ffff:10.0.0.1"), "10.0.0.1");
    }
}
