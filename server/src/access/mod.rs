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

use std::net::SocketAddr;

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
